"""Starts as many children as its argument says when it is asked first, each of which stays, and answers then."""

import os
import sys
import time

for number, _ in enumerate(sys.stdin):
    for _ in range(int(sys.argv[1]) if number == 0 else 0):
        if os.fork() == 0:
            time.sleep(3600)
    if number == 0:
        time.sleep(float(sys.argv[2]))
    sys.stdout.write('{"move":0}\n')
    sys.stdout.flush()
