"""The cells of a board as bits, in Python's own integers (position.py draws the layout).

A column takes `stride` = height + 1 bits, the bottom cell lowest; the bit above the top cell stays 0.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LARGEST_SIDE = 100
"""The most columns, and the most rows, that a board may have."""

Cell = tuple[int, int]
"""A column and a row, both counted from 0 at the bottom left."""


def stride_of(height: int) -> int:
    """Return the distance between the bits of two neighbouring columns: the rows and the bit that is always empty."""
    return height + 1


@lru_cache(maxsize=64)
def bottom_cells(width: int, height: int) -> int:
    """Return the lowest cell of every column."""
    return sum(1 << column * (height + 1) for column in range(width))


def rows_of_cells(width: int, height: int, rows: Iterable[int]) -> int:
    """Return every cell of these rows, counted from 0 at the bottom."""
    return bottom_cells(width, height) * sum(1 << row for row in rows)


@lru_cache(maxsize=64)
def board_cells(width: int, height: int) -> int:
    """Return every cell."""
    return rows_of_cells(width, height, range(height))


def column_cells(height: int, column: int) -> int:
    """Return every cell of a column."""
    return (1 << height) - 1 << column * (height + 1)


def line_stride(width: int, height: int) -> int:
    """Return the distance between the bits of two neighbouring columns; 0 if the board has upright lines only."""
    return height + 1 if width >= 4 else 0


def steps_of(stride: int) -> tuple[int, int, int, int]:
    """Return the steps from a cell of a line to the next: right, up, up to the right, down to the right."""
    return stride, 1, stride + 1, stride - 1


def fours_along(discs: int, step: int) -> int:
    """Return the first cell of every four of the discs that are in a line with this step."""
    pairs = discs & discs >> step
    return pairs & pairs >> 2 * step


def has_four(discs: int, stride: int) -> bool:
    """Check whether four of the discs are in a line."""
    # `fours_along` written out for every direction: each move of a Position waits for this.
    pairs = discs & discs >> 1
    if pairs & pairs >> 2:
        return True
    pairs = discs & discs >> stride - 1
    if pairs & pairs >> 2 * stride - 2:
        return True
    pairs = discs & discs >> stride
    if pairs & pairs >> 2 * stride:
        return True
    pairs = discs & discs >> stride + 1
    return pairs & pairs >> 2 * stride + 2 != 0


def has_four_across(discs: int, stride: int) -> bool:
    """Check whether four of the discs are in a line that is not upright."""
    return bool(fours_along(discs, stride) or fours_along(discs, stride + 1) or fours_along(discs, stride - 1))


def find_lines(discs: int, stride: int) -> Iterator[list[Cell]]:
    """Yield the lines of four discs or more, each as its cells from its left or lower end."""
    for step in steps_of(stride):
        starts = fours_along(discs, step)
        while starts:
            line = [(starts & -starts).bit_length() - 1]
            while discs >> line[-1] + step & 1:
                line.append(line[-1] + step)
            starts &= ~sum(1 << bit for bit in line)
            yield [divmod(bit, stride) for bit in line]
