"""Where many jobs run: in this thread, in threads, in processes, or on a Dask cluster; one interface for all."""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from multiprocessing.connection import Connection

Job = TypeVar("Job")
Result = TypeVar("Result")


class Executor(Protocol):
    """Runs jobs. All that its users need to know of threads, processes and clusters is here."""

    parallel: int
    """How many jobs run at a time."""
    outlasts_jobs: bool
    """Whether the processes that run the jobs go on after `close`."""

    def submit(self, function: Callable[[Job], Result], job: Job) -> Future[Result]:
        """Begin a job. With processes and clusters, function, job and result travel by pickle."""

    def close(self) -> None:
        """Wait for the jobs that run and let the workers go."""


def run_jobs(
    executor: Executor, function: Callable[[Job], Result], jobs: Iterable[Job]
) -> Iterator[tuple[Job, Future[Result]]]:
    """The jobs with their finished futures, in the order in which they end.

    A job is taken from `jobs` when there is room for it, never earlier: whoever stops giving jobs stops the work.
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
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            yield running.pop(future), future


class InThread:
    """One job at a time, in the caller's thread."""

    parallel = 1
    outlasts_jobs = False

    def submit(self, function: Callable[[Job], Result], job: Job) -> Future[Result]:
        """Run the job now."""
        future: Future[Result] = Future()
        try:
            future.set_result(function(job))
        except Exception as error:  # noqa: BLE001  # whoever asks for the result gets it
            future.set_exception(error)
        return future

    def close(self) -> None:
        """Nothing to let go."""


class Pool:
    """Jobs in any executor of the standard library's interface."""

    def __init__(self, pool: Any, parallel: int, *, outlasts_jobs: bool, release: Callable[[], None]) -> None:
        self._pool = pool
        self._release = release
        self.parallel = parallel
        self.outlasts_jobs = outlasts_jobs

    def submit(self, function: Callable[[Job], Result], job: Job) -> Future[Result]:
        """Hand the job over. Where a worker has died, this job and all others fail with a BrokenExecutor."""
        future: Future[Result]
        try:
            with interrupts_held():
                future = self._pool.submit(function, job)
        except (BrokenExecutor, OSError, ValueError) as error:  # no process for it, or a pool that is being taken down
            future = Future()
            future.set_exception(BrokenExecutor(str(error)))
        future.add_done_callback(self._release_if_broken)
        return future

    def _release_if_broken(self, future: Future[Any]) -> None:
        # A worker that is started while another one dies is overlooked by the pool, which then waits for it for ever.
        if not future.cancelled() and isinstance(future.exception(), BrokenExecutor):
            self._release()

    def close(self) -> None:
        """Wait for the jobs that run and let the workers go."""
        self._pool.shutdown(wait=True)
        self._release()


def in_threads(parallel: int) -> Executor:
    """Jobs that mostly wait, `parallel` of them at a time."""
    return Pool(ThreadPoolExecutor(parallel), parallel, outlasts_jobs=False, release=_nothing)


def in_processes(parallel: int) -> Executor:
    """Jobs that compute, each in a process of its own. The processes end with this one, however it ends."""
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415  # multiprocessing is needed here only
    from multiprocessing import get_context  # noqa: PLC0415

    context = get_context("spawn")
    leash, held = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(parallel, context, initializer=_begin_worker, initargs=(leash,))
    made = Pool(pool, parallel, outlasts_jobs=False, release=held.close)
    for _ in range(parallel):  # a pool starts a worker where none is idle: all of them now, not while another one dies
        made.submit(bool, None)
    return made


def for_computing(jobs: int, dask_address: str | None) -> Executor:
    """Jobs that compute: on the cluster of this scheduler where one is named, else as many here at a time."""
    if dask_address is not None:
        return on_dask(dask_address)
    return InThread() if jobs == 1 else in_processes(jobs)


def on_dask(address: str) -> Executor:
    """Jobs on the Dask cluster whose scheduler is at this address, one for each of its threads.

    Raises ImportError where distributed is not installed, OSError where nobody answers or no worker is there.
    A job whose worker dies is run again by another one; its result comes once.
    """
    from distributed import Client  # noqa: PLC0415  # an extra

    client: Any = Client(address, set_as_default=False)  # type: ignore[no-untyped-call]
    parallel = sum(client.nthreads().values())
    if not parallel:
        client.close()
        raise OSError(f"the Dask scheduler at {address} has no workers")
    return Pool(client.get_executor(pure=False), parallel, outlasts_jobs=True, release=client.close)


def _nothing() -> None:
    pass


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Keep Ctrl-C away while a worker may be started: it inherits that, and Ctrl-C is not for it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_worker(leash: Connection) -> None:
    """See to it that a worker leaves Ctrl-C to the runner, and ends with it or when the leash is let go."""
    from multiprocessing import parent_process  # noqa: PLC0415
    from multiprocessing.connection import wait as wait_for  # noqa: PLC0415

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def end_in_time() -> None:
        wait_for([parent.sentinel, leash])
        os._exit(1)

    threading.Thread(target=end_in_time, daemon=True).start()
