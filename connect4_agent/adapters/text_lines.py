"""Lines of text as the codecs of this folder read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connect4_agent.server import OverlongLine

if TYPE_CHECKING:
    from connect4_agent.server import Turn

SHOWN_CHARACTERS = 60


def text_of(line: bytes | OverlongLine, turn: Turn) -> str | None:
    """The line without blanks around it; None, with a warning, where it was too long to keep."""
    if isinstance(line, OverlongLine):
        turn.warn("ignored: a line that is too long to be any question")
        return None
    return line.decode("utf-8-sig", errors="replace").strip()


def shown(text: str) -> str:
    """A line in quotes, cut to a length that fits into a message."""
    return repr(text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 3] + "...")
