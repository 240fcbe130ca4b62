"""Makes its input pipe as small as it can be once it is empty, and plays column 0."""

import fcntl
import sys

for number, _ in enumerate(sys.stdin):
    if number == 0:
        fcntl.fcntl(0, fcntl.F_SETPIPE_SZ, 4096)
    sys.stdout.write('{"move":0}\n')
    sys.stdout.flush()
