"""Plays the last open column."""

import json
import sys

for line in sys.stdin:
    grid = json.loads(line)["grid"]
    move = max(column for column, cells in enumerate(grid) if cells[0] == 0)
    sys.stdout.write(json.dumps({"move": move}) + "\n")
    sys.stdout.flush()
