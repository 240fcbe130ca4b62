"""Takes as many megabytes as its argument says when it is asked first, in as many processes as its second one says."""

import os
import sys
import time

sys.stdin.readline()
for _ in range(int(sys.argv[2]) - 1):
    if os.fork() == 0:
        break
taken = b"x" * (int(sys.argv[1]) * 1_000_000 // int(sys.argv[2]))
time.sleep(3600)
