"""Analysis: every column's score, in numbers and in words."""

from __future__ import annotations

import pytest
from hypothesis import given

import connect4_agent
from connect4_agent import errors
from connect4_agent.engine.analysis import analyze
from connect4_agent.engine.exact import ExactScores
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import moves_to_end
from tests.effort import examples
from tests.late import late_positions


@given(late_positions([(7, 6)], most_empties=16))
@examples(60)
def test_the_best_column_has_the_positions_score(position: Position) -> None:
    found = analyze(position)
    assert found.score == ExactScores(forms.new_solver(7, 6), None, do_nothing).score(position)
    assert [score is not None for score in found.scores] == [position.is_open(column) for column in range(7)]
    assert found.line[0] == found.best_columns[0]


@given(late_positions([(7, 6)], most_empties=14))
@examples(60)
def test_the_line_ends_after_as_many_moves_as_the_words_say(position: Position) -> None:
    found = analyze(position)
    count = moves_to_end(found.score, position.empty_count)
    if count is None:
        assert found.verdict(found.score) == "draws"
        assert len(found.line) == position.empty_count
    else:
        assert len(found.line) == 2 * count - (1 if found.score > 0 else 0)
        assert found.verdict(found.score).split()[2] == str(count)


def test_the_known_scores_of_the_first_moves() -> None:
    assert analyze(Position()).scores == (-2, -1, 0, 1, 0, -1, -2)


def test_words_for_scores() -> None:
    found = connect4_agent.analyze(Position.from_moves("1212121"[:6]))
    assert (found.score, found.verdict(found.score)) == (18, "wins in 1 move")
    assert found.best_columns == (0,)
    assert isinstance(found, connect4_agent.Analysis)


@pytest.mark.parametrize(
    ("moves", "message"),
    [("1212121", "player 1 has four in a row"), ("112211", "the board is full")],
)
def test_a_game_that_is_over_cannot_be_analyzed(moves: str, message: str) -> None:
    position = Position.from_moves(moves) if len(moves) > 6 else Position.from_drawing("X O\nO X\nX O")
    with pytest.raises(errors.GameOverError, match=message):
        analyze(position)


def test_other_boards_are_analyzed_as_well() -> None:
    assert analyze(Position(4, 4)).score == 0
