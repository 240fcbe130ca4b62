"""The cells of a board as bits, in Python's own integers (position.py draws the layout).

A column takes `stride` = height + 1 bits, the bottom cell lowest; the bit above the top cell stays 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def bottom_cells(width: int, height: int) -> int:
    """The lowest cell of every column."""
    return sum(1 << column * (height + 1) for column in range(width))


def rows_of_cells(width: int, height: int, rows: Iterable[int]) -> int:
    """Every cell of these rows, counted from 0 at the bottom."""
    return bottom_cells(width, height) * sum(1 << row for row in rows)


def board_cells(width: int, height: int) -> int:
    """Every cell."""
    return rows_of_cells(width, height, range(height))


def column_cells(height: int, column: int) -> int:
    """Every cell of a column."""
    return (1 << height) - 1 << column * (height + 1)


def has_four(discs: int, height: int) -> bool:
    """Whether four of the discs are in a line."""
    stride = height + 1
    for step in (1, stride - 1, stride, stride + 1):
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False
