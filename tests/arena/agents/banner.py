"""Greets before it answers."""

import sys

sys.stdout.write("Welcome to MegaFour 3.1\n")
sys.stdout.flush()
for _ in sys.stdin:
    sys.stdout.write('{"move":0}\n')
    sys.stdout.flush()
