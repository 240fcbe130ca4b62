"""Endings of games, and faults of agents with the evidence."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from connect4_agent import errors
from connect4_agent.text import short

EXCERPT_BYTES = 1024
"""The length of a faulty reply that is kept."""

MAX_ERROR_LINE = 200
"""The longest excerpt of an agent's standard error in a sentence, in characters."""


Milliseconds = Annotated[float, Field(ge=0, le=1e12, allow_inf_nan=False)]
"""A time in a record, up to thirty years: bounds keep a forged journal from breaking what reads it."""


class Ending(StrEnum):
    """The way a game ended."""

    FOUR = "four in a row"
    FULL = "full board"
    ADJUDICATED = "adjudicated"
    ILLEGAL_MOVE = "illegal move"
    MALFORMED_REPLY = "malformed reply"
    TIMED_OUT = "timed out"
    CRASHED = "crashed"
    WOULD_NOT_START = "would not start"

    @property
    def is_fault(self) -> bool:
        """Return whether an agent broke the protocol or exceeded a limit."""
        return self not in (Ending.FOUR, Ending.FULL, Ending.ADJUDICATED)


class Fault(BaseModel):
    """The fault that lost an agent its game, with the evidence."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    player: int = Field(ge=1, le=2)
    """The player number of the agent at fault."""
    detail: str
    """The fault in words."""
    elapsed_ms: Milliseconds | None = None
    """The time from the request to the fault; None for a fault outside a move."""
    reply: str | None = None
    """The beginning of the raw line."""
    stderr_tail: str = ""
    exit_status: int | None = Field(default=None, ge=-(2**31), lt=2**31)
    """As subprocess gives it: negative for a signal; None while the process still ran."""

    @property
    def words(self) -> str:
        """The fault in words, with the last line of standard error, where programs say why they end."""
        return describe_fault(self.detail, self.stderr_tail, self.exit_status)


def describe_fault(detail: str, stderr_tail: str, exit_status: int | None) -> str:
    """Return a fault in words, with the last line of standard error."""
    lines = [line.strip() for line in stderr_tail.splitlines() if line.strip()]
    last = short(lines[-1], MAX_ERROR_LINE) if lines else ""
    if not last or last in detail:
        return detail
    return f"{detail} (standard error: {last})" if exit_status is None else f"{detail}: {last}"


class FaultError(errors.Connect4Error):
    """An agent broke the protocol or exceeded a limit."""

    def __init__(
        self,
        kind: Ending | str,
        detail: str,
        *,
        reply: bytes | str | None = None,
        stderr_tail: str = "",
        exit_status: int | None = None,
        elapsed_seconds: float | None = None,
        used_too_much: bool = False,
    ) -> None:
        super().__init__(kind, detail)
        self.kind = Ending(kind)
        self.detail = detail
        self.reply = reply[:EXCERPT_BYTES].decode(errors="replace") if isinstance(reply, bytes) else reply
        self.stderr_tail = stderr_tail
        self.exit_status = exit_status
        self.elapsed_seconds = elapsed_seconds
        self.used_too_much = used_too_much
        """True if the program was killed because of its memory or its number of processes."""

    def __str__(self) -> str:
        return f"{self.kind}: {describe_fault(self.detail, self.stderr_tail, self.exit_status)}"

    def to_dict(self) -> dict[str, Any]:
        """Return the arguments that make the same fault."""
        return dict(vars(self))
