"""Faults: what an agent can do wrong in a game, with the evidence."""

from __future__ import annotations

from typing import Any

from connect4_agent import errors
from connect4_agent.arena.record import Ending

EXCERPT_BYTES = 1024
"""How much of a faulty reply is kept."""


class FaultError(errors.Connect4Error):
    """An agent broke the protocol or exceeded a limit; with the evidence that the record keeps."""

    def __init__(
        self,
        kind: Ending | str,
        detail: str,
        *,
        reply: bytes | str | None = None,
        stderr_tail: str = "",
        exit_status: int | None = None,
        elapsed_seconds: float | None = None,
    ) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = Ending(kind)
        self.detail = detail
        self.reply = reply[:EXCERPT_BYTES].decode(errors="replace") if isinstance(reply, bytes) else reply
        self.stderr_tail = stderr_tail
        self.exit_status = exit_status
        self.elapsed_seconds = elapsed_seconds

    def to_dict(self) -> dict[str, Any]:
        """The arguments that make the same fault."""
        return dict(vars(self))
