"""Plays the first open column, but begins a game only once the test lets it through.

Usage: gated.py FOLDER

At its first move of a game, after an opening of four plies, it adds a line to FOLDER/begun. If that is line number N,
it waits until the number in FOLDER/let_through is at least N.
"""

import json
import sys
import time
from pathlib import Path

folder = Path(sys.argv[1])


def wait_to_begin() -> None:
    """Wait at the gate."""
    with (folder / "begun").open("ab", buffering=0) as begun:
        begun.write(b".\n")
    number = (folder / "begun").read_bytes().count(b"\n")
    while int((folder / "let_through").read_text(encoding="ascii")) < number:
        time.sleep(0.01)


for line in sys.stdin:
    grid = json.loads(line)["grid"]
    if sum(cell != 0 for cells in grid for cell in cells) <= 5:
        wait_to_begin()
    move = next(column for column, cells in enumerate(grid) if cells[0] == 0)
    sys.stdout.write(json.dumps({"move": move}) + "\n")
    sys.stdout.flush()
