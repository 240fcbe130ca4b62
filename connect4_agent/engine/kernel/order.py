"""The order of the columns, and the poll of a search that nothing stops."""


def middle_first(width: int) -> list[int]:
    """The columns from the centre outwards, the left one of two first: 3, 2, 4, 1, 5, 0, 6 on width 7."""
    return sorted(range(width), key=lambda column: (abs(2 * column - (width - 1)), column))


def do_nothing() -> None:
    """The poll of a search that nothing can stop."""
