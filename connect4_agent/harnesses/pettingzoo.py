"""PettingZoo's connect_four_v3: a policy that takes an observation and an action mask.

    from connect4_agent.harnesses.pettingzoo import Policy

    policy = Policy("hard")
    action = policy(observation["observation"], observation["action_mask"])

Planes of an observation: row 0 on top, plane 0 the discs of the agent that is asked, plane 1 the other's.
"""

from __future__ import annotations

import warnings
from typing import Any

from connect4_agent import errors
from connect4_agent.engine.kernel.order import middle_first
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.player import choose
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.rules.position import Position

WANTED = "it must be rows of cells of 2 planes, such as an array of shape (6, 7, 2)"


class Policy:
    """Plays as a built-in player does, such as `perfect` or `negamax:depth=6`, with at most `seconds` a move."""

    def __init__(self, spec: str = "perfect", seconds: float | None = None, seed: int | None = None) -> None:
        self._player = parse_player(spec, seed)
        self._seconds = seconds

    def __call__(self, observation: Any, action_mask: Any = None) -> int:
        """The action: a column that the mask allows.

        Takes the two parts of what the environment gives, or the dictionary that holds both. Raises a
        RequestError for a board that cannot be read or has no open column.
        """
        if action_mask is None and hasattr(observation, "keys"):
            try:
                observation, action_mask = observation["observation"], observation["action_mask"]
            except KeyError as error:
                raise errors.RequestError("bad_grid", f"the dictionary of the environment has no {error}") from None
        position = position_from_observation(observation)
        if action_mask is not None and _length(action_mask) != position.width:
            raise errors.RequestError(
                "bad_grid",
                f"the action mask has {_length(action_mask)} entries; the board has {position.width} columns",
            )
        column = choose(self._player, position, Limits(self._seconds)).column
        if action_mask is None or action_mask[column]:
            return int(column)
        allowed = [column for column in middle_first(position.width) if action_mask[column]]
        if not allowed:
            raise errors.RequestError("board_full", "the action mask allows no column: it is not this agent's turn")
        warnings.warn(f"the action mask forbids the open column {column}; playing {allowed[0]}", stacklevel=2)
        return int(allowed[0])


def position_from_observation(observation: Any) -> Position:
    """The board of an observation; if both players have the same number of discs, it is the first player's turn."""
    try:
        planes = [[tuple(map(int, cell)) for cell in row] for row in observation]
    except (TypeError, ValueError):
        raise errors.RequestError("bad_grid", f"the observation is {_shape(observation)}; {WANTED}") from None
    if any(len(cell) != 2 for row in planes for cell in row):
        raise errors.RequestError("bad_grid", f"the observation is {_shape(observation)}; {WANTED}")
    rows = [[_cell(own, other) for own, other in row] for row in planes]
    counts = [sum(row.count(cell) for row in rows) for cell in (1, 2)]
    if counts[0] < counts[1]:  # the agent that is asked is the second player
        rows = [[(0, 2, 1)[cell] for cell in row] for row in rows]
    position = Position.from_grid(rows, 2 if counts[0] < counts[1] else 1, row_major=True)
    if position.is_full:
        raise errors.RequestError("board_full", "the board is full: no column is open")
    return position


def _shape(value: Any) -> str:
    """A description of a value, for a message."""
    shape = getattr(value, "shape", None)
    return f"of type {type(value).__name__}" if shape is None else f"an array of shape {shape}"


def _length(mask: Any) -> int:
    """The number of a mask's entries; 0 if it has none."""
    try:
        return len(mask)
    except TypeError:
        return 0


def _cell(own: int, other: int) -> int:
    """1 for a disc of the agent that is asked, 2 for the other's, 0 for none."""
    if (own, other) not in ((0, 0), (1, 0), (0, 1)):
        raise errors.RequestError("bad_cell", f"a cell's planes are {own} and {other}; allowed are 0 0, 1 0 and 0 1")
    return own + 2 * other
