"""Answers the first request with column 0, and every later one with its argument."""

import sys

later = sys.argv[1]
for number, _ in enumerate(sys.stdin):
    sys.stdout.write('{"move":0}\n' if number == 0 else later + "\n")
    sys.stdout.flush()
