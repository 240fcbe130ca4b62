"""Lines for codecs, without a process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connect4_agent.engine.players import Choice, Limits, Player
from connect4_agent.server import Codec, Server

if TYPE_CHECKING:
    from connect4_agent.position import Position


class Script:
    """A connection that gives fixed input and keeps what it is told."""

    def __init__(self, *lines: str) -> None:
        self._input = ["".join(f"{line}\n" for line in lines).encode()]
        self.written = b""
        self.notes: list[str] = []

    def read(self) -> bytes:
        return self._input.pop() if self._input else b""

    def write(self, data: bytes) -> None:
        self.written += data

    def note(self, message: str) -> None:
        self.notes.append(message)

    def check_reader(self) -> None:
        return

    @property
    def answers(self) -> list[str]:
        return self.written.decode().splitlines()


class Remembering:
    """Plays the leftmost open column, and keeps the positions and limits that it was given."""

    def __init__(self) -> None:
        self.positions: list[Position] = []
        self.limits: list[Limits] = []

    def choose(self, position: Position, limits: Limits) -> Choice:
        self.positions.append(position)
        self.limits.append(limits)
        return Choice(position.legal_columns()[0])


def served(codec: Codec, player: Player, *lines: str, seconds: float | None = None) -> Script:
    """What a server with this codec and player says to these lines."""
    connection = Script(*lines)
    Server(player, seconds=seconds, codec=codec).run(connection)
    return connection
