"""Analyse in a real browser: scores, variations, reasons, and positions that are set up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from connect4_agent.engine.analysis import analyze
from connect4_agent.rules.position import Position
from tests.ui.web.page.states import LATE

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.ui.web.page.opened import Opened

    Visit = Callable[..., Opened]


def test_the_scores_are_the_solvers(visit: Visit) -> None:
    page = visit(f"?view=analyse&moves={LATE}")
    assert page.scores() == list(analyze(Position.from_moves(LATE)).scores)


def test_another_move_starts_a_variation_which_a_reload_keeps(visit: Visit) -> None:
    page = visit("?view=analyse&moves=44352&at=2")
    page.page.keyboard.press("7")
    page.shows_discs(3)
    assert page.query == {"view": "analyse", "moves": "44352", "also": "2-7", "line": "1"}
    expect(page.find("#analyse-moves .variation")).to_have_count(1)
    page.page.reload()
    page.shows_discs(3)
    expect(page.find("#analyse-moves .variation")).to_have_count(1)


def test_best_play_is_put_on_the_board_and_stepped_through(visit: Visit) -> None:
    page = visit(f"?view=analyse&moves={LATE}")
    expect(page.find("#best-line span").first).to_be_visible()
    page.button("Put it on the board").click()
    page.page.keyboard.press("ArrowRight")
    page.shows_discs(len(LATE) + 1)


def test_a_reason_is_given_and_its_plan_can_be_played_against(visit: Visit) -> None:
    page = visit("?view=analyse&moves=6442343433443263662")
    page.page.keyboard.press("w")
    expect(page.find("#why-title")).to_have_text("Why Yellow wins")
    expect(page.find("#board .reason.avoid")).to_have_count(1)
    page.find("#try-plan").click()
    expect(page.find("#detail")).to_contain_text("follows its plan")


def test_a_position_is_set_up_cell_by_cell(visit: Visit) -> None:
    page = visit("?view=analyse")
    page.button("Set up").click()
    cell = page.find("#cells button[aria-label^='Column 3, row 1']")
    cell.click()
    page.find("input[name=brush][value='2']").check()
    page.find("#cells button[aria-label^='Column 3, row 4']").click()  # falls down
    expect(page.find("#cells button[aria-label='Column 3, row 2: yellow']")).to_have_count(1)
    cell.click()  # yellow takes red's place
    expect(page.find("#detail")).to_contain_text("Yellow has 2 discs more than Red")
    expect(page.find("#done")).to_be_disabled()
    page.button("Clear").click()
    page.page.keyboard.press("Escape")
    page.shows_discs(0)
