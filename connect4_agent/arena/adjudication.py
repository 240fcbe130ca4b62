"""Adjudication: the exact result of a game that is nearly over, for hosts that do not want it played out."""

from __future__ import annotations

from connect4_agent.engine.exact import exact_scores
from connect4_agent.rules.position import Position

MAX_EMPTY = 16
"""With this few empty cells the solver takes a tenth of a millisecond on 7x6, and 12 ms at worst on the oddest board.

A bound in cells, not in seconds or nodes: what is adjudicated must not depend on the machine, or on what the
solver's table happens to hold.
"""


def is_near_end(position: Position) -> bool:
    """Whether so little is left that a game may be adjudicated; on small boards, no more than half of the cells."""
    return position.empty_count <= min(MAX_EMPTY, position.width * position.height // 2)


def adjudicated_winner(position: Position) -> int | None:
    """The player who wins a game that is not over if both play perfectly from here on; None for a draw."""
    score = exact_scores(position.width, position.height, threads=1).score(position)
    if score == 0:
        return None
    return position.player if score > 0 else 3 - position.player
