"""Play in a real browser: the ladder of levels, hints, questions, moments, presses, and what goes wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from connect4_agent.engine.players.registry import LADDER_SUMMARIES
from tests.ui.web.page.opened import DESKTOP, PHONE, Opened
from tests.ui.web.page.states import LOSING, OVERLOOKED, STATES

if TYPE_CHECKING:
    Visit = Callable[..., Opened]


def always_play(page: Opened, column: int, query: str) -> None:
    """Open an address where the other side always plays the same column, counted from 1."""
    page.page.route("**/api/move*", lambda route: route.fulfill(json={"move": column - 1}))
    page.go(query)  # a page that is open already may still send a call past the route


def play(page: Opened, columns: str) -> None:
    """Drop these discs, each after the other side's."""
    for count, column in enumerate(columns):
        page.shows_turn("Your turn")
        page.shows_discs(2 * count)
        page.page.keyboard.press(column)


WAYS = ("the board", "a reload", "Learn and back", "I\u2019m new", "I play a bit", "Play on")


def take(page: Opened, way: str) -> None:
    """Come from the first visit to a game with a disc, in one of the ways."""
    match way:
        case "a reload":
            page.page.reload()
        case "Learn and back":
            page.find("#to-learn").click()
            page.page.go_back()
        case "Play on":
            page.go("?view=analyse&moves=44")
            page.find("#play-on").click()
        case "I\u2019m new" | "I play a bit":
            page.button(way).click()
    expect(page.find("#turn")).to_have_text(re.compile("Get four|Your turn"))
    page.click_cell(4)


@pytest.mark.parametrize("way", WAYS)
def test_no_way_leads_to_anybody_but_a_low_level_unasked(visit: Visit, way: str) -> None:
    page = visit("")
    always_play(page, 7, "")
    take(page, way)
    expect(page.find("#players")).to_contain_text("Level 3" if way == "I play a bit" else "Level 1")
    expect(page.find("#board .disc").nth(1)).to_be_attached()


def test_the_last_level_is_the_next_one_and_undo_brings_nobody_else(visit: Visit) -> None:
    page = visit("")
    always_play(page, 7, "")
    page.button("I play a bit").click()
    play(page, "4")
    page.shows_discs(2)
    page.button("Undo").click()
    expect(page.find("#players")).to_contain_text("Level 3")
    page.go("?view=analyse&moves=44")
    page.find("#play-on").click()
    expect(page.find("#players")).to_contain_text("Level 3")
    assert page.page.evaluate("localStorage.getItem('connect4-agent.level')") == "3"


def test_two_wins_lead_up_whoever_lost_and_three_losses_lead_down(visit: Visit) -> None:
    page = visit("")
    always_play(page, 7, "?two=level:3&first=1")
    play(page, "1111")
    page.shows_turn("You win!")
    expect(page.find("#detail")).not_to_contain_text("Level 4")
    page.button("Play again").click()
    play(page, "1111")
    page.says("Level 4 is yours.")
    expect(page.find("#players .on")).to_have_count(4)
    page.button("Play Level 4").click()
    assert page.query["two"] == "level:4"
    page.go("?two=hard&first=1")
    for count in range(3):
        expect(page.find("#play-level")).to_be_hidden()
        play(page, "1212")
        page.shows_turn("Hard wins")
        if count < 2:
            page.button("Play again").click()
    page.button("Play Level 3").click()
    assert page.query["two"] == "level:3"


def test_a_hint_comes_in_three_steps_and_is_heard(visit: Visit) -> None:
    page = visit(f"?moves={LOSING}&one=level:4&two=person")
    page.page.keyboard.press("h")
    page.says("Careful: Red could make two fours at once.")
    expect(page.find("#board .light")).to_have_count(0)
    page.page.keyboard.press("h")
    expect(page.find("#board .light")).to_have_count(3)
    expect(page.find("#board .better")).to_have_count(0)
    page.page.keyboard.press("h")
    expect(page.find("#board .better")).to_have_count(1)
    page.says("Column 5 is safe")
    expect(page.button("Hint\u00a03/3")).to_be_visible()


def test_are_you_sure_rings_the_danger_and_a_double_tap_is_no_answer(visit: Visit) -> None:
    page = visit("")
    STATES["are you sure"].open(page)
    page.says("Are you sure? You can make four in a row now.")
    expect(page.find("#board .light")).to_have_count(4)
    page.page.evaluate("Date.now = ((now) => () => now)(Date.now())")  # no time passes
    page.page.keyboard.press("7")
    page.page.keyboard.press("7")
    page.shows_discs(6)
    page.button("Go back").click()
    expect(page.find("#say-buttons")).to_be_hidden()
    expect(page.find("#columns button:focus")).to_have_count(1)
    page.page.keyboard.press("6")
    page.page.evaluate("Date.now = ((now) => () => now)(Date.now() + 601)")
    page.page.keyboard.press("6")
    expect(page.find("#board .disc").nth(6)).to_be_attached()


