"""Plays the first open column; from its first move on, a thread counts in the file that its argument names."""

import itertools
import json
import sys
import threading
from pathlib import Path


def count() -> None:
    """Never end."""
    with Path(sys.argv[1]).open("r+b", buffering=0) as file:
        for number in itertools.count():
            file.seek(0)
            file.write(b"%020d" % number)


pondering = threading.Thread(target=count, daemon=True)
for line in sys.stdin:
    if not pondering.is_alive():
        pondering.start()
    grid = json.loads(line)["grid"]
    move = next(column for column, cells in enumerate(grid) if cells[0] == 0)
    sys.stdout.write(json.dumps({"move": move}) + "\n")
    sys.stdout.flush()
