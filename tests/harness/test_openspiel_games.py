"""Games of connect_four in OpenSpiel."""

from __future__ import annotations

from typing import Any

import pyspiel
import pytest

from connect4_agent import errors
from connect4_agent.harnesses.openspiel import Connect4Bot, position_from_state
from connect4_agent.rules.position import Position


def mcts_bot(game: Any, seed: int, simulations: int = 200) -> Any:
    """OpenSpiel's Monte Carlo tree search with its usual exploration and random rollouts."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    return pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 100, False, seed, False)


@pytest.mark.parametrize("side", [0, 1])
def test_the_bot_beats_monte_carlo_tree_search_from_either_side(side: int) -> None:
    game = pyspiel.load_game("connect_four")
    bots = [Connect4Bot("perfect"), mcts_bot(game, seed=1)]
    returns = pyspiel.evaluate_bots(game.new_initial_state(), bots if side == 0 else bots[::-1], 1)
    assert returns[side] == 1


@pytest.mark.parametrize("name", ["connect_four(rows=4,columns=5)", "connect_four(rows=7,columns=8)"])
def test_rows_and_columns_are_as_configured(name: str) -> None:
    game = pyspiel.load_game(name)
    bots = [Connect4Bot("medium"), pyspiel.make_uniform_random_bot(1, 7)]
    returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, 1)
    assert returns[0] in (0, 1)


def test_a_state_is_read_as_its_history_says() -> None:
    state = pyspiel.load_game("connect_four").new_initial_state()
    for column in (3, 3, 4, 2, 4):
        state.apply_action(column)
    assert position_from_state(state) == Position.from_moves("44535")


def test_a_state_made_from_a_board_is_read_although_it_has_no_history() -> None:
    game = pyspiel.load_game("connect_four")
    state = game.new_initial_state()
    for column in (3, 3, 4):
        state.apply_action(column)
    copied = game.new_initial_state(state.to_json())
    assert copied.history() == []
    assert position_from_state(copied) == Position.from_moves("445")


def test_another_number_in_a_row_gets_a_legal_move_and_one_warning() -> None:
    state = pyspiel.load_game("connect_four(x_in_row=5)").new_initial_state()
    bot = Connect4Bot("easy")
    with pytest.warns(UserWarning, match="x_in_row is 5; this bot plays for 4 in a row"):
        assert bot.step(state) in state.legal_actions()
    assert bot.step(state) in state.legal_actions()


def test_another_game_and_a_game_that_is_over_are_errors() -> None:
    with pytest.raises(errors.BadValueError, match="the state is of the game 'tic_tac_toe'"):
        Connect4Bot("easy").step(pyspiel.load_game("tic_tac_toe").new_initial_state())
    state = pyspiel.load_game("connect_four").new_initial_state()
    for column in (0, 1, 0, 1, 0, 1, 0):
        state.apply_action(column)
    with pytest.raises(errors.GameOverError, match="the state is terminal"):
        Connect4Bot("easy").step(state)
