"""Playouts and the player that trusts them."""

from __future__ import annotations

from random import Random

import pytest

from connect4_agent import errors
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.monte_carlo import MonteCarloPlayer
from connect4_agent.rules.position import Position
from tests.kernel_forms import each_form, forms_for

MUST_BLOCK = Position.from_moves("1122337")
"""Player 1 has columns 1, 2, 3 and 7 of the bottom row: player 2 has to play 4."""


def finish_many(position: Position, seed: int, count: int, form: str | None = None) -> list[int]:
    playouts = forms.new_playouts(position.width, position.height, seed, do_nothing, form)
    return [playouts.finish(position.opponent, position.own) for _ in range(count)]


@pytest.mark.parametrize(("width", "height"), [(7, 6), (8, 7), (4, 4), (3, 3), (2, 31), (1, 63)])
def test_compiled_and_interpreted_playouts_are_the_same(width: int, height: int) -> None:
    position = Position(width, height)
    found = [finish_many(position, 5, 60, form) for form in forms_for(width, height)]
    assert all(each == found[0] for each in found)


def test_seeds_give_different_games_and_a_seed_of_zero_works() -> None:
    results = [tuple(finish_many(Position(), seed, 40)) for seed in (0, 1, 2)]
    assert results[0] == results[1]  # nothing but zeros would never become anything else: it counts as 1
    assert results[1] != results[2]


def test_playouts_end_as_random_games_by_the_rules_do() -> None:
    # The player who moves first wins about 55.6 % of random games on 7x6, and one in 400 is a draw.
    playouts = finish_many(Position(), 3, 4000)
    random = Random(3)
    games = []
    for _ in range(4000):
        position = Position()
        while not position.is_over:
            position = position.play(random.choice(position.legal_columns()))
        games.append({None: 1, 1: 0, 2: 2}[position.winner])
    for result in (0, 2):
        assert abs(playouts.count(result) - games.count(result)) < 5 * 4000**0.5


def test_a_board_without_room_for_four_is_always_drawn() -> None:
    assert set(finish_many(Position(3, 3), 1, 20)) == {1}


@each_form
def test_a_poll_can_end_a_playout(form: str) -> None:
    def refuse() -> None:
        raise errors.OutOfTimeError("enough")

    playouts = forms.new_playouts(7, 6, 1, refuse, form)
    with pytest.raises(errors.OutOfTimeError):
        [playouts.finish(0, 0) for _ in range(100_000)]


@each_form
def test_with_a_seed_the_choice_is_repeatable_and_the_same_in_both_forms(form: str) -> None:
    for moves in ("", "44", "4453", "12345"):
        position = Position.from_moves(moves)
        choice = MonteCarloPlayer(playouts=30, seed=9, form=form).choose(position, Limits())
        assert choice == MonteCarloPlayer(playouts=30, seed=9).choose(position, Limits())
        assert choice.column in position.legal_columns()
        assert choice.score is not None
        assert -1000 <= choice.score <= 1000
        assert not choice.exact


def test_it_wins_where_it_can_and_blocks_what_random_games_show() -> None:
    winning = Position.from_moves("112233")
    assert MonteCarloPlayer(playouts=1, seed=1).choose(winning, Limits()).column == 3
    assert MonteCarloPlayer(playouts=500, seed=1).choose(MUST_BLOCK, Limits()).column == 3


def test_a_time_limit_ends_it_whatever_the_number_of_playouts() -> None:
    choice = MonteCarloPlayer(playouts=10**9, seconds=0.02).choose(Position(), Limits())
    assert choice.nodes > 0
    assert MonteCarloPlayer().choose(Position(), Limits(seconds=0.02)).column in range(7)


def test_without_time_for_one_round_it_plays_the_obvious_column() -> None:
    position = Position(100, 100)
    choice = MonteCarloPlayer().choose(position, Limits(seconds=0.01))
    assert (choice.column, choice.score) == (49, None)


def test_the_caller_can_end_it() -> None:
    class GoneError(Exception):
        pass

    def leave() -> None:
        raise GoneError

    with pytest.raises(GoneError):
        MonteCarloPlayer(playouts=10**9).choose(Position(), Limits(poll=leave))
