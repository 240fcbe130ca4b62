"""Threads of an exact search: how many it may use, and a solver that several of them share."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.jobs.cores import core_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from connect4_agent.engine.kernel.solver import Solver

VARIABLE = "CONNECT4_AGENT_THREADS"
"""The environment variable that limits the threads of a search; 1 keeps a process to one core."""

POLLS_ALONE = 1
"""The helpers start at this poll of a search, after about 1 ms: a shorter search would lose time by them."""

_limit: ContextVar[int | None] = ContextVar("connect4_agent_threads", default=None)


@contextmanager
def limited_to(threads: int) -> Iterator[None]:
    """Let searches of the current thread use at most this many threads meanwhile, unless their caller says otherwise.

    For work that runs on every core anyway, that is compared with others, or that must do the same every time.
    """
    token = _limit.set(threads)
    try:
        yield
    finally:
        _limit.reset(token)


def default_threads() -> int:
    """The threads of a search whose caller does not say: one for each core, unless something sets a limit."""
    named = os.environ.get(VARIABLE, "")
    limits = [core_count(), _limit.get(), int(named) if named.isascii() and named.isdigit() else None]
    return max(1, min(limit for limit in limits if limit is not None))


def is_alone() -> bool:
    """Whether the caller limits searches to one thread."""
    return _limit.get() == 1


def can_share(form: str) -> bool:
    """Whether a form's solver can have helpers.

    Plain code cannot run in two threads at once. An entry of the wide form's table has 128 bits, which are not
    written at once: another thread could read one half of one entry and one of the next. The same holds for the 64 bits
    of the narrow form where a machine word has 32.
    """
    return form == forms.NARROW and sys.maxsize > 1 << 32


class SharedSolver:
    """A solver and its helpers, which start if a search takes long. Nothing is left running after a search.

    `threads` includes the caller's; None leaves the choice to the moment when helpers could start.
    """

    def __init__(self, solver: Solver, threads: int | None) -> None:
        self._solver = solver
        self._threads = threads
        self._helpers: list[Solver] = []
        self._running: list[threading.Thread] = []

    @property
    def nodes(self) -> int:
        """The positions that all of them have visited so far."""
        return (
            self._solver.nodes + sum(helper.nodes for helper in self._helpers) if self._helpers else self._solver.nodes
        )

    def clear(self) -> None:
        """Forget every position."""
        for solver in (self._solver, *self._helpers):
            solver.clear()

    def score(self, own: int, opponent: int, poll: Callable[[], None], *window: int) -> int:
        """The score of a position, as the solver's `score`. `poll` is called in the caller's thread alone."""
        if self._running:  # an interrupt has ended the wait of the search before
            self._join()
        polls = 0

        def poll_and_start() -> None:
            nonlocal polls
            poll()
            polls += 1
            if polls == POLLS_ALONE:
                self._start(own, opponent, do_nothing, *window)

        try:
            return self._solver.score(own, opponent, poll_and_start, *window)
        finally:
            if self._running:
                self._join()

    def _start(self, *arguments: object) -> None:
        count = (default_threads() if self._threads is None else self._threads) - 1
        while len(self._helpers) < count:
            self._helpers.append(self._solver.helper())
        for helper in self._helpers[:count]:
            # A daemon: if the interpreter ends in the middle of a search, it does not wait for an answer.
            thread = threading.Thread(target=helper.score, args=arguments, daemon=True, name="solver helper")
            try:
                thread.start()
            except RuntimeError:  # the system has no more threads: the search continues with those that run
                return
            self._running.append(thread)

    def _join(self) -> None:
        """Wait for the helpers, which have ended or are about to: the search has finished."""
        while self._running:
            self._running[-1].join()
            self._running.pop()
