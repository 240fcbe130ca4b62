"""Takes its first request at once, and thinks about it for as many seconds as its argument says."""

import sys
import time

for number, _ in enumerate(sys.stdin):
    if number == 0:
        time.sleep(float(sys.argv[1]))
    sys.stdout.write('{"move":0}\n')
    sys.stdout.flush()
