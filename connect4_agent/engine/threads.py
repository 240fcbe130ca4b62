"""Threads of an exact search: how many it may use, and a solver that two of them share."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from connect4_agent.engine.kernel import forms
from connect4_agent.jobs.cores import core_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from connect4_agent.engine.kernel.solver import Solver

VARIABLE = "CONNECT4_AGENT_THREADS"
"""The environment variable that sets the most threads of a search; 1 keeps a process to one core."""

MOST_THREADS = 2

POLLS_ALONE = 2
"""The helper starts at this poll of a search, after about 2 ms: a shorter search would lose time by it."""

_limit: ContextVar[int] = ContextVar("connect4_agent_threads", default=MOST_THREADS)


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
    """The threads of a search whose caller does not say: two if there are cores for them and nothing forbids it."""
    named = os.environ.get(VARIABLE, "")
    allowed = int(named) if named.isascii() and named.isdigit() else MOST_THREADS
    return max(1, min(MOST_THREADS, core_count(), allowed, _limit.get()))


def can_share(form: str) -> bool:
    """Whether a form's solver can have a helper.

    Plain code cannot run in two threads at once. An entry of the wide form's table has 128 bits, which are not
    written at once: another thread could read one half of one entry and one of the next. The same holds for the 64 bits
    of the narrow form where a machine word has 32.
    """
    return form == forms.NARROW and sys.maxsize > 1 << 32


class TwoThreadSolver:
    """A solver and its helper, which starts if a search takes long. Nothing is left running after a search."""

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._helper: Solver | None = None
        self._thread: threading.Thread | None = None

    @property
    def nodes(self) -> int:
        """The positions that both have visited so far."""
        return self._solver.nodes + (self._helper.nodes if self._helper else 0)

    def clear(self) -> None:
        """Forget every position."""
        self._solver.clear()
        if self._helper:
            self._helper.clear()

    def score(self, own: int, opponent: int, poll: Callable[[], None], *window: int) -> int:
        """The score of a position, as the solver's `score`. `poll` is called in the caller's thread alone."""
        self._join()  # an interrupt may have ended the wait of the search before
        polls = 0

        def poll_and_start() -> None:
            nonlocal polls
            poll()
            polls += 1
            if polls == POLLS_ALONE:
                self._start(own, opponent)

        try:
            return self._solver.score(own, opponent, poll_and_start, *window)
        finally:
            self._join()

    def _start(self, own: int, opponent: int) -> None:
        self._helper = self._helper or self._solver.helper()
        # A daemon: if the interpreter ends in the middle of a search, it does not wait for an answer.
        thread = threading.Thread(target=self._helper.assist, args=(own, opponent), daemon=True, name="solver helper")
        try:
            thread.start()
        except RuntimeError:  # the system has no more threads: the search continues alone
            return
        self._thread = thread

    def _join(self) -> None:
        """Wait for the helper, which has ended or is about to: the search has finished."""
        if self._thread is not None:
            self._thread.join()
            self._thread = None
