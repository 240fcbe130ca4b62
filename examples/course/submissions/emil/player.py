"""Plays at random. It greets its users first, which no tournament understands."""

import json
import random
import sys

print("*** EmilBot 2.0, ready to play! ***", flush=True)

for line in sys.stdin:
    grid = json.loads(line)["grid"]
    move = random.choice([column for column, cells in enumerate(grid) if cells[0] == 0])
    print(json.dumps({"move": move}), flush=True)
