"""The web server's searches: in threads, limited in number, ended when nobody waits for them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TypeVar

from connect4_agent import errors
from connect4_agent.jobs.cores import core_count
from connect4_agent.ui.web.http_errors import RETRY_SECONDS
from connect4_agent.ui.web.jobs import CallError, Poll

Result = TypeVar("Result")

MAX_WAITING = 1000
"""The most searches that wait for their turn; other clients have to come back later."""


def default_parallel() -> int:
    """Return the searches at a time: one a core, but at least two, so that a move need not wait for a hint."""
    return max(2, core_count())


class Searches:
    """Runs jobs in threads, in the order in which they come: the compiled search releases the interpreter lock.

    Jobs that are not moves leave one thread free, so that a move passes the analyses that wait.
    """

    def __init__(self, parallel: int, max_waiting: int = MAX_WAITING) -> None:
        self._max_waiting = max_waiting
        self._threads = ThreadPoolExecutor(parallel, "search")
        self._places = asyncio.Semaphore(parallel)
        self._places_beside_moves = asyncio.Semaphore(max(1, parallel - 1))
        self._waiting = 0
        self._running: set[threading.Event] = set()

    async def run(self, job: Callable[[Poll], Result], *, is_move: bool = False) -> Result:
        """Return the job's answer. Raises CallError; cancelling the caller ends the search."""
        is_abandoned = threading.Event()

        def poll() -> None:
            if is_abandoned.is_set():
                raise errors.ReaderGoneError

        async with self._turn(is_move=is_move):
            self._running.add(is_abandoned)
            try:
                return await asyncio.get_running_loop().run_in_executor(self._threads, job, poll)
            finally:
                is_abandoned.set()
                self._running.discard(is_abandoned)

    @asynccontextmanager
    async def _turn(self, *, is_move: bool) -> AsyncIterator[None]:
        """Wait until a thread is free for this job."""
        if self._waiting >= self._max_waiting:
            raise CallError(
                "too_busy",
                f"{self._waiting} searches are already waiting, the maximum; try again in {RETRY_SECONDS} s",
            )
        self._waiting += 1
        async with AsyncExitStack() as places:
            try:
                if not is_move:
                    await places.enter_async_context(self._places_beside_moves)
                await places.enter_async_context(self._places)
            finally:
                self._waiting -= 1
            yield

    def close(self) -> None:
        """End all searches at once."""
        for is_abandoned in self._running:
            is_abandoned.set()
        self._threads.shutdown()
