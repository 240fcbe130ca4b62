"""The four views of the page: their addresses, Back and reload, and that what was loaded stays loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from connect4_agent.ui.puzzles import PuzzleTheme, draw_puzzle

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.ui.web.page.opened import Opened

    Visit = Callable[..., Opened]

FORCED = draw_puzzle(3, PuzzleTheme.FORCED)


def link(page: Opened, name: str) -> None:
    """Follow a link of the header."""
    page.find("#pages").get_by_role("link", name=name, exact=True).click()


def test_views_are_shown_without_loading_the_page_again_and_keep_what_was_left(visit: Visit) -> None:
    page = visit("?two=person&moves=445")
    page.page.evaluate("window.isSame = true")
    page.shows_discs(3)
    link(page, "Learn")
    page.shows_turn("Four in a row")
    link(page, "Puzzles")
    expect(page.find("#players")).to_contain_text("Puzzle of the day")
    link(page, "Analyse")
    page.shows_turn("Red to move")
    page.column(4).click()
    page.shows_discs(1)
    link(page, "Play")
    page.shows_discs(3)
    assert page.query == {"moves": "445", "two": "person"}
    link(page, "Analyse")
    page.shows_discs(1)
    assert page.query == {"view": "analyse", "moves": "4"}
    page.page.go_back()
    page.shows_discs(3)
    page.page.go_back()
    page.shows_discs(1)
    assert page.page.evaluate("window.isSame")


@pytest.mark.parametrize(
    ("old", "query", "turn"),
    [
        ("learn#5", {"view": "learn", "card": "5"}, "Do not play below"),
        ("?view=learn&card=5", {"view": "learn", "card": "5"}, "Do not play below"),
        ("puzzles?seed=3&theme=forced", {"view": "puzzles", "seed": "3", "theme": "forced"}, FORCED.question),
        ("analyse?moves=44&at=1", {"view": "analyse", "moves": "44", "at": "1"}, "Yellow to move"),
        ("?two=person&moves=4", {"two": "person", "moves": "4"}, "Yellow\u2019s turn"),
    ],
)
def test_an_address_is_a_view_also_an_old_one_and_survives_a_reload(
    visit: Visit, old: str, query: dict[str, str], turn: str
) -> None:
    page = visit(old)
    page.shows_turn(turn)
    assert page.query == query
    page.page.reload()
    page.shows_turn(turn)
    assert page.query == query


def test_an_answer_for_a_view_that_was_left_changes_nothing(visit: Visit) -> None:
    page = visit("?view=analyse&moves=4444")
    page.shows_turn("Red to move")
    link(page, "Learn")
    page.shows_turn("Four in a row")
    page.page.wait_for_timeout(300)
    page.shows_turn("Four in a row")
    page.shows_discs(6)
    expect(page.find("#columns .word")).to_have_count(0)
