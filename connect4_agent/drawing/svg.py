"""A position as an SVG picture, with the look of the page: the shapes of board.js, and the style of board.css."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, Protocol

from connect4_agent import errors
from connect4_agent.drawing.marks import Mark, Meaning, column_letter
from connect4_agent.engine.analysis import Analysis
from connect4_agent.rules.geometry import Cell
from connect4_agent.rules.position import Position, require_position
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

ROWS = 13
"""The width of the rows' numbers, which are there if cells are marked."""

DASHES = "2.4 1.6"

SMALLEST_PIXELS = 40
LARGEST_PIXELS = 10_000


class Shown(Protocol):
    """A value about a position, such as an analysis, an explanation, a judged move or the record of a game."""

    @property
    def position(self) -> Position:
        """The position that the picture shows."""


def svg(shown: Position | Shown, *, pixels: int = 320) -> str:
    """Return a picture of a position as an SVG document, `pixels` wide.

    The picture of an analysis has the scores under the columns; that of an explanation has its marks, and letters and
    numbers that name cells. That of a game record shows the end of the game. Player 1 has discs with a cross, player 2
    discs with a ring, so that nobody needs to tell colours apart. Notebooks show these pictures by themselves.
    """
    position: Any = getattr(shown, "position", shown)
    require_position(position)
    return draw(position, shown if isinstance(shown, Analysis) else None, getattr(shown, "marks", ()), pixels)


def draw(position: Position, analysis: Analysis | None, marks: Sequence[Mark], pixels: int) -> str:
    """Return the picture, `pixels` wide, with the scores of an analysis of the position, and with marked cells."""
    if not isinstance(pixels, int) or not SMALLEST_PIXELS <= pixels <= LARGEST_PIXELS:
        raise errors.BadValueError(
            f"pixels is {pixels!r}; allowed are whole numbers from {SMALLEST_PIXELS} to {LARGEST_PIXELS}"
        )
    left = ROWS if marks else EDGE
    width = position.width * CELL + left + EDGE
    height = position.height * CELL + LABELS + (0 if analysis is None else SCORES + 1) + 2 * EDGE
    words = escape(describe(position, analysis, marks))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-left} {-EDGE} {width} {height}" width="{pixels}" '
        f'height="{round(pixels * height / width)}" role="img" aria-label="{words}">',
        _element("rect", {"x": -left, "y": -EDGE, "width": width, "height": height, "rx": CORNER, "fill": PAPER}),
        *_board(position),
        *(_mark(position, mark) for mark in marks),
        *_labels(position, analysis, has_letters=bool(marks)),
        "</svg>",
    ]
    return "\n".join(parts)


def describe(position: Position, analysis: Analysis | None = None, marks: Sequence[Mark] = ()) -> str:
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
    if marks:
        words += f" Marks: {', '.join(map(_described, marks))}."
    return words


def _described(mark: Mark) -> str:
    number = f" {mark.number}" if mark.number is not None else ""
    owner = f" of player {mark.player}" if mark.player is not None else ""
    return f"{mark.cell} {mark.meaning.value}{number}{owner}"


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
    for line in position.winning_lines:
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


def _mark(position: Position, mark: Mark) -> str:
    """A marked cell: rings for threats, dashed ones for cells still needed, signs and numbers for the others."""
    x, y = _centre(position, (mark.column, mark.row))
    meaning = mark.meaning
    if meaning is Meaning.MOVE:
        frames = (_circle(x, y, HOLE + 0.3, colour, size) for colour, size in ((INK, 2.6), (PAPER, 1.3)))
        return _disc(x, y, mark.player or 1) + "".join(frames)
    rim = _styles()[f".player-{mark.player} .rim"]["stroke"] if mark.player is not None else INK
    if meaning in (Meaning.THREAT, Meaning.NEEDED):
        dashes = "" if meaning is Meaning.THREAT else DASHES
        return _circle(x, y, BODY - 2, rim, 1.8, dashes) + _sign(x, y, mark.player or 1, rim)
    if meaning is Meaning.LINE:
        return _element("circle", {"cx": x, "cy": y, "r": BODY - 2.4, "fill": PAPER}) + (
            _circle(x, y, BODY - 2.4, rim, 1.4) + _word(x, y + 3, str(mark.number), 8, is_bold=True)
        )
    if meaning is Meaning.KEY:
        path = f"M{x:g} {y - 6:g}l6 6l-6 6l-6 -6Z"
        return _element("path", {"d": path, "fill": PAPER, "stroke": INK, "stroke-width": 1.4})
    return _word(x, y + 4, "!" if meaning is Meaning.AVOID else f"={mark.number}", 11 if mark.number is None else 8)


def _circle(x: float, y: float, radius: float, colour: str, width: float, dashes: str = "") -> str:
    ring: dict[str, float | str] = {"cx": x, "cy": y, "r": radius, "fill": "none", "stroke": colour}
    return _element("circle", {**ring, "stroke-width": width, **({"stroke-dasharray": dashes} if dashes else {})})


def _sign(x: float, y: float, player: int, colour: str) -> str:
    """A player's mark, in a cell that is still empty."""
    look: dict[str, float | str] = {"fill": "none", "stroke": colour, "stroke-width": 1.4, "stroke-linecap": "round"}
    if player == 1:
        arms = f"M{x - 2:g} {y - 2:g}l4 4m0 -4l-4 4"
        return _element("path", {"d": arms, **look})
    return _element("circle", {"cx": x, "cy": y, "r": 2.3, **look})


def _word(x: float, y: float, word: str, size: float, *, is_bold: bool = True) -> str:
    weight = ' font-weight="bold"' if is_bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" font-family="system-ui, sans-serif" '
        f'text-anchor="middle" fill="{INK}"{weight}>{word}</text>'
    )


def _labels(position: Position, analysis: Analysis | None, *, has_letters: bool) -> Iterator[str]:
    """The columns' numbers, and below them the scores; the best ones stand in a frame. Letters and rows name cells."""
    y = position.height * CELL + LABELS + 1
    for column in range(position.width):
        yield _text(column, y, f"{column + 1} {column_letter(column)}" if has_letters else str(column + 1))
    for row in range(position.height if has_letters else 0):
        yield _word(EDGE - ROWS / 2 - 2, _centre(position, (0, row))[1] + 3, str(row + 1), 8, is_bold=False)
    for column, score in enumerate(analysis.scores if analysis is not None else ()):
        if score is None or analysis is None:
            continue
        is_best = column in analysis.best_columns
        if is_best:
            frame = {"x": column * CELL + 0.5, "y": y + SCORES - 8.5, "width": CELL - 1, "height": 11, "rx": 3}
            yield _element("rect", {**frame, "fill": "none", "stroke": INK, "stroke-width": 0.9})
        yield _text(column, y + SCORES, signed(score), is_bold=is_best)


def _text(column: int, y: float, text: str, *, is_bold: bool = False) -> str:
    return _word((column + 0.5) * CELL, y, text, 8, is_bold=is_bold)


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
    text = files(__package__).joinpath("static", "board.css").read_text(encoding="utf-8")
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
