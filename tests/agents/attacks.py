"""Leaves a daemon behind that holds its pipes, does something to its guard or its worker, and plays on.

Usage: attacks.py MARK TARGET DEED [again]

MARK is a word by which its processes can be found. TARGET is guard, worker, group or all; DEED is the name of a
signal without SIG, or TRACE to trace it as a debugger does, or LIMIT to let it open no more files. With `again` a
child does it every few milliseconds.
"""

import ctypes
import os
import resource
import signal
import sys
import time
from pathlib import Path

PTRACE_ATTACH = 16


def parent_of(pid: int) -> int:
    """The parent of a process."""
    return int(Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])


def attack() -> None:
    """Do it once."""
    try:
        target = {"guard": guard, "worker": worker, "group": -os.getpgid(guard), "all": -1}[sys.argv[2]]
        if sys.argv[3] == "TRACE":
            ctypes.CDLL(None).ptrace(PTRACE_ATTACH, target, None, None)
        elif sys.argv[3] == "LIMIT":
            resource.prlimit(target, resource.RLIMIT_NOFILE, (0, 0))
        else:
            os.kill(target, getattr(signal, f"SIG{sys.argv[3]}"))
    except (OSError, KeyError):
        return


guard = os.getppid()
worker = parent_of(guard) if guard > 1 else 1
if os.fork() == 0:  # a daemon as in the textbooks
    os.setsid()
    if os.fork() == 0:
        while True:
            time.sleep(0.002 if "again" in sys.argv else 3600)
            attack()
    os._exit(0)
os.wait()
sys.stdin.readline()
attack()
sys.stdout.write('{"move":0}\n')
sys.stdout.flush()
for _ in sys.stdin:
    sys.stdout.write('{"move":0}\n')
    sys.stdout.flush()
while True:
    time.sleep(3600)
