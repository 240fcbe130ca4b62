"""Plays the last open column, and notes in its second argument, a file, whether its first one keeps changing."""

import json
import sys
import time
from pathlib import Path

LOOKS = 100
SECONDS = 0.05

watched, notes = map(Path, sys.argv[1:])
for line in sys.stdin:
    note = "moving"
    for _ in range(LOOKS):
        before = watched.read_bytes()
        time.sleep(SECONDS)
        if watched.read_bytes() == before:
            note = "still"
            break
    with notes.open("a") as file:
        file.write(f"{note}\n")
    grid = json.loads(line)["grid"]
    move = max(column for column, cells in enumerate(grid) if cells[0] == 0)
    sys.stdout.write(json.dumps({"move": move}) + "\n")
    sys.stdout.flush()
