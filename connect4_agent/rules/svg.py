"""A position as an SVG picture, with the look of the page: the shapes of board.js, and the style of board.css."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Protocol

from connect4_agent import errors
from connect4_agent.rules.outcome import Cell, lines_of
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import signed

CELL = 20
LABELS = 12
EDGE = 3
HOLE = 8.3
BODY = 8.7
RIM = 6.3
RING = 3.1
CROSS = 2.8
"""The sizes of static/board.js, in the picture's own units."""

CORNER = 5
SCORES = 13
"""The height of the line of scores."""

INK = "#131a26"
PAPER = "#ffffff"
"""For the labels: a paper of its own keeps them readable in a dark notebook."""

SMALLEST_PIXELS = 40
LARGEST_PIXELS = 10_000


class Scored(Protocol):
    """What a picture shows of an analysis."""

    @property
    def position(self) -> Position:
        """The position that was analyzed."""

    @property
    def scores(self) -> Sequence[int | None]:
        """The exact score of every column, None for a full one."""

    @property
    def best_columns(self) -> Sequence[int]:
        """The columns with the best score."""


def draw(position: Position, analysis: Scored | None, pixels: int) -> str:
    """The picture, that many pixels wide. Raises BadValueError for an analysis of another position."""
    if analysis is not None and getattr(analysis, "position", None) != position:
        raise errors.BadValueError(
            f"analysis is one of {getattr(analysis, 'position', analysis)!r}; allowed is one of {position!r}"
        )
    if not isinstance(pixels, int) or not SMALLEST_PIXELS <= pixels <= LARGEST_PIXELS:
        raise errors.BadValueError(
            f"pixels is {pixels!r}; allowed are whole numbers from {SMALLEST_PIXELS} to {LARGEST_PIXELS}"
        )
    width = position.width * CELL + 2 * EDGE
    height = position.height * CELL + LABELS + (0 if analysis is None else SCORES + 1) + 2 * EDGE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-EDGE} {-EDGE} {width} {height}" width="{pixels}" '
        f'height="{round(pixels * height / width)}" role="img" aria-label="{escape(describe(position, analysis))}">',
        _element("rect", {"x": -EDGE, "y": -EDGE, "width": width, "height": height, "rx": CORNER, "fill": PAPER}),
        *_board(position),
        *_labels(position, analysis),
        "</svg>",
    ]
    return "\n".join(parts)


def describe(position: Position, analysis: Scored | None = None) -> str:
    """The picture in words, for people who do not see it."""
    columns = []
    for column, cells in enumerate(position.grid(), 1):
        if discs := [str(cell) for cell in reversed(cells) if cell]:
            columns.append(f"column {column} from the bottom: {' '.join(discs)}")
    words = f"Board of {position.width} columns and {position.height} rows. "
    words += f"Discs by player number, {'; '.join(columns)}." if columns else "No discs."
    if position.winner is not None:
        words += f" Player {position.winner} has four in a row."
    if analysis is not None:
        scores = [
            f"column {column} {signed(score)}" for column, score in enumerate(analysis.scores, 1) if score is not None
        ]
        words += f" Scores: {', '.join(scores)}."
    return words


