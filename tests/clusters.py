"""A small Dask cluster, for tests."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from distributed import Client

from tests.processes import clean_environment, wait_until

DASK = [sys.executable, "-m", "dask"]


class Cluster(NamedTuple):
    """A scheduler with its address, and its workers."""

    address: str
    workers: list[subprocess.Popen[bytes]]
    scheduler: subprocess.Popen[bytes]
    add_worker: Callable[[], subprocess.Popen[bytes]]


@contextmanager
def running_cluster(folder: Path, workers: int) -> Iterator[Cluster]:
    """A scheduler with this many workers of one thread each, on the loopback address."""
    scheduler_file = folder / "scheduler.json"
    common = ["--no-dashboard", "--host", "127.0.0.1", "--scheduler-file", str(scheduler_file)]
    worker = [*DASK, "worker", *common, "--no-nanny", "--nthreads", "1", "--local-directory", str(folder)]
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    quiet |= {"env": clean_environment(), "cwd": folder}
    processes = [subprocess.Popen([*DASK, "scheduler", *common, "--port", "0"], **quiet)]
    try:
        wait_until(lambda: scheduler_file.exists() and scheduler_file.stat().st_size > 0)

        def add_worker() -> subprocess.Popen[bytes]:
            processes.append(subprocess.Popen(worker, **quiet))
            return processes[-1]

        started = [add_worker() for _ in range(workers)]
        address = json.loads(scheduler_file.read_text())["address"]
        wait_until(lambda: workers_at(address) == workers)
        yield Cluster(address, started, processes[0], add_worker)
    finally:
        for process in processes:
            process.kill()  # Dask takes its time over a SIGTERM
        for process in processes:
            process.wait()


def workers_at(address: str) -> int:
    """How many workers a scheduler has."""
    with Client(address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        return len(client.nthreads())


class LostAfterFirst:
    """An executor like a cluster that goes away after its first job, without a word to the others."""

    parallel = 2
    is_lost = False

    def submit(self, function: Callable[[Any], Any], job: Any) -> Future[Any]:
        """Run the first job now, and no other one ever."""
        future: Future[Any] = Future()
        if not self.is_lost:
            future.set_result(function(job))
            self.is_lost = True
        return future

    def close(self) -> None:
        """Nothing to release."""
