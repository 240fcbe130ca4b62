"""The text forms of a game: move strings and drawings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.text import short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MOVE_SIGNS = "123456789abcdefghijklmnopqrstuvwxyz"
"""The character for each column in a move string: 1 is the leftmost column, a the tenth."""

DISC_SIGNS = ".XO"
"""The characters for an empty cell and for the two players' discs in a drawing."""


def parse_moves(moves: str, width: int = len(MOVE_SIGNS)) -> tuple[int, ...]:
    """Return the columns of a move string, counted from 0. Raises NotationError for a sign that is not a column."""
    if not isinstance(moves, str):
        raise errors.NotationError(
            f"moves is {short(repr(moves))}; allowed is a text such as '4453', with columns counted from 1 "
            "(`after` plays a list of columns counted from 0)"
        )
    columns = tuple(MOVE_SIGNS.find(sign.lower()) for sign in moves)
    for number, column in enumerate(columns, 1):
        if not 0 <= column < width:
            sign, last = moves[number - 1], MOVE_SIGNS[min(width, len(MOVE_SIGNS)) - 1]
            raise errors.NotationError(f"move {number} of {moves!r} is {sign!r}; the columns are 1 to {last}")
    return columns


def format_moves(columns: Iterable[int]) -> str:
    """Return columns as a move string."""
    return "".join(MOVE_SIGNS[column] for column in columns)


def parse_drawing(drawing: str) -> list[list[int]]:
    """Return the rows of a drawing, the top row first. Raises NotationError for a sign that is not a cell."""
    if not isinstance(drawing, str):
        raise errors.NotationError(
            f"the drawing is {short(repr(drawing))}; allowed is a text of {', '.join(DISC_SIGNS)}"
        )
    rows = ["".join(line.split()) for line in drawing.replace("/", "\n").splitlines() if line.strip()]
    if rows and rows[-1] == MOVE_SIGNS[: len(rows[-1])]:
        rows.pop()
    for number, row in enumerate(rows, 1):
        for sign in row:
            if sign not in DISC_SIGNS:
                raise errors.NotationError(
                    f"row {number} of the drawing has {sign!r}; allowed are {', '.join(DISC_SIGNS)}"
                )
    return [[DISC_SIGNS.index(sign) for sign in row] for row in rows]


def format_rows(grid: Sequence[Sequence[int]]) -> Iterator[str]:
    """Yield the rows of a grid of columns as texts of disc signs, the top row first."""
    return ("".join(DISC_SIGNS[cell] for cell in row) for row in zip(*grid, strict=True))


def format_drawing(grid: Sequence[Sequence[int]]) -> str:
    """Return a grid of columns as lines of text, the top row first, with the column numbers below."""
    lines = list(map(" ".join, format_rows(grid)))
    if len(grid) <= len(MOVE_SIGNS):
        lines.append(" ".join(MOVE_SIGNS[: len(grid)]))
    return "\n".join(lines)
