"""The page to learn on, in a real browser: its twelve cards, wrong and right discs, what it remembers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.ui.web.page.opened import DESKTOP, LYING_PHONE, PHONE, SMALL_PHONE, TABLET
from tests.ui.web.page.test_fits import SHIFT, STICKING_OUT, board_box
from tests.ui.web.test_lessons import CARDS, wrong_columns

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import ViewportSize

    from tests.ui.web.page.opened import Opened

    Visit = Callable[..., Opened]


def waits_for(page: Opened, card: dict[str, Any]) -> None:
    """Wait until a card is shown."""
    expect(page.find("#question")).to_have_text(card["title"])
    expect(page.find("#result-text")).to_have_text(card["task"])
    page.shows_discs(len(card["moves"]))
    expect(page.find("#solve")).to_be_enabled()


@pytest.mark.parametrize(
    ("viewport", "scheme"),
    [(DESKTOP, "light"), (PHONE, "dark"), (SMALL_PHONE, "light"), (TABLET, "dark"), (LYING_PHONE, "light")],
    ids=["desktop", "phone", "small phone", "tablet", "lying phone"],
)
def test_all_cards_are_solved_with_the_keyboard_alone_and_nothing_moves(
    visit: Visit, viewport: ViewportSize, scheme: str
) -> None:
    page = visit("learn", viewport=viewport, color_scheme=scheme)
    boxes = []
    for number, card in enumerate(CARDS, 1):
        waits_for(page, card)
        expect(page.find("#origin")).to_contain_text(f"Card {number} of 12")
        boxes.append(board_box(page))
        page.page.keyboard.press(str(wrong_columns(card)[0] + 1))
        expect(page.find("#result.wrong")).to_be_visible()
        page.page.keyboard.press("r")
        page.page.keyboard.press(card["right"][-1])
        expect(page.find("#result.right #result-text")).to_have_text(card["says"])
        expect(page.find("#reason")).to_be_empty() if card["shows"] == "disc" else expect(
            page.find("#reason")
        ).not_to_be_empty()
        boxes.append(board_box(page))
        assert page.page.evaluate(STICKING_OUT) == []
        assert page.small_targets() == []
        if number == len(CARDS):
            assert page.page.evaluate(SHIFT) == 0
        page.page.keyboard.press("n")
    page.shows_turn("Your turn")
    assert page.query["two"] == "level:1"
    assert boxes == [boxes[0]] * len(boxes)


def test_a_wrong_disc_is_refuted_with_a_hint_and_may_be_retried(visit: Visit) -> None:
    card = CARDS[4]
    page = visit("learn#5")
    waits_for(page, card)
    column = wrong_columns(card)[0]
    page.column(column + 1).click()
    expect(page.find("#result.wrong #result-text")).to_have_text(f"Column {column + 1} loses. {card['hint']}")
    page.shows_discs(len(card["moves"]) + 2)
    expect(page.find("#board .four")).to_have_count(1)
    expect(page.find("#reason")).to_contain_text("makes four")
    page.button("Retry").click()
    waits_for(page, card)
    page.column(column + 1).click()
    expect(page.button("Retry")).to_be_enabled()
    page.page.keyboard.press("1")  # any key of a column leads back as well
    waits_for(page, card)


def test_early_cards_do_not_talk_about_plans(visit: Visit) -> None:
    page = visit("learn#4")
    waits_for(page, CARDS[3])
    page.column(1).click()
    expect(page.find("#result.wrong")).to_be_visible()
    expect(page.find("#reason")).to_be_empty()


def test_solved_cards_are_remembered_and_the_address_names_the_card(visit: Visit) -> None:
    page = visit("learn#3")
    waits_for(page, CARDS[2])
    page.button("Show me").click()
    expect(page.find("#result.right")).to_be_visible()
    expect(page.find("#board .four")).to_have_count(1)
    expect(page.find("#cards .done")).to_have_count(0)  # it was shown
    page.page.reload()
    waits_for(page, CARDS[2])
    page.page.keyboard.press("3")
    expect(page.find("#cards .done")).to_have_count(1)
    page.button("Next").click()
    waits_for(page, CARDS[3])
    assert page.page.url.endswith("/learn#4")
    page.page.reload()
    waits_for(page, CARDS[3])
    expect(page.find("#cards .done")).to_have_count(1)
    expect(page.page.get_by_role("link", name="3 Open three")).to_contain_text("solved")
    page.page.get_by_role("link", name="7 Forced moves").click()
    waits_for(page, CARDS[6])
    page.page.go_back()
    waits_for(page, CARDS[3])
    page.go("learn#77")
    waits_for(page, CARDS[11])


def test_the_last_card_shows_hints_and_the_bar(visit: Visit) -> None:
    page = visit("learn#12")
    waits_for(page, CARDS[11])
    assert page.scores()[int(CARDS[11]["right"]) - 1] == 11
    expect(page.find("#bar:not(.unknown)")).to_be_visible()
    page.go("learn#11")
    waits_for(page, CARDS[10])
    expect(page.find("#columns .word")).to_have_count(0)
    expect(page.find("#bar")).to_be_hidden()


def test_every_page_leads_to_the_cards(visit: Visit) -> None:
    page = visit("")
    page.page.get_by_role("link", name="Learn it first").click()
    waits_for(page, CARDS[0])
    for path in ("?first=1", "puzzles?date=2027-01-04", "run"):
        page.go(path)
        page.page.get_by_role("link", name="Learn", exact=True).click()
        waits_for(page, CARDS[0])


def test_a_server_that_is_silent_can_be_asked_again(visit: Visit) -> None:
    page = visit("learn#4")
    page.is_spoiled = True
    waits_for(page, CARDS[3])
    page.page.route("**/api/explain*", lambda route: route.abort())
    page.page.keyboard.press("4")
    expect(page.find("#message")).to_be_visible()
    page.page.unroute("**/api/explain*")
    page.button("Try again").click()
    expect(page.find("#result.right")).to_be_visible()


def test_the_position_of_a_card_opens_in_the_analysis_and_its_columns_say_whose_disc_is_on_top(visit: Visit) -> None:
    page = visit("learn#5")  # of the second player, with a red disc on column 7
    waits_for(page, CARDS[4])
    expect(page.column(7)).to_have_accessible_name("Column 7 three discs, theirs on top")
    page.page.get_by_role("link", name="Analyse this position").click()
    page.shows_discs(len(CARDS[4]["moves"]))
    expect(page.find("#turn")).to_have_text("Yellow to move")
