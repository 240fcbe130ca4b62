"""The column relay: each side hears the other's columns and nothing else.

manager: go!       to whoever begins
agent:   3
manager: 2         the opponent's column, counted from 0
agent:   3
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.adapters.text_lines import shown, text_of
from connect4_agent.position import Position

if TYPE_CHECKING:
    from connect4_agent.server import OverlongLine, Turn

BEGIN = "go!"


class RelayCodec:
    """Keeps the board itself; `go!`, or any column after a game's end, begins a new game."""

    takes_blank_lines = False

    def __init__(self, width: int = 7, height: int = 6) -> None:
        self._empty = Position(width, height)
        self._position = self._empty

    def answer(self, line: bytes | OverlongLine, turn: Turn) -> bytes | None:
        """The agent's column; None where the line ended the game, or is no column that can be played."""
        text = text_of(line, turn)
        if text is None:
            return None
        if text.lower() == BEGIN:
            self._position = self._empty
        elif not self._play_for_opponent(text, turn):
            return None
        choice = turn.choose(self._position)
        self._position = self._position.play(choice.column)
        return f"{choice.column}\n".encode()

    def _play_for_opponent(self, text: str, turn: Turn) -> bool:
        """Take the opponent's column; whether it is the agent's turn now."""
        before = self._empty if self._position.is_over else self._position
        try:
            if not (text.isascii() and text.isdigit()):
                raise errors.IllegalMoveError(f"{shown(text)} is neither {BEGIN} nor a column counted from 0")
            self._position = before.play(int(text[:9]))
        except errors.IllegalMoveError as error:
            turn.warn(f"ignored: {error}")
            return False
        return not self._position.is_over
