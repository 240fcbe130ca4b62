"""The short cut: reads plainly correct requests without the model, whose library takes long to load."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connect4_agent.errors import RequestError
from connect4_agent.rules.position import USUAL_SIZE, Position
from connect4_agent.server.request import request_for

if TYPE_CHECKING:
    from typing import Any

    from connect4_agent.server.request import CommandLineDefaults, Request

_USUAL_ROWS = (USUAL_SIZE[1], USUAL_SIZE[0])
_INTEGERS = frozenset((int,))


def read_plain(value: dict[str, Any], defaults: CommandLineDefaults) -> Request | None:
    """Return the request of an object that the model accepts as it is, or with what the grid itself says added.

    Return None for every other object. Raise RequestError if no column is open.
    """
    grid: Any = value.get("grid")
    if not _is_list_of_integer_lists(grid):
        return None
    width, height, player = value.get("width"), value.get("height"), value.get("player")
    if width is None or height is None or player is None:
        if len(value) > 1 + (width is not None) + (height is not None) + (player is not None):
            return None  # another key may state what is missing
        width = defaults.width if width is None else width
        height = defaults.height if height is None else height
        player = defaults.player if player is None else player
    if player is not None and (type(player) is not int or not 1 <= player <= 2):
        return None
    try:
        position = Position.from_grid(grid, player)
    except RequestError:
        return None
    columns, rows = position.width, position.height
    may_be_rows = (width is None or height is None) and (columns == rows or (columns, rows) == _USUAL_ROWS)
    is_plain = not may_be_rows and _agrees(width, columns) and _agrees(height, rows)
    return request_for(position) if is_plain else None


def _is_list_of_integer_lists(grid: Any) -> bool:
    if type(grid) is not list:
        return False
    return all(type(column) is list and _INTEGERS.issuperset(map(type, column)) for column in grid)


def _agrees(stated: object, actual: int) -> bool:
    """Return whether a size is the grid's, or not stated."""
    return stated is None or (type(stated) is int and stated == actual)
