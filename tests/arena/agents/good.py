"""Plays the first open column, as it should be done."""

import json
import sys

for line in sys.stdin:
    grid = json.loads(line)["grid"]
    move = next(column for column, cells in enumerate(grid) if cells[0] == 0)
    sys.stdout.write(json.dumps({"move": move}) + "\n")
    sys.stdout.flush()
