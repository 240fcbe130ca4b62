"""Leaves a daemon behind that holds its pipes, attacks something at its first move, and plays column 0.

Usage: attacks.py MARK ATTACK

MARK is a word by which its processes can be found; the processes that it attacks have the word `victim`. If the attack
is not possible, it plays as if nothing had been.
"""

import ctypes
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

PTRACE_ATTACH = 16
LIBC = ctypes.CDLL(None)


def victims() -> Iterator[int]:
    """The processes with the word."""
    for path in Path("/proc").iterdir():
        try:
            if path.name.isdigit() and b"victim" in (path / "cmdline").read_bytes().split(b"\0"):
                yield int(path.name)
        except OSError:
            continue


def kill_parent() -> None:
    """Kill the process above it."""
    os.kill(os.getppid(), signal.SIGKILL)


def limit_parent() -> None:
    """Let the process above it open no more files."""
    resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (0, 0))


def write_result() -> None:
    """Write to the worker's descriptors as if it were the worker."""
    for descriptor in range(32):
        try:
            with open(f"/proc/{os.getppid()}/fd/{descriptor}", "wb", buffering=0) as file:
                file.write(b'{"record":{}}\n')
        except OSError:
            continue


def kill_opponent() -> None:
    """Kill the opponent."""
    for pid in victims():
        os.kill(pid, signal.SIGKILL)


def stop_opponent() -> None:
    """Stop the opponent."""
    for pid in victims():
        os.kill(pid, signal.SIGSTOP)


def trace_opponent() -> None:
    """Hold the opponent up as a debugger does."""
    for pid in victims():
        LIBC.ptrace(PTRACE_ATTACH, pid, None, None)


def kill_group() -> None:
    """Kill its process group, or those in it that another group could not be told from."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.kill(0, signal.SIGTERM)


def kill_all() -> None:
    """Kill every process that it may."""
    os.kill(-1, signal.SIGKILL)


def fill_memfds() -> None:
    """Take 1.7 GB that no process maps."""
    for _ in range(17):
        descriptor = os.memfd_create("hidden")
        for _ in range(100):
            os.write(descriptor, bytes(1_000_000))
    time.sleep(3600)


def fill_memory() -> None:
    """Take 1.7 GB in two processes."""
    os.fork()
    taken = [bytearray(b"x" * 10_000_000) for _ in range(85)]
    time.sleep(3600 + len(taken))


def share_memory() -> None:
    """Take 100 MB that five processes share."""
    taken = b"x" * 100_000_000
    for _ in range(4):
        if os.fork() == 0:
            time.sleep(3600 + len(taken))
    time.sleep(0.5)  # time for several looks


def fill_shared_files() -> None:
    """Put 300 MB into a file in memory that is closed again."""
    with open(f"/dev/shm/connect4-{sys.argv[1]}", "wb") as file:
        for _ in range(300):
            file.write(bytes(1_000_000))


def leave_segments() -> None:
    """Make a segment of shared memory that outlives its maker."""
    segment = LIBC.shmget(int(sys.argv[1][:6], 16), 10_000_000, 0o1600)
    if segment < 0:
        raise OSError


def start_threads() -> None:
    """Start 1,200 threads."""
    threading.stack_size(64 << 10)
    for _ in range(1200):
        threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
    time.sleep(3600)


def raise_priority() -> None:
    """Ask for more than other processes get."""
    os.nice(-10)


def remount() -> None:
    """Make files writable again that are read-only."""
    if LIBC.mount(None, b"/", None, 32, None) != 0:  # MS_REMOUNT
        raise OSError
    Path(f"/connect4-{sys.argv[1]}").touch()


if os.fork() == 0:  # a daemon as in the textbooks
    os.setsid()
    if os.fork() == 0:
        time.sleep(3600)
    os._exit(0)
os.wait()
for number, _ in enumerate(sys.stdin):
    if number == 0:
        try:
            globals()[sys.argv[2]]()
        except OSError:
            sys.stderr.write("refused\n")
    sys.stdout.write('{"move":0}\n')
    sys.stdout.flush()
while True:
    time.sleep(3600)
