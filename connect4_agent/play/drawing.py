"""Drawing: the board as lines of text, each piece with the role it plays in the picture; colours come later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from connect4_agent.play.game import Cell, Game
    from connect4_agent.play.hints import Hints

Span = tuple[str, str]
"""A piece of text and its role: one of ROLES, or empty for plain text."""

Line = tuple[Span, ...]

ROLES = ("disc-1", "disc-2", "four-1", "four-2", "frame", "strong", "quiet", "notice")

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
        _under_columns([str(column + 1) for column in range(game.width)], style, game.last_cell),
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
        return f"[{disc}]", f"four-{player}"
    return f"({disc})" if cell == last else f" {disc} ", f"disc-{player}"


def _rule(width: int, level: str, corners: tuple[str, str, str], style: Style) -> Line:
    left, between, right = corners
    if style.pitch == NARROW_PITCH:
        between = ""
    return ((left + between.join([level * 3] * width) + right, "frame"),)


def _under_columns(texts: list[str], style: Style, last: Cell | None) -> Line:
    """A text under each column, its last sign under the disc where it has one or two."""
    spans: list[Span] = [(" ", "")]
    for column, text in enumerate(texts):
        role = "strong" if last is not None and column == last[0] else ""
        spans.append((_centred(text, style.pitch), role))
    return tuple(spans)


def _scores(hints: Hints, style: Style) -> Line:
    best = hints.best_columns
    spans: list[Span] = [(" ", "")]
    for column, worth in enumerate(hints.worths):
        text = "" if worth is None else worth.sign()
        if len(text) > style.pitch:  # the sign of an opinion says enough
            text = text[: style.pitch - 1]
        spans.append((_centred(text, style.pitch), "strong" if column in best else "quiet"))
    return tuple(spans)


def _centred(text: str, pitch: int) -> str:
    """The text in a field as wide as a cell with its frame: the middle of one or two signs stands under the disc."""
    if len(text) >= 3:
        return text.ljust(pitch)
    return f"{text:>2}".ljust(pitch)
