"""Puzzles: one right column, proved by the solver, the same from the same seed."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

import pytest

from connect4_agent import errors
from connect4_agent.engine.analysis import analyze
from connect4_agent.reasons.explain import explain
from connect4_agent.reasons.explanation import Explanation, ReasonKind
from connect4_agent.rules.notation import parse_moves
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import moves_to_end
from connect4_agent.ui import puzzles
from connect4_agent.ui.puzzles import (
    HARD_MOVES,
    MEDIUM_MOVES,
    SHALLOWEST_MOVES,
    WEEK,
    Puzzle,
    PuzzleKind,
    PuzzleLevel,
    PuzzleLine,
    PuzzleTheme,
    draw_puzzle,
    level_of,
    puzzle_of_the_day,
    puzzles_of_game,
    read_day,
)
from tests.effort import share

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


THEMES = [(theme, level) for theme in PuzzleTheme for level in theme.levels]
MONDAY = date(2027, 1, 4)


@pytest.mark.parametrize(("theme", "level"), THEMES)
def test_a_drawn_puzzle_has_one_right_column_and_the_reason_of_its_theme(
    theme: PuzzleTheme, level: PuzzleLevel
) -> None:
    puzzle = draw_puzzle(1, theme, level)
    check(puzzle)
    assert (puzzle.kind, puzzle.theme, puzzle.level, puzzle.origin) == (theme.kind, theme, level, 1)
    assert SHALLOWEST_MOVES <= puzzle.depth <= HARD_MOVES
    assert puzzle.position.winning_columns() == []
    assert puzzle.reason == explain(puzzle.position, puzzle.answer)
    assert puzzle.reason.result == theme.kind.value
    if theme is PuzzleTheme.TRAP:
        assert puzzle.reason.kind is not ReasonKind.NONE
    else:
        assert puzzle.reason.kind.name == theme.name
    assert draw_puzzle(1, theme, level) == puzzle


def test_without_a_theme_there_are_all_of_them_but_no_trap() -> None:
    puzzles = [draw_puzzle(number) for number in range(1, 41)]
    assert {puzzle.theme for puzzle in puzzles} == set(PuzzleTheme) - {PuzzleTheme.TRAP}
    assert len({puzzle.position for puzzle in puzzles}) == 40
    for number, puzzle in enumerate(puzzles[:5], 1):
        assert draw_puzzle(number, puzzle.theme, puzzle.level) == puzzle  # the name says which puzzle it is


def test_a_number_stands_for_the_same_puzzle_on_every_machine() -> None:
    puzzle = draw_puzzle(7, PuzzleTheme.DOUBLE)
    moves = "".join(str(column + 1) for column in puzzle.moves)
    assert (puzzle.name, moves, puzzle.answer) == ("Double threat #7", "37511232641334244475476", 5)


def test_a_level_that_a_theme_does_not_have_is_refused() -> None:
    with pytest.raises(errors.BadValueError, match="theme double has no puzzles of level hard; allowed is easy"):
        draw_puzzle(1, PuzzleTheme.DOUBLE, PuzzleLevel.HARD)


def test_nobody_is_asked_to_spot_a_trap_where_a_win_comes_as_soon() -> None:
    for number in range(1, 11):
        puzzle = draw_puzzle(number, PuzzleTheme.TRAP)
        wins = [moves_to_end(score, puzzle.position.empty_count) or 0 for score in puzzle.scores if score and score > 0]
        assert min(wins, default=99) > puzzle.depth


def test_the_daily_puzzles_of_sixty_days_ask_for_a_win_that_is_explained_and_ends_in_four() -> None:
    for number in range(share(60)):
        puzzle = puzzle_of_the_day(MONDAY + timedelta(days=number))
        theme, level = WEEK[number % 7]
        check(puzzle)
        assert (puzzle.kind, puzzle.theme, puzzle.level) == (PuzzleKind.WIN, theme, level)
        assert puzzle.reason.kind.name == theme.name
        assert puzzle.reason.result == "win"
        assert puzzle.position.after((puzzle.answer, *puzzle.line)).winner == puzzle.position.player


def test_of_equally_long_defences_the_line_has_the_one_that_the_reason_names() -> None:
    puzzle = draw_puzzle(7, PuzzleTheme.DOUBLE)
    assert (puzzle.answer, *puzzle.line) == puzzle.reason.line == (5, 4, 6)


def test_the_week_becomes_harder() -> None:
    levels = [list(PuzzleLevel).index(level) for _, level in WEEK]
    assert levels == sorted(levels)
    assert set(levels) == {0, 1, 2}


def test_a_daily_puzzle_is_named_after_its_day_and_counted() -> None:
    assert puzzle_of_the_day(date(2026, 11, 17)).name == "Tuesday, #321"
    document = puzzle_of_the_day(MONDAY).to_dict()
    assert (document["name"], document["date"], document["seed"]) == ("Monday, #369", "2027-01-04", None)


@pytest.mark.parametrize(("theme", "level"), THEMES)
def test_a_line_is_played_to_its_end_against_the_best_defence(theme: PuzzleTheme, level: PuzzleLevel) -> None:
    for seed in range(2, 6):
        puzzle = draw_puzzle(seed, theme, level)
        line = PuzzleLine(puzzle)
        source = Random(seed)
        own = 0
        while not line.is_solved:
            legal = line.position.legal_columns()
            right = [column for column in legal if line.accepts(column)]
            exact = analyze(line.position)
            if theme.kind is PuzzleKind.WIN:
                assert right == sorted(exact.best_columns)  # the best defence leaves no time to lose
            column = source.choice(right)
            assert line.verdict(column) == exact.verdicts[column]
            line.play(column)
            own += 1
        if theme.kind is PuzzleKind.WIN:
            assert (line.position.winner, own) == (puzzle.position.player, puzzle.depth)
        else:
            assert line.position.winner is None
            assert own == (1 if theme is PuzzleTheme.TRAP else puzzle.depth) or line.position.is_over


def test_a_win_that_comes_too_late_is_not_accepted() -> None:
    for seed in range(1, 30):
        line = PuzzleLine(draw_puzzle(seed, PuzzleTheme.ZUGZWANG))
        line.play(line.puzzle.answer)
        slow = [
            column
            for column, score in enumerate(line.scores)
            if score is not None and score > 0 and score < max(each for each in line.scores if each is not None)
        ]
        if slow:
            assert not any(map(line.accepts, slow))
            return
    pytest.fail("no puzzle with a slower win was drawn")


def test_a_game_gives_the_mistakes_that_had_one_right_column_instead() -> None:
    game = parse_moves("44444162353")
    puzzles = list(puzzles_of_game(Position(), game))
    assert puzzles
    for puzzle in puzzles:
        check(puzzle)
        assert puzzle.moves == game[: len(puzzle.moves)]
        assert puzzle.answer != game[len(puzzle.moves)]
        assert puzzle.origin is None
    assert [len(puzzle.moves) for puzzle in puzzles] == sorted((len(each.moves) for each in puzzles), reverse=True)


def test_a_game_gives_nothing_deep_without_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    game = parse_moves("44444162353")
    found = list(puzzles_of_game(Position(), game))
    assert all(puzzle.depth <= MEDIUM_MOVES or puzzle.reason.kind is not ReasonKind.NONE for puzzle in found)
    monkeypatch.setattr(puzzles, "explain", lambda position, column, _: Explanation(position, column, None))
    shallow = list(puzzles_of_game(Position(), game))
    assert len(shallow) < len(found)
    assert all(puzzle.depth <= MEDIUM_MOVES for puzzle in shallow)


def test_a_perfect_game_gives_no_puzzle() -> None:
    assert list(puzzles_of_game(Position(), parse_moves("4444"))) == []


def test_player_2_may_have_begun() -> None:
    puzzle = next(puzzles_of_game(Position(player=2), parse_moves("44444162353")))
    assert puzzle.first == 2
    assert puzzle.to_dict()["first"] == 2


def test_depth_is_what_one_has_to_see() -> None:
    draw = draw_puzzle(1, PuzzleTheme.HOLD, PuzzleLevel.MEDIUM)
    losses = [moves_to_end(score, draw.position.empty_count) or 0 for score in draw.scores if score]
    assert draw.depth == max(losses)
    win = draw_puzzle(1, PuzzleTheme.FORCED, PuzzleLevel.MEDIUM)
    assert win.question == f"Win in {win.depth} moves."
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
