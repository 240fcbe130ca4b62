"""Searches in processes: how many at a time, who waits, who is sent away, and how they end."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from connect4_agent import errors
from connect4_agent.engine.threads import default_threads
from connect4_agent.web import http_errors
from connect4_agent.web.searches import pool
from connect4_agent.web.searches.pool import Queue, Searches, default_parallel
from tests.processes import PATIENCE_SECONDS, is_running

pytestmark = pytest.mark.slow  # a process for every test


@dataclass(frozen=True, slots=True)
class Saying:
    """Answers at once."""

    text: bytes = b""

    def run(self, poll: Callable[[], None]) -> bytes:  # noqa: ARG002
        return self.text or str(os.getpid()).encode()


@dataclass(frozen=True, slots=True)
class SayingThreads:
    """Says how many threads a search may use, on a machine with many cores."""

    def run(self, poll: Callable[[], None]) -> bytes:  # noqa: ARG002
        os.sched_getaffinity = lambda _: set(range(99))
        return str(default_threads()).encode()


@dataclass(frozen=True, slots=True)
class Endless:
    """Searches until it is stopped; the file tells when it has begun, and when it was stopped."""

    path: Path

    def run(self, poll: Callable[[], None]) -> bytes:
        with self.path.open("a") as file:
            file.write("begun\n")
        try:
            while True:
                poll()
                time.sleep(0.001)
        finally:
            with self.path.open("a") as file:
                file.write("stopped\n")


@dataclass(frozen=True, slots=True)
class Failing:
    """Has a defect."""

    def run(self, poll: Callable[[], None]) -> bytes:  # noqa: ARG002
        raise ZeroDivisionError("a defect")


@dataclass(frozen=True, slots=True)
class Refusing:
    """Raises one of the package's own errors."""

    def run(self, poll: Callable[[], None]) -> bytes:  # noqa: ARG002
        raise errors.GameOverError("it is over")


@dataclass(frozen=True, slots=True)
class Dying:
    """Takes its process with it."""

    def run(self, poll: Callable[[], None]) -> bytes:  # noqa: ARG002
        os.kill(os.getpid(), signal.SIGKILL)
        return b""


def with_searches(parallel: int, use: Callable[[Searches], Awaitable[None]], most_waiting: int = 10) -> None:
    async def body() -> None:
        searches = Searches(parallel, most_waiting)
        try:
            await asyncio.wait_for(use(searches), PATIENCE_SECONDS)
        finally:
            searches.close()

    asyncio.run(body())


@pytest.mark.parametrize(("cores", "parallel", "threads"), [(2, 2, 1), (1, 1, 1), (2, 1, 2), (4, 2, 2), (3, 2, 1)])
def test_a_search_has_a_second_thread_if_there_are_cores_for_it(
    monkeypatch: pytest.MonkeyPatch, cores: int, parallel: int, threads: int
) -> None:
    monkeypatch.delenv("CONNECT4_AGENT_THREADS", raising=False)
    monkeypatch.setattr(pool, "core_count", lambda: cores)

    async def use(searches: Searches) -> None:
        assert await searches.run(SayingThreads()) == str(threads).encode()

    with_searches(parallel, use)


async def until_said(path: Path, word: str) -> None:
    while not path.exists() or word not in path.read_text():
        await asyncio.sleep(0.01)


def test_jobs_run_in_other_processes_and_more_than_may_run_at_once_wait_their_turn() -> None:
    async def use(searches: Searches) -> None:
        answers = await asyncio.gather(*(searches.run(Saying(b"%d" % number)) for number in range(10)))
        assert answers == [b"%d" % number for number in range(10)]
        assert await searches.run(Saying()) != str(os.getpid()).encode()

    with_searches(1, use)


def test_a_caller_that_is_cancelled_stops_its_search_and_frees_its_place(tmp_path: Path) -> None:
    async def use(searches: Searches) -> None:
        path = tmp_path / "said"
        task = asyncio.create_task(searches.run(Endless(path)))
        await until_said(path, "begun")
        task.cancel()
        await until_said(path, "stopped")
        assert await searches.run(Saying(b"next")) == b"next"

    with_searches(1, use)


def test_one_that_is_cancelled_before_its_search_has_begun_leaves_nothing_behind(tmp_path: Path) -> None:
    async def use(searches: Searches) -> None:
        await searches.run(Saying())
        for number in range(20):
            task = asyncio.create_task(searches.run(Endless(tmp_path / str(number))))
            for _ in range(number):
                await asyncio.sleep(0)
            task.cancel()
        assert await searches.run(Saying(b"next")) == b"next"

    with_searches(1, use)


