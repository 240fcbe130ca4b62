"""Talks to the manager: a request in each line, a move in each answer. The thinking is in strategy.py."""

import json
import sys
import traceback
from typing import Any

from strategy import choose


def player_of(request: dict[str, Any]) -> int:
    """Who is to move: as the request says, or else the command line, or else the discs on the board."""
    if "player" in request:
        return int(request["player"])
    for word in sys.argv[1:]:  # --player 1 --width 7 --height 6, or 1 1 7 7 6 6
        if word in ("1", "2"):
            return int(word)
    cells = [cell for column in request["grid"] for cell in column]
    return 2 if cells.count(2) < cells.count(1) else 1


for line in sys.stdin:
    text = line.strip().lstrip("\ufeff")  # some managers begin with a byte order mark
    if not text:
        continue
    try:
        request = json.loads(text)
        reply: dict[str, Any] = {"move": choose(request["grid"], player_of(request))}
    except Exception as error:  # a bad request, or a mistake in the strategy, should cost one answer, not the game
        traceback.print_exc()
        reply = {"error": repr(error)}
    # Only answers go to standard output, and at once; print anything else to sys.stderr.
    print(json.dumps(reply), flush=True)
