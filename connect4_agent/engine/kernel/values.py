"""The values of a search, and their meaning.

A value is from the side to move. A win by a disc that leaves e cells empty is worth WIN + e, a loss
-(WIN + e): sooner wins are worth more and later losses cost less, regardless of the position the search
began with. A draw is worth 0, and everything between is an evaluator's opinion.
"""

WIN = 1 << 30

VALUE_LIMIT = 1 << 29
"""Every evaluator's values lie strictly between minus this and this, on every possible board."""

MAX_PLIES = 200
"""The deepest search, far below the interpreter's own limit of recursion."""


def is_decided(value: int) -> bool:
    """Check whether a value says who wins, rather than an evaluator's opinion or a draw."""
    return abs(value) > VALUE_LIMIT


def exact_score(value: int) -> int:
    """Return a decided value as public solvers count: +k wins with the winner's k-th last disc, -k loses likewise."""
    empties = abs(value) - WIN
    discs_left = empties // 2 + 1
    return discs_left if value > 0 else -discs_left
