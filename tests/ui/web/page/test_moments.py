"""Moments to look at, hints in three steps and "Are you sure?" in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.ui.web.page.opened import DESKTOP, LYING_PHONE, PHONE, SMALL_PHONE, Opened

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import ViewportSize

    Visit = Callable[..., Opened]

OVERLOOKED = "44332277661"
"""The player who began missed four with moves 7 and 9 and made a mistake with move 3; then it won."""

ALLOWED = "4433221"
"""The other player allowed a double threat with move 4."""


def verdict(page: Opened, text: str) -> None:
    expect(page.find(".moments-verdict")).to_contain_text(text)


def enter(page: Opened, name: str = "3 moments to look at") -> None:
    page.button(name).click()
    expect(page.find("#moments")).to_be_visible()
    page.shows_turn("Can you find better?")


def board_box(page: Opened) -> list[float]:
    """Where the board is on the page, however far that is scrolled."""
    found = page.find("#board svg").evaluate(
        "each => { const { x, y, width, height } = each.getBoundingClientRect();"
        " return [x, y + scrollY, width, height].map(Math.round); }"
    )
    assert isinstance(found, list)
    return found


def test_the_plainest_oversights_come_first_and_the_game_stays_as_it_is(visit: Visit) -> None:
    page = visit(f"?moves={OVERLOOKED}&two=easy")
    before = page.query
    enter(page)
    for number, move, discs in ((1, 7, 6), (2, 9, 8), (3, 3, 2)):
        expect(page.find("#moments")).to_contain_text(f"Moment {number} of 3")
        expect(page.find("#moments")).to_contain_text(f"Move {move}: you played column")
        page.shows_discs(discs)
        page.button("Next" if number < 3 else "Finish").click()
    page.shows_turn("You found 0 of 3")
    expect(page.find("#moments")).to_contain_text("Your accuracy in this game: 75 %")
    verdict(page, "You saw 1 of the 3 things there were to see. Only a look far ahead shows 1 mistake.")
    assert page.query == before
    page.button("Back to the game").click()
    page.shows_turn("You win")
    page.shows_discs(len(OVERLOOKED))
    expect(page.find("#moments")).to_be_hidden()
    assert page.query == before
    expect(page.find("#players")).to_contain_text("You")


def test_a_right_try_gets_its_reason_and_counts_even_after_a_wrong_one(visit: Visit) -> None:
    page = visit(f"?moves={OVERLOOKED}&two=easy")
    enter(page)
    page.column(7).click()
    verdict(page, "Good enough, but you can make four in a row.")
    expect(page.find("#board .reason")).to_have_count(0)  # which would give the answer away
    page.column(5).click()
    verdict(page, "Yes! Red makes four at column 5, row 1.")
    page.says("Yes! Red makes four at column 5, row 1.")
    expect(page.find("#board .badge.best")).to_have_count(1)
    page.button("Next").click()
    page.button("Next").click()
    page.button("Finish").click()
    page.shows_turn("You found 1 of 3")


def test_a_wrong_try_is_refuted_on_the_board(visit: Visit) -> None:
    page = visit(f"?moves={ALLOWED}&one=easy&two=person")
    enter(page, "1 moment to look at")
    page.shows_discs(3)
    page.column(7).click()
    verdict(page, "Easy can make two fours at once.")
    expect(page.find("#board .disc")).not_to_have_count(4)
    expect(page.find("#board .disc")).not_to_have_count(3)
    page.button("Retry").click()
    page.shows_discs(3)
    page.column(5).click()
    verdict(page, "Yes!")
    page.shows_discs(4)


def test_the_answer_can_be_shown(visit: Visit) -> None:
    page = visit(f"?moves={OVERLOOKED}&two=easy")
    enter(page)
    page.button("Show").click()
    verdict(page, "Column 1 or 5. Red makes four at")
    expect(page.button("Show")).to_be_disabled()
    page.button("Retry").click()
    verdict(page, "Drop a disc.")
    page.shows_discs(6)


def test_a_moment_counts_once_and_not_after_its_answer_was_shown(visit: Visit) -> None:
    page = visit(f"?moves={OVERLOOKED}&two=easy")
    enter(page)
    page.column(5).click()
    verdict(page, "Yes!")
    page.page.keyboard.press("7")  # this moment is over
    verdict(page, "Yes!")
    page.button("Retry").click()
    page.column(1).click()
    verdict(page, "Yes!")
    page.button("Next").click()
    page.button("Show").click()
    verdict(page, "Column 1 or 5.")
    page.button("Retry").click()
    page.column(5).click()
    verdict(page, "Yes!")
    page.button("Next").click()
    page.button("Finish").click()
    page.shows_turn("You found 1 of 3")


def test_an_answer_that_is_left_while_its_disc_falls_changes_nothing_else(visit: Visit) -> None:
    page = visit(f"?moves={OVERLOOKED}&two=easy", reduced_motion="no-preference")
    enter(page)
    page.button("Show").click()
    page.shows_discs(7)
    page.button("Next").click()
    page.shows_discs(8)
    expect(page.find("#moments")).to_contain_text("Move 9")
    page.button("Show").click()
    page.shows_discs(9)
    page.button("Back to the game").click()
    page.shows_turn("You win")
    page.page.wait_for_function("() => !document.getAnimations().some((each) => each.playState === 'running')")
    page.shows_discs(len(OVERLOOKED))


def test_a_shown_mistake_can_be_looked_at_on_its_own_but_not_the_opponents(visit: Visit) -> None:
    page = visit(f"?moves={OVERLOOKED}&two=easy&at=9")
    enter(page, "Can you find better?")
    expect(page.find("#moments")).to_contain_text("A moment to look at")
    expect(page.find("#moments")).to_contain_text("Move 9: you played column 6.")
    page.page.go_back()
    page.shows_discs(9)
    page.find(".curve .mistake[data-ply='3']").click()  # the opponent's
    page.shows_discs(4)
    expect(page.button("3 moments to look at")).to_be_enabled()


def test_a_game_without_an_oversight_or_mistake_says_so(visit: Visit) -> None:
    page = visit("?moves=4433221&one=person&two=easy&at=7&first=2")
    expect(page.find("#look")).to_be_enabled()
    page.go("?moves=4141414&two=easy")
    expect(page.find("#look")).to_have_text("You overlooked nothing")
    expect(page.find("#look")).to_be_disabled()


def test_two_people_have_no_moments_of_the_game(visit: Visit) -> None:
    page = visit(f"?moves={OVERLOOKED}&two=person")
    expect(page.find(".curve .mistake").first).to_be_visible()
    expect(page.find("#look")).to_be_hidden()
    page.find(".curve .mistake[data-ply='3']").click()
    enter(page, "Can you find better?")
    expect(page.find("#moments")).to_contain_text("Move 4: you played column 3.")


def test_moments_by_keyboard_alone(visit: Visit) -> None:
    page = visit(f"?moves={OVERLOOKED}&two=easy")
    page.button("3 moments to look at").focus()
    keyboard = page.page.keyboard
    keyboard.press("Enter")
    page.says("Moment 1 of 3. Move 7: you played column 7. Can you find better?")
    keyboard.press("ArrowRight")
    keyboard.press("Enter")  # column 5
    verdict(page, "Yes!")
    page.button("Next").focus()
    keyboard.press("Enter")
    page.says("Moment 2 of 3")
    keyboard.press("3")
    verdict(page, "you can make four in a row.")
    expect(page.button("Retry")).to_be_focused()
    keyboard.press("Enter")
    page.says("Can you find better?")
    keyboard.press("Escape")
    page.shows_turn("You win")
    expect(page.find("#moments")).to_be_hidden()


def test_the_refutation_falls_disc_by_disc_unless_less_motion_is_wanted(visit: Visit) -> None:
    page = visit(f"?moves={ALLOWED}&one=easy&two=person", reduced_motion="no-preference")
    enter(page, "1 moment to look at")
    page.column(7).click()
    for discs in (4, 5):
        page.shows_discs(discs)
    verdict(page, "two fours at once")
    page.button("Retry").click()
    page.shows_discs(3)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "window", [DESKTOP, PHONE, SMALL_PHONE, LYING_PHONE], ids=["desktop", "phone", "small", "lying"]
)
def test_the_board_stays_where_it_is_and_everything_fits(visit: Visit, window: ViewportSize, scheme: str) -> None:
    page = visit(f"?moves={OVERLOOKED}&two=easy", viewport=window, color_scheme=scheme)
    expect(page.button("3 moments to look at")).to_be_visible()
    stays = board_box(page)
    enter(page)
    for tried, said in (("7", "Good enough"), ("5", "Yes!")):
        assert board_box(page) == stays
        page.page.keyboard.press(tried)
        verdict(page, said)
        assert page.fits_the_window()
        assert page.small_targets() == []
    page.button("Next").click()
    page.button("Next").click()
    page.button("Finish").click()
    assert board_box(page) == stays
    page.page.keyboard.press("Escape")
    page.shows_turn("You win")
    assert board_box(page) == stays


def test_a_server_that_fails_can_be_asked_again(visit: Visit) -> None:
    page = visit(f"?moves={OVERLOOKED}&two=easy")
    page.is_spoiled = True
    enter(page)
    page.page.route("**/api/explain*", lambda route: route.abort())
    page.column(5).click()
    verdict(page, "The server is not answering.")
    page.page.unroute("**/api/explain*")
    page.button("Retry").click()
    page.column(5).click()
    verdict(page, "Yes!")


def test_a_game_from_a_position_that_was_set_up_has_its_moments(visit: Visit) -> None:
    page = visit("?start=......./......./......./......./..OO.../..XX...&moves=2277661&two=easy&first=1")
    expect(page.find(".curve .mistake").first).to_be_visible()
    enter(page, "2 moments to look at")
    expect(page.find("#moments")).to_contain_text("Move 3: you played column 7.")
    page.shows_discs(6)
    page.column(5).click()
    verdict(page, "Yes! Red makes four at column 5, row 1.")
    page.page.get_by_role("link", name="Analyse", exact=True).last.click()
    page.shows_discs(6)
    assert page.query["at"] == "2"
    assert page.query["start"].endswith("..XX...")


def test_a_moment_opens_on_the_analysis_board_with_its_game(visit: Visit) -> None:
    page = visit(f"?moves={OVERLOOKED}&two=easy")
    enter(page)
    link = page.find("#moments").get_by_role("link", name="Analyse")
    expect(link).to_have_attribute("href", f"/analyse?moves={OVERLOOKED}&at=6")
    page.button("Next").click()
    link.click()
    page.shows_discs(8)
    expect(page.find("#moves button")).to_have_count(len(OVERLOOKED))


def test_a_mistake_of_theory_has_no_short_reason_but_best_play_to_watch(visit: Visit) -> None:
    page = visit(f"?moves={OVERLOOKED}&two=easy")
    enter(page)
    page.button("Next").click()
    page.button("Next").click()
    watch = page.button("Watch best play")
    expect(watch).to_be_hidden()
    page.column(1).click()
    verdict(page, "That gives the win away, and loses. There is no short reason: with best play, the game lasts 36")
    expect(watch).to_be_visible()
    page.button("Retry").click()
    expect(watch).to_be_hidden()
    page.button("Show").click()
    verdict(page, "Column 4. There is no short reason: with best play, the game lasts 39 more discs.")
    page.shows_discs(3)
    watch.click()
    expect(page.find("#board .disc")).not_to_have_count(3)
    page.button("Retry").click()
    page.shows_discs(2)


# Hints.


def detail(page: Opened, text: str) -> None:
    expect(page.find("#detail")).to_contain_text(text)


def test_a_hint_is_a_sentence_then_cells_then_the_column(visit: Visit) -> None:
    page = visit("?moves=4455&two=level:1")
    stays = board_box(page)
    page.button("Hint").click()
    detail(page, "Something is about to happen in column 2: two fours at once are possible.")
    page.says("Something is about to happen in column 2")
    expect(page.find("#board .light, #board .better")).to_have_count(0)
    page.page.keyboard.press("h")
    expect(page.find("#board .light")).to_have_count(2)
    expect(page.find("#board .better")).to_have_count(0)
    page.page.keyboard.press("h")
    expect(page.find("#board .light")).to_have_count(0)
    expect(page.find("#board .better")).to_have_count(1)
    detail(page, "Column 3. After column 3, Red can make four at column 2 or 6, row 1 (double threat).")
    assert board_box(page) == stays
    page.column(3).click()
    expect(page.find("#board .better")).to_have_count(0)
    page.shows_discs(6)
    page.page.keyboard.press("h")  # starts anew
    expect(page.find("#board .better")).to_have_count(0)
    detail(page, "you can make four in a row.")


@pytest.mark.parametrize(
    ("moves", "sentence", "lit", "answer"),
    [
        ("443322", "Look closely: you can make four in a row.", 3, "Column 1. It makes four in a row."),
        ("41424", "Watch out: Red is about to make four in a row.", 3, "Column 4. It stops Red\u2019s four."),
    ],
)
def test_a_four_needs_no_server(visit: Visit, moves: str, sentence: str, lit: int, answer: str) -> None:
    page = visit(f"?moves={moves}&two=person")
    page.shows_discs(len(moves))
    asked = len(page.asked)
    page.button("Hint").click()
    detail(page, sentence)
    page.button("Hint").click()
    expect(page.find("#board .light")).to_have_count(lit)
    page.button("Hint").click()
    detail(page, answer)
    assert len(page.asked) == asked


def test_a_hint_without_a_reason_names_a_part_of_the_board(visit: Visit) -> None:
    page = visit("?moves=44&two=person")
    page.button("Hint").click()
    detail(page, "No simple reason here. Look at the middle of the board.")
    page.button("Hint").click()
    expect(page.find("#board .light")).to_have_count(3)


def test_a_hint_takes_the_place_of_a_refusal(visit: Visit) -> None:
    page = visit("?moves=443322&two=level:1")
    page.page.keyboard.press("7")
    detail(page, "Are you sure?")
    page.button("Hint").click()
    detail(page, "Look closely: you can make four in a row.")


def test_there_is_no_hint_on_the_opponents_turn(visit: Visit) -> None:
    page = visit("?moves=4&two=easy")  # a link waits until somebody lets the player move
    expect(page.find("#hint")).to_be_disabled()


# "Are you sure?"


def test_a_disc_that_misses_a_four_is_asked_about_and_the_same_again_confirms(visit: Visit) -> None:
    page = visit("?moves=443322&two=level:1")
    stays = board_box(page)
    page.page.keyboard.press("7")
    detail(page, "Are you sure? You can make four in a row now. To play it anyway, drop it again in column 7.")
    page.says("Are you sure?")
    page.shows_discs(6)
    assert board_box(page) == stays
    page.page.keyboard.press("6")  # another one is asked about anew
    detail(page, "drop it again in column 6.")
    page.shows_discs(6)
    page.page.keyboard.press("6")
    page.shows_discs(8)


@pytest.mark.parametrize(
    ("moves", "column", "is_asked"),
    [
        ("43434", 5, True),  # leaves a four
        ("43434", 4, False),  # blocks it
        ("5661544", 3, True),  # gives the cell above
        ("44332", 7, False),  # nothing helps
        ("443322", 5, False),  # makes four
    ],
)
def test_only_what_loses_at_once_and_could_be_avoided_is_asked_about(
    visit: Visit, moves: str, column: int, is_asked: bool
) -> None:
    page = visit(f"?moves={moves}&two=person")
    page.find("#guard").check()
    page.click_cell(column)
    page.shows_discs(len(moves) + (not is_asked))
    if is_asked:
        detail(page, "could make four in a row then.")


def test_it_is_on_at_the_lowest_levels_until_somebody_chooses(visit: Visit) -> None:
    page = visit("?moves=44&two=level:2")
    expect(page.find("#guard")).to_be_checked()
    page.go("?moves=44&two=level:3")
    expect(page.find("#guard")).not_to_be_checked()
    page.find("#guard").check()
    page.go("?moves=44&two=hard")
    expect(page.find("#guard")).to_be_checked()
    page.find("#guard").uncheck()
    page.go("?moves=443322&two=level:1")
    expect(page.find("#guard")).not_to_be_checked()
    page.column(7).click()
    page.shows_discs(8)


def test_it_can_be_answered_by_a_finger(visit: Visit) -> None:
    page = visit("?moves=443322&two=level:1", viewport=PHONE, has_touch=True)
    column = page.column(7)
    column.tap()
    detail(page, "Are you sure?")
    column.tap()
    page.shows_discs(8)


def test_who_lost_reads_until_when_the_game_was_open(visit: Visit) -> None:
    page = visit(f"?one=easy&two=person&moves={ALLOWED}")
    expect(page.find("#detail")).to_have_text(
        "Move 7: Easy plays column 1: four in a row. You were in it until move 4."
    )


def test_moments_are_walked_by_keys(visit: Visit) -> None:
    page = visit(f"?moves={OVERLOOKED}&two=easy")
    enter(page)
    page.page.keyboard.press("s")
    verdict(page, "Column 1 or 5.")
    page.page.keyboard.press("r")
    page.shows_turn("Can you find better?")
    page.page.keyboard.press("n")
    expect(page.find("#moments")).to_contain_text("Moment 2 of 3")
