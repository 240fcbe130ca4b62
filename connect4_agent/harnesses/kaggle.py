"""Kaggle's ConnectX: an agent that takes an observation and a configuration and returns a column.

    from connect4_agent.harnesses.kaggle import agent

A move takes at most ACT_SHARE of actTimeout and, if the position is not solved by then, a little of the overage
bank: OVERAGE_SHARE of what it holds beyond OVERAGE_RESERVE_SECONDS. So no single slow move can empty the bank, and
its last seconds are kept for accidents of the machine.
"""

from __future__ import annotations

import warnings
from functools import cache
from time import monotonic
from typing import Any

from connect4_agent import errors
from connect4_agent.engine.kernel.book import Book
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.perfect import PerfectPlayer
from connect4_agent.engine.players.player import choose, obvious_column
from connect4_agent.rules.position import Position

ACT_SHARE = 0.8
OVERAGE_SHARE = 0.05
OVERAGE_RESERVE_SECONDS = 20.0

LEAST_MOVE_SECONDS = 0.02
"""The least time for a move, however little the harness allows."""

DEFAULT_ACT_SECONDS = 2.0
"""ConnectX's own actTimeout, for configurations without one."""


class KaggleAgent:
    """Plays perfectly as far as time allows; `book` replaces the package's own book."""

    def __init__(self, book: Book | None = None) -> None:
        self._player = PerfectPlayer(book=book)
        self._has_warned = False

    def choose(self, observation: Any, configuration: Any) -> int:
        """Return the column to play. Raises a RequestError for a board that cannot be read or has no open column."""
        started = monotonic()
        position = position_from_observation(observation, configuration)
        in_a_row = int(_item(configuration, "inarow", 4))
        if in_a_row != 4:
            self._warn_once(
                f"inarow is {in_a_row}; this agent plays for 4 in a row and falls back to a simple legal move"
            )
            return int(obvious_column(position))
        seconds = max(seconds_for_move(observation, configuration) - (monotonic() - started), LEAST_MOVE_SECONDS)
        return int(choose(self._player, position, Limits(seconds)).column)

    def _warn_once(self, message: str) -> None:
        if not self._has_warned:
            self._has_warned = True
            warnings.warn(message, stacklevel=3)


def position_from_observation(observation: Any, configuration: Any) -> Position:
    """Return the board of an observation: its cells row by row from the top, 0 empty."""
    board = _item(observation, "board", None)
    columns, rows = int(_item(configuration, "columns", 7)), int(_item(configuration, "rows", 6))
    if board is None or len(board) != columns * rows:
        count = "missing" if board is None else f"{len(board)} cells"
        raise errors.RequestError(
            "bad_grid", f"observation.board is {count}; {columns} columns and {rows} rows need {columns * rows}"
        )
    lines = [list(board[start : start + columns]) for start in range(0, len(board), columns)]
    position = Position.from_grid(lines, _item(observation, "mark", None), row_major=True)
    if position.is_full:
        raise errors.RequestError("board_full", f"observation.board is full: all {len(board)} cells hold discs")
    return position


def seconds_for_move(observation: Any, configuration: Any) -> float:
    """Return the time for a move, by the rule above."""
    act = float(_item(configuration, "actTimeout", DEFAULT_ACT_SECONDS))
    overage = float(_item(observation, "remainingOverageTime", 0.0))
    return max(ACT_SHARE * act + OVERAGE_SHARE * max(overage - OVERAGE_RESERVE_SECONDS, 0.0), LEAST_MOVE_SECONDS)


def _item(source: Any, name: str, default: Any) -> Any:
    """Return a value from the harness, which passes dictionaries, objects with attributes, or both in one."""
    value = source.get(name) if hasattr(source, "get") else getattr(source, name, None)
    return default if value is None else value


@cache
def _shared_agent() -> KaggleAgent:
    return KaggleAgent()


def agent(observation: Any, configuration: Any) -> int:
    """Return the column to play, counted from 0."""
    return _shared_agent().choose(observation, configuration)
