"""Ignores SIGTERM and the end of its input, and has children in its group and in groups of their own.

Usage: stubborn.py PIDS [AGENT [ARGUMENT ...]]

The file PIDS gets the numbers of all its processes. It plays column 0, or what another agent of this folder plays.
"""

import os
import runpy
import signal
import sys
import time


def become_stubborn() -> None:
    """Stay, whatever is asked, and say who one is."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    with open(sys.argv[1], "a", encoding="ascii") as file:
        file.write(f"{os.getpid()}\n")


def stay() -> None:
    """Never end."""
    become_stubborn()
    os.write(written, b".")
    while True:
        time.sleep(3600)


noticed, written = os.pipe()
if os.fork() == 0:
    stay()
if os.fork() == 0:  # a daemon as in the textbooks: a session of its own, its parent dead
    os.setsid()
    if os.fork() == 0:
        stay()
    os._exit(0)
become_stubborn()
os.read(noticed, 1)  # a game may be over before
os.read(noticed, 1)  # both children have run
if sys.argv[2:]:
    del sys.argv[:2]
    runpy.run_path(sys.argv[0])
for _ in sys.stdin:
    sys.stdout.write('{"move":0}\n')
    sys.stdout.flush()
while True:
    time.sleep(3600)
