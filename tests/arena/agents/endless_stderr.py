"""Writes to standard error without end, and never answers."""

import sys

while True:
    sys.stderr.write("x" * 100_000)
