"""The command-line agents that the web server was started with: one process each, for one game at a time."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress

from connect4_agent import errors
from connect4_agent.arena.agents.remote_program import RemoteProgram
from connect4_agent.arena.faults import FaultError
from connect4_agent.arena.spec import AgentSpec
from connect4_agent.jobs.executor import in_threads
from connect4_agent.rules.position import Position
from connect4_agent.ui.web.jobs import CallError

MAX_WAITING = 20
"""The most calls that wait for one agent; others have to come back later."""


class HostedAgent:
    """One agent. The protocol wants one process per game: another game, or a move taken back, gets a new one."""

    def __init__(self, agent: AgentSpec) -> None:
        self._agent = agent
        self._program = RemoteProgram(agent)
        self._waiting = 0
        self._thread = in_threads(1)

    async def move(self, position: Position, limit_seconds: float) -> int:
        """Its move. Raises CallError; cancelling the caller ends the process."""
        if self._waiting >= MAX_WAITING:
            raise CallError(
                "too_busy", f"{self._waiting} calls are already waiting for agent {self._agent.name!r}, the maximum"
            )
        gone = threading.Event()

        def ask(position: Position) -> int:
            return self._ask(position, limit_seconds, gone)

        self._waiting += 1
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

        check_client()
        try:
            return self._program.move(position, limit_seconds, check_client).column
        except (FaultError, errors.ArenaError) as error:
            raise CallError("agent_failed", f"agent {self._agent.name!r}: {error}") from None

    def close(self) -> None:
        """End its process."""
        self._thread.close()
        with suppress(FaultError):  # one answer too many at the end of a game that is no longer played
            self._program.close()
