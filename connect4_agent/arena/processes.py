"""Processes below this one, as Linux's /proc shows them: who they are, what they use, and how to end them all.

Other systems have no such table: there `below` is always empty, and only process groups can be ended.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Collection, Iterable
from contextlib import suppress
from typing import NamedTuple

from connect4_agent import errors

PR_SET_CHILD_SUBREAPER = 36
MAX_ENDING_SECONDS = 10.0
"""The longest time for which processes are killed repeatedly, reached if the system cannot end one, in seconds."""


class Usage(NamedTuple):
    """The memory and the processor time of some processes together."""

    memory_bytes: int
    processes: int
    threads: int


def become_reaper() -> None:
    """Become the parent of every process below this one whose own parent ends (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def below(pid: int) -> list[int]:
    """Return all descendants of a process, parents first."""
    family = [pid]
    for parent in family:  # grows meanwhile
        family += _list_children(parent)
    return family[1:]


def is_computing(pid: int) -> bool:
    """Return whether a thread of a process runs, or waits for a core."""
    with suppress(OSError):  # it has ended
        for task in os.listdir(f"/proc/{pid}/task"):
            if _read_stat(f"{pid}/task/{task}")[0] == b"R":
                return True
    return False


def find_started(mark: bytes) -> list[int]:
    """Return the children of this process that have a mark in the environment that they were started with."""
    found = []
    for pid in _list_children(os.getpid()):
        with suppress(OSError), open(f"/proc/{pid}/environ", "rb") as file:
            if mark in file.read():
                found.append(pid)
    return found


def _list_children(pid: int) -> list[int]:
    children: list[int] = []
    with suppress(OSError):  # it has ended
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                children += map(int, file.read().split())
    return children


def send_signal(pids: Iterable[int], number: signal.Signals) -> None:
    """Send a signal to those of the processes that still run."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def end_all(spared: Collection[int] = ()) -> None:
    """Kill everything below this process, except the spared ones, until all of it is gone."""
    began_at = time.monotonic()
    while (elapsed_seconds := time.monotonic() - began_at) < MAX_ENDING_SECONDS:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        left = [pid for pid in below(os.getpid()) if pid not in spared]
        if not left and spared:
            return
        send_signal(left, signal.SIGKILL)
        time.sleep(0.0003 if elapsed_seconds < 0.02 else 0.005)
    raise errors.WorkerLostError(f"processes could not be ended: {below(os.getpid())}")


def processor_seconds(pids: Iterable[int]) -> float:
    """Return the processor time of processes and of the children that they have waited for."""
    ticks = 0
    for pid in pids:
        with suppress(OSError):  # it has ended
            ticks += sum(map(int, _read_stat(pid)[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def measure_usage(pids: Iterable[int], limit_bytes: int) -> Usage:
    """Return what processes use. Their memory is an upper bound; the exact sum if that is beyond the limit.

    Shared memory counts once for each file: files that only descriptors hold (memfds, removed files) count as well.
    """
    page_bytes = os.sysconf("SC_PAGE_SIZE")
    resident = threads = 0
    files: dict[tuple[int, int], int] = {}
    alive = []
    for pid in pids:
        with suppress(OSError):  # it has ended
            fields = _read_stat(pid)
            if fields[0] in (b"Z", b"X"):
                continue
            alive.append(pid)
            threads += int(fields[17])
            resident += int(fields[21]) * page_bytes
            for descriptor in os.listdir(f"/proc/{pid}/fd"):
                path = f"/proc/{pid}/fd/{descriptor}"
                target = os.readlink(path)
                if target.endswith(" (deleted)") or target.startswith("/dev/shm/"):
                    status = os.stat(path)
                    files[status.st_dev, status.st_ino] = status.st_blocks * 512
    in_files = sum(files.values())
    used = resident + in_files
    if used > limit_bytes:
        private, shared = _read_shares(alive)
        used = private + max(shared, in_files)
    return Usage(used, len(alive), threads)


def _read_stat(pid: int | str) -> list[bytes]:
    """Return the fields of /proc/PID/stat from the state on: the name before it may hold anything."""
    with open(f"/proc/{pid}/stat", "rb") as file:
        return file.read().rpartition(b") ")[2].split()


def _read_shares(pids: Iterable[int]) -> tuple[int, int]:
    """Private and shared memory of processes in bytes; a page that several of them map counts once."""
    private = shared = 0
    for pid in pids:
        with suppress(OSError, ValueError, IndexError):
            with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
                sizes = {line.split(b":")[0]: line.split()[1] for line in file if line.endswith(b" kB\n")}
            private += int(sizes.get(b"Pss_Anon", 0)) << 10
            shared += int(sizes.get(b"Pss_Shmem", 0)) << 10
    return private, shared
