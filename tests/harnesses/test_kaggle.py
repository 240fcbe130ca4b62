"""The Kaggle agent, without Kaggle; tests/harness plays real games."""

from __future__ import annotations

import warnings
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent import errors
from connect4_agent.harnesses import kaggle
from connect4_agent.rules.position import Position
from tests.boards import unfinished
from tests.effort import examples

SMALL = st.tuples(st.integers(1, 5), st.integers(1, 5))


def asked(position: Position, **configuration: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """What Kaggle passes for a position."""
    board = [cell for row in zip(*position.grid(), strict=True) for cell in row]
    observation = {"board": board, "mark": position.player, "remainingOverageTime": 0.0, "step": 0}
    sizes = {"columns": position.width, "rows": position.height, "inarow": 4, "actTimeout": 0.05}
    return observation, sizes | configuration


@examples(50)
@given(unfinished())
def test_a_board_is_read_as_it_was_sent(position: Position) -> None:
    assert kaggle.position_from_observation(*asked(position)) == position


@examples(50)
@given(unfinished(SMALL))
def test_the_answer_is_a_plain_int_and_legal_on_boards_of_any_size(position: Position) -> None:
    column = kaggle.agent(*asked(position))
    assert type(column) is int
    assert position.is_open(column)


def test_the_agent_wins_blocks_and_opens_in_the_centre() -> None:
    assert kaggle.agent(*asked(Position())) == 3
    assert kaggle.agent(*asked(Position.from_moves("414141"))) == 3
    assert kaggle.agent(*asked(Position.from_moves("41414"))) == 3


def test_attributes_serve_as_well_as_items() -> None:
    observation, configuration = asked(Position())
    assert kaggle.agent(SimpleNamespace(**observation), SimpleNamespace(**configuration)) == 3


def test_what_the_configuration_leaves_out_is_the_usual_game() -> None:
    assert kaggle.agent({"board": [0] * 42, "mark": 1}, {}) == 3


@examples(50)
@given(unfinished(), st.sampled_from([1, 2, 3, 5, 6]))
def test_another_number_in_a_row_gets_a_legal_move_and_one_warning(position: Position, in_a_row: int) -> None:
    agent = kaggle.KaggleAgent()
    with pytest.warns(UserWarning, match=f"inarow is {in_a_row}; this agent plays for 4 in a row") as caught:
        column = agent.choose(*asked(position, inarow=in_a_row))
    assert len(caught) == 1
    assert type(column) is int
    assert position.is_open(column)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        agent.choose(*asked(position, inarow=in_a_row))


@pytest.mark.parametrize(
    ("board", "code", "said"),
    [
        ([0] * 41, "bad_grid", "observation.board is 41 cells; 7 columns and 6 rows need 42"),
        ([], "bad_grid", "observation.board is 0 cells"),
        (None, "bad_grid", "observation.board is missing"),
        ([3] + [0] * 41, "bad_cell", "grid[0][0] is 3"),
        ([1] + [0] * 41, "floating_disc", "below it is empty"),
        ([1, 2] * 21, "board_full", "all 42 cells hold discs"),
    ],
)
def test_a_board_that_cannot_be_played_is_an_error_that_says_why(board: list[int] | None, code: str, said: str) -> None:
    with pytest.raises(errors.RequestError) as caught:
        kaggle.agent({"board": board, "mark": 1}, {"columns": 7, "rows": 6})
    assert caught.value.code == code
    assert said in str(caught.value)


def test_a_mark_of_the_wrong_type_is_shown_as_it_is() -> None:
    with pytest.raises(errors.BadValueError, match="player is '1'; allowed are 1 and 2"):
        kaggle.agent({"board": [0] * 42, "mark": "1"}, {})


def test_a_won_board_gets_a_legal_move() -> None:
    assert kaggle.agent(*asked(Position.from_moves("1212121"))) in range(7)


@examples(50)
@given(act=st.floats(0, 100), overage=st.floats(0, 1000))
def test_a_move_keeps_within_its_own_time_and_a_twentieth_of_the_bank(act: float, overage: float) -> None:
    seconds = kaggle.seconds_for_move({"remainingOverageTime": overage}, {"actTimeout": act})
    assert 0 < seconds <= max(0.8 * act + overage / 20, kaggle.LEAST_MOVE_SECONDS)
    if overage <= kaggle.OVERAGE_RESERVE_SECONDS:
        assert seconds <= max(0.8 * act, kaggle.LEAST_MOVE_SECONDS)


def test_a_whole_game_never_plans_with_the_reserve() -> None:
    overage = 60.0
    for _ in range(21):  # the worst case: every move takes all that it may, and actTimeout forgives nothing
        overage -= kaggle.seconds_for_move({"remainingOverageTime": overage}, {"actTimeout": 0})
    assert overage > kaggle.OVERAGE_RESERVE_SECONDS - 21 * kaggle.LEAST_MOVE_SECONDS
