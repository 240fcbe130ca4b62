"""Variations, Back and Forward in a real browser: no move is ever lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.ui.web.page.opened import Opened

    Visit = Callable[..., Opened]

BRANCHED = "?two=person&moves=4453&also=2-21,3-7,2-26&line=1&at=3"
"""A main line and three variations, the last of which branches off from the first."""


def test_another_move_starts_a_variation_and_the_main_line_stays(visit: Visit) -> None:
    page = visit("?two=person&moves=44352&at=2")
    page.page.keyboard.press("7")
    page.shows_discs(3)
    assert page.query == {"moves": "44352", "also": "2-7", "line": "1", "two": "person"}
    expect(page.find("#moves .variation")).to_have_count(1)
    page.page.keyboard.press("1")
    assert page.query["also"] == "2-71"
    page.page.reload()
    page.shows_discs(4)
    page.button("move 5 Red, column 2").click()
    page.shows_discs(5)
    assert page.query == {"moves": "44352", "also": "2-71", "two": "person"}


def test_a_move_that_a_line_has_is_followed(visit: Visit) -> None:
    page = visit("?two=person&moves=4435&also=2-71&at=2")
    page.page.keyboard.press("7")
    assert page.query == {"moves": "4435", "also": "2-71", "line": "1", "at": "3", "two": "person"}
    page.button("One move back").click()
    page.page.keyboard.press("3")
    assert page.query == {"moves": "4435", "also": "2-71", "at": "3", "two": "person"}


def test_variations_are_listed_below_their_move_and_can_be_walked(visit: Visit) -> None:
    page = visit(BRANCHED)
    page.shows_discs(3)
    # The third move has a variation, in which the fourth has one itself; then the fourth move has another one.
    listed = page.find("#moves > li").evaluate_all("all => all.map((each) => each.matches('.variation'))")
    assert listed == [False, False, False, True, False, True]
    expect(page.find("#moves .variation .variation button")).to_have_count(1)
    page.page.keyboard.press("ArrowRight")
    page.shows_discs(4)
    assert page.query["line"] == "1"
    page.page.keyboard.press("Home")
    page.page.keyboard.press("End")
    page.shows_discs(4)
    assert page.query["line"] == "1"
    expect(page.find("#moves [aria-current]")).to_have_text("move 4 Yellow, column 1")


def test_a_variation_is_promoted_and_deleted_and_back_restores_it(visit: Visit) -> None:
    page = visit(BRANCHED)
    page.button("Make this the main line").click()
    page.says("This is now the main line.")
    assert page.query == {"moves": "4421", "also": "2-53,2-57,3-6", "at": "3", "two": "person"}
    expect(page.button("Delete variation")).to_be_hidden()
    page.find("#moves .variation button").first.click()
    page.button("Delete variation").click()
    page.says("Variation deleted; Back restores it.")
    expect(page.find("#moves .variation")).to_have_count(2)
    assert page.query == {"moves": "4421", "also": "2-57,3-6", "line": "1", "at": "3", "two": "person"}
    page.page.go_back()
    expect(page.find("#moves .variation")).to_have_count(3)


def test_back_and_forward_follow_moves_and_no_move_is_lost(visit: Visit) -> None:
    page = visit("?two=person&first=1")
    for ply, sign in enumerate("4455", 1):
        page.page.keyboard.press(sign)
        page.shows_discs(ply)
    page.page.go_back()
    page.shows_discs(3)
    page.page.go_back()
    page.shows_discs(2)
    assert page.query["moves"] == "4455"
    page.page.go_forward()
    page.shows_discs(3)
    page.page.keyboard.press("7")
    assert page.query == {"moves": "4455", "also": "3-7", "line": "1", "two": "person"}


def test_forward_after_a_reload_brings_the_later_moves_again(visit: Visit) -> None:
    page = visit("?two=person&first=1")
    for ply, sign in enumerate("4455", 1):
        page.page.keyboard.press(sign)
        page.shows_discs(ply)
    page.page.evaluate("history.go(-3)")
    page.shows_discs(1)
    page.page.evaluate("history.replaceState(history.state, '', '?moves=4&two=person')")  # as an old entry may be
    page.page.reload()
    page.shows_discs(1)
    page.page.evaluate("history.go(3)")
    page.shows_discs(4)
    assert page.query["moves"] == "4455"


def test_back_undoes_a_whole_walk_and_a_move_with_its_answer(visit: Visit) -> None:
    page = visit("?two=first-open&first=1")
    page.column(4).click()
    page.shows_discs(2)
    page.column(5).click()
    page.shows_discs(4)
    for _ in range(3):
        page.button("One move back").click()
    page.shows_discs(1)
    page.page.go_back()
    page.shows_discs(4)
    page.page.go_back()
    page.shows_discs(2)
    page.page.go_back()
    page.shows_discs(0)
    page.shows_turn("Your turn")


def test_a_new_game_can_be_undone(visit: Visit) -> None:
    page = visit("?two=person&moves=4453&also=2-7")
    page.button("New game").click()
    page.button("Start").click()
    page.shows_discs(0)
    page.button("Back to it").click()
    page.shows_discs(4)
    assert page.query == {"moves": "4453", "also": "2-7", "two": "person"}
    page.page.go_forward()
    page.shows_discs(0)
    page.page.keyboard.press("Control+z")
    page.shows_discs(4)


def test_the_way_back_to_the_previous_game_stays_until_the_person_moves(visit: Visit) -> None:
    page = visit("?two=first-open&moves=4152")
    page.button("New game").click()
    page.page.get_by_label("Opponent", exact=True).last.check()
    page.button("Start").click()
    page.shows_discs(1)
    page.shows_turn("Your turn")
    expect(page.button("Back to it")).to_be_visible()
    page.page.keyboard.press("4")
    expect(page.button("Back to it")).to_be_hidden()
    page.go("?two=first-open&moves=4152")
    page.button("New game").click()
    page.button("Start").click()
    page.shows_turn("Your turn")
    page.button("Back to it").click()
    page.shows_discs(4)


def test_arrow_keys_step_through_a_game_opened_by_a_link(visit: Visit) -> None:
    page = visit("?two=person&moves=4453")
    page.page.keyboard.press("ArrowLeft")
    page.shows_discs(3)
    page.page.keyboard.press("Home")
    page.shows_discs(0)
    page.page.keyboard.press("ArrowRight")
    page.shows_discs(1)
    page.page.keyboard.press("End")
    page.shows_discs(4)
    # On the board itself they choose a column while a disc can be dropped, and step once the game is over.
    page.column(5).click()
    page.shows_discs(5)
    page.page.keyboard.press("ArrowRight")
    expect(page.column(6)).to_be_focused()
    page.shows_discs(5)


def test_arrow_keys_step_when_a_game_played_by_mouse_is_over(visit: Visit) -> None:
    page = visit("?two=person&moves=414141")
    page.column(4).click()
    page.shows_turn("Red wins")
    for count in (6, 5, 4):
        page.page.keyboard.press("ArrowLeft")
        page.shows_discs(count)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("?moves=44&also=7", "also has “7”; a variation is a ply of the game, - and moves, such as 0-4"),
        ("?moves=44&also=3-4", "also has “3-4”; a variation is a ply of the game, - and moves, such as 0-4"),
        ("?moves=44&also=2-9", "move 3 of “449” is “9”; the columns are 1 to 7"),
        ("?moves=44&also=1-5&line=2", "line is “2”; allowed are 0 to 1"),
    ],
)
def test_bad_variations_in_an_address_are_explained(visit: Visit, query: str, said: str) -> None:
    page = visit(query)
    expect(page.find("#message")).to_contain_text(f"This link cannot be opened: {said}.")
