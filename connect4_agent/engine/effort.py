"""How hard proofs are on boards of a size, and how long to wait for them if no limit is set.

The measure is the number of nodes that the solver needs to prove the empty board. It is known in advance
(`python -m tools.benchmarks.empty_boards` computes it, and a test proves some boards again): at run time it would
take as long as the search for a move.
"""

from __future__ import annotations

from connect4_agent.engine.kernel import forms
from connect4_agent.rules.position import USUAL_SIZE

PROVABLE_NODES = 60_000_000
"""Boards whose empty position takes no more nodes than this are worth waiting for."""

PROVABLE_ROWS = (40, 31, 20, 11, 8, 6, 6, 4, 4, 2, 2, 2, *(1,) * 12)
"""The rows of the highest such board, by its columns from 1 on; wider boards are too hard."""

QUICK_NODES = 2_000_000
"""With no more nodes than this, the scores of all columns take about a second at most."""

QUICK_ROWS = (40, 30, 14, 8, 6, 5, 4, 3, 2, 2, *(1,) * 10)
"""The same as PROVABLE_ROWS, for QUICK_NODES."""

PROVABLE_SECONDS = 10.0
OTHER_SECONDS = 2.0

SOLVER_SHARE = 0.5
"""The part of a time limit that the solver gets before a search takes over."""

PATIENT_SHARE = 0.9
"""The same if no limit is set and a proof can be expected."""


def is_quick(width: int, height: int, form: str | None = None) -> bool:
    """Whether exact scores on boards of this size nearly always take at most a second."""
    is_fast = forms.solver_form(width, height, form) != forms.PLAIN
    return is_fast and ((width, height) == USUAL_SIZE or _is_within(QUICK_ROWS, width, height))


def is_provable(width: int, height: int, form: str | None = None) -> bool:
    """Whether the solver, compiled, proves the empty board within PROVABLE_NODES."""
    return forms.solver_form(width, height, form) != forms.PLAIN and _is_within(PROVABLE_ROWS, width, height)


def default_seconds(width: int, height: int, form: str | None = None) -> float | None:
    """The time for exact scores if no limit is set; None, where they are quick, is as long as it takes."""
    if is_quick(width, height, form):
        return None
    return PROVABLE_SECONDS if is_provable(width, height, form) else OTHER_SECONDS


def default_share(width: int, height: int, form: str | None = None) -> float:
    """The part of the default time that the solver gets."""
    return PATIENT_SHARE if is_provable(width, height, form) else SOLVER_SHARE


def _is_within(rows: tuple[int, ...], width: int, height: int) -> bool:
    return width <= len(rows) and height <= rows[width - 1]
