"""Puzzles: one right column, proved by the solver, the same from the same seed."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from connect4_agent import errors
from connect4_agent.engine.analysis import analyze
from connect4_agent.engine.puzzles import (
    Puzzle,
    PuzzleKind,
    PuzzleLevel,
    PuzzleTheme,
    draw_puzzle,
    level_of,
    puzzle_of_the_day,
    puzzles_of_game,
    read_day,
)
from connect4_agent.rules.position import Position, columns_of
from connect4_agent.rules.scores import moves_to_end

RIGHT = {
    PuzzleKind.WIN: lambda score: score > 0,
    PuzzleKind.DRAW: lambda score: score >= 0,
    PuzzleKind.LOSS: lambda score: score < 0,
}

pytestmark = pytest.mark.needs("compiled")


def check(puzzle: Puzzle) -> None:
    """The answer is the only one by a fresh analysis."""
    found = analyze(puzzle.position)
    assert found.scores == puzzle.scores
    right = [column for column, score in enumerate(found.scores) if score is not None and RIGHT[puzzle.kind](score)]
    assert right == [puzzle.answer]
    assert (found.score == 0) or puzzle.kind is not PuzzleKind.DRAW
    assert puzzle.position == Position(player=puzzle.first).after(puzzle.moves)
    end = puzzle.position.after((puzzle.answer, *puzzle.line))
    assert end.is_over
    assert (end.winner is None) == (puzzle.scores[puzzle.answer] == 0)


@pytest.mark.parametrize("kind", PuzzleKind)
@pytest.mark.parametrize("level", PuzzleLevel)
def test_a_drawn_puzzle_has_exactly_one_right_column(kind: PuzzleKind, level: PuzzleLevel) -> None:
    puzzle = draw_puzzle(1, kind, level)
    check(puzzle)
    assert (puzzle.kind, puzzle.level, puzzle.origin) == (kind, level, 1)
    assert puzzle.position.winning_columns() == []


def test_a_seed_gives_the_same_puzzle_again_and_others_give_others() -> None:
    puzzles = [draw_puzzle(seed, level=PuzzleLevel.EASY) for seed in range(6)]
    assert draw_puzzle(3, level=PuzzleLevel.EASY) == puzzles[3]
    assert len({puzzle.position for puzzle in puzzles}) == 6


def test_a_seed_stands_for_the_same_puzzle_on_every_machine() -> None:
    puzzle = draw_puzzle(7, PuzzleKind.WIN, PuzzleLevel.EASY)
    assert ("".join(str(column + 1) for column in puzzle.moves), puzzle.answer) == ("116314133254256531166", 4)


@pytest.mark.parametrize("theme", PuzzleTheme)
def test_a_theme_is_the_kind_of_reason_of_the_answer(theme: PuzzleTheme) -> None:
    level = theme.levels[0]
    puzzle = draw_puzzle(1, level=level, theme=theme)
    check(puzzle)
    assert puzzle.level is level
    assert puzzle.kind in theme.kinds
    why = puzzle.reason()
    assert (why.kind, why.column) == (theme.reason, puzzle.answer)
    assert why.result == puzzle.kind.value
    assert draw_puzzle(1, level=level, theme=theme) == puzzle


def test_a_theme_that_does_not_go_with_the_kind_is_refused() -> None:
    with pytest.raises(errors.BadValueError, match="theme hold does not go with kind win; allowed is draw"):
        draw_puzzle(1, PuzzleKind.WIN, theme=PuzzleTheme.HOLD)


def test_the_days_of_a_week_have_puzzles_that_become_harder() -> None:
    monday = date(2027, 1, 4)
    puzzles = [puzzle_of_the_day(monday + timedelta(days=number)) for number in (0, 2, 5)]
    for puzzle in puzzles:
        check(puzzle)
    assert [puzzle.level for puzzle in puzzles] == list(PuzzleLevel)
    assert puzzles[0].document()["date"] == "2027-01-04"
    assert puzzles[0].document()["seed"] is None


def test_three_days_in_a_row_ask_for_different_things() -> None:
    puzzles = [puzzle_of_the_day(date(2027, 1, day)) for day in (4, 5, 6)]
    assert {puzzle.kind for puzzle in puzzles} == set(PuzzleKind)


def test_a_game_gives_the_mistakes_that_had_one_right_column_instead() -> None:
    game = columns_of("44444162353")
    puzzles = list(puzzles_of_game(Position(), game))
    assert puzzles
    for puzzle in puzzles:
        check(puzzle)
        assert puzzle.moves == game[: len(puzzle.moves)]
        assert puzzle.answer != game[len(puzzle.moves)]
        assert puzzle.origin is None
    assert [len(puzzle.moves) for puzzle in puzzles] == sorted((len(each.moves) for each in puzzles), reverse=True)


def test_a_perfect_game_gives_no_puzzle() -> None:
    assert list(puzzles_of_game(Position(), columns_of("4444"))) == []


def test_player_2_may_have_begun() -> None:
    puzzle = next(puzzles_of_game(Position(player=2), columns_of("44444162353")))
    assert puzzle.first == 2
    assert puzzle.document()["first"] == 2


def test_depth_is_what_one_has_to_see() -> None:
    draw = draw_puzzle(1, PuzzleKind.DRAW, PuzzleLevel.MEDIUM)
    losses = [moves_to_end(score, draw.position.empty_count) or 0 for score in draw.scores if score]
    assert draw.depth == max(losses)
    win = draw_puzzle(1, PuzzleKind.WIN, PuzzleLevel.MEDIUM)
    assert win.explanation() == f"Column {win.answer + 1} wins in {win.depth} moves; no other column wins."


@pytest.mark.parametrize(("depth", "level"), [(1, "easy"), (3, "easy"), (4, "medium"), (6, "medium"), (7, "hard")])
def test_levels_by_depth(depth: int, level: str) -> None:
    assert level_of(depth) == level


def test_drawing_can_be_ended() -> None:
    def stop() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        draw_puzzle(1, poll=stop)


@pytest.mark.parametrize("text", ["2027-1-1", "20270101", "2027-W01-1", "2027-02-30", "", "0000-01-01"])
def test_only_the_usual_form_is_a_date(text: str) -> None:
    with pytest.raises(ValueError, match=r"date|day|year|month"):
        read_day(text)
