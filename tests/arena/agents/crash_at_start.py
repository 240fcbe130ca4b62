"""Ends before it has read anything."""

import sys

sys.stderr.write("no licence found\n")
sys.exit(3)
