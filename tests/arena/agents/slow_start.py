"""Takes its time before it reads its first request, then answers at once."""

import sys
import time

time.sleep(float(sys.argv[1]))
for _ in sys.stdin:
    sys.stdout.write('{"move":0}\n')
    sys.stdout.flush()
