"""The page of puzzles in a real browser: of the day, from a seed, out of one's own mistakes; the streak."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from connect4_agent import Position
from connect4_agent.engine.puzzles import PuzzleKind, PuzzleLevel, draw_puzzle, puzzles_of_game
from tests.web.page.conftest import LOST

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.page.opened import Opened

    Visit = Callable[..., Opened]

SEED = "puzzles?seed=7&kind=win&level=easy"
PUZZLE = draw_puzzle(7, PuzzleKind.WIN, PuzzleLevel.EASY)
RIGHT = PUZZLE.answer + 1
WRONG = next(column for column, score in enumerate(PUZZLE.scores) if score is not None and column != PUZZLE.answer) + 1


def shows_streak(page: Opened, row: int, best: int, days: int) -> None:
    for name, count in (("streak", row), ("streak-best", best), ("streak-days", days)):
        expect(page.find(f"#{name}")).to_have_text(str(count))


def test_a_puzzle_from_a_seed_is_solved_and_its_best_play_stepped_through(visit: Visit) -> None:
    page = visit(SEED)
    page.shows_turn_of_puzzle(PUZZLE.kind.question)
    page.shows_discs(len(PUZZLE.moves))
    page.page.keyboard.press(str(RIGHT))
    expect(page.find("#result")).to_have_text(f"Right. {PUZZLE.explanation()}")
    page.says(f"Right. {PUZZLE.explanation()}")
    page.shows_discs(len(PUZZLE.moves) + 1)
    shows_streak(page, 1, 1, 0)
    page.button("Back to the puzzle").click()
    assert page.scores() == list(PUZZLE.scores)
    for ply in range(1, len(PUZZLE.line) + 2):
        page.page.keyboard.press("ArrowRight")
        page.shows_discs(len(PUZZLE.moves) + ply)
    expect(page.button("One move forward")).to_be_disabled()
    expect(page.find("#board .four")).to_have_count(1)


def test_a_wrong_answer_says_what_it_leads_to_and_ends_the_streak(visit: Visit) -> None:
    page = visit(SEED)
    page.shows_discs(len(PUZZLE.moves))
    page.column(WRONG).click()
    score = PUZZLE.scores[WRONG - 1]
    assert score is not None
    expect(page.find("#result")).to_contain_text(f"Column {WRONG} ")
    expect(page.find("#result")).to_contain_text("Try again.")
    page.shows_discs(len(PUZZLE.moves))
    page.column(RIGHT).click()
    expect(page.find("#result")).to_contain_text("Right.")
    shows_streak(page, 0, 0, 0)  # the first try counts


def test_the_puzzle_of_the_day_counts_days_and_is_counted_once(visit: Visit) -> None:
    page = visit("puzzles")
    expect(page.find("#origin")).to_contain_text("Puzzle of the day")
    answer = page.page.evaluate(
        """async () => {
            const two = (number) => String(number).padStart(2, '0');
            const now = new Date();
            const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
            return (await (await fetch(`/api/puzzle/day?date=${day}`)).json()).answer;
        }"""
    )
    page.column(answer + 1).click()
    shows_streak(page, 1, 1, 1)
    page.page.reload()
    expect(page.find("#solve")).to_be_enabled()
    page.column(answer + 1).click()
    expect(page.find("#result")).to_contain_text("Right.")
    shows_streak(page, 1, 1, 1)


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
    expect(page.find("#origin")).to_contain_text("Puzzle ")
    page.page.go_back()
    page.shows_turn_of_puzzle("Nothing to solve yet")
    page.go(f"?one=first-open&two=person&moves={LOST[:-2]}")
    page.column(7).click()
    page.shows_turn("first-open wins")
    expect(page.find(".curve")).to_be_visible()
    page.page.get_by_role("link", name="Puzzles").click()
    page.button("From my mistakes").click()
    page.shows_turn_of_puzzle(found.kind.question)
    expect(page.find("#origin")).to_contain_text("From your own game")
    page.column(found.answer + 1).click()
    expect(page.find("#result")).to_contain_text("Right.")


def test_another_puzzle_is_drawn_and_back_returns_to_the_one_before(visit: Visit) -> None:
    page = visit(SEED)
    page.shows_discs(len(PUZZLE.moves))
    page.find("#kind").select_option("draw")
    page.shows_turn_of_puzzle(PuzzleKind.DRAW.question)
    assert page.query["kind"] == "draw"
    page.page.go_back()
    page.shows_turn_of_puzzle(PUZZLE.kind.question)
    page.page.get_by_role("link", name="Play it out").click()
    page.shows_discs(len(PUZZLE.moves))
    page.shows_turn("Your turn")


def test_a_puzzle_that_there_is_not_is_told(visit: Visit) -> None:
    page = visit("puzzles?date=tomorrow")
    page.is_spoiled = True
    expect(page.find("#message")).to_contain_text("tomorrow")
    page.button("Puzzle of the day").click()
    expect(page.find("#origin")).to_contain_text("Puzzle of the day")
    expect(page.find("#message")).to_be_hidden()
