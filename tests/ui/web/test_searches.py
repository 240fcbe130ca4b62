"""Searches in threads: how many at a time, who waits, who is sent away, and how they end."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import pytest

from connect4_agent import errors
from connect4_agent.ui.web.jobs import CallError
from connect4_agent.ui.web.searches import Searches, default_parallel
from tests.processes import PATIENCE_SECONDS


def saying(text: bytes) -> Callable[[Callable[[], None]], bytes]:
    """Answers at once."""
    return lambda _: text


@dataclass(frozen=True, slots=True)
class Endless:
    """Searches until it is stopped."""

    begun: threading.Event = field(default_factory=threading.Event)
    stopped: threading.Event = field(default_factory=threading.Event)

    def __call__(self, poll: Callable[[], None]) -> bytes:
        self.begun.set()
        try:
            while True:
                poll()
                time.sleep(0.001)
        finally:
            self.stopped.set()


def with_searches(parallel: int, use: Callable[[Searches], Awaitable[None]], max_waiting: int = 10) -> None:
    async def body() -> None:
        made = Searches(parallel, max_waiting)
        try:
            await asyncio.wait_for(use(made), PATIENCE_SECONDS)
        finally:
            made.close()

    asyncio.run(body())


async def until(event: threading.Event) -> None:
    while not event.is_set():
        await asyncio.sleep(0.001)


def test_more_jobs_than_may_run_at_once_wait_their_turn() -> None:
    async def use(made: Searches) -> None:
        answers = await asyncio.gather(*(made.run(saying(b"%d" % number)) for number in range(10)))
        assert answers == [b"%d" % number for number in range(10)]

    with_searches(1, use)


def test_a_move_passes_analyses_that_run_and_wait() -> None:
    async def use(made: Searches) -> None:
        analyses = [Endless(), Endless()]
        tasks = [asyncio.create_task(made.run(job)) for job in analyses]
        await until(analyses[0].begun)
        assert await made.run(saying(b"move"), is_move=True) == b"move"
        assert not analyses[1].begun.is_set()
        for task in tasks:
            task.cancel()

    with_searches(2, use)


def test_a_caller_that_is_cancelled_stops_its_search_and_frees_its_place() -> None:
    async def use(made: Searches) -> None:
        job = Endless()
        task = asyncio.create_task(made.run(job))
        await until(job.begun)
        task.cancel()
        await until(job.stopped)
        assert await made.run(saying(b"next")) == b"next"

    with_searches(1, use)


def test_one_that_is_cancelled_before_its_search_has_begun_leaves_nothing_behind() -> None:
    async def use(made: Searches) -> None:
        for number in range(20):
            task = asyncio.create_task(made.run(Endless()))
            for _ in range(number):
                await asyncio.sleep(0)
            task.cancel()
        assert await made.run(saying(b"next")) == b"next"

    with_searches(1, use)


def test_one_that_waits_for_its_turn_may_leave_too() -> None:
    async def use(made: Searches) -> None:
        jobs = [Endless(), Endless()]
        first = asyncio.create_task(made.run(jobs[0]))
        await until(jobs[0].begun)
        second = asyncio.create_task(made.run(jobs[1]))
        await asyncio.sleep(0)
        second.cancel()
        first.cancel()
        assert await made.run(saying(b"next")) == b"next"
        assert not jobs[1].begun.is_set()

    with_searches(1, use)


def test_when_enough_searches_wait_the_next_one_is_sent_away() -> None:
    async def use(made: Searches) -> None:
        job = Endless()
        tasks = [asyncio.create_task(made.run(job))]
        await until(job.begun)
        tasks += [asyncio.create_task(made.run(saying(b"later"))) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(CallError, match="2 searches are already waiting") as caught:
            await made.run(saying(b"never"))
        assert caught.value.code == "too_busy"
        tasks[0].cancel()
        assert await asyncio.gather(*tasks[1:]) == [b"later", b"later"]
        assert await made.run(saying(b"room")) == b"room"

    with_searches(1, use, max_waiting=2)


@pytest.mark.parametrize("error", [ZeroDivisionError("a defect"), errors.GameOverError("it is over")])
def test_what_a_job_raises_reaches_its_caller_and_the_next_job_runs(error: Exception) -> None:
    def fail(_: Callable[[], None]) -> bytes:
        raise error

    async def use(made: Searches) -> None:
        with pytest.raises(type(error), match=str(error)):
            await made.run(fail)
        assert await made.run(saying(b"next")) == b"next"

    with_searches(1, use)


def test_searches_end_with_the_server() -> None:
    job = Endless()

    async def use(made: Searches) -> None:
        task = asyncio.create_task(made.run(job))
        await until(job.begun)
        task.cancel()

    with_searches(1, use)
    assert job.stopped.is_set()


def test_a_move_never_waits_for_a_single_hint() -> None:
    assert default_parallel() >= 2
