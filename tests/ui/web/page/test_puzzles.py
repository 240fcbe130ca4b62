"""The page of puzzles in a real browser: whole lines, refutations, themes, what comes again, the streak."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from connect4_agent import Position
from connect4_agent.ui.puzzles import Puzzle, PuzzleLevel, PuzzleLine, PuzzleTheme, draw_puzzle, puzzles_of_game
from tests.ui.web.page.conftest import LOST
from tests.ui.web.page.opened import PHONE
from tests.ui.web.page.test_fits import SHIFT

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.ui.web.page.opened import Opened

    Visit = Callable[..., Opened]

FORCED = "puzzles?theme=forced&level=easy&seed=3"
PUZZLE = draw_puzzle(3, PuzzleTheme.FORCED, PuzzleLevel.EASY)
DISCS = len(PUZZLE.moves)
RIGHT = PUZZLE.answer + 1
TRAP = draw_puzzle(1, PuzzleTheme.TRAP)

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
    for name, count in (("streak", row), ("streak-best", best), ("streak-days", days)):
        expect(page.find(f"#{name}")).to_have_text(str(count))


def waits_for(page: Opened, text: str) -> None:
    expect(page.find("#result-text")).to_contain_text(text)


def solve(page: Opened) -> None:
    """Play best moves until the puzzle is solved."""
    expect(page.find("#solve")).to_be_enabled()
    while page.find("#share").is_disabled():
        page.page.keyboard.press(str(page.page.evaluate(NEXT_RIGHT)))
        expect(page.find("#solve:enabled, #share:enabled").first).to_be_visible()


def stored(page: Opened, name: str) -> Any:
    return page.page.evaluate(f"JSON.parse(localStorage.getItem('connect4-agent.{name}'))")


def test_the_whole_line_is_played_and_then_explained_and_stepped_through(visit: Visit) -> None:
    page = visit(FORCED)
    page.shows_turn_of_puzzle("Win in 3 moves.")
    expect(page.find("#origin")).to_have_text("Forced moves, easy #3")
    page.shows_discs(DISCS)
    page.page.keyboard.press(str(RIGHT))
    waits_for(page, "Right. 2 moves to go.")
    page.shows_discs(DISCS + 2)
    solve(page)
    waits_for(page, f"Solved. {PUZZLE.explanation()}")
    expect(page.find("#reason")).to_contain_text("forced moves of Red end with four")
    page.shows_discs(DISCS + 5)
    expect(page.find("#board .four")).to_have_count(1)
    shows_streak(page, 1, 1, 0)
    page.button("One move back").click()
    page.shows_discs(DISCS + 4)
    page.button("Back to the puzzle").click()
    assert page.scores() == list(PUZZLE.scores)
    assert page.find("#board .reason").count() > 0
    for ply in range(1, 6):
        page.page.keyboard.press("ArrowRight")
        page.shows_discs(DISCS + ply)
    expect(page.button("One move forward")).to_be_disabled()


def test_a_wrong_disc_is_refuted_on_the_board_and_may_be_retried(visit: Visit) -> None:
    page = visit(FORCED)
    page.shows_discs(DISCS)
    wrong = wrong_columns(PUZZLE)[0]
    page.column(wrong).click()
    waits_for(page, f"Column {wrong} {PuzzleLine(PUZZLE).verdict(wrong - 1)}.")
    expect(page.find("#reason")).not_to_be_empty()
    expect(page.find("#board .reason").first).to_be_visible()  # when it has been refuted
    assert page.find("#board .disc").count() > DISCS + 1
    page.button("Retry").click()
    page.shows_discs(DISCS)
    solve(page)
    waits_for(page, "Solved.")
    shows_streak(page, 1, 1, 0)  # a slip does not end it
    page.button("Share").click()
    waits_for(page, "Connect Four · Forced moves, easy #3 · ❌🔴🔴🔴 · 2 tries")


def test_nobody_has_to_watch_a_refutation_to_its_end(visit: Visit) -> None:
    page = visit(FORCED, reduced_motion="no-preference")
    page.shows_discs(DISCS)
    page.column(wrong_columns(PUZZLE)[0]).click()
    expect(page.find("#result.wrong")).to_be_visible()
    page.button("Retry").click()
    page.shows_discs(DISCS)
    page.column(RIGHT).click()
    waits_for(page, "Right.")
    page.shows_discs(DISCS + 2)


def test_arrows_and_enter_are_enough_to_play_and_to_retry(visit: Visit) -> None:
    page = visit(FORCED)
    page.shows_discs(DISCS)
    page.page.keyboard.press("ArrowLeft")  # shows where the cursor is: in the middle
    expect(page.column(4)).to_be_focused()
    for _ in range(4 - wrong_columns(PUZZLE)[0]):
        page.page.keyboard.press("ArrowLeft")
    page.page.keyboard.press("Enter")
    expect(page.button("Retry")).to_be_enabled()
    page.page.keyboard.press("Enter")
    page.shows_discs(DISCS)
    for _ in range(RIGHT - wrong_columns(PUZZLE)[0]):
        page.page.keyboard.press("ArrowRight")
    expect(page.column(RIGHT)).to_be_focused()
    page.page.keyboard.press("Enter")
    waits_for(page, "Right. 2 moves to go.")


def test_a_slip_in_the_middle_leads_back_to_the_middle(visit: Visit) -> None:
    page = visit(FORCED)
    page.shows_discs(DISCS)
    page.page.keyboard.press(str(RIGHT))
    waits_for(page, "2 moves to go")
    best = page.page.evaluate(NEXT_RIGHT)
    page.page.keyboard.press(str(next(column for column in (1, 2, 3, 4) if column not in (best, RIGHT))))
    expect(page.button("Retry")).to_be_enabled()
    page.page.keyboard.press("r")
    page.shows_discs(DISCS + 2)
    solve(page)
    waits_for(page, "Solved.")


def test_a_win_that_comes_too_late_costs_nothing(visit: Visit) -> None:
    for seed in range(1, 30):
        line = PuzzleLine(draw_puzzle(seed, PuzzleTheme.ZUGZWANG, PuzzleLevel.MEDIUM))
        line.play(line.puzzle.answer)
        slow = [column for column, score in enumerate(line.scores) if score and score > 0 and not line.accepts(column)]
        whole = line.puzzle.reason.line
        if slow and list(whole[:2]) == line.moves:
            break
    page = visit(f"puzzles?theme=zugzwang&level=medium&seed={seed}")
    page.shows_discs(len(line.puzzle.moves))
    page.page.keyboard.press(str(line.puzzle.answer + 1))
    page.shows_discs(len(line.puzzle.moves) + 2)
    expect(page.find("#solve")).to_be_enabled()
    page.page.keyboard.press(str(slow[0] + 1))
    waits_for(page, f"Column {slow[0] + 1} still wins, but not in {line.moves_left} moves.")
    page.shows_discs(len(line.puzzle.moves) + 2)
    expect(page.find("#again")).to_be_disabled()


def test_the_answer_is_played_on_the_board_and_ends_the_streak(visit: Visit) -> None:
    page = visit("puzzles?theme=double&seed=1")
    solve(page)
    shows_streak(page, 1, 1, 0)
    page.go(FORCED)
    page.shows_discs(DISCS)
    page.button("Show the answer").click()
    waits_for(page, PUZZLE.explanation())
    page.shows_discs(DISCS + 5)
    shows_streak(page, 0, 1, 0)
    page.button("Share").click()
    waits_for(page, "not solved")


def test_a_missed_puzzle_comes_again_until_it_is_solved_twice(visit: Visit) -> None:
    page = visit(FORCED)
    page.shows_discs(DISCS)
    page.column(wrong_columns(PUZZLE)[0]).click()
    expect(page.button("Retry")).to_be_enabled()
    page.button("Next puzzle").click()
    expect(page.find("#origin")).to_contain_text("#1")
    expect(page.find("#solve")).to_be_enabled()
    for left in (1, 0):
        page.page.get_by_role("button", name="Again (1)").click()
        expect(page.find("#origin")).to_have_text("Forced moves, easy #3")
        solve(page)
        assert [each["left"] for each in stored(page, "again")] == ([left] if left else [])
    expect(page.button("Again (0)")).to_be_disabled()


def test_missed_puzzles_follow_each_other_and_the_last_one_is_said_to_be_the_last(visit: Visit) -> None:
    page = visit(FORCED)
    queries = ["theme=double&seed=1", "theme=double&seed=2"]
    page.page.evaluate(
        "(queries) => localStorage.setItem('connect4-agent.again', "
        "JSON.stringify(queries.map((query) => ({ query, left: 1 }))))",
        queries,
    )
    page.page.reload()
    page.button("Again (2)").click()
    expect(page.find("#origin")).to_have_text("Double threat #1")
    solve(page)
    page.button("Next puzzle").click()
    expect(page.find("#origin")).to_have_text("Double threat #2")
    page.page.reload()
    expect(page.find("#solve")).to_be_enabled()
    page.button("Next puzzle").click()
    page.shows_turn_of_puzzle("That was the last one")
    expect(page.find("#message")).to_contain_text("1 of them will come again")
    page.button("Next puzzle").click()
    expect(page.find("#origin")).to_contain_text("#1")
    assert "again" not in page.query


def test_the_trap_is_a_game_of_its_own(visit: Visit) -> None:
    page = visit("puzzles?date=2027-01-04")
    page.button("Spot the trap").click()
    page.shows_turn_of_puzzle("Which column loses?")
    page.shows_discs(len(TRAP.moves))
    safe = wrong_columns(TRAP)[0]
    page.column(safe).click()
    waits_for(page, f"Column {safe} is safe: it {PuzzleLine(TRAP).verdict(safe - 1)}. Try again.")
    page.shows_discs(len(TRAP.moves))
    page.column(TRAP.answer + 1).click()
    waits_for(page, "That is the trap.")
    assert page.find("#board .disc").count() > len(TRAP.moves) + 1
    page.page.keyboard.press("n")
    expect(page.find("#origin")).to_contain_text("Spot the trap")
    expect(page.find("#origin")).to_contain_text("#2")


def test_a_draw_is_saved_as_long_as_the_others_would_have_lost(visit: Visit) -> None:
    puzzle = draw_puzzle(2, PuzzleTheme.HOLD, PuzzleLevel.EASY)
    page = visit("puzzles?theme=hold&level=easy&seed=2", viewport=PHONE, color_scheme="dark")
    page.shows_turn_of_puzzle("Save the draw.")
    solve(page)
    waits_for(page, f"Solved. {puzzle.explanation()}")
    assert page.find("#board .disc").count() >= len(puzzle.moves) + 2 * puzzle.depth - 2


def test_the_puzzle_of_the_day_counts_days_and_is_counted_once(visit: Visit) -> None:
    page = visit("puzzles")
    expect(page.find("#origin")).to_contain_text("Puzzle of the day: ")
    expect(page.find("#question")).to_contain_text("Win in")
    solve(page)
    shows_streak(page, 1, 1, 1)
    page.button("Share").click()
    waits_for(page, "first try")
    page.page.reload()
    solve(page)
    shows_streak(page, 1, 1, 1)


def test_one_missed_day_a_week_is_forgiven(visit: Visit) -> None:
    page = visit("puzzles")
    expect(page.find("#solve")).to_be_enabled()
    found = page.page.evaluate(
        """async () => {
            const { dayFromToday, streak } = await import('/static/streak.js');
            const days = [];
            for (const [lastDay, forgivenDay] of [[-1, null], [-2, null], [-2, -8], [-2, -6], [-3, null]]) {
                const day = (number) => (number === null ? '' : dayFromToday(number));
                const dates = { lastDay: day(lastDay), forgivenDay: day(forgivenDay) };
                const known = JSON.stringify({ row: 5, best: 5, days: 5, ...dates, solved: [] });
                localStorage.setItem('connect4-agent.streak', known);
                const before = streak.now.days;
                streak.count('x', true, dayFromToday(0));
                days.push([before, streak.now.days]);
            }
            return days;
        }"""
    )
    assert found == [[5, 6], [5, 6], [5, 6], [0, 1], [0, 1]]


def test_the_mistakes_of_a_finished_game_become_puzzles(visit: Visit) -> None:
    page = visit("puzzles?mine=")
    page.shows_turn_of_puzzle("Nothing to solve yet")
    expect(page.find("#solve")).to_be_disabled()
    columns = [int(sign) - 1 for sign in LOST]
    found = next(each for each in puzzles_of_game(Position(), columns) if each.position.player == 2)
    page.go(f"?one=first-open&two=person&moves={LOST}")  # which may be somebody else's game
    expect(page.find(".curve")).to_be_visible()
    page.page.get_by_role("link", name="Puzzles").click()
    page.button("From my mistakes").click()
    page.shows_turn_of_puzzle("Nothing to solve yet")
    page.button("Next puzzle").click()  # any other one
    expect(page.find("#origin")).to_contain_text("#1")
    page.page.go_back()
    page.shows_turn_of_puzzle("Nothing to solve yet")
    page.go(f"?one=first-open&two=person&moves={LOST[:-2]}")
    page.column(7).click()
    page.shows_turn("first-open wins")
    expect(page.find(".curve")).to_be_visible()
    page.page.get_by_role("link", name="Puzzles").click()
    page.button("From my mistakes").click()
    page.shows_turn_of_puzzle(found.question)
    expect(page.find("#origin")).to_contain_text("From your own game: after move")
    page.column(found.answer + 1).click()
    expect(page.find("#result.right")).to_be_visible()


def test_a_theme_is_chosen_and_back_returns_to_the_puzzle_before(visit: Visit) -> None:
    page = visit(FORCED)
    page.shows_discs(DISCS)
    page.find("#theme").select_option("theme=hold")
    page.shows_turn_of_puzzle("Save the draw.")
    assert page.query == {"theme": "hold", "seed": "1"}
    page.button("Next puzzle").click()
    expect(page.find("#origin")).to_contain_text("#2")
    page.page.go_back()
    page.page.go_back()
    page.shows_turn_of_puzzle("Win in 3 moves.")
    page.page.get_by_role("link", name="Play it out").click()
    page.shows_discs(DISCS)
    page.shows_turn("Your turn")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("seed=abc", "seed is “abc”; allowed are whole numbers from 1 to 999999999."),
        ("seed=-1", "seed is “-1”; allowed are whole numbers from 1 to 999999999."),
        ("seed=1&theme=fork", "theme is “fork”; allowed are double, above, forced, zugzwang, hold and trap."),
        ("seed=1&level=7", "level is “7”; allowed are easy, medium and hard."),
        ("seed=1&theme=double&level=hard", "theme double has no puzzles of level hard; allowed is easy."),
        ("date=tomorrow", "date is “tomorrow”; allowed are days such as 2027-01-31."),
        ("date=2027-02-30", "'2027-02-30' is not a date such as 2027-01-31."),
        ("date=2025-12-31", "2025-12-31 has no puzzle; the first is that of 2026-01-01."),
    ],
)
def test_a_puzzle_that_does_not_exist_is_explained(visit: Visit, query: str, said: str) -> None:
    page = visit(f"puzzles?{query}")
    page.is_spoiled = True
    page.shows_turn_of_puzzle("There is no such puzzle")
    expect(page.find("#message")).to_contain_text("This link cannot be opened: ")
    expect(page.find("#message")).to_contain_text(said)
    assert page.page.evaluate(SHIFT) == 0
    page.find("#message").get_by_role("button", name="Puzzle of the day").click()
    expect(page.find("#origin")).to_contain_text("Puzzle of the day")
    expect(page.find("#message")).to_be_hidden()


def test_a_lost_connection_in_the_middle_of_a_line_can_be_tried_again(visit: Visit) -> None:
    page = visit(FORCED)
    page.is_spoiled = True
    page.shows_discs(DISCS)
    page.page.route("**/api/analyze*", lambda route: route.abort())
    page.page.keyboard.press(str(RIGHT))
    expect(page.find("#message")).to_be_visible()
    page.page.unroute("**/api/analyze*")
    page.button("Try again").click()
    waits_for(page, "2 moves to go")
    page.shows_discs(DISCS + 2)
