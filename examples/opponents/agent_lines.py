"""The protocol of connect4-agent for an opponent in Python: a request a line in, a move a line out."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Board:
    """The rows from the top, 0 empty, 1 the player who began, 2 the other one; and which of them is to move."""

    rows: list[list[int]]
    player: int


def board_of(request: dict[str, object]) -> Board:
    """The board of a request, in which either player may have begun: whoever has as many discs as the other did."""
    grid = request["grid"]
    assert isinstance(grid, list)
    counts = [sum(column.count(player) for column in grid) for player in (1, 2)]
    player = request.get("player")
    if player not in (1, 2):
        player = 2 if counts[1] < counts[0] else 1
    assert isinstance(player, int)
    is_first = counts[player - 1] >= counts[2 - player]
    names = (0, 1, 2) if is_first == (player == 1) else (0, 2, 1)
    return Board([[names[cell] for cell in row] for row in zip(*grid, strict=True)], 1 if is_first else 2)


def serve(choose: Callable[[Board], int]) -> None:
    """Answer every request with what `choose` says, or with an error, until the input ends."""
    for line in sys.stdin:
        if not line.strip():
            continue
        try:
            answer: dict[str, object] = {"move": int(choose(board_of(json.loads(line))))}
        except Exception as error:  # whatever is wrong with one request, the next one is answered
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)
