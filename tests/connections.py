"""Connections for servers in tests, without a process."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def chunks(pieces: Iterable[bytes]) -> Callable[[], bytes]:
    """A read function that gives these pieces, then the end."""
    remaining = iter([piece for piece in pieces if piece])
    return lambda: next(remaining, b"")


class Script:
    """A connection that gives fixed input and keeps what it is told."""

    def __init__(self, *pieces: bytes) -> None:
        self.read = chunks(pieces)
        self.written = b""
        self.notes: list[str] = []

    def write(self, data: bytes) -> None:
        self.written += data

    def note(self, message: str) -> None:
        self.notes.append(message)

    def check_reader(self) -> None:
        return

    @property
    def answers(self) -> list[str]:
        return self.written.decode().splitlines()
