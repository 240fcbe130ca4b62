"""Runs many jobs in this thread, in threads, in processes or on a Dask cluster, behind one interface."""

from __future__ import annotations

import logging
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures import Executor as StandardExecutor
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for
from typing import Any, Protocol, TypeVar

CONNECTING_SECONDS = 8
"""The time to wait for a scheduler, including one that has gone away."""

WORKERS_SECONDS = 2.0
"""The time between two counts of a cluster's threads, after which those that have joined get jobs."""

LOST_SECONDS = 15.0
"""A scheduler that has not answered for that long is lost."""

SAFE_PATH = "PYTHONSAFEPATH"
_STARTING = threading.Lock()

Job = TypeVar("Job")
Result = TypeVar("Result")


class SchedulerLostError(BrokenExecutor):
    """The cluster has gone away, and with it the jobs that were running."""


def is_lost_worker(error: BaseException) -> bool:
    """Check whether a job failed because its worker died."""
    # The name of Dask's error if several workers died over the same job; compared by name, as the extra may be missing.
    return isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker"


class Executor(Protocol):
    """Runs jobs, and hides whether they run in threads, in processes or on a cluster."""

    parallel: int
    """The number of jobs that run at a time."""
    is_lost: bool
    """True if the cluster is gone, so that running jobs never end."""

    def submit(self, function: Callable[[Job], Result], job: Job) -> Future[Result]:
        """Start a job. With processes and clusters, function, job and result are pickled."""

    def close(self) -> None:
        """Wait for the running jobs and release the workers."""


def run_jobs(
    executor: Executor, function: Callable[[Job], Result], jobs: Iterable[Job]
) -> Iterator[tuple[Job, Future[Result]]]:
    """Yield the jobs with their finished futures, in the order in which they end.

    A job is taken from `jobs` only when it can start, so a source that ends early stops the work. Raises
    SchedulerLostError, after all jobs that have ended, if those that are running never will.
    """
    source = iter(jobs)
    running: dict[Future[Result], Job] = {}
    while True:
        while len(running) < executor.parallel:
            try:
                job = next(source)
            except StopIteration:
                break
            running[executor.submit(function, job)] = job
        if not running:
            return
        is_lost = executor.is_lost
        for future in wait(running, WORKERS_SECONDS, FIRST_COMPLETED).done:
            job = running.pop(future)
            if future.cancelled():  # only a cluster does that, to the jobs that it has lost
                is_lost = True
            else:
                yield job, future
        if is_lost:
            raise SchedulerLostError("the Dask scheduler has gone away")


class InThread:
    """One job at a time, in the caller's thread."""

    parallel = 1
    is_lost = False

    def submit(self, function: Callable[[Job], Result], job: Job) -> Future[Result]:
        """Run the job now."""
        future: Future[Result] = Future()
        try:
            future.set_result(function(job))
        except Exception as error:  # noqa: BLE001  # reading the result raises it
            future.set_exception(error)
        return future

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


class Pool:
    """Jobs in the threads or processes of one of the standard library's executors."""

    is_lost = False

    def __init__(self, pool: StandardExecutor, parallel: int, release: Callable[[], None]) -> None:
        self._pool = pool
        self._release = release
        self.parallel = parallel

    def submit(self, function: Callable[[Job], Result], job: Job) -> Future[Result]:
        """Submit the job. If a worker has died, this job and all others fail with a BrokenExecutor."""
        future: Future[Result]
        try:
            with _starting_workers():
                future = self._pool.submit(function, job)
        except (BrokenExecutor, OSError, ValueError) as error:  # no process to be had, or a pool that shuts down
            future = Future()
            future.set_exception(BrokenExecutor(str(error)))
        future.add_done_callback(self._release_if_broken)
        return future

    def _release_if_broken(self, future: Future[Any]) -> None:
        # A pool overlooks a worker that starts while another one dies, and then waits for it forever.
        if not future.cancelled() and isinstance(future.exception(), BrokenExecutor):
            self._release()

    def close(self) -> None:
        """Wait for the running jobs and release the workers."""
        self._pool.shutdown()
        self._release()


def in_threads(parallel: int) -> Executor:
    """Return threads for `parallel` jobs at a time that mostly wait."""
    return Pool(ThreadPoolExecutor(parallel), parallel, release=lambda: None)


