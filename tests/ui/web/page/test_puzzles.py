"""Puzzles in a real browser: whole lines, refutations, what comes again, the streak."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from connect4_agent.ui.puzzles import Puzzle, PuzzleLevel, PuzzleTheme, draw_puzzle
from tests.ui.web.page.opened import PHONE

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.ui.web.page.opened import Opened

    Visit = Callable[..., Opened]

FORCED = "?view=puzzles&theme=forced&level=easy&seed=3"
PUZZLE = draw_puzzle(3, PuzzleTheme.FORCED, PuzzleLevel.EASY)
DISCS = len(PUZZLE.moves)
RIGHT = PUZZLE.answer + 1

NEXT_RIGHT = """async () => {
    const { requestOf } = await import('/static/game.js');
    const { askAnalysis } = await import('/static/api.js');
    const said = document.querySelector('#board svg').getAttribute('aria-label');
    const columns = Array.from({ length: 7 }, (_, column) => {
        const [, discs] = new RegExp(`column ${column + 1}: ([a-z, ]+)`).exec(said) ?? [];
        const found = discs ? discs.trim().split(', ').map((colour) => (colour === 'red' ? 1 : 2)) : [];
        return [...Array(6 - found.length).fill(0), ...found.reverse()];
    });
    const count = columns.flat().filter(Boolean).length;
    const player = count % 2 === 0 ? 1 : 2;
    return (await askAnalysis({ grid: columns, width: 7, height: 6, player })).best[0] + 1;
}"""


def wrong_columns(puzzle: Puzzle) -> list[int]:
    """The open columns, counted from 1, that are not the answer."""
    return [
        number for number, score in enumerate(puzzle.scores, 1) if score is not None and number != puzzle.answer + 1
    ]


def shows_streak(page: Opened, row: int, best: int, days: int) -> None:
    """Wait until the streak says this."""
    for name, count in (("streak", row), ("streak-best", best), ("streak-days", days)):
        expect(page.find(f"#{name}")).to_have_text(str(count))


def waits_for(page: Opened, text: str) -> None:
    """Wait until the sentence beside the board has this."""
    expect(page.find("#detail")).to_contain_text(text)


def solve(page: Opened) -> None:
    """Play best moves until the puzzle is solved."""
    expect(page.find("#puzzle-show")).to_be_enabled()
    while page.find("#puzzle-done").is_hidden():
        page.page.keyboard.press(str(page.page.evaluate(NEXT_RIGHT)))
        expect(page.find("#puzzle-show:enabled, #puzzle-done:visible").first).to_be_visible()


def test_the_whole_line_is_played_and_then_explained_and_stays_solved(visit: Visit) -> None:
    page = visit(FORCED)
    page.shows_turn("Win in 3 moves.")
    page.shows_discs(DISCS)
    page.page.keyboard.press(str(RIGHT))
    waits_for(page, "Right. 2 moves to go.")
    page.shows_discs(DISCS + 2)
    solve(page)
    waits_for(page, "Solved!")
    shows_streak(page, 1, 1, 0)
    page.page.reload()
    waits_for(page, "Solved!")
    shows_streak(page, 1, 1, 0)
    page.button("Next").click()
    expect(page.find("#puzzle-done")).to_be_hidden()


def test_a_wrong_disc_is_refuted_and_only_first_tries_count(visit: Visit) -> None:
    page = visit(FORCED)
    page.shows_turn("Win in 3 moves.")
    page.page.keyboard.press(str(wrong_columns(PUZZLE)[0]))
    expect(page.find("#say.is-warning")).to_be_visible()
    page.page.keyboard.press("r")
    waits_for(page, "Try again: 3 moves to go.")
    page.shows_discs(DISCS)
    solve(page)
    waits_for(page, "Solved!")
    shows_streak(page, 0, 0, 0)


def test_next_leads_through_the_shallow_puzzles_of_ones_own_mistakes(visit: Visit) -> None:
    page = visit("?view=puzzles&mine=")
    waits_for(page, "Play a game against the computer to its end.")
    puzzles = [{"depth": depth, "name": f"Win in {depth} moves", "player": 1} for depth in (2, 7, 4)]
    found = [{**PUZZLE.to_dict(), **each, "columns": list(PUZZLE.moves), "first": 1, "seed": index}
             for index, each in enumerate(puzzles)]  # fmt: skip
    found[1]["columns"], found[2]["columns"] = [3, 3], [3, 3, 2]
    page.page.evaluate(
        """() => localStorage.setItem('connect4-agent.games', JSON.stringify(
        [{ width: 7, height: 6, start: null, first: 1, columns: [3], player: 1 }]))"""
    )
    page.page.route("**/api/puzzles", lambda route: route.fulfill(json={"puzzles": found, "exact": True}))
    page.go("?view=puzzles&mine=")
    for name in ("win in 2 moves", "win in 4 moves", "win in 2 moves"):
        expect(page.find("#players")).to_contain_text(f"From your own game: {name}")
        page.page.keyboard.press("n")


def test_another_theme_is_shown_from_the_top(visit: Visit) -> None:
    page = visit(FORCED, viewport=PHONE)
    page.shows_turn("Win in 3 moves.")
    page.page.evaluate("scrollTo(0, 9999)")
    page.find("#theme").select_option("theme=double")
    expect(page.find("#players")).to_contain_text("Double threat")
    expect(page.find("#board svg")).to_be_in_viewport(ratio=1)


def test_a_link_to_no_puzzle_says_what_is_allowed(visit: Visit) -> None:
    page = visit("?view=puzzles&theme=chess&seed=1")
    page.is_spoiled = True  # the browser complains about the refusal
    waits_for(page, "theme is")
    page.button("Puzzle of the day").first.click()
    expect(page.find("#players")).to_contain_text("Puzzle of the day")
