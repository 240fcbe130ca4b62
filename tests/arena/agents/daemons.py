"""Starts as many daemons as its argument says at each move, one after the other, each of which ends at once."""

import os
import sys
import time

for _ in sys.stdin:
    for _ in range(int(sys.argv[1])):
        child = os.fork()
        if child == 0:
            if os.fork() == 0:
                os._exit(0)
            os._exit(0)
        os.waitpid(child, 0)
    time.sleep(0.3)  # for the guard to count
    sys.stdout.write('{"move":0}\n')
    sys.stdout.flush()
