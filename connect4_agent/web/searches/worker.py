"""A process that searches for the web server, one job at a time, and can be told to abandon it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from time import monotonic

from connect4_agent import errors
from connect4_agent.engine.threads import limited_to
from connect4_agent.jobs.executor import interrupts_held
from connect4_agent.web.http_errors import WebError
from connect4_agent.web.searches.jobs import Job

LOOK_SECONDS = 0.01
"""How often a search checks whether it is still wanted."""


class Worker:
    """The server's end of a search process. One thread asks; any other may abandon the job."""

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads  # the most that one search may use
        self._ticket = 0
        self._abandoned = 0
        self._sending = threading.Lock()
        self._is_ended = False
        self._start()

    def _start(self) -> None:
        context = get_context("spawn")
        self._connection, workers_end = context.Pipe()
        self._process = context.Process(target=serve_jobs, args=(workers_end, self._threads), daemon=True)
        with interrupts_held():  # Ctrl-C is for the server
            self._process.start()
        workers_end.close()

    def _replace(self) -> None:
        self._process.join()
        self._connection.close()
        self._start()

    def next_ticket(self) -> int:
        """The number of the next job."""
        self._ticket += 1
        return self._ticket

    def ask(self, ticket: int, job: Job) -> bytes:
        """The job's answer. Raises ReaderGoneError if it was abandoned, WebError if the process died."""
        try:
            with self._sending:
                if not (self._process.is_alive() or self._is_ended):  # it died while idle: not this caller's fault
                    self._replace()
                    if ticket == self._abandoned:
                        raise errors.ReaderGoneError
                self._connection.send((ticket, job))
            answer = self._connection.recv()
        except (EOFError, OSError):
            if self._is_ended:
                raise errors.ReaderGoneError from None
            with self._sending:
                self._replace()
            raise WebError("search_failed", "the search process has died; another one takes its place") from None
        if isinstance(answer, Exception):
            raise answer
        assert isinstance(answer, bytes)
        return answer

    def abandon(self, ticket: int) -> None:
        """Tell the process that nobody waits for this job."""
        self._abandoned = ticket
        try:
            with self._sending:
                self._connection.send((ticket, None))
        except OSError:  # it died; the caller that asked handles that
            return

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._is_ended = True
        self._process.kill()
        self._process.join()


def serve_jobs(connection: Connection, threads: int = 1) -> None:
    """The process: do jobs until the server has gone."""
    with limited_to(threads):
        _serve_jobs(connection)


def _serve_jobs(connection: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    abandoned = 0
    try:
        while True:
            ticket, job = connection.recv()
            if job is None:
                abandoned = ticket
            else:
                connection.send(_answer(job, ticket == abandoned, _watch(connection, ticket)))
    except (EOFError, OSError):
        return


def _answer(job: Job, is_abandoned: bool, poll: Callable[[], None]) -> bytes | Exception:
    try:
        if is_abandoned:
            raise errors.ReaderGoneError
        return job.run(poll)
    except (errors.Connect4Error, errors.ReaderGoneError) as error:
        return error
    except Exception as error:  # noqa: BLE001  # the client gets the error; the process continues
        return WebError("search_failed", f"{type(error).__name__}: {error}")


def _watch(connection: Connection, ticket: int) -> Callable[[], None]:
    """A poll that ends the job when it is abandoned, or the server has gone."""
    next_look = monotonic() + LOOK_SECONDS

    def poll() -> None:
        nonlocal next_look
        if monotonic() < next_look:
            return
        next_look = monotonic() + LOOK_SECONDS
        try:
            if not connection.poll(0) or connection.recv() != (ticket, None):
                return
        except (EOFError, OSError):  # the server has gone
            os._exit(0)
        raise errors.ReaderGoneError

    return poll
