"""Writes as JSON to standard error what it can see and do, and ends.

Usage: looks_around.py FOLDER PORT SECRET_FILE

FOLDER is somebody else's, with a socket and a FIFO; PORT answers on the loopback address.
"""

import ctypes
import glob
import json
import os
import resource
import socket
import sys
from collections.abc import Callable

CLONE_NEWUSER = 0x10000000

SETTINGS = (
    "/proc/sys/kernel/core_pattern",
    *glob.glob("/sys/fs/cgroup/cgroup.procs"),
    *glob.glob("/sys/fs/cgroup/*/cgroup.procs"),
)
"""Files in which root's programs could change the system."""


def succeeds(action: Callable[..., object], *arguments: object) -> bool:
    """Return whether an action raises no error."""
    try:
        action(*arguments)
    except OSError:
        return False
    return True


def write(path: str) -> None:
    """Write to a file, and make it if need be."""
    with open(path, "a", encoding="ascii") as file:
        file.write("here")


def write_fifo(path: str) -> None:
    """Open a FIFO that somebody reads, without waiting."""
    os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))


def read(path: str) -> None:
    """Read a file."""
    with open(path, "rb") as file:
        file.read(1)


def connect(path: str) -> None:
    """Connect to a socket of the file system."""
    with socket.socket(socket.AF_UNIX) as one:
        one.connect(path)


def rewrite(path: str) -> None:
    """Open a setting of the system for writing; nothing is changed."""
    os.close(os.open(path, os.O_WRONLY))


def nest() -> None:
    """Make a user namespace inside."""
    if ctypes.CDLL(None).unshare(CLONE_NEWUSER) != 0:
        raise OSError


def main() -> None:
    """Look around."""
    folder, port, secret_file = sys.argv[1:]
    sys.stdin.readline()
    scratch = f"/tmp/connect4-looks-around-{os.getpid()}-{os.getuid()}"
    seen = {
        "writes to its folder": succeeds(write, "own-file"),
        "writes to another folder": succeeds(write, os.path.join(folder, "foreign-file")),
        "reads another folder": succeeds(os.listdir, folder),
        "reads its home": bool(os.path.exists(secret_file)),
        "writes to a socket": succeeds(connect, os.path.join(folder, "socket")),
        "writes to a FIFO": succeeds(write_fifo, os.path.join(folder, "fifo")),
        "writes to /tmp": succeeds(write, scratch),
        "writes to its home": succeeds(write, os.path.expanduser("~/connect4-looks-around")),
        "connects": succeeds(socket.create_connection, ("127.0.0.1", int(port)), 5),
        "may write to /": os.access("/", os.W_OK),
        "changes the system": any(succeeds(rewrite, path) for path in SETTINGS),
        "makes namespaces": succeeds(nest),
        "open files": resource.getrlimit(resource.RLIMIT_NOFILE)[0],
        "processes": sorted(int(name) for name in os.listdir("/proc") if name.isdigit()),
    }
    if seen["writes to /tmp"]:
        os.remove(scratch)
    sys.stderr.write(json.dumps(seen))
    sys.stderr.flush()
    sys.exit(3)


main()
