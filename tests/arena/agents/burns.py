"""Computes all the time, in a thread, in a child with a session of its own and in a daemon, and plays column 0.

Usage: burns.py MARK

MARK is a word by which its processes can be found.
"""

import os
import sys
import threading


def burn() -> None:
    """Compute for ever."""
    while True:
        pass


if os.fork() == 0:
    os.setsid()
    burn()
if os.fork() == 0:  # a daemon as in the textbooks
    os.setsid()
    if os.fork() == 0:
        burn()
    os._exit(0)
threading.Thread(target=burn, daemon=True).start()
for _ in sys.stdin:
    sys.stdout.write('{"move":0}\n')
    sys.stdout.flush()
