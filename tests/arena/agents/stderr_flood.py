"""Writes 10 MB to standard error before every answer, and ends at its third request."""

import sys

for number, _ in enumerate(sys.stdin):
    for _ in range(160):
        sys.stderr.write("thinking" * 8191 + "\n")
    if number == 2:
        sys.stderr.write("the end\n")
        sys.exit(5)
    sys.stdout.write('{"move":0}\n')
    sys.stdout.flush()
