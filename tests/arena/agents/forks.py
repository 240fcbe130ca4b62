"""Forks all the time, each process in its own session, and adds a byte for each to the file that its argument names.

It ends by itself after LIFE_SECONDS: a test that fails must not leave it behind for ever.
"""

import os
import sys
import time

LIFE_SECONDS = 30

end = time.monotonic() + LIFE_SECONDS
file = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
while time.monotonic() < end:
    os.write(file, b".")
    if os.fork():
        os._exit(0)
    os.setsid()
