"""Finds what is wrong with an impossible position, once it is known that something is."""

from __future__ import annotations

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
