"""The command-line agents that the web server was started with: one process each, for one game at a time."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass

from connect4_agent import errors
from connect4_agent.agents.contestant import Program
from connect4_agent.agents.faults import FaultError
from connect4_agent.agents.spec import Agent
from connect4_agent.jobs.executor import in_threads
from connect4_agent.rules.position import Position
from connect4_agent.web import http_errors

MOST_WAITING = 20
"""How many calls may wait for one agent before others are told to come back later."""


@dataclass(slots=True)
class _Game:
    """An agent's process and the last position that it was asked about."""

    program: Program
    position: Position

    def goes_on_with(self, position: Position) -> bool:
        """Whether the position may be a later one of the same game."""
        last = self.position
        return (
            (position.width, position.height, position.player) == (last.width, last.height, last.player)
            and position.disc_count > last.disc_count
            and position.discs_1 & last.discs_1 == last.discs_1
            and position.discs_2 & last.discs_2 == last.discs_2
        )


class HostedAgent:
    """One agent. The protocol wants one process per game: another game, or a move taken back, gets a new one."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._game: _Game | None = None
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._thread = in_threads(1)

    async def move(self, position: Position, limit_seconds: float) -> int:
        """Its move. Raises WebError; cancelling the caller ends the process."""
        if self._waiting >= MOST_WAITING:
            raise http_errors.WebError(
                "too_busy", f"{self._waiting} calls are already waiting for agent {self._agent.name!r}, the maximum"
            )
        gone = threading.Event()

        def ask(position: Position) -> int:
            return self._ask(position, limit_seconds, gone)

        self._waiting += 1
        try:
            async with self._turn:
                try:
                    return await asyncio.wrap_future(self._thread.submit(ask, position))
                except asyncio.CancelledError:
                    gone.set()
                    raise
        finally:
            self._waiting -= 1

    def _ask(self, position: Position, limit_seconds: float, gone: threading.Event) -> int:
        """Ask for a move; runs in the agent's own thread."""

        def check_client() -> None:
            if gone.is_set():
                raise errors.ReaderGoneError

        try:
            check_client()
            if self._game is None or not self._game.goes_on_with(position):
                self._leave()
                command = self._agent.command_for(position.player, position.width, position.height)
                self._game = _Game(Program(self._agent, command, keep=False), position)
            self._game.position = position
            return self._game.program.move(position, check_client, limit_seconds)[0]
        except (FaultError, errors.ReaderGoneError) as error:
            self._leave()
            if isinstance(error, FaultError):
                raise http_errors.WebError("agent_failed", f"agent {self._agent.name!r}: {error}") from None
            raise

    def _leave(self) -> None:
        game, self._game = self._game, None
        if game is not None:
            try:
                game.program.leave()
            except FaultError:  # one answer too many at the end of a game that is no longer played
                return

    def close(self) -> None:
        """End its process."""
        self._thread.close()
        self._leave()
