"""Answers at once, but the second request after as many seconds as its argument says."""

import sys
import time

for number, _ in enumerate(sys.stdin):
    if number == 1:
        time.sleep(float(sys.argv[1]))
    sys.stdout.write('{"move":0}\n')
    sys.stdout.flush()
