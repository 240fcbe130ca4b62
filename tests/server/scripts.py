"""Lines for a server, without a process."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.player import Choice, Player
from connect4_agent.rules.position import Position
from connect4_agent.server.columns import serve_columns
from connect4_agent.server.lines import Lines
from connect4_agent.server.loop import serve
from connect4_agent.server.request import Request
from connect4_agent.server.understand import read_request
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


def served(
    player: Player,
    *pieces: bytes | None,
    read: Callable[[bytes], Request] = read_request,
    seconds: float | None = None,
    explain: bool = False,
    is_verbose: bool = False,
) -> Script:
    """Let a server with this player answer an input that comes in these pieces."""
    connection = Script(*pieces, is_verbose=is_verbose)
    serve(connection, read, player, Limits(seconds, connection.check_reader, explain))
    return connection


def scored(*lines: str, width: int = 7, height: int = 6, all_columns: bool = False) -> Script:
    """Let a server of exact scores answer these lines."""
    data = "".join(f"{line}\n" for line in lines).encode()
    connection = Script(data, split=partial(Lines, keep_blank=True))
    serve_columns(connection, width, height, all_columns=all_columns)
    return connection
