"""OpenSpiel's connect_four: a bot for any number of rows and columns.

import pyspiel
from connect4_agent.harnesses.openspiel import Connect4Bot

action = Connect4Bot("hard").step(pyspiel.load_game("connect_four").new_initial_state())
"""

from __future__ import annotations

import warnings
from typing import Any

import pyspiel

from connect4_agent import errors
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.player import choose, obvious_column
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.rules.position import Position

CELLS = ".xo"


class Connect4Bot(pyspiel.Bot):  # type: ignore[misc]  # OpenSpiel ships no types
    """Plays like a built-in player such as `perfect` or `negamax:depth=6`, at most `seconds` a move.

    It reads the whole state each time, so one bot can play both sides of any number of games.
    """

    def __init__(self, spec: str = "perfect", seconds: float | None = None, seed: int | None = None) -> None:
        super().__init__()
        self._player = parse_player(spec, seed)
        self._seconds = seconds
        self._has_warned = False

    def step(self, state: Any) -> int:
        """Return the action to play. Raises GameOverError if the game is over."""
        position = position_from_state(state)
        if state.is_terminal():
            raise errors.GameOverError("the state is terminal: there is nothing to play")
        in_a_row = state.get_game().get_parameters().get("x_in_row", 4)
        if in_a_row != 4:
            if not self._has_warned:
                self._has_warned = True
                message = f"x_in_row is {in_a_row}; this bot plays for 4 in a row and falls back to a simple legal move"
                warnings.warn(message, stacklevel=2)
            return int(obvious_column(position))
        return int(choose(self._player, position, Limits(self._seconds)).column)

    def restart(self) -> None:
        """Nothing is kept from game to game."""

    def restart_at(self, state: Any) -> None:
        """Nothing is kept from state to state."""

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Nothing to do: the next state shows what others played."""


def position_from_state(state: Any) -> Position:
    """Return the board of a state as the state draws it, top row first: x for player 0, o for player 1.

    The history is not used, because a state made from a board has none. Raises BadValueError for another game's state.
    """
    name = state.get_game().get_type().short_name
    if name != "connect_four":
        raise errors.BadValueError(f"the state is of the game {name!r}; this bot plays connect_four")
    rows = [[CELLS.index(cell) for cell in line] for line in str(state).split()]
    player = state.current_player()
    return Position.from_grid(rows, player + 1 if player in (0, 1) else None, row_major=True)
