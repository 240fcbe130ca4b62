"""Faults: what an agent can do wrong in a game, with the evidence."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from connect4_agent import errors

EXCERPT_BYTES = 1024
"""How much of a faulty reply is kept."""


class FaultKind(StrEnum):
    """How an agent broke the protocol or exceeded its limits; a closed set."""

    ILLEGAL_MOVE = "illegal move"
    MALFORMED_REPLY = "malformed reply"
    TIMED_OUT = "timed out"
    CRASHED = "crashed"
    WOULD_NOT_START = "would not start"
    OUT_OF_MEMORY = "out of memory"
    TOO_MANY_PROCESSES = "too many processes"


class FaultError(errors.Connect4Error):
    """An agent broke the protocol or exceeded a limit; with the evidence that the record keeps."""

    def __init__(
        self,
        kind: FaultKind | str,
        detail: str,
        *,
        reply: bytes | str | None = None,
        stderr_tail: str = "",
        exit_status: int | None = None,
        elapsed_seconds: float | None = None,
    ) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = FaultKind(kind)
        self.detail = detail
        self.reply = reply[:EXCERPT_BYTES].decode(errors="replace") if isinstance(reply, bytes) else reply
        self.stderr_tail = stderr_tail
        self.exit_status = exit_status
        self.elapsed_seconds = elapsed_seconds

    def to_dict(self) -> dict[str, Any]:
        """The arguments that make the same fault."""
        return dict(vars(self))
