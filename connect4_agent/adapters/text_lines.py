"""Lines of text, as the codecs of this package read them."""

from __future__ import annotations

from connect4_agent.protocol.lines import OverlongLine
from connect4_agent.server import Reading

TOO_LONG = Reading(warnings=("ignored: a line that is too long",))


def text_of(line: bytes | OverlongLine) -> str | None:
    """The line without surrounding blanks; None if it was too long to keep (the answer is then TOO_LONG)."""
    if isinstance(line, OverlongLine):
        return None
    return line.decode("utf-8-sig", errors="replace").strip()
