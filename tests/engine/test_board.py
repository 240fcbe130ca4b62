"""Board: the same game as Position plays, in every form, with moves that can be taken back."""

from __future__ import annotations

import copy
import pickle
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent import Board, Position, errors
from connect4_agent.engine.kernel import forms
from tests.boards import games, unfinished
from tests.effort import examples
from tests.processes import output_of

sizes = st.sampled_from([(7, 6), (1, 9), (3, 5), (4, 4), (9, 6), (8, 8), (12, 9), (2, 60), (20, 20)])


def state_of(board: Board) -> tuple[object, ...]:
    return board.player, board.own, board.opponent, board.winner, board.is_over, board.legal()


def expected_of(position: Position) -> tuple[object, ...]:
    legal = [] if position.is_over else position.legal_columns()
    return position.player, position.own, position.opponent, position.winner, position.is_over, legal


def columns_between(played: list[Position]) -> list[int]:
    return [
        next(column for column in before.legal_columns() if before.play(column) == after)
        for before, after in pairwise(played)
    ]


@given(games(sizes))
@examples(150)
def test_moves_lead_to_the_positions_of_the_game_and_back(played: list[Position]) -> None:
    board = Board.from_position(played[0])
    columns = columns_between(played)
    for column, after in zip(columns, played[1:], strict=True):
        board.push(column)
        assert state_of(board) == expected_of(after)
        assert board.position == after
    assert board.moves == columns
    for column, before in zip(reversed(columns), reversed(played[:-1]), strict=True):
        assert board.pop() == column
        assert state_of(board) == expected_of(before)
    assert board.moves == []


@given(games(sizes))
@examples(100)
@pytest.mark.needs("compiled")
def test_all_forms_play_the_same_game(played: list[Position]) -> None:
    start, columns = played[0], columns_between(played)
    size = (start.width, start.height)
    boards: list[Any] = [
        forms.module("board", form).Board(*size, start.player)
        for form in (forms.NARROW, forms.WIDE, forms.PLAIN)
        if forms.fits(form, *size)
    ]
    for column in columns:
        for board in boards:
            board.push(column)
        assert len({str(state_of(board)) for board in boards}) == 1


@pytest.mark.needs("compiled")
@pytest.mark.parametrize(("width", "height", "form"), [(7, 6, "narrow"), (10, 8, "wide"), (20, 20, "plain")])
def test_the_form_for_its_size_makes_the_moves(width: int, height: int, form: str) -> None:
    board = Board(width, height)
    assert isinstance(board, Board)
    assert isinstance(board, forms.module("board", form).Board)
    board.push(3)
    with pytest.raises(errors.IllegalMoveError, match=rf"column {width} is not on the board; open columns are 0, 1, 2"):
        board.push(width)
    assert board.moves == [3]
    position = Position(width, height).play(3)
    assert repr(board) == f"Board.from_position({position!r})"
    assert str(board) == str(position)


@given(unfinished(sizes))
@examples(50)
def test_a_copy_has_the_moves_and_goes_its_own_way(position: Position) -> None:
    board = Board.from_position(position)
    column = board.legal()[-1]
    board.push(column)
    other = board.copy()
    assert other.pop() == column
    assert other.position == position
    assert board.position == position.play(column)


@pytest.mark.parametrize("column", [-1, 7, 1 << 40, 1 << 80, True, "3", 3.0, None])
def test_a_column_is_refused_in_the_words_of_a_position(column: Any) -> None:
    with pytest.raises(errors.IllegalMoveError) as by_position:
        Position.from_moves("4").play(column)
    board = Board.from_position(Position.from_moves("4"))
    with pytest.raises(errors.IllegalMoveError) as by_board:
        board.push(column)
    assert str(by_board.value) == str(by_position.value)
    assert board.position == Position.from_moves("4")


def test_a_full_column_and_a_game_that_is_over_are_refused() -> None:
    full = Board.from_position(Position.from_moves("444444"))
    with pytest.raises(errors.IllegalMoveError, match="column 3 is full; open columns are 0, 1, 2, 4, 5, 6"):
        full.push(3)
    won = Board.from_position(Position.from_moves("4545454"))
    with pytest.raises(errors.GameOverError):
        won.push(0)
    assert (won.winner, won.legal()) == (1, [])


def test_numbers_of_numpy_are_columns() -> None:
    board = Board()
    board.push(np.int64(3))  # type: ignore[arg-type]
    assert board.moves == [3]


def test_there_may_be_nothing_to_take_back() -> None:
    with pytest.raises(errors.IllegalMoveError, match="there is no move to take back"):
        Board.from_position(Position.from_moves("4455")).pop()


def test_impossible_boards_are_refused_as_by_a_position() -> None:
    with pytest.raises(errors.BadValueError, match="both players have a disc"):
        Board(7, 6, 1, 1, 1)
    with pytest.raises(errors.BadValueError):
        Board(0, 6)
    with pytest.raises(errors.BadValueError):
        Board.from_position("4455")  # type: ignore[arg-type]


@pytest.mark.parametrize("save", [pickle.dumps, copy.copy])
def test_what_would_lose_the_moves_is_refused(save: Any) -> None:
    with pytest.raises(TypeError, match=r"a Board cannot be pickled; use board\.copy\(\)"):
        save(Board())


def test_it_cannot_be_a_base_class() -> None:
    with pytest.raises(TypeError, match="Board cannot be the base of Mine"):
        type("Mine", (Board,), {})


@pytest.mark.needs("compiled")
def test_a_server_starts_without_the_board() -> None:
    program = "import sys; from connect4_agent.engine.kernel import forms; forms.form_for(7, 6); print(*sys.modules)"
    loaded = output_of(program).split()
    assert "connect4_agent.engine.kernel.narrow.solver" in loaded
    assert [name for name in loaded if name.endswith(".board")] == []
