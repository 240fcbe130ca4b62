"""Marks: cells of a board that a picture points out, and what each of them means."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, NamedTuple


class Meaning(StrEnum):
    """What a marked cell means; a closed set."""

    THREAT = "threat"
    """A disc of the player makes four here, now or later."""
    NEEDED = "needed"
    """The player needs this cell for the four of the plan."""
    AVOID = "avoid"
    """The cell that nobody wants to take: the four is right above it."""
    KEY = "key"
    """The cell that a mistake gave away."""
    MOVE = "move"
    """The move that is explained."""
    LINE = "line"
    """A numbered move of the line."""
    PAIR = "pair"
    """One of two cells with the same number: if the other side takes one, the player takes the other."""


class Mark(NamedTuple):
    """A marked cell."""

    column: int
    """Counted from 0, like the row."""
    row: int
    player: int | None
    """Whose threat, need or move it is; None if it is nobody's."""
    meaning: Meaning
    number: int | None = None
    """Of a move in the line, from 1 on, or of a pair."""

    def to_dict(self) -> dict[str, Any]:
        """Return the mark for programs."""
        return {**self._asdict(), "meaning": self.meaning.value}
