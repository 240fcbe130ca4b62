"""Adjudication: the exact result of a game that is nearly over, where a host does not want it played out."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from connect4_agent.engine import speed
from connect4_agent.engine.search import do_nothing

if TYPE_CHECKING:
    from connect4_agent.engine.solver import Solver
    from connect4_agent.position import Position

MOST_EMPTY = 16
"""Of so few empty cells the solver takes a tenth of a millisecond on 7x6, and 12 ms at worst on the oddest board.

A bound in cells, not in seconds or nodes: what is adjudicated must not depend on the machine, or on what the
solver's table happens to hold.
"""

_own = threading.local()


def is_near_end(position: Position) -> bool:
    """Whether so little is left that a game may be adjudicated; on small boards, no more than half of the cells."""
    return position.empty_count <= min(MOST_EMPTY, position.width * position.height // 2)


def adjudicated_winner(position: Position) -> int | None:
    """The player who wins a game that is not over if both play perfectly from here on; None for a draw."""
    score = _solver(position.width, position.height).score(position.own, position.opponent, do_nothing)
    if score == 0:
        return None
    return position.player if score > 0 else 3 - position.player


def _solver(width: int, height: int) -> Solver:
    """This thread's solver for boards of this size; games of one run have the same size."""
    if getattr(_own, "size", None) != (width, height):
        _own.size = (width, height)
        _own.solver = speed.new_solver(width, height)
    solver: Solver = _own.solver
    return solver
