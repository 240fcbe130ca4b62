"""Kaggle's ConnectX: an agent that takes an observation and a configuration and returns a column.

    from connect4_agent.adapters.kaggle import agent

A move takes at most ACT_SHARE of actTimeout, and where the game is not solved by then, a little of the overage
bank: OVERAGE_SHARE of what is there beyond OVERAGE_RESERVE_SECONDS. So nothing that a slow machine does to one
move can empty the bank, and the last seconds of it are for such accidents alone.
"""

from __future__ import annotations

import warnings
from functools import cache
from time import monotonic
from typing import TYPE_CHECKING, Any

from connect4_agent import errors
from connect4_agent.engine.perfect import PerfectPlayer
from connect4_agent.engine.player import Limits, choose_anyway, obvious_column
from connect4_agent.position import Position

if TYPE_CHECKING:
    from connect4_agent.book.lookup import Book

ACT_SHARE = 0.8
OVERAGE_SHARE = 0.05
OVERAGE_RESERVE_SECONDS = 20.0

LEAST_SECONDS = 0.02
"""What a move gets however little the harness allows."""

DEFAULT_ACT_SECONDS = 2.0
"""ConnectX's own actTimeout, for configurations that do not say."""


class KaggleAgent:
    """Plays perfectly as far as the time allows; with a book other than the package's own if it is given one."""

    def __init__(self, book: Book | None = None) -> None:
        self._player = PerfectPlayer(book=book)
        self._has_warned = False

    def choose(self, observation: Any, configuration: Any) -> int:
        """The column to play. Raises a RequestError for a board that cannot be read or has no open column."""
        started = monotonic()
        position = position_of(observation, configuration)
        in_a_row = int(_item(configuration, "inarow", 4))
        if in_a_row != 4:
            self._warn_once(f"inarow is {in_a_row}; this agent plays for 4 in a row and makes just any legal move")
            return int(obvious_column(position))
        seconds = max(seconds_for_move(observation, configuration) - (monotonic() - started), LEAST_SECONDS)
        return int(choose_anyway(self._player, position, Limits(seconds)).column)

    def _warn_once(self, message: str) -> None:
        if not self._has_warned:
            self._has_warned = True
            warnings.warn(message, stacklevel=3)


def position_of(observation: Any, configuration: Any) -> Position:
    """The board of an observation: its cells row by row from the top, 0 empty."""
    board = _item(observation, "board", None)
    columns, rows = int(_item(configuration, "columns", 7)), int(_item(configuration, "rows", 6))
    if board is None or len(board) != columns * rows:
        count = "missing" if board is None else f"{len(board)} cells"
        raise errors.BadGridError(
            f"observation.board is {count}; {columns} columns and {rows} rows need {columns * rows}"
        )
    lines = [list(board[start : start + columns]) for start in range(0, len(board), columns)]
    position = Position.from_grid(lines, _item(observation, "mark", None), row_major=True)
    if position.is_full:
        raise errors.BoardFullError(f"observation.board is full: all {len(board)} cells hold discs")
    return position


def seconds_for_move(observation: Any, configuration: Any) -> float:
    """The time that a move may take: see the rule above."""
    act = float(_item(configuration, "actTimeout", DEFAULT_ACT_SECONDS))
    overage = float(_item(observation, "remainingOverageTime", 0.0))
    return max(ACT_SHARE * act + OVERAGE_SHARE * max(overage - OVERAGE_RESERVE_SECONDS, 0.0), LEAST_SECONDS)


def _item(source: Any, name: str, default: Any) -> Any:
    """A value of what the harness passes, which is a dictionary with attributes, or either of the two."""
    value = source.get(name) if hasattr(source, "get") else getattr(source, name, None)
    return default if value is None else value


@cache
def _shared_agent() -> KaggleAgent:
    return KaggleAgent()


def agent(observation: Any, configuration: Any) -> int:
    """The column to play, counted from 0."""
    return _shared_agent().choose(observation, configuration)