def in_processes(parallel: int) -> Executor:
    """Return `parallel` processes for jobs that compute; they end with this process, however it ends."""
    context = get_context("spawn")
    leash, held = context.Pipe(duplex=False)
    with _starting_workers():  # its locks start a process, too
        pool = ProcessPoolExecutor(parallel, context, initializer=_begin_worker, initargs=(leash,))
    made = Pool(pool, parallel, release=held.close)
    for _ in range(parallel):  # a pool starts workers as needed: start all now, not while another one dies
        made.submit(bool, None)
    return made


def for_computing(jobs: int, dask_address: str | None) -> Executor:
    """Return the named cluster for jobs that compute, or this machine for `jobs` of them at a time."""
    if dask_address is not None:
        return on_dask(dask_address)
    return InThread() if jobs == 1 else in_processes(jobs)


def on_dask(address: str) -> Executor:
    """Return the Dask cluster whose scheduler is at this address, with one job for each thread of its workers.

    Raises ImportError if distributed is not installed, OSError if the scheduler does not answer or has no
    workers. If its worker dies, a job is run again by another one, and still gives one result.
    """
    from distributed import Client  # noqa: PLC0415  # an extra

    # It logs pages about a lost scheduler; the errors of the cancelled jobs say enough.
    for name in tuple(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).handlers = [logging.NullHandler()]
            logging.getLogger(name).propagate = False
    client: Any = Client.__new__(Client)
    try:
        client.__init__(address, set_as_default=False, timeout=CONNECTING_SECONDS)
    except Exception as error:  # noqa: BLE001  # what is not an address fails in many ways
        client.status = "closed"  # it would try to close what it has not opened, for long and with a traceback
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise OSError(f"there is no Dask scheduler at {address!r}: {reason}") from None
    client.loop.asyncio_loop.set_exception_handler(lambda *_: None)
    made = Cluster(client)
    if not made.parallel:
        made.close()
        raise OSError(f"the Dask scheduler at {address} has no workers")
    return made


class Cluster:
    """One job for each thread of a Dask cluster, whose workers come and go."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._pool = client.get_executor(pure=False)
        self._is_over = threading.Event()
        self.is_lost = False
        self.parallel = self._count_threads()
        threading.Thread(target=self._follow_workers, daemon=True).start()

    def submit(self, function: Callable[[Job], Result], job: Job) -> Future[Result]:
        """Submit the job. If the scheduler is lost, its future is cancelled, now or later."""
        future: Future[Result] = Future()

        def hand_over(done: Future[Result]) -> None:
            if done.cancelled():
                future.cancel()
            elif (error := done.exception()) is not None:
                future.set_exception(error)
            else:
                future.set_result(done.result())

        try:
            # Dask's own future must not be kept: as long as it is, its result is computed again if its worker dies.
            self._pool.submit(function, job).add_done_callback(hand_over)
        except Exception:
            if self._client.status == "running":  # then it is the job that cannot be sent
                raise
            future.cancel()
        return future

    def close(self) -> None:
        """Release the workers; jobs that are running are of no use any more."""
        self._is_over.set()
        with suppress(Exception):  # a client that has lost its scheduler has many ways to fail, and nothing to release
            self._client.close()

    def _count_threads(self) -> int:
        # Without a time-out, this waits forever if the client gives its scheduler up at the wrong moment.
        return sum(self._client.nthreads(callback_timeout=LOST_SECONDS).values())

    def _follow_workers(self) -> None:
        from asyncio import CancelledError  # noqa: PLC0415  # Dask has loaded it

        while not self._is_over.wait(WORKERS_SECONDS):
            try:
                self.parallel = max(1, self._count_threads())
            except (Exception, CancelledError):  # noqa: BLE001  # the scheduler goes away in many ways; some jobs never hear of it
                self.is_lost = True
                return


@contextmanager
def _starting_workers() -> Iterator[None]:
    """Set what processes that are started inherit: Ctrl-C is not for them, and no module is in the current folder.

    Python would look for pickle.py and the like in the current folder first, where data and agents may be. The
    package is found there nevertheless if this process found it there: workers get its path, after their first imports.
    """
    with _STARTING, ExitStack() as before:
        if hasattr(signal, "pthread_sigmask"):
            mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            before.callback(signal.pthread_sigmask, signal.SIG_SETMASK, mask)
        if SAFE_PATH not in os.environ:
            os.environ[SAFE_PATH] = "1"
            before.callback(os.environ.pop, SAFE_PATH)
        yield


def _begin_worker(leash: Connection) -> None:
    """Make a worker ignore Ctrl-C, and end when the runner ends or closes the leash."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def end_in_time() -> None:
        wait_for([parent.sentinel, leash])
        os._exit(1)

    threading.Thread(target=end_in_time, daemon=True).start()
