"""Orphans: what is left of an agent whose guard was killed, found in Linux's process table and killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from multiprocessing import parent_process
from typing import NamedTuple

from connect4_agent.agents.guard import (
    PR_SET_CHILD_SUBREAPER,
    PR_SET_DUMPABLE,
    PR_SET_PDEATHSIG,
    children_of,
    control_process,
)

MOST_SECONDS = 10.0
"""How long orphans are killed again and again; reached only where the system does not let them die."""

PAUSE_SECONDS = 0.005


class Process(NamedTuple):
    """A line of the process table."""

    pid: int
    parent: int
    session: int
    started_ticks: int
    is_dead: bool


@cache
def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent dies, and be woken by the death of one's own parent.

    A worker process that an agent has stopped would otherwise not see that its manager was killed. Nor can an agent
    trace a worker, and so hold it up.
    """
    control_process(PR_SET_CHILD_SUBREAPER, 1)
    if parent_process() is not None and hasattr(signal, "SIGCONT"):
        control_process(PR_SET_PDEATHSIG, signal.SIGCONT)
        control_process(PR_SET_DUMPABLE, 0)
        _system_limits()


@cache
def _system_limits() -> tuple[object, ...]:
    """The limits of this process when it was first asked for them."""
    return _system_limits_now()


def _system_limits_now() -> tuple[object, ...]:
    import resource  # noqa: PLC0415  # not on every system

    return tuple(resource.getrlimit(number) for name, number in vars(resource).items() if name.startswith("RLIMIT_"))


def end_crippled_worker() -> None:
    """End this process if it is a worker whose limits an agent has changed: it can play no more games."""
    if sys.platform != "win32" and parent_process() is not None and _system_limits() != _system_limits_now():
        os._exit(1)


class _Guards:
    """The guards that this process has started and not yet let go; they are not orphans."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.pids: set[int] = set()


_guards = _Guards()


@contextmanager
def starting() -> Iterator[None]:
    """Around the start of a guard: nobody takes it for an orphan before it is known."""
    with _guards.lock:
        yield


def add_guard(guard: subprocess.Popen[bytes]) -> None:
    """Make a guard known; called while `starting`."""
    _guards.pids.add(guard.pid)


def remove_guard(guard: subprocess.Popen[bytes]) -> None:
    """Forget a guard that has ended."""
    with _guards.lock:
        _guards.pids.discard(guard.pid)


def kill_below(ancestor: int) -> None:
    """Kill all descendants of a process once."""
    table = list(_process_table())
    waiting = [ancestor]
    while waiting:
        parent = waiting.pop()
        for process in table:
            if process.parent == parent:
                waiting.append(process.pid)
                with suppress(OSError):
                    os.kill(process.pid, signal.SIGKILL)


def is_stopped(pid: int) -> bool:
    """Whether a process of Linux is stopped, or dead."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] in b"TtZX"
    except OSError:
        return True


def ticks_now() -> int:
    """The time as the process table counts it."""
    if sys.platform != "linux":
        return 0
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK"))


def has_orphans() -> bool:
    """Whether this process has children in other sessions that are not its guards."""
    with _guards.lock:
        return any(_is_elsewhere(child) for child in children_of(os.getpid()) if child not in _guards.pids)


def _is_elsewhere(pid: int) -> bool:
    try:
        return os.getsid(pid) != os.getsid(0)
    except OSError:  # it has gone
        return False


def kill_orphans(since_ticks: int, patience_seconds: float = 0.0) -> None:
    """Kill what this process has adopted of agents without a guard, until nothing of it is left.

    An agent's processes cannot be in the session of this process, since sessions can be left, but not joined; and
    they are younger than their guard. With patience, they first get the time to end by themselves: they may be
    guards of a dead worker.
    """
    if sys.platform != "linux":
        return
    own, session = os.getpid(), os.getsid(0)
    known: set[int] = set()
    began_at = time.monotonic()
    while time.monotonic() - began_at < MOST_SECONDS:
        with _guards.lock:
            orphans = [
                process
                for process in map(_process, children_of(own))
                if process is not None
                and process.session != session
                and process.started_ticks >= since_ticks
                and process.pid not in _guards.pids
            ]
        if not orphans:
            return
        is_patient = time.monotonic() - began_at < patience_seconds
        for orphan in orphans:
            with suppress(OSError):
                os.kill(orphan.pid, signal.SIGCONT if is_patient else signal.SIGKILL)
            if orphan.is_dead:
                with suppress(ChildProcessError):
                    os.waitpid(orphan.pid, os.WNOHANG)
        if known.issuperset(orphan.pid for orphan in orphans):  # else some fork as fast as they are killed
            time.sleep(PAUSE_SECONDS)
        known.update(orphan.pid for orphan in orphans)


def _process_table() -> Iterator[Process]:
    for name in os.listdir("/proc") if sys.platform == "linux" else ():
        if name.isdigit() and (process := _process(int(name))) is not None:
            yield process


def _process(pid: int) -> Process | None:
    """The line of a process; None if it has gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            # The command's name stands in brackets and may hold anything; state, parent, group, session follow it.
            state, parent, _, session, *others = file.read().rpartition(b")")[2].split()
            started_ticks = int(others[15])  # field 22 of the whole line
    except (OSError, ValueError, IndexError):
        return None
    return Process(pid, int(parent), int(session), started_ticks, is_dead=state in (b"Z", b"X"))
