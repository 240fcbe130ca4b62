"""Plays the first open column after as many seconds of processor time as its argument says."""

import json
import sys
import time

for line in sys.stdin:
    until = time.process_time() + float(sys.argv[1])
    while time.process_time() < until:
        pass
    grid = json.loads(line)["grid"]
    move = next(column for column, cells in enumerate(grid) if cells[0] == 0)
    sys.stdout.write(json.dumps({"move": move}) + "\n")
    sys.stdout.flush()
