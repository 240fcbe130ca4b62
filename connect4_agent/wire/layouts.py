"""Layouts: the orders in which the cells of a grid may be listed, and which of them a grid can have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from connect4_agent import errors
from connect4_agent.rules.position import USUAL_SIZE, Position

Grid = list[list[int]]


@dataclass(frozen=True, slots=True)
class Layout:
    """An order of cells: by columns or by rows, from the top or from the bottom."""

    words: str
    by_rows: bool
    from_bottom: bool
    is_flat: bool = False

    def lines(self, cells: list[int], width: int, height: int) -> Grid:
        """The lines of a flat list of cells."""
        length = width if self.by_rows else height
        return [cells[start : start + length] for start in range(0, len(cells), length)]

    def size(self, grid: Sequence[Sequence[int]]) -> tuple[int, int]:
        """The width and height of a grid whose lines are equally long."""
        return (len(grid[0]), len(grid)) if self.by_rows else (len(grid), len(grid[0]))

    def columns(self, grid: Grid) -> Sequence[Sequence[int]]:
        """The columns, each from its top cell, of a grid whose lines are equally long."""
        if self.by_rows:
            return list(zip(*(reversed(grid) if self.from_bottom else grid), strict=True))
        return [line[::-1] for line in grid] if self.from_bottom else grid


DOCUMENTED = Layout("columns", by_rows=False, from_bottom=False)
ROWS = Layout("rows, not columns", by_rows=True, from_bottom=False)
NESTED = (
    DOCUMENTED,
    Layout("columns from the bottom to the top", by_rows=False, from_bottom=True),
    ROWS,
    Layout("rows, the bottom row first", by_rows=True, from_bottom=True),
)
"""The layouts of a list of lists, the documented one first."""

FLAT = (
    Layout("rows, the top row first", by_rows=True, from_bottom=False, is_flat=True),
    Layout("rows, the bottom row first", by_rows=True, from_bottom=True, is_flat=True),
    Layout("columns from the top to the bottom", by_rows=False, from_bottom=False, is_flat=True),
    Layout("columns from the bottom to the top", by_rows=False, from_bottom=True, is_flat=True),
)
"""The layouts of a flat list, the usual one first."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The layout that a grid is read in, with its position there, and the layout to remember for later grids."""

    layout: Layout
    position: Position
    kept: Layout | None


def legal_positions(
    grids: Iterable[tuple[Layout, Grid]], player: int | None, width: int | None, height: int | None
) -> dict[Layout, Position]:
    """The position in every layout in which no disc floats and the sizes agree, as far as they are stated."""
    found = {}
    for layout, grid in grids:
        if len({len(line) for line in grid}) != 1 or not grid[0]:
            continue
        actual_width, actual_height = layout.size(grid)
        if width not in (None, actual_width) or height not in (None, actual_height):
            continue
        try:
            found[layout] = Position.from_grid(layout.columns(grid), player)
        except errors.RequestError:
            continue
    return found


def choose_layout(legal: dict[Layout, Position], usual: Layout, kept: Layout | None) -> Choice | None:
    """The layout that an earlier grid needed if it is legal, else the usual one, else the only other legal one.

    Layouts that lead to the same position count as one, but reveal nothing about later grids. Returns None if no layout
    is legal, or if the legal ones contradict each other.
    """
    if kept is not None and kept in legal:
        return Choice(kept, legal[kept], kept)
    positions = set(legal.values())
    if usual in legal:
        return Choice(usual, legal[usual], None if len(positions) == 1 else kept)
    if len(positions) != 1:
        return None
    layout = next(iter(legal))
    return Choice(layout, legal[layout], layout if len(legal) == 1 else kept)


def flat_size(count: int, width: int | None, height: int | None) -> tuple[int, int] | None:
    """The size of the board with that many cells; None if the stated sizes do not fit, or are needed and missing."""
    if width is None or height is None:
        usual_width, usual_height = USUAL_SIZE
        if width not in (None, usual_width) or height not in (None, usual_height):
            return None
        width, height = USUAL_SIZE
    return (width, height) if width > 0 and height > 0 and width * height == count else None
