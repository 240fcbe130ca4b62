"""Plays the column with the fewest discs. It prints a Python dictionary, which is not JSON."""

import json
import sys

for line in sys.stdin:
    grid = json.loads(line)["grid"]
    free = {column: cells.count(0) for column, cells in enumerate(grid) if cells[0] == 0}
    print({"move": max(free, key=free.get)}, flush=True)
