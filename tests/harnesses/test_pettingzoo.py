"""The PettingZoo policy, without PettingZoo; tests/harness plays real games."""

from __future__ import annotations

import pytest
from hypothesis import given

from connect4_agent import errors
from connect4_agent.harnesses.pettingzoo import Policy
from connect4_agent.rules.position import Position
from tests.boards import unfinished
from tests.effort import examples

Planes = list[list[list[int]]]
ANY = [1] * 7


def observed(position: Position) -> Planes:
    """What the environment shows to the player to move."""
    own, other = position.player, 3 - position.player
    return [[[int(cell == own), int(cell == other)] for cell in row] for row in zip(*position.grid(), strict=True)]


@examples(50)
@given(unfinished())
def test_the_action_is_a_plain_int_and_legal(position: Position) -> None:
    mask = [int(position.is_open(column)) for column in range(position.width)]
    action = Policy("easy")(observed(position), mask)
    assert type(action) is int
    assert mask[action]


def test_the_dictionary_of_the_environment_serves_as_well() -> None:
    assert Policy("hard")({"observation": observed(Position()), "action_mask": ANY}) == 3


def test_the_policy_wins_and_blocks() -> None:
    assert Policy("easy")(observed(Position.from_moves("414141")), ANY) == 3
    assert Policy("easy")(observed(Position.from_moves("41414")), ANY) == 3


def test_a_mask_that_forbids_the_choice_gets_another_column_and_a_warning() -> None:
    with pytest.warns(UserWarning, match="the action mask forbids the open column 3; playing 2"):
        assert Policy("easy")(observed(Position()), [1, 1, 1, 0, 1, 1, 1]) == 2


def test_a_mask_that_forbids_everything_is_an_error() -> None:
    with pytest.raises(errors.RequestError, match="not this agent's turn"):
        Policy("easy")(observed(Position()), [0] * 7)


def test_a_board_that_cannot_be_played_is_an_error_that_says_why() -> None:
    with pytest.raises(errors.BadValueError, match="is 1 for both players"):
        Policy("easy")([[[1, 1]]], [1])
    with pytest.raises(errors.RequestError, match="no column is open"):
        Policy("easy")([[[1, 0]]], [1])
    with pytest.raises(errors.RequestError, match="below it is empty"):
        Policy("easy")([[[1, 0]], [[0, 0]]], [1])


@pytest.mark.parametrize(
    ("observation", "mask", "said"),
    [
        (observed(Position()), [1, 1], "the action mask has 2 entries; the board has 7 columns"),
        (observed(Position()), 1, "the action mask has 0 entries"),
        ({"observation": observed(Position())}, None, "has no 'action_mask'"),
    ],
)
def test_wrong_shapes_are_request_errors_that_say_so(observation: object, mask: object, said: str) -> None:
    with pytest.raises(errors.RequestError, match=said):
        Policy("easy")(observation, mask)


@pytest.mark.parametrize("observation", [None, [0] * 42, [[0] * 7] * 6, [[[0, 0, 0]] * 7] * 6, [[["x", 0]] * 7] * 6])
def test_what_is_not_planes_is_refused(observation: object) -> None:
    with pytest.raises(errors.BadValueError, match="allowed is an array of 0 and 1 with shape"):
        Policy("easy")(observation, ANY)


@pytest.mark.parametrize("observation", [[], [[]], [[[0, 0]], [[0, 0], [0, 0]]]])
def test_an_empty_or_ragged_observation_is_refused(observation: Planes) -> None:
    with pytest.raises(errors.Connect4Error):
        Policy("easy")(observation, ANY)


def test_a_name_of_no_player_is_an_error() -> None:
    with pytest.raises(errors.PlayerSpecError, match="there is no built-in player 'wizard'"):
        Policy("wizard")
