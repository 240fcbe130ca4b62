"""Writes as JSON to standard error what it can see and do, and ends."""

import json
import os
import socket
import sys


def can_write(path: str) -> bool:
    """Whether a file can be made there."""
    try:
        with open(path, "w", encoding="ascii") as file:
            file.write("here")
    except OSError:
        return False
    return True


def can_connect(address: str, port: str) -> bool:
    """Whether somebody answers there."""
    try:
        socket.create_connection((address, int(port)), 5).close()
    except OSError:
        return False
    return True


def main() -> None:
    """Look around."""
    folder, port = sys.argv[1:]
    sys.stdin.readline()
    seen = {
        "writes to its folder": can_write("own-file"),
        "writes to another folder": can_write(os.path.join(folder, "foreign-file")),
        "writes to /tmp": can_write(scratch := f"/tmp/connect4-looks-around-{os.getpid()}-{os.getuid()}"),
        "connects": can_connect("127.0.0.1", port),
        "processes": sorted(int(name) for name in os.listdir("/proc") if name.isdigit()),
    }
    if seen["writes to /tmp"]:
        os.remove(scratch)
    sys.stderr.write(json.dumps(seen))
    sys.stderr.flush()
    sys.exit(3)


main()