def test_a_press_counts_when_the_pointer_moves_or_a_column_has_the_focus(visit: Visit) -> None:
    for finger in (False, True):
        page = visit("?two=person", viewport=PHONE if finger else DESKTOP, has_touch=finger)
        for count, number in enumerate((4, 4, 5, 2), 1):
            page.column(number).focus()
            box = page.find("#board svg").bounding_box()
            assert box is not None
            x, y = box["x"] + box["width"] * (number - 0.5) / 7, box["y"] + box["height"] * 0.6
            # A part of the drawing that took the press could be replaced before it ends.
            assert page.page.evaluate("([x, y]) => document.elementFromPoint(x, y).tagName", [x, y]) in ("svg", "DIV")
            if finger:
                page.page.touchscreen.tap(x, y)
            else:
                page.page.mouse.move(x, y)
                page.page.mouse.down()
                page.page.mouse.move(x + 1, y + 1)
                page.page.mouse.up()
            page.shows_discs(count)


def test_during_a_game_there_are_three_buttons_and_the_rest_comes_after_it(visit: Visit) -> None:
    page = visit("")
    STATES["playing"].open(page)
    assert [each.inner_text() for each in page.find(".side button").filter(visible=True).all()] == [
        "Undo",
        "Hint",
        "More",
    ]
    expect(page.find("#review")).to_be_hidden()
    STATES["won"].open(page)
    expect(page.find("#review")).to_be_visible()
    expect(page.find("#detail")).to_contain_text("You overlooked nothing.")
    expect(page.find("#board .four")).to_have_count(4)
    expect(page.find(".strong").filter(visible=True)).to_have_text(["Play again"])


def test_moments_ask_for_better_refute_and_lead_back(visit: Visit) -> None:
    page = visit(f"?moves={OVERLOOKED}&two=level:1")
    page.button("2 things to learn").click()
    page.shows_turn("1 of 2: find better")
    page.page.keyboard.press("7")
    expect(page.find("#say.is-warning #detail")).to_contain_text("four in a row")
    page.page.keyboard.press("7")  # takes the try back
    page.shows_discs(6)
    page.page.keyboard.press("1")
    expect(page.find("#say.is-right #detail")).to_contain_text("Yes!")
    page.button("Next").click()
    page.shows_turn("2 of 2: find better")
    page.button("Show").click()
    expect(page.find("#say.is-right")).to_be_visible()
    page.button("Finish").click()
    page.shows_discs(len(OVERLOOKED))
    expect(page.find("#review")).to_be_visible()


def test_a_loss_names_the_last_oversight_and_mistakes_lead_to_their_move(visit: Visit) -> None:
    page = visit("")
    page.page.evaluate("localStorage.setItem('connect4-agent.guard', 'false')")
    always_play(page, 4, "?moves=5435673474&two=level:1")
    page.shows_discs(10)
    page.page.keyboard.press("6")
    page.shows_turn("Level 1 wins")
    expect(page.find("#detail")).to_contain_text("Move 11: column 4 was open.")
    page.find("#mistakes button").last.click()
    page.shows_turn("Move 11 of 12")
    expect(page.find("#board .better")).to_have_count(1)


def test_colour_turn_scores_and_result_are_heard(visit: Visit) -> None:
    page = visit("?moves=44&two=level:1", hints=True)
    expect(page.find("#players")).to_contain_text("You plays red.")
    page.says("with best play")
    page.page.keyboard.press("b")
    page.says("column 4: red, yellow")
    STATES["won"].open(page)
    page.says("You win!")
    assert page.page.get_by_role("heading", level=2).first.inner_text() == "You win!"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("?moves=4499", "move 3 of “4499” is “9”; the columns are 1 to 7"),
        ("?moves=4444444", "move 7 of “4444444”: column 4 is full"),
        ("?moves=44556671", "the game was over before move 8 of “44556671”"),
        ("?moves=%3Cimg%20src=x%3E", "move 1 of “<img src=x>” is “<”; the columns are 1 to 7"),
    ],
)
def test_a_bad_address_is_explained_over_an_empty_board(visit: Visit, query: str, said: str) -> None:
    page = visit(query)
    expect(page.find("#detail")).to_have_text(f"This link cannot be opened: {said}.")
    page.shows_discs(0)
    page.button("Start a new game").click()
    expect(page.find("#say.is-warning")).to_have_count(0)


def test_a_move_arrives_by_itself_when_the_server_has_come_back(visit: Visit) -> None:
    page = visit("")
    page.is_spoiled = True
    page.page.route("**/api/move*", lambda route: route.abort())
    page.go("?two=first-open&first=1")
    page.column(4).click()
    expect(page.find("#detail")).to_contain_text("Is connect4-agent web still running?")
    page.page.unroute("**/api/move*")
    page.shows_discs(2)
    expect(page.find("#say.is-warning")).to_have_count(0)


def test_a_new_game_is_set_up_with_the_keyboard(visit: Visit) -> None:
    page = visit("?two=person&moves=44")
    page.button("More").click()
    page.find("#new-game").press("Enter")
    page.page.get_by_label("Watch two players").check()
    levels = [f"Level {number}: {words}" for number, words in enumerate(LADDER_SUMMARIES, 1)]
    expect(page.find("#player-2 option")).to_have_text(levels)
    page.find("#player-2").select_option("level:2")
    page.find("#start").press("Enter")
    expect(page.button("Pause")).to_be_visible()
    assert (page.query["one"], page.query["two"]) == ("level:1", "level:2")
