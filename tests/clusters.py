"""A small Dask cluster, for tests."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from distributed import Client

from tests.processes import clean_environment, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DASK = [sys.executable, "-m", "dask"]


class Cluster(NamedTuple):
    """The address of a scheduler, and its workers."""

    address: str
    workers: list[subprocess.Popen[bytes]]


@contextmanager
def running_cluster(folder: Path, workers: int) -> Iterator[Cluster]:
    """A scheduler with so many workers of one thread each, on the loopback address."""
    scheduler_file = folder / "scheduler.json"
    common = ["--no-dashboard", "--host", "127.0.0.1", "--scheduler-file", str(scheduler_file)]
    worker = [*DASK, "worker", *common, "--no-nanny", "--nthreads", "1", "--local-directory", str(folder)]
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    quiet |= {"env": clean_environment(), "cwd": folder}
    processes = [subprocess.Popen([*DASK, "scheduler", *common, "--port", "0"], **quiet)]
    try:
        wait_until(scheduler_file.exists)
        processes += [subprocess.Popen(worker, **quiet) for _ in range(workers)]
        address = json.loads(scheduler_file.read_text())["address"]
        wait_until(lambda: workers_at(address) == workers)
        yield Cluster(address, processes[1:])
    finally:
        for process in processes:
            process.kill()  # Dask takes its time over a SIGTERM
        for process in processes:
            process.wait()


def workers_at(address: str) -> int:
    """How many workers a scheduler has."""
    with Client(address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        return len(client.nthreads())
