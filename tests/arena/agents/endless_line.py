"""Prints a line that has no end."""

import sys

sys.stdin.readline()
while True:
    sys.stdout.write("x" * 65536)
