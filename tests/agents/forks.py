"""Forks all the time, each process in its own session, and adds a byte for each to the file that its argument names."""

import os
import sys

file = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
while True:
    os.write(file, b".")
    if os.fork():
        os._exit(0)
    os.setsid()
