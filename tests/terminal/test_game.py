"""Game: moves, and going back and forth among them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent import errors
from connect4_agent.rules.position import Position
from connect4_agent.terminal.game import MAX_VARIATIONS, Game
from tests.effort import examples


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Any game on any small board, played as far as it goes."""
    game = Game(draw(st.integers(1, 9)), draw(st.integers(1, 7)))
    for number in draw(st.lists(st.integers(0, 8), max_size=70)):
        if game.is_over:
            break
        columns = game.position.legal_columns()
        game = game.play(columns[number % len(columns)])
    return game


@examples(50)
@given(games(), st.integers(-3, 80))
def test_whatever_is_taken_back_can_be_played_again(game: Game, ply: int) -> None:
    back = game.at(ply)
    assert 0 <= back.ply <= game.ply
    assert back.position == Position.from_moves(game.moves[: back.ply], game.width, game.height)
    assert back.at(10**9) == game


@examples(50)
@given(games())
def test_the_move_string_brings_the_game_back(game: Game) -> None:
    assert Game.from_moves(game.moves, game.width, game.height) == game
    assert Game.from_moves(game.moves.upper(), game.width, game.height) == game


@examples(50)
@given(games())
def test_the_last_disc_is_the_one_that_was_not_there_before(game: Game) -> None:
    if game.ply == 0:
        assert game.last_cell is None
        return
    assert game.last_cell is not None
    column, row = game.last_cell
    now, before = game.position.grid(), game.at(game.ply - 1).position.grid()
    assert before[column][game.height - 1 - row] == 0
    before[column][game.height - 1 - row] = 3 - game.position.player
    assert now == before


@examples(50)
@given(games())
def test_the_four_is_there_when_somebody_has_won_and_holds_the_last_disc(game: Game) -> None:
    assert bool(game.four) == (game.winner is not None)
    if game.winner is not None:
        assert game.last_cell in game.four
        assert len(game.four) >= 4
        grid = game.position.grid()
        assert {grid[column][game.height - 1 - row] for column, row in game.four} == {game.winner}


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


def test_a_different_disc_after_going_back_keeps_what_lay_ahead_as_a_variation() -> None:
    game = Game.from_moves("4455").at(2).play(0)
    assert (game.moves, game.columns, game.variations) == ("441", (3, 3, 0), ((3, 3, 4, 4),))
    assert game.at(2).play(4).columns == (3, 3, 4, 4)  # the first line again
    assert game.at(2).play(4).variations == ((3, 3, 0),)


def test_the_same_disc_again_stays_on_the_line() -> None:
    game = Game.from_moves("4455")
    assert game.at(2).play(4) == game.at(3)


def test_a_line_that_another_one_begins_with_is_not_kept_twice() -> None:
    game = Game.from_moves("44").at(1).play(0).play(0).at(1).play(0).play(1)
    assert game.moves == "412"
    assert game.variations == ((3, 0, 0), (3, 3))


def test_a_variation_is_entered_at_its_first_different_disc() -> None:
    game = Game.from_moves("445566").at(2).play(0).on_variation(0)
    assert (game.columns, game.ply) == ((3, 3, 4, 4, 5, 5), 3)
    assert game.variations == ((3, 3, 0),)


def test_player_2_may_begin() -> None:
    game = Game.from_columns((3, 3), 7, 6, first=2)
    assert game.position == Position(player=2).after((3, 3))
    assert [game.player_at(ply) for ply in range(3)] == [2, 1, 2]


def test_columns_that_are_not_a_game_are_refused_with_their_number() -> None:
    with pytest.raises(errors.IllegalMoveError, match="move 2: column 9 is not on the board"):
        Game.from_columns((3, 9), 7, 6)
    with pytest.raises(errors.GameOverError, match="move 8 is column 1, but the game was over"):
        Game.from_columns((0, 1, 0, 1, 0, 1, 0, 1), 7, 6)


def test_variations_are_bounded() -> None:
    game = Game(35, 35)
    for column in range(35):
        for reply in range(5):
            game = game.at(0).play(column).play(reply)
    assert len(game.variations) == MAX_VARIATIONS


def test_no_disc_is_played_after_the_end() -> None:
    with pytest.raises(errors.GameOverError):
        Game.from_moves("1212121").play(3)
    with pytest.raises(errors.IllegalMoveError):
        Game.from_moves("111111").play(0)


def test_a_board_wider_than_there_are_signs_is_refused() -> None:
    with pytest.raises(errors.BadValueError, match="width is 36; a move string can name at most 35 columns"):
        Game.from_moves("", 36, 6)
    assert Game.from_moves("z", 35, 6).columns == (34,)
