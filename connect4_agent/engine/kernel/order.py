"""The order of the columns, the orders of moves in a search, and the poll of a search that nothing stops."""

DEFAULT_ORDER = "threats"

ORDERS = (DEFAULT_ORDER, "centre", "open-chains", "evaluation")
"""The orders in which a search may try moves; search.py describes them. Equal moves: the centre first."""


def middle_first(width: int) -> list[int]:
    """Return the columns from the centre outwards, the left one of two first: 3, 2, 4, 1, 5, 0, 6 on width 7."""
    return sorted(range(width), key=lambda column: (abs(2 * column - (width - 1)), column))


def do_nothing() -> None:
    """Do nothing: the poll of a search that nothing can stop."""