def _board(position: Position) -> Iterator[str]:
    """The back, the discs, the front with its holes, and the lines of a finished game, one upon the other."""
    wide, high = position.width * CELL, position.height * CELL
    cells = [(column, row) for column in range(position.width) for row in range(position.height)]
    grid = position.grid()
    yield _element("rect", {"x": 0, "y": 0, "width": wide, "height": high}, ".back")
    for column, row in cells:
        if player := grid[column][position.height - 1 - row]:
            yield _disc(*_centre(position, (column, row)), player)
    yield _element("path", {"fill-rule": "evenodd", "d": _front(position, cells)}, ".front")
    for cell in cells:
        x, y = _centre(position, cell)
        yield _element("circle", {"cx": x, "cy": y, "r": HOLE}, ".hole")
    for line in lines_of(position, position.winner) if position.winner else ():
        (x1, y1), (x2, y2) = _centre(position, line[0]), _centre(position, line[-1])
        for look in (".four-edge", ".four"):
            yield _element("line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2}, look)


def _front(position: Position, cells: list[Cell]) -> str:
    """The outline of the board, and a circle for every cell."""
    wide, high = position.width * CELL + 2 * EDGE - 2 * CORNER, position.height * CELL + 2 * EDGE - 2 * CORNER
    corners = [f"a{CORNER} {CORNER} 0 0 1 {x} {y}" for x, y in ((5, 5), (-5, 5), (-5, -5), (5, -5))]
    path = f"M{CORNER - EDGE} {-EDGE}h{wide}{corners[0]}v{high}{corners[1]}h{-wide}{corners[2]}v{-high}{corners[3]}Z"
    for cell in cells:
        x, y = _centre(position, cell)
        arc = f"a{HOLE} {HOLE} 0 1 0"
        path += f"M{x - HOLE:g} {y:g}{arc} {2 * HOLE} 0{arc} {-2 * HOLE} 0Z"
    return path


def _disc(x: float, y: float, player: int) -> str:
    """A disc with its player's mark, a cross or a ring."""
    own = f".player-{player}"
    parts = [
        _element("circle", {"cx": x, "cy": y, "r": BODY}, f"{own} .body"),
        _element("circle", {"cx": x, "cy": y, "r": RIM}, ".rim", f"{own} .rim"),
    ]
    if player == 1:
        left, right, top, bottom = (f"{edge:g}" for edge in (x - CROSS, x + CROSS, y - CROSS, y + CROSS))
        path = f"M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}"
        parts.append(_element("path", {"d": path}, ".mark", f"{own} .mark"))
    else:
        parts.append(_element("circle", {"cx": x, "cy": y, "r": RING}, ".mark", f"{own} .mark"))
    return "".join(parts)


def _labels(position: Position, analysis: Scored | None) -> Iterator[str]:
    """The columns' numbers, and below them the scores; the best ones stand in a frame."""
    y = position.height * CELL + LABELS + 1
    for column in range(position.width):
        yield _text(column, y, str(column + 1))
    for column, score in enumerate(analysis.scores if analysis is not None else ()):
        if score is None or analysis is None:
            continue
        is_best = column in analysis.best_columns
        if is_best:
            frame = {"x": column * CELL + 0.5, "y": y + SCORES - 8.5, "width": CELL - 1, "height": 11, "rx": 3}
            yield _element("rect", {**frame, "fill": "none", "stroke": INK, "stroke-width": 0.9})
        yield _text(column, y + SCORES, signed(score), is_bold=is_best)


def _text(column: int, y: float, text: str, *, is_bold: bool = False) -> str:
    weight = ' font-weight="bold"' if is_bold else ""
    return (
        f'<text x="{(column + 0.5) * CELL:g}" y="{y:g}" font-size="8" font-family="system-ui, sans-serif" '
        f'text-anchor="middle" fill="{INK}"{weight}>{text}</text>'
    )


def _centre(position: Position, cell: Cell) -> tuple[float, float]:
    column, row = cell
    return (column + 0.5) * CELL, (position.height - row - 0.5) * CELL


def _element(name: str, attributes: dict[str, float | str], *selectors: str) -> str:
    """An element with what the page's style says for these selectors, later ones first."""
    whole = dict(attributes)
    for selector in selectors:
        whole |= _styles()[selector]
    words = " ".join(
        f'{key}="{value if isinstance(value, str) else format(value, "g")}"' for key, value in whole.items()
    )
    return f"<{name} {words}/>"


@cache
def _styles() -> dict[str, dict[str, str]]:
    """The page's style in light colours, by the selector behind `.connect4-board`.

    As plain attributes without variables, every program that shows SVG understands it.
    """
    text = files("connect4_agent").joinpath("static", "board.css").read_text(encoding="utf-8")
    light = text.partition("@media")[0]
    colours = dict(re.findall(r"(--[\w-]+): (#\w+);", light))
    rules = re.findall(r"^\.connect4-board ([^{]+) \{([^}]*)\}", light, re.MULTILINE)
    return {
        selector: {
            name: re.sub(r"var\((--[\w-]+)\)", lambda match: colours[match[1]], value)
            for name, value in re.findall(r"([\w-]+): ([^;]+);", declarations)
            if "currentColor" not in value
        }
        for selector, declarations in rules
    }
