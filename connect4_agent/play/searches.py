"""The web server's searches: off the event loop, bounded in number, ended when nobody waits for them any more."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.executor import in_threads
from connect4_agent.play.jobs import WarmUpJob
from connect4_agent.play.worker import Worker

if TYPE_CHECKING:
    from concurrent.futures import Future

    from connect4_agent.play.jobs import Job

MOST_WAITING = 200
"""How many searches may wait for their turn before clients are told to come back later."""

RETRY_SECONDS = 1
"""When they are told to come back."""


def default_parallel() -> int:
    """As many searches at a time as there are cores; two at least, so that a move need not wait for a hint."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(2, count)


class Searches:
    """Runs jobs in processes: compiled code holds on to its interpreter, and every core is to be of use."""

    def __init__(self, parallel: int, most_waiting: int = MOST_WAITING) -> None:
        self._most_waiting = most_waiting
        self._waiting = 0
        self._idle = [Worker() for _ in range(parallel)]
        self._workers = tuple(self._idle)
        self._free = asyncio.Semaphore(parallel)
        self._threads = in_threads(parallel)  # each waits for a process
        self._tasks = {asyncio.ensure_future(self.run(WarmUpJob())) for _ in range(parallel)}

    async def run(self, job: Job) -> bytes:
        """The job's answer. Raises TooBusyError; a caller that is cancelled ends the search."""
        if self._free.locked():
            if self._waiting >= self._most_waiting:
                raise errors.TooBusyError(
                    f"{self._waiting} searches wait for their turn, the most that may; try again in {RETRY_SECONDS} s"
                )
            self._waiting += 1
            try:
                await self._free.acquire()
            finally:
                self._waiting -= 1
        else:
            await self._free.acquire()
        return await self._search(self._idle.pop(), job)

    async def _search(self, worker: Worker, job: Job) -> bytes:
        loop = asyncio.get_running_loop()
        ticket = worker.next_ticket()

        def ask(job: Job) -> bytes:
            return worker.ask(ticket, job)

        def give_back(_: Future[bytes]) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._give_back, worker)

        future = self._threads.submit(ask, job)
        future.add_done_callback(give_back)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            worker.abandon(ticket)
            raise

    def _give_back(self, worker: Worker) -> None:
        self._idle.append(worker)
        self._free.release()

    def close(self) -> None:
        """End the processes, whatever they do."""
        for task in self._tasks:
            task.cancel()
        for worker in self._workers:
            worker.end()
        self._threads.close()
