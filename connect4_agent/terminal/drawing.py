"""Drawing: the board as lines of text, each piece with the role it plays in the picture; colours come later."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

from connect4_agent.engine.analysis import OPINION, Analysis
from connect4_agent.terminal.game import Cell, Game

Span = tuple[str, str]
"""A piece of text and its role in the picture, which console.STYLES has a style for; empty for plain text."""

Line = tuple[Span, ...]

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
    has_colours: bool = False
    """Large discs are then areas of colour, with one sign in the middle."""


UNICODE = Signs(("●", "○"), "│", "─", ("┌", "┬", "┐"), ("├", "┼", "┤"), ("└", "┴", "┘"))
ASCII = Signs(("X", "O"), "|", "-", ("+", "+", "+"), ("+", "+", "+"), ("+", "+", "+"))


@dataclass(frozen=True, slots=True)
class Style:
    """How large the board is drawn: the signs from cell to cell, and whether lines run between the rows."""

    pitch: int = WIDE_PITCH
    is_tall: bool = True
    rows: int = 1
    """Of text, in a cell."""

    @property
    def has_frames(self) -> bool:
        """Whether a frame is between two cells."""
        return self.pitch != NARROW_PITCH

    @property
    def cell_width(self) -> int:
        """The signs in a cell."""
        return self.pitch - self.has_frames


LARGE_STYLES = (Style(14, rows=6), Style(10, rows=4), Style(8, rows=3), Style(6, rows=2))
"""For large windows, the largest first. A sign is about twice as high as it is wide."""


def board_lines(game: Game, hints: Analysis | None, signs: Signs, style: Style) -> list[Line]:
    """The board, the numbers of its columns, and a line for the scores, which is empty without hints."""
    return [
        *_frame_and_rows(game, signs, style),
        _below(map(str, range(1, game.width + 1)), game.columns[: game.ply][-1:], style),
        _below(_scores(hints, style), hints.best_columns, style) if hints is not None else (),
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
    between: Line = ((signs.upright, "frame"),) if style.has_frames else ()
    edge: Span = (signs.upright, "frame")
    for row in range(game.height - 1, -1, -1):
        cells = [
            _cell(signs, grid[column][game.height - 1 - row], (column, row), four, last, style)
            for column in range(game.width)
        ]
        for parts in zip(*cells, strict=True):
            yield (edge, *(span for part in parts[:-1] for span in (*part, *between)), *parts[-1], edge)
        if style.is_tall and row > 0:
            yield _rule(game.width, signs.level, signs.middle, style)
    yield _rule(game.width, signs.level, signs.bottom, style)


def _cell(
    signs: Signs, player: int, cell: Cell, four: frozenset[Cell], last: Cell | None, style: Style
) -> tuple[Line, ...]:
    """The rows of a cell, from its top: a disc is rounder the more there are."""
    width = style.cell_width
    if player == 0:
        return (((" " * width, ""),),) * style.rows
    role = "four" if cell in four else f"disc-{player}"
    marks = ("[", "]") if cell in four else ("(", ")") if cell == last else (" ", " ")
    sign = signs.discs[player - 1]
    rows: list[Line] = []
    for row in range(style.rows):
        is_edge = style.rows > 2 and row in (0, style.rows - 1)
        is_middle = row == (style.rows - 1) // 2
        inner = width - (4 if is_edge else 2)
        filling = sign * inner if not signs.has_colours else (sign if is_middle else "").center(inner)
        left, right = marks if is_middle else (" ", " ")
        margin: Line = ((" ", ""),) if is_edge else ()
        rows.append((*margin, (f"{left}{filling}{right}", role), *margin))
    return tuple(rows)


def _rule(width: int, level: str, corners: tuple[str, str, str], style: Style) -> Line:
    left, between, right = corners
    return ((left + (between if style.has_frames else "").join([level * style.cell_width] * width) + right, "frame"),)


def _scores(hints: Analysis, style: Style) -> list[str]:
    texts = ["" if column is None else column.sign() for column in hints.columns]
    if max(map(len, texts)) > style.pitch:  # no room for opinions in figures: whether they are good or bad says enough
        texts = [text[:2] if text.startswith(OPINION) else text for text in texts]
    return texts


def _below(texts: Iterable[str], strong: Container[int], style: Style) -> Line:
    """A text for every column, in a field as wide as a cell with its frame.

    The last of one or two signs is under the disc's middle.
    """
    fields = (f"{text:>{style.cell_width // 2 + 1}}".ljust(style.pitch) for text in texts)
    return ((" ", ""), *((field, "strong" if column in strong else "") for column, field in enumerate(fields)))
