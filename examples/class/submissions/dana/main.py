"""Plays the leftmost open column of the half that it likes. Needs --player N --width W --height H."""

import argparse
import json
import sys

parser = argparse.ArgumentParser()
for name in ("player", "width", "height"):
    parser.add_argument(f"--{name}", type=int, required=True)
options = parser.parse_args()
first = (options.player - 1) * options.width // 2

for line in sys.stdin:
    grid = json.loads(line)["grid"]
    order = [*range(first, options.width), *range(first)]
    print(json.dumps({"move": next(column for column in order if grid[column][0] == 0)}), flush=True)
