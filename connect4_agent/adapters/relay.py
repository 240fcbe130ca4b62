"""The column relay: each side receives the other's columns and nothing else.

manager: go!       to the side that begins
agent:   3
manager: 2         the opponent's column, counted from 0
agent:   3
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.adapters.text_lines import TOO_LONG, text_of
from connect4_agent.position import Position
from connect4_agent.server import Reading
from connect4_agent.text import short

if TYPE_CHECKING:
    from connect4_agent.engine.players.player import Choice
    from connect4_agent.protocol.lines import OverlongLine

BEGIN = "go!"


class RelayCodec:
    """Keeps the board; `go!`, or any column after the end of a game, starts a new game."""

    takes_blank_lines = False
    takes_documents = False
    explain = False

    def __init__(self, width: int = 7, height: int = 6) -> None:
        self._empty = Position(width, height)
        self._position = self._empty

    def read(self, line: bytes | OverlongLine) -> Reading:
        """The position after the opponent's column; none if that ended the game, or cannot be played."""
        text = text_of(line)
        if text is None:
            return TOO_LONG
        if text.lower() == BEGIN:
            self._position = self._empty
            return Reading(self._position)
        try:
            if not (text.isascii() and text.isdigit()):
                raise errors.IllegalMoveError(f"{short(text)!r} is neither {BEGIN} nor a column counted from 0")
            before = self._empty if self._position.is_over else self._position
            self._position = before.play(int(text[:9]))
        except errors.IllegalMoveError as error:
            return Reading(warnings=(f"ignored: {error}",))
        return Reading(None if self._position.is_over else self._position)

    def write(self, choice: Choice, elapsed_ms: float) -> bytes:  # noqa: ARG002  # one interface for all codecs
        """The agent's column, which is played here as well."""
        self._position = self._position.play(choice.column)
        return f"{choice.column}\n".encode()
