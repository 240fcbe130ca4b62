"""Executors: jobs run wherever, and come back once."""

from __future__ import annotations

import math
import operator
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future
from pathlib import Path
from typing import Any

import dask
import distributed  # noqa: F401  # it fills the configuration that a test changes
import pytest

from connect4_agent.jobs import executor
from tests.clusters import LostAfterFirst, running_cluster
from tests.processes import clean_environment, is_running, wait_until


@pytest.fixture(params=["in this thread", "threads", "processes"])
def where(request: pytest.FixtureRequest) -> Iterator[executor.Executor]:
    made: executor.Executor
    if request.param == "in this thread":
        made = executor.InThread()
    else:
        made = executor.in_threads(2) if request.param == "threads" else executor.in_processes(2)
    yield made
    made.close()


def test_every_job_comes_back_once_with_its_result(where: executor.Executor) -> None:
    done = {job: future.result() for job, future in executor.run_jobs(where, operator.neg, range(20))}
    assert done == {job: -job for job in range(20)}


def test_a_failing_job_fails_alone(where: executor.Executor) -> None:
    futures = dict(executor.run_jobs(where, math.isqrt, [4, -1, 9]))
    assert [futures[job].exception() is None for job in (4, -1, 9)] == [True, False, True]
    assert isinstance(futures[-1].exception(), ValueError)


def test_jobs_are_taken_only_when_there_is_room() -> None:
    taken: list[int] = []

    def jobs() -> Iterator[int]:
        for job in range(10):
            taken.append(job)
            yield job

    where = executor.in_threads(2)
    results = executor.run_jobs(where, operator.neg, jobs())
    for done, _ in enumerate(results, 1):
        assert len(taken) <= done + 1
    assert taken == list(range(10))
    where.close()


def test_workers_do_not_outlive_a_killed_runner(tmp_path: Path) -> None:
    script = tmp_path / "runner.py"
    script.write_text(
        "import os, sys, time\n"
        "from connect4_agent.jobs import executor\n"
        "def work(name):\n"
        "    open(f'{name}.{os.getpid()}', 'w').close()\n"
        "    time.sleep(3600)\n"
        "if __name__ == '__main__':\n"
        "    list(executor.run_jobs(executor.in_processes(2), work, [sys.argv[1] + '1', sys.argv[1] + '2']))\n"
    )
    with subprocess.Popen([sys.executable, str(script), str(tmp_path / "job")], env=clean_environment()) as runner:
        wait_until(lambda: len(list(tmp_path.glob("job*"))) == 2)
        workers = [int(path.suffix[1:]) for path in tmp_path.glob("job*")]
        assert all(map(is_running, workers))
        runner.send_signal(signal.SIGKILL)
    wait_until(lambda: not any(map(is_running, workers)))


def test_the_death_of_a_worker_fails_jobs_and_holds_nobody_up() -> None:
    for _ in range(3):
        where = executor.in_processes(2)
        pid = where.submit(eval, "__import__('os').getpid()").result()
        os.kill(pid, signal.SIGKILL)
        futures = {job: where.submit(operator.neg, job) for job in range(3)}
        where.close()
        for job, future in futures.items():  # the other worker may have been quick
            error = future.exception(timeout=0)
            assert isinstance(error, BrokenExecutor) if error else future.result() == -job


def test_ctrl_c_does_not_reach_the_workers() -> None:
    where = executor.in_processes(1)
    pid = where.submit(eval, "__import__('os').getpid()").result()
    os.kill(pid, signal.SIGINT)
    future = where.submit(eval, "__import__('time').sleep(0.05) or 7")
    os.kill(pid, signal.SIGINT)
    assert future.result() == 7
    where.close()


@pytest.mark.slow
def test_nothing_at_a_dask_address_is_an_error() -> None:
    with dask.config.set({"distributed.comm.timeouts.connect": "200ms"}), pytest.raises(OSError, match="127"):
        executor.on_dask("tcp://127.0.0.1:9")


@pytest.mark.slow
def test_workers_that_join_or_leave_a_cluster_change_how_many_jobs_run(tmp_path: Path) -> None:
    with running_cluster(tmp_path, workers=1) as cluster:
        made = executor.on_dask(cluster.address)
        try:
            assert made.parallel == 1
            joined = cluster.add_worker()
            wait_until(lambda: made.parallel == 2)
            # Two jobs that wait for each other need both workers.
            jobs = [(tmp_path / "a", tmp_path / "b"), (tmp_path / "b", tmp_path / "a")]
            assert all(future.result() for _, future in executor.run_jobs(made, meet, jobs))
            joined.kill()
            wait_until(lambda: made.parallel == 1)
        finally:
            made.close()


def meet(files: tuple[Path, Path]) -> bool:
    """Make the first file and wait for the second."""
    files[0].touch()
    wait_until(files[1].exists)
    return True


def test_a_lost_cluster_is_an_error_after_the_jobs_that_have_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "WORKERS_SECONDS", 0.01)
    found = executor.run_jobs(LostAfterFirst(), str, range(5))
    assert [(job, future.result()) for job, future in [next(found)]] == [(0, "0")]
    with pytest.raises(executor.SchedulerLostError):
        next(found)


class Hung:
    """A Dask client that never hears from its scheduler again, and whose calls never return."""

    status = "running"

    def __init__(self) -> None:
        self.answers = 1

    def get_executor(self, **_: Any) -> Hung:
        return self

    def nthreads(self, callback_timeout: float) -> dict[str, int]:
        self.answers -= 1
        if self.answers < 0:
            time.sleep(callback_timeout)  # as Dask's own
            raise TimeoutError
        return {"worker": 1}

    def submit(self, *_: Any) -> Future[Any]:
        if self.status == "closed":
            raise LookupError(self.status)
        return Future()

    def close(self) -> None:
        """Fail as a client does that is closing already."""
        raise AssertionError


def test_a_scheduler_that_does_not_answer_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "WORKERS_SECONDS", 0.01)
    monkeypatch.setattr(executor, "LOST_SECONDS", 0.01)
    made = executor.Cluster(Hung())
    with pytest.raises(executor.SchedulerLostError):
        list(executor.run_jobs(made, str, range(5)))
    made.close()


@pytest.mark.slow
def test_a_job_for_a_cluster_that_is_gone_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Hung()
    made = executor.Cluster(client)
    monkeypatch.setattr(client, "status", "closed")
    assert made.submit(str, 0).cancelled()
    with pytest.raises(executor.SchedulerLostError):
        list(executor.run_jobs(made, str, range(5)))
    made.close()
