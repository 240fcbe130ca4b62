"""Lines for codecs, without a process."""

from __future__ import annotations

from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.player import Choice, Player
from connect4_agent.rules.position import Position
from connect4_agent.server.codecs import SolverCodec
from connect4_agent.server.loop import Server, serve_solver
from tests.connections import Script


class Remembering:
    """Plays the leftmost open column, and keeps the positions and limits that it was given."""

    def __init__(self) -> None:
        self.positions: list[Position] = []
        self.limits: list[Limits] = []

    def choose(self, position: Position, limits: Limits) -> Choice:
        self.positions.append(position)
        self.limits.append(limits)
        return Choice(position.legal_columns()[0])


def solved(codec: SolverCodec, *lines: str) -> Script:
    """What a server of exact scores says to these lines."""
    connection = Script("".join(f"{line}\n" for line in lines).encode())
    serve_solver(codec, connection)
    return connection


def served(player: Player, *lines: bytes) -> Script:
    """What a server with this player says to these lines."""
    connection = Script(b"".join(line + b"\n" for line in lines))
    Server(player).run(connection)
    return connection
