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
from connect4_agent.drawing.planes import position_from_planes
from connect4_agent.engine.kernel.order import middle_first
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.player import choose
from connect4_agent.engine.players.registry import parse_player


class Policy:
    """Plays as a built-in player does, such as `perfect` or `negamax:depth=6`, with at most `seconds` a move."""

    def __init__(self, spec: str = "perfect", seconds: float | None = None, seed: int | None = None) -> None:
        self._player = parse_player(spec, seed)
        self._seconds = seconds

    def __call__(self, observation: Any, action_mask: Any = None) -> int:
        """Return the action: a column that the mask allows.

        Takes the two parts of what the environment gives, or the dictionary that holds both. Raises BadValueError or
        RequestError for a board that cannot be read or has no open column.
        """
        if action_mask is None and hasattr(observation, "keys"):
            try:
                observation, action_mask = observation["observation"], observation["action_mask"]
            except KeyError as error:
                raise errors.RequestError("bad_grid", f"the dictionary of the environment has no {error}") from None
        position = position_from_planes(observation)
        if position.is_full:
            raise errors.RequestError("board_full", "the board is full: no column is open")
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


def _length(mask: Any) -> int:
    """Return the number of a mask's entries; 0 if it has none."""
    try:
        return len(mask)
    except TypeError:
        return 0
