"""Numbers as other programs write them: 1.0, 2e0 and "1" for integers, and several values for empty cells."""

from __future__ import annotations

import orjson

EMPTY_SIGNS = (None, "", " ")
"""Values for an empty cell, apart from 0."""


def whole(value: object) -> int | None:
    """The integer that a JSON value stands for; None if it is not one. Booleans are not."""
    if type(value) is str:
        try:
            value = orjson.loads(value)
        except orjson.JSONDecodeError:
            return None
    if type(value) is float and value.is_integer():
        return int(value)
    return value if type(value) is int else None


def player_number(value: object) -> int | None:
    """1 or 2 for a JSON value that names a player; -1 is player 2. None for any other."""
    number = whole(value)
    if number == -1:
        return 2
    return number if number in (1, 2) else None


def cell(value: object) -> int | None:
    """0, 1 or 2 for a JSON value that stands for a cell's content; None for any other."""
    if value in EMPTY_SIGNS or whole(value) == 0:
        return 0
    return player_number(value)
