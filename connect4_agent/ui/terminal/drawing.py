"""Drawing: the board as lines of text, each piece with the role it plays in the picture; colours come later."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from connect4_agent.engine.analysis import Analysis
from connect4_agent.rules.geometry import Cell
from connect4_agent.ui.terminal.session import Game

Span = tuple[str, str]
"""A piece of text and its role in the picture, which console.STYLES has a style for; empty for plain text."""

Line = tuple[Span, ...]

CELL = 3
PITCH = 4
"""The signs in a cell, and from a cell to the next."""


class Signs(NamedTuple):
    """The signs of the picture: two shapes for the discs, the same for threats, and the frame from left to right."""

    discs: tuple[str, str]
    threats: str
    upright: str
    level: str
    top: tuple[str, str, str]
    middle: tuple[str, str, str]
    bottom: tuple[str, str, str]


UNICODE = Signs(("●", "○"), "•◦", "│", "─", ("┌", "┬", "┐"), ("├", "┼", "┤"), ("└", "┴", "┘"))
ASCII = Signs(("X", "O"), "xo", "|", "-", ("+", "+", "+"), ("+", "+", "+"), ("+", "+", "+"))


def board_lines(
    game: Game, scores: Analysis | None, signs: Signs, marked: Container[Cell] = (), *, is_tall: bool
) -> list[Line]:
    """Return the board, the numbers of its columns, and a line for the scores, which is empty without them.

    A tall board has lines between its rows. Marked cells have stars beside their disc, or one in its place.
    """
    numbers = _below(map(str, range(1, game.width + 1)), game.columns[-1:])
    board = [*_frame_and_rows(game, signs, marked, is_tall=is_tall), numbers]
    if scores is None:
        return [*board, ()]
    texts = ("" if column is None else column.sign()[:PITCH] for column in scores.columns)
    return [*board, _below(texts, scores.best_columns)]


def width_of(line: Line) -> int:
    """Return the number of signs in a line."""
    return sum(len(text) for text, _ in line)


def plain(line: Line) -> str:
    """Return the line without roles."""
    return "".join(text for text, _ in line).rstrip()


def _frame_and_rows(game: Game, signs: Signs, marked: Container[Cell], *, is_tall: bool) -> Iterator[Line]:
    grid, four, last = game.position.grid(), game.four, game.last_cell
    edge: Span = (signs.upright, "frame")
    if is_tall:
        yield _rule(game.width, signs.level, signs.top)
    for row in range(game.height - 1, -1, -1):
        line = [edge]
        for column in range(game.width):
            player, cell = grid[column][game.height - 1 - row], (column, row)
            left, right = "[]" if cell in four else "**" if cell in marked else "()" if cell == last else "  "
            role = "four" if cell in four else f"disc-{player}"
            empty = (" * ", "strong") if cell in marked else (" " * CELL, "")
            line += [(f"{left}{signs.discs[player - 1]}{right}", role) if player else empty, edge]
        yield tuple(line)
        if is_tall and row > 0:
            yield _rule(game.width, signs.level, signs.middle)
    yield _rule(game.width, signs.level, signs.bottom)


def _rule(width: int, level: str, corners: tuple[str, str, str]) -> Line:
    left, between, right = corners
    return ((left + between.join([level * CELL] * width) + right, "frame"),)


def _below(texts: Iterable[str], strong: Container[int]) -> Line:
    """Return a line with a text for every column; the last of one or two signs is below the middle of the disc."""
    fields = (f"{text:>2}".ljust(PITCH) for text in texts)
    return ((" ", ""), *((field, "strong" if column in strong else "") for column, field in enumerate(fields)))
