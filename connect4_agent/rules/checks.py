"""Finds what is wrong with an impossible position, once it is known that something is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from connect4_agent import errors
from connect4_agent.rules.geometry import LARGEST_SIDE, board_cells, bottom_cells, stride_of
from connect4_agent.text import short


def is_whole(value: object) -> bool:
    """Check whether a value is a whole number; `True` is not."""
    return isinstance(value, int) and not isinstance(value, bool)


def refuse(width: Any, height: Any, player: Any, discs_1: Any, discs_2: Any) -> NoReturn:
    """Raise the error that names what is wrong with the fields of a position."""
    for name, value in (("width", width), ("height", height)):
        if not is_whole(value) or not 1 <= value <= LARGEST_SIDE:
            raise errors.BadValueError(f"{name} is {short(repr(value))}; allowed are 1 to {LARGEST_SIDE}")
    if not is_whole(player) or player not in (1, 2):
        raise errors.BadValueError(f"player is {short(repr(player))}; allowed are 1 and 2")
    for name, value in (("discs_1", discs_1), ("discs_2", discs_2)):
        if not isinstance(value, int):
            raise errors.BadValueError(f"{name} is {short(repr(value))}; allowed is a bit mask, a whole number")
        if value & ~board_cells(width, height):
            raise errors.BadValueError(f"{name} is {short(hex(value))}, with bits outside a board of {width}x{height}")
    if both := discs_1 & discs_2:
        raise errors.BadValueError(f"both players have a disc on {_lowest_cell(both, height)}")
    discs = discs_1 | discs_2
    floating = discs & (discs + bottom_cells(width, height))
    raise errors.BadValueError(f"the disc on {_lowest_cell(floating, height)} has an empty cell below it")


def _lowest_cell(cells: int, height: int) -> str:
    column, row = divmod((cells & -cells).bit_length() - 1, stride_of(height))
    return f"column {column}, row {row} (counted from 0 at the bottom left)"


def refuse_grid(grid: Any, row_major: bool) -> NoReturn:
    """Raise the RequestError that names what is wrong with a grid, and where."""
    line_name = "row" if row_major else "column"
    try:
        lines = [list(line) for line in grid]
    except TypeError:
        raise errors.RequestError(
            "bad_grid", f"grid is {short(repr(grid))}; allowed is a list of {line_name}s"
        ) from None
    _check_shape(lines, line_name)
    columns = list(zip(*lines, strict=True)) if row_major else lines
    width, height = len(columns), len(columns[0])
    if width > LARGEST_SIDE or height > LARGEST_SIDE:
        raise errors.RequestError(
            "board_too_large",
            f"grid is {width} columns wide and {height} rows high; "
            f"the largest board is {LARGEST_SIDE} by {LARGEST_SIDE}",
        )
    for column, cells in enumerate(columns):
        _check_column(column, cells, row_major)
    raise errors.RequestError(
        "bad_grid", f"grid is {short(repr(grid))}; allowed is a list of {line_name}s, each a list of cells"
    )


def _check_shape(lines: Sequence[Sequence[Any]], line_name: str) -> None:
    if not lines:
        raise errors.RequestError("empty_grid", f"grid is empty; it needs at least one {line_name}")
    length = len(lines[0])
    for index, line in enumerate(lines):
        if len(line) != length:
            raise errors.RequestError(
                "ragged_grid",
                f"grid[{index}] has {len(line)} cells, grid[0] has {length}; "
                f"all {line_name}s must have the same length",
            )
    if length == 0:
        raise errors.RequestError("empty_grid", f"grid[0] is empty; a {line_name} needs at least one cell")


def _check_column(column: int, cells: Sequence[Any], row_major: bool) -> None:
    empty_below = False
    for index in range(len(cells) - 1, -1, -1):
        cell = cells[index]
        if not is_whole(cell) or cell not in (0, 1, 2):
            raise errors.RequestError(
                "bad_cell", f"{_place(column, index, row_major)} is {short(repr(cell))}; a cell is 0, 1 or 2"
            )
        if cell == 0:
            empty_below = True
        elif empty_below:
            raise errors.RequestError(
                "floating_disc",
                f"{_place(column, index, row_major)} is {cell}, a disc of player {cell}, "
                f"but {_place(column, index + 1, row_major)} below it is empty",
            )


def _place(column: int, index: int, row_major: bool) -> str:
    return f"grid[{index}][{column}]" if row_major else f"grid[{column}][{index}]"
