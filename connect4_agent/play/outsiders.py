"""The command line agents that the web server was started with: one process each, for one game at a time."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from connect4_agent import errors, server
from connect4_agent.arena.child import FaultError
from connect4_agent.arena.contestants import Program
from connect4_agent.executor import in_threads

if TYPE_CHECKING:
    from collections.abc import Iterable

    from connect4_agent.arena.agents import Agent
    from connect4_agent.position import Position

MOST_WAITING = 20
"""How many calls may wait for one agent before clients are told to come back later."""


@dataclass(slots=True)
class _Game:
    """A process and the last position that it was asked about."""

    program: Program
    position: Position

    def goes_on_with(self, position: Position) -> bool:
        """Whether the position may come up later in the same game."""
        last = self.position
        return (
            (position.width, position.height, position.player) == (last.width, last.height, last.player)
            and position.disc_count > last.disc_count
            and position.discs_1 & last.discs_1 == last.discs_1
            and position.discs_2 & last.discs_2 == last.discs_2
        )


class Outsider:
    """One agent. The protocol has a process for each game: another game, or a move taken back, gets a new one."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._game: _Game | None = None
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._thread = in_threads(1)

    async def move(self, position: Position, limit_seconds: float) -> int:
        """Its move. Raises AgentFailedError, TooBusyError; a caller that is cancelled ends the process."""
        if self._waiting >= MOST_WAITING:
            raise errors.TooBusyError(f"{self._waiting} calls wait for agent {self._agent.name!r}, the most that may")
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
        """In the agent's own thread."""

        def check_client() -> None:
            if gone.is_set():
                raise server.ReaderGoneError

        try:
            check_client()
            if self._game is None or not self._game.goes_on_with(position):
                self._leave()
                command = self._agent.command_for(position.player, position.width, position.height)
                self._game = _Game(Program(self._agent, command, keep=False), position)
            self._game.position = position
            return self._game.program.move(position, check_client, limit_seconds)[0]
        except (FaultError, server.ReaderGoneError) as error:
            self._leave()
            if isinstance(error, FaultError):
                raise errors.AgentFailedError(f"agent {self._agent.name!r}: {error}") from None
            raise

    def _leave(self) -> None:
        game, self._game = self._game, None
        if game is not None:
            try:
                game.program.leave()
            except FaultError:  # an answer too many at the end of a game that nobody plays any more
                return

    def close(self) -> None:
        """End its process."""
        self._thread.close()
        self._leave()


class Outsiders:
    """All of them by name."""

    def __init__(self, agents: Iterable[Agent]) -> None:
        self._outsiders = {agent.name: Outsider(agent) for agent in agents}

    @property
    def names(self) -> list[str]:
        """The names, as on the command line."""
        return list(self._outsiders)

    def get(self, name: str) -> Outsider | None:
        """The agent of this name."""
        return self._outsiders.get(name)

    def close(self) -> None:
        """End all processes."""
        for outsider in self._outsiders.values():
            outsider.close()
