"""Answer each request for a Connect Four move with a random open column."""

import json
import random
import sys

for line in sys.stdin:
    grid = json.loads(line)["grid"]
    columns = [column for column, cells in enumerate(grid) if cells[0] == 0]
    print(json.dumps({"move": random.choice(columns)}), flush=True)  # unflushed, the move would never arrive
