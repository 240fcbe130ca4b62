"""Drawing: the board as lines of text, each piece with the role it plays in the picture; colours come later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from connect4_agent.play.hints import OPINION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from connect4_agent.play.game import Cell, Game
    from connect4_agent.play.hints import Hints

Span = tuple[str, str]
"""A piece of text and its role: one of ROLES, or empty for plain text."""

Line = tuple[Span, ...]

ROLES = ("disc-1", "disc-2", "four", "frame", "strong", "quiet", "notice")

WIDE_PITCH = 4
"""A cell of three signs and the frame between two cells."""

NARROW_PITCH = 3
"""Cells without a frame between them."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What the picture is made of: two shapes for the discs, and the frame from left to right."""

    discs: tuple[str, str]
    upright: str
    level: str
    top: tuple[str, str, str]
    middle: tuple[str, str, str]
    bottom: tuple[str, str, str]


UNICODE = Signs(("●", "○"), "│", "─", ("┌", "┬", "┐"), ("├", "┼", "┤"), ("└", "┴", "┘"))
ASCII = Signs(("X", "O"), "|", "-", ("+", "+", "+"), ("+", "+", "+"), ("+", "+", "+"))


@dataclass(frozen=True, slots=True)
class Style:
    """How large the board is drawn: the signs from cell to cell, and whether lines run between the rows."""

    pitch: int = WIDE_PITCH
    is_tall: bool = True


def board_lines(game: Game, hints: Hints | None, signs: Signs, style: Style) -> list[Line]:
    """The board, the numbers of its columns, and a line for the scores, which is empty without hints."""
    return [
        *_frame_and_rows(game, signs, style),
        _numbers(game, style),
        _scores(hints, style) if hints is not None else (),
    ]


def width_of(line: Line) -> int:
    """The signs in a line."""
    return sum(len(text) for text, _ in line)


def plain(line: Line) -> str:
    """The line without roles."""
    return "".join(text for text, _ in line).rstrip()


def _frame_and_rows(game: Game, signs: Signs, style: Style) -> Iterator[Line]:
    grid, four, last = game.position.grid(), game.four, game.last_cell
    if style.is_tall:
        yield _rule(game.width, signs.level, signs.top, style)
    for row in range(game.height - 1, -1, -1):
        cells = [
            _cell(signs, grid[column][game.height - 1 - row], (column, row), four, last) for column in range(game.width)
        ]
        between: Line = ((signs.upright, "frame"),) if style.pitch == WIDE_PITCH else ()
        edge: Span = (signs.upright, "frame")
        yield (edge, *(span for cell in cells[:-1] for span in (cell, *between)), cells[-1], edge)
        if style.is_tall and row > 0:
            yield _rule(game.width, signs.level, signs.middle, style)
    yield _rule(game.width, signs.level, signs.bottom, style)


def _cell(signs: Signs, player: int, cell: Cell, four: frozenset[Cell], last: Cell | None) -> Span:
    if player == 0:
        return "   ", ""
    disc = signs.discs[player - 1]
    if cell in four:
        return f"[{disc}]", "four"
    return f"({disc})" if cell == last else f" {disc} ", f"disc-{player}"


def _rule(width: int, level: str, corners: tuple[str, str, str], style: Style) -> Line:
    left, between, right = corners
    if style.pitch == NARROW_PITCH:
        between = ""
    return ((left + between.join([level * 3] * width) + right, "frame"),)


def _numbers(game: Game, style: Style) -> Line:
    last_column = game.last_cell[0] if game.last_cell is not None else None
    fields = (
        (_centred(str(column + 1), style.pitch), "strong" if column == last_column else "")
        for column in range(game.width)
    )
    return ((" ", ""), *fields)


def _scores(hints: Hints, style: Style) -> Line:
    texts = ["" if worth is None else worth.sign() for worth in hints.worths]
    if max(map(len, texts)) > style.pitch:  # no room for opinions in figures: whether they are good or bad says enough
        texts = [text[:2] if text.startswith(OPINION) else text for text in texts]
    best = hints.best_columns
    fields = (
        (_centred(text, style.pitch), "strong" if column in best else "quiet") for column, text in enumerate(texts)
    )
    return ((" ", ""), *fields)


def _centred(text: str, pitch: int) -> str:
    """The text in a field as wide as a cell with its frame; the last of one or two signs stands under the disc."""
    return f"{text:>2}".ljust(pitch)
