"""The web server's searches: off the event loop, limited in number, ended when nobody waits for them."""

from __future__ import annotations

import asyncio
from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass

from connect4_agent.jobs.cores import core_count
from connect4_agent.jobs.executor import in_threads
from connect4_agent.web import http_errors
from connect4_agent.web.searches.jobs import Job, WarmUpJob
from connect4_agent.web.searches.worker import Worker

MOST_WAITING = 200
"""How many searches of one client may wait for their turn before it is told to come back later."""

CROWDS = 5
"""How many times as many searches may wait for all clients together."""


def default_parallel() -> int:
    """As many searches at a time as there are cores, but at least two, so that a move need not wait for a hint."""
    return max(2, core_count())


@dataclass(frozen=True, slots=True)
class Queue:
    """How busy the searches are, as one client sees it."""

    running: int
    """The running searches of all clients."""
    waiting: int
    """The waiting searches of all clients."""
    own_waiting: int
    """The waiting searches of this client."""


class Searches:
    """Runs jobs in processes: most searches do not release their interpreter, and every core should be used.

    Clients take turns: however many searches one of them has waiting, another one's first search is the next but one.
    """

    def __init__(self, parallel: int, most_waiting: int = MOST_WAITING) -> None:
        self._most_waiting = most_waiting
        self._parallel = parallel
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """Waiting searches by client, in the order of their turns; clients without any are not listed."""
        self._idle = [Worker(core_count() // parallel) for _ in range(parallel)]
        self._workers = tuple(self._idle)
        self._promised = 0
        """Idle workers that are promised to a caller who has not taken them yet."""
        self._threads = in_threads(parallel)  # each waits for a process
        self._tasks = {asyncio.ensure_future(self.run(WarmUpJob())) for _ in range(parallel)}

    def queue(self, client: str) -> Queue:
        """How busy the searches are."""
        waiting = sum(map(len, self._waiting.values()))
        return Queue(self._parallel - len(self._idle), waiting, len(self._waiting.get(client, ())))

    async def run(self, job: Job, client: str = "") -> bytes:
        """The job's answer. Raises WebError; cancelling the caller ends the search."""
        await self._take_turn(client)
        return await self._search(self._idle.pop(), job)

    async def _take_turn(self, client: str) -> None:
        """Return when a worker is idle for this client."""
        queue = self.queue(client)
        if len(self._idle) > self._promised and not queue.waiting:
            return
        for count, most in (
            (queue.own_waiting, self._most_waiting),
            (queue.waiting, CROWDS * self._most_waiting),
        ):
            if count >= most:
                raise http_errors.WebError(
                    "too_busy",
                    f"{count} searches are already waiting for their turn, the maximum; "
                    f"try again in {http_errors.RETRY_SECONDS} s",
                )
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # its turn came at the same moment
                self._promised -= 1
                self._next_turn()
            else:
                self._forget(client, turn)
            raise
        self._promised -= 1

    def _forget(self, client: str, turn: asyncio.Future[None]) -> None:
        turns = self._waiting[client]
        turns.remove(turn)
        if not turns:
            del self._waiting[client]

    def _next_turn(self) -> None:
        """Give idle workers to the waiting searches, to each client in turn."""
        while self._waiting and len(self._idle) > self._promised:
            client, turns = next(iter(self._waiting.items()))
            turn = turns.popleft()
            del self._waiting[client]
            if turns:
                self._waiting[client] = turns  # behind the others
            self._promised += 1
            turn.set_result(None)

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
        self._next_turn()

    def close(self) -> None:
        """End the processes, whatever they are doing."""
        for task in self._tasks:
            task.cancel()
        for worker in self._workers:
            worker.end()
        self._threads.close()
