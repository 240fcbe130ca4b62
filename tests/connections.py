"""Connections for servers in tests, without a process."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from connect4_agent.server.connection import Connection
from connect4_agent.server.lines import read_joined

if TYPE_CHECKING:
    from connect4_agent.server.connection import Split


def chunks(pieces: Iterable[bytes | None]) -> Callable[[float | None], bytes | None]:
    """A read function that gives these pieces, then the end; None is a pause longer than any limited wait."""
    remaining = iter([piece for piece in pieces if piece != b""])

    def read(seconds: float | None = None, /) -> bytes | None:
        piece = next(remaining, b"")
        while piece is None and seconds is None:
            piece = next(remaining, b"")
        return piece

    return read


class Script(Connection):
    """A connection with fixed input that keeps what is written to it."""

    def __init__(self, *pieces: bytes | None, split: Split = read_joined, is_verbose: bool = False) -> None:
        super().__init__(split, is_verbose=is_verbose)
        self._read = chunks(pieces)
        self.written = b""
        self.notes: list[str] = []

    def read(self, seconds: float | None = None, /) -> bytes | None:
        return self._read(seconds)

    def send(self, data: bytes) -> None:
        self.written += data

    def note(self, message: str) -> None:
        self.notes.append(message)

    def check_reader(self) -> None:
        return

    @property
    def answers(self) -> list[str]:
        return self.written.decode().splitlines()
