"""Positions as text: move strings, drawings, and the call that makes a position."""

from __future__ import annotations

from collections.abc import Iterable

from connect4_agent import errors
from connect4_agent.rules.position import DISC_SIGNS, MOVE_SIGNS, USUAL_SIZE, Position
from connect4_agent.text import short


def after_moves(position: Position, moves: str) -> Position:
    """Play a move string for people. Raises NotationError."""
    if not isinstance(moves, str):
        raise errors.NotationError(
            f"moves is {short(repr(moves))}; allowed is a text such as '4453', with columns counted from 1 "
            "(`after` plays a list of columns counted from 0)"
        )
    for number, sign in enumerate(moves, 1):
        column = MOVE_SIGNS.find(sign.lower())
        if not 0 <= column < position.width:
            last = MOVE_SIGNS[min(position.width, len(MOVE_SIGNS)) - 1]
            raise errors.NotationError(f"move {number} of {moves!r} is {sign!r}; the columns are 1 to {last}")
        if position.winner is not None:
            raise errors.NotationError(
                f"move {number} of {moves!r} comes after the end: player {position.winner} has four in a row"
            )
        try:
            position = position.drop(column)
        except errors.IllegalMoveError:  # its message counts columns from 0
            raise errors.NotationError(f"move {number} of {moves!r}: column {sign} is full") from None
    return position


def moves_of(columns: Iterable[int]) -> str:
    """Columns as a move string."""
    return "".join(MOVE_SIGNS[column] for column in columns)


def rows_of(drawing: str) -> list[list[int]]:
    """The rows of a drawing, the top row first. Raises NotationError for a sign that is not a cell."""
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


def drawing_of(position: Position) -> str:
    """The board as lines of text, the top row first, with the column numbers below."""
    lines = [" ".join(DISC_SIGNS[cell] for cell in row) for row in zip(*position.grid(), strict=True)]
    if position.width <= len(MOVE_SIGNS):
        lines.append(" ".join(MOVE_SIGNS[: position.width]))
    return "\n".join(lines)


def call_of(position: Position) -> str:
    """A call that makes the position."""
    if position.occupied:
        rows = "/".join("".join(DISC_SIGNS[cell] for cell in row) for row in zip(*position.grid(), strict=True))
        return f"Position.from_drawing({rows!r}, player={position.player})"
    given = {"width": position.width, "height": position.height, "player": position.player}
    usual = dict(zip(given, (*USUAL_SIZE, 1), strict=True))
    return f"Position({', '.join(f'{name}={value}' for name, value in given.items() if value != usual[name])})"
