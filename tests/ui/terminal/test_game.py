"""Game: moves, the last disc, and the four."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent import errors
from connect4_agent.rules.position import Position
from connect4_agent.ui.terminal.session import Game
from tests.effort import examples


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Any game on any small board, played as far as it goes."""
    game = Game(draw(st.integers(1, 9)), draw(st.integers(1, 7)))
    for number in draw(st.lists(st.integers(0, 8), max_size=70)):
        if game.position.is_over:
            break
        columns = game.position.legal_columns()
        game = game.play(columns[number % len(columns)])
    return game


@examples(50)
@given(games(), st.integers(-3, 80))
def test_discs_are_taken_back_from_the_last_one(game: Game, ply: int) -> None:
    back = game.at(ply)
    assert back.columns == game.columns[: max(0, ply)]
    assert back.position == Position.from_moves(back.moves, game.width, game.height)


@examples(50)
@given(games())
def test_the_move_string_brings_the_game_back(game: Game) -> None:
    assert Game.from_moves(game.moves, game.width, game.height) == game
    assert Game.from_moves(game.moves.upper(), game.width, game.height) == game


@examples(50)
@given(games())
def test_the_last_disc_is_the_one_that_was_not_there_before(game: Game) -> None:
    if not game.columns:
        assert game.last_cell is None
        return
    assert game.last_cell is not None
    column, row = game.last_cell
    now, before = game.position.grid(), game.at(len(game.columns) - 1).position.grid()
    assert before[column][game.height - 1 - row] == 0
    before[column][game.height - 1 - row] = 3 - game.position.player
    assert now == before


@examples(50)
@given(games())
def test_the_four_is_there_when_somebody_has_won_and_holds_the_last_disc(game: Game) -> None:
    assert bool(game.four) == (game.position.winner is not None)
    if game.position.winner is not None:
        assert game.last_cell in game.four
        assert len(game.four) >= 4
        grid = game.position.grid()
        assert {grid[column][game.height - 1 - row] for column, row in game.four} == {game.position.winner}


@pytest.mark.parametrize(
    ("moves", "four"),
    [
        ("1212121", {(0, 0), (0, 1), (0, 2), (0, 3)}),
        ("1122334", {(0, 0), (1, 0), (2, 0), (3, 0)}),
        ("12233434414", {(0, 0), (1, 1), (2, 2), (3, 3)}),
        ("76655454474", {(6, 0), (5, 1), (4, 2), (3, 3)}),
        ("1122335566774", {(column, 0) for column in range(7)}),
    ],
)
def test_the_cells_of_a_four_are_its_own(moves: str, four: set[tuple[int, int]]) -> None:
    game = Game.from_moves(moves)
    assert game.four == four


def test_no_disc_is_played_after_the_end() -> None:
    with pytest.raises(errors.GameOverError):
        Game.from_moves("1212121").play(3)
    with pytest.raises(errors.IllegalMoveError):
        Game.from_moves("111111").play(0)


def test_a_board_wider_than_there_are_signs_is_refused() -> None:
    with pytest.raises(errors.BadValueError, match="width is 36; a move string can name at most 35 columns"):
        Game.from_moves("", 36, 6)
    assert Game.from_moves("z", 35, 6).columns == (34,)
