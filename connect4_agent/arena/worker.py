"""A worker: a process that does one job at a time and is the parent of everything that programs start.

    manager: Worker  --lines of JSON-->  supervisor  ->  worker  --pipes-->  programs

A job is a function that the caller names. The worker ends all that is below it, and itself, when the manager has gone.
It may be killed without harm: its supervisor, the same program forked, then ends what it leaves behind.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import Any, NoReturn

import orjson

from connect4_agent import errors
from connect4_agent.arena.faults import FaultError
from connect4_agent.arena.process import Watch
from connect4_agent.arena.processes import become_reaper, end_all

START = "import sys; sys.path[:] = sys.argv[1:]; from connect4_agent.arena import worker; worker.main()"
"""Not -m, which would search the current folder first, where agents may be."""

PACKAGE_FOLDER = str(Path(__file__).parents[2])
"""For a package that was found in the current folder."""

SPARE_SECONDS = 60.0
"""The time that a job may take beyond what is allowed until its worker counts as lost."""

POLL_SECONDS = 0.05
"""Interval between calls of `poll` while waiting, in seconds."""

CLOSING_SECONDS = 15.0
MAX_OPEN_FILES = 256
MAX_FILE_BYTES = 1_000_000_000


# ---- the manager's side ----------------------------------------------------------------------------------------------


class Worker:
    """A worker as the manager sees it. Raises WorkerLostError if it dies or does not answer."""

    def __init__(self) -> None:
        if sys.platform == "win32":
            raise errors.ArenaError("programs can play on Linux and macOS; on Windows only built-in players can")
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", START, *filter(None, sys.path), PACKAGE_FOLDER],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise errors.WorkerLostError(f"a worker process cannot be started: {error}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._jobs, self._results = self._process.stdin, self._process.stdout
        self._unread = b""
        os.set_blocking(self._results.fileno(), False)

    def call(
        self,
        function: Callable[..., Any],
        seconds: float | None = None,
        poll: Callable[[], None] | None = None,
        **arguments: Any,
    ) -> Any:
        """Call a function of a module there, with its workplace and these arguments. Raises FaultError.

        Arguments and result are values of JSON. `poll` is called now and then, and may raise to end the waiting.
        """
        job = {"call": f"{function.__module__}:{function.__qualname__}", "arguments": arguments}
        answer = orjson.loads(self._send(orjson.dumps(job), seconds, poll))
        if "fault" in answer:
            raise FaultError(**answer["fault"])
        if "lost" in answer:
            raise errors.WorkerLostError(answer["lost"])
        return answer["result"]

    def _send(self, job: bytes, seconds: float | None, poll: Callable[[], None] | None) -> bytes:
        """Send a line and wait for one."""
        deadline = float("inf") if seconds is None else monotonic() + seconds
        with suppress(BrokenPipeError):
            self._jobs.write(job + b"\n")
        waiting = select.poll()
        waiting.register(self._results, select.POLLIN)
        while not self._unread.endswith(b"\n"):
            left = deadline - monotonic()
            if left <= 0:
                raise errors.WorkerLostError(f"its worker process did not answer within {seconds:.0f} s")
            if poll is not None:
                poll()
                left = min(left, POLL_SECONDS)
            if waiting.poll(None if left == float("inf") else left * 1000):
                chunk = self._results.read(1 << 20)
                if not chunk:
                    raise errors.WorkerLostError(f"its worker process died ({self._status()})")
                self._unread += chunk
        line, self._unread = self._unread[:-1], b""
        return line

    def _status(self) -> str:
        status = self._process.wait()
        return f"signal {status - 128}" if status > 128 else f"exit status {status}"

    def close(self) -> None:
        """Let it end, with everything below it."""
        with suppress(OSError):
            self._jobs.close()
        try:
            self._process.wait(CLOSING_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
        self._results.close()

    def kill(self) -> None:
        """End it at once, with everything below it."""
        self._process.terminate()  # the supervisor ends the rest
        try:
            self._process.wait(CLOSING_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        with suppress(OSError):
            self._jobs.close()
        self._results.close()


class Workers:
    """A worker for each thread that calls."""

    def __init__(self) -> None:
        self._own = threading.local()
        self._all: list[Worker] = []
        self._is_closed = False

    def call(self, function: Callable[..., Any], seconds: float | None = None, **arguments: Any) -> Any:
        """Do a job; if its worker dies, once more in a new one. Raises WorkerLostError if that dies as well."""
        try:
            return self._call(function, seconds, arguments)
        except errors.WorkerLostError:
            if self._is_closed:
                raise
            return self._call(function, seconds, arguments)

    def _call(self, function: Callable[..., Any], seconds: float | None, arguments: dict[str, Any]) -> Any:
        worker: Worker | None = getattr(self._own, "worker", None)
        if worker is None:
            worker = self._own.worker = Worker()
            self._all.append(worker)
        try:
            return worker.call(function, seconds, **arguments)
        except BaseException:
            self._own.worker = None
            self._all.remove(worker)
            worker.kill()
            raise

    def close(self) -> None:
        """End the workers for good; jobs that are being done end with them."""
        self._is_closed = True
        for worker in tuple(self._all):
            worker.kill()


# ---- the worker itself -----------------------------------------------------------------------------------------------


def main() -> None:
    """Run a supervisor and its worker until the manager has gone."""
    become_reaper()
    worker = os.fork()
    if worker:
        _supervise(worker)
    _Server().run()


def _supervise(worker: int) -> NoReturn:
    """Wait for the end of the worker, then end what it has left. The manager sees the end of output after that."""
    status = 1

    def end(*_: object) -> None:
        raise SystemExit

    signal.signal(signal.SIGTERM, end)
    os.close(0)
    try:
        waited = os.waitpid(worker, 0)[1]
        status = os.WEXITSTATUS(waited) if os.WIFEXITED(waited) else 128 + os.WTERMSIG(waited)
    finally:
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)
        end_all()
        os._exit(status)


@dataclass(slots=True)
class Workplace:
    """The first argument of every job."""

    watch: Watch
    kept: Any = None
    """A value that a job leaves for the next one."""


class _Server:
    """Does the jobs that come on standard input, one at a time."""

    def __init__(self) -> None:
        import fcntl  # noqa: PLC0415  # not on every system that has managers
        import resource  # noqa: PLC0415  # the same

        become_reaper()
        self._jobs, self._results = (fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, 10) for number in (0, 1))
        null = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1):
            os.dup2(null, number)
        os.close(null)
        # Programs inherit these.
        for limit, value in (
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_FSIZE, MAX_FILE_BYTES),
            (resource.RLIMIT_NOFILE, MAX_OPEN_FILES),
        ):
            hard = resource.getrlimit(limit)[1]
            most = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(limit, (most, most))
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        gc.freeze()  # what was imported is never garbage
        self._place = Workplace(Watch(self._jobs))

    def run(self) -> NoReturn:
        """Do jobs until the manager closes the pipe."""
        unread = b""
        try:
            while True:
                if self._jobs not in self._place.watch.wait(float("inf"), {self._jobs: select.POLLIN}):
                    continue
                chunk = os.read(self._jobs, 1 << 20)
                if not chunk:
                    break
                unread += chunk
                if unread.endswith(b"\n"):
                    answer = self._answer(unread)
                    unread = b""
                    while answer:
                        answer = answer[os.write(self._results, answer) :]
        except (SystemExit, BrokenPipeError):
            pass
        finally:
            end_all()
        os._exit(0)

    def _answer(self, line: bytes) -> bytes:
        job = orjson.loads(line)
        module, _, name = job["call"].partition(":")
        try:
            result = getattr(import_module(module), name)(self._place, **job["arguments"])
            return orjson.dumps({"result": result}) + b"\n"
        except FaultError as error:
            return orjson.dumps({"fault": error.to_dict()}) + b"\n"
        except errors.WorkerLostError as error:
            self._place.watch.end_all()
            return orjson.dumps({"lost": str(error)}) + b"\n"