def test_one_that_waits_for_its_turn_may_leave_too(tmp_path: Path) -> None:
    async def use(searches: Searches) -> None:
        first = asyncio.create_task(searches.run(Endless(tmp_path / "first")))
        await until_said(tmp_path / "first", "begun")
        second = asyncio.create_task(searches.run(Endless(tmp_path / "second")))
        await asyncio.sleep(0)
        second.cancel()
        first.cancel()
        assert await searches.run(Saying(b"next")) == b"next"
        assert not (tmp_path / "second").exists()

    with_searches(1, use)


def test_when_enough_wait_the_next_one_is_sent_away(tmp_path: Path) -> None:
    async def use(searches: Searches) -> None:
        tasks = [asyncio.create_task(searches.run(Endless(tmp_path / "first")))]
        await until_said(tmp_path / "first", "begun")
        tasks += [asyncio.create_task(searches.run(Saying(b"later"))) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(http_errors.WebError, match="2 searches are already waiting"):
            await searches.run(Saying())
        tasks[0].cancel()
        assert await asyncio.gather(*tasks[1:]) == [b"later", b"later"]
        assert await searches.run(Saying(b"room")) == b"room"

    with_searches(1, use, most_waiting=2)


def test_a_defect_is_told_and_the_process_goes_on() -> None:
    async def use(searches: Searches) -> None:
        before = await searches.run(Saying())
        with pytest.raises(http_errors.WebError, match="ZeroDivisionError: a defect"):
            await searches.run(Failing())
        with pytest.raises(errors.GameOverError, match="it is over"):
            await searches.run(Refusing())
        assert await searches.run(Saying()) == before

    with_searches(1, use)


def test_a_process_that_dies_is_replaced() -> None:
    async def use(searches: Searches) -> None:
        before = await searches.run(Saying())
        with pytest.raises(http_errors.WebError, match="has died"):
            await searches.run(Dying())
        assert await searches.run(Saying()) != before

    with_searches(1, use)


def test_one_that_dies_while_nobody_asks_is_replaced_before_anybody_notices() -> None:
    async def use(searches: Searches) -> None:
        pid = int(await searches.run(Saying()))
        os.kill(pid, signal.SIGKILL)
        while is_running(pid):
            await asyncio.sleep(0.01)
        assert int(await searches.run(Saying())) != pid

    with_searches(1, use)


def test_the_processes_end_with_the_searches_whatever_they_do(tmp_path: Path) -> None:
    pids: list[int] = []

    async def use(searches: Searches) -> None:
        pids.append(int(await searches.run(Saying())))
        task = asyncio.create_task(searches.run(Endless(tmp_path / "said")))
        await until_said(tmp_path / "said", "begun")
        task.cancel()

    with_searches(1, use)
    assert not is_running(pids[0])


def test_a_move_never_waits_for_a_single_hint() -> None:
    assert default_parallel() >= 2


def test_clients_take_turns_however_many_searches_one_of_them_has(tmp_path: Path) -> None:
    answered: list[str] = []

    async def ask(searches: Searches, client: str) -> None:
        await searches.run(Saying(b"x"), client)
        answered.append(client)

    async def use(searches: Searches) -> None:
        first = asyncio.create_task(searches.run(Endless(tmp_path / "first"), "greedy"))
        await until_said(tmp_path / "first", "begun")
        tasks = [asyncio.create_task(ask(searches, "greedy")) for _ in range(5)]
        await asyncio.sleep(0)
        tasks += [asyncio.create_task(ask(searches, name)) for name in ("modest", "other", "modest")]
        await asyncio.sleep(0)
        assert searches.queue("greedy") == Queue(running=1, waiting=8, own_waiting=5)
        assert searches.queue("nobody").own_waiting == 0
        first.cancel()
        await asyncio.gather(*tasks)
        assert answered[:6] == ["greedy", "modest", "other", "greedy", "modest", "greedy"]
        assert searches.queue("greedy") == Queue(running=0, waiting=0, own_waiting=0)

    with_searches(1, use)


def test_a_client_that_has_too_many_waiting_keeps_nobody_else_out(tmp_path: Path) -> None:
    async def use(searches: Searches) -> None:
        tasks = [asyncio.create_task(searches.run(Endless(tmp_path / "first"), "greedy"))]
        await until_said(tmp_path / "first", "begun")
        tasks += [asyncio.create_task(searches.run(Saying(b"later"), "greedy")) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(http_errors.WebError, match="2 searches are already waiting"):
            await searches.run(Saying(b"never"), "greedy")
        tasks.append(asyncio.create_task(searches.run(Saying(b"modest"), "modest")))
        tasks[0].cancel()
        assert await tasks[-1] == b"modest"

    with_searches(1, use, most_waiting=2)
