"""A position as an SVG picture, with the look of the page: the shapes of board.js, and the style of board.css."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from connect4_agent import errors
from connect4_agent.drawing.marks import Mark, Meaning
from connect4_agent.drawing.markup import Markup, element, join
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
FOUR = HOLE + 0.5
"""The sizes of static/board.js, in the picture's own units."""

CORNER = 5
SCORES = 13
"""The height of the line of scores."""

COLOURS = {
    "front": "#1d4c9f",
    "front-edge": "#153a7d",
    "well": "#dfe7f4",
    "disc-1": "#d8332a",
    "disc-1-rim": "#a92019",
    "disc-1-mark": "#ffffff",
    "disc-2": "#ffc933",
    "disc-2-rim": "#c98d08",
    "disc-2-mark": "#453000",
    "signal": "#ffffff",
}
"""The light colours of static/board.css: as plain attributes, every program that shows SVG understands them."""

INK = "#131a26"
PAPER = "#ffffff"
"""The background of the labels: it keeps them readable in a dark notebook."""

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

    The picture of an analysis has the scores under the columns; that of an explanation has its marks, and
    the numbers of the rows. That of a game record shows the end of the game. Player 1 has discs with a cross, player 2
    discs with a ring, which distinguishes them without colours. Notebooks show these pictures by themselves.
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
    parts = [
        element("rect", x=-left, y=-EDGE, width=width, height=height, rx=CORNER, fill=PAPER),
        *_draw_board(position),
        *(_draw_mark(position, mark) for mark in marks),
        *_draw_labels(position, analysis, has_rows=bool(marks)),
    ]
    return element(
        "svg",
        *(Markup(f"\n{part}") for part in parts),
        "\n",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{-left} {-EDGE} {width} {height}",
        width=pixels,
        height=round(pixels * height / width),
        role="img",
        aria_label=describe(position, analysis, marks),
    )


def describe(position: Position, analysis: Analysis | None = None, marks: Sequence[Mark] = ()) -> str:
    """Return the picture in words, for people who do not see it."""
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
        words += f" Marks: {'; '.join(map(_describe_mark, marks))}."
    return words


def _describe_mark(mark: Mark) -> str:
    number = f" {mark.number}" if mark.number is not None else ""
    owner = f" of player {mark.player}" if mark.player is not None else ""
    return f"column {mark.column + 1}, row {mark.row + 1}: {mark.meaning.value}{number}{owner}"


def _draw_board(position: Position) -> Iterator[Markup]:
    """Yield the back, the discs, the front with its holes, and the rings of a four, one upon the other."""
    cells = [(column, row) for column in range(position.width) for row in range(position.height)]
    grid = position.grid()
    size = {"width": position.width * CELL, "height": position.height * CELL}
    yield element("rect", x=0, y=0, fill=COLOURS["well"], **size)
    for column, row in cells:
        if player := grid[column][position.height - 1 - row]:
            yield _draw_disc(*_centre(position, (column, row)), player)
    yield element("path", fill_rule="evenodd", d=_front(position, cells), fill=COLOURS["front"])
    for cell in cells:
        yield _circle(*_centre(position, cell), HOLE, COLOURS["front-edge"], 0.9)
    for cell in sorted({cell for line in position.winning_lines for cell in line}):
        yield _circle(*_centre(position, cell), FOUR, COLOURS["signal"], 1.8)


def _front(position: Position, cells: list[Cell]) -> str:
    """Return the path of the board's outline, and of a circle for every cell."""
    wide, high = position.width * CELL + 2 * EDGE - 2 * CORNER, position.height * CELL + 2 * EDGE - 2 * CORNER
    corners = [f"a{CORNER} {CORNER} 0 0 1 {x} {y}" for x, y in ((5, 5), (-5, 5), (-5, -5), (5, -5))]
    path = f"M{CORNER - EDGE} {-EDGE}h{wide}{corners[0]}v{high}{corners[1]}h{-wide}{corners[2]}v{-high}{corners[3]}Z"
    for cell in cells:
        x, y = _centre(position, cell)
        arc = f"a{HOLE} {HOLE} 0 1 0"
        path += f"M{x - HOLE:g} {y:g}{arc} {2 * HOLE} 0{arc} {-2 * HOLE} 0Z"
    return path


def _draw_disc(x: float, y: float, player: int) -> Markup:
    """Return a disc with its player's mark, a cross or a ring."""
    body, rim, colour = (COLOURS[f"disc-{player}{part}"] for part in ("", "-rim", "-mark"))
    return join(
        (
            element("circle", cx=x, cy=y, r=BODY, fill=body),
            _circle(x, y, RIM, rim, 0.9),
            _draw_sign(x, y, player, colour, 1.5, CROSS, RING),
        )
    )


def _draw_mark(position: Position, mark: Mark) -> Markup:
    """Return a marked cell: rings for threats, dashed ones for needed cells, signs and numbers for the others."""
    x, y = _centre(position, (mark.column, mark.row))
    meaning = mark.meaning
    if meaning is Meaning.MOVE:
        frames = (_circle(x, y, HOLE + 0.3, colour, size) for colour, size in ((INK, 2.6), (PAPER, 1.3)))
        return join((_draw_disc(x, y, mark.player or 1), *frames))
    rim = COLOURS[f"disc-{mark.player}-rim"] if mark.player is not None else INK
    if meaning in (Meaning.THREAT, Meaning.NEEDED):
        dashes = None if meaning is Meaning.THREAT else DASHES
        return join((_circle(x, y, BODY - 2, rim, 1.8, dashes), _draw_sign(x, y, mark.player or 1, rim, 1.4, 2, 2.3)))
    if meaning is Meaning.LINE:
        plate = element("circle", cx=x, cy=y, r=BODY - 2.4, fill=PAPER, stroke=rim, stroke_width=1.4)
        return join((plate, _word(x, y + 3, str(mark.number), 8)))
    if meaning is Meaning.KEY:
        return element("path", d=f"M{x:g} {y - 6:g}l6 6l-6 6l-6 -6Z", fill=PAPER, stroke=INK, stroke_width=1.4)
    return _word(x, y + 4, "!" if meaning is Meaning.AVOID else f"={mark.number}", 11 if mark.number is None else 8)


def _circle(x: float, y: float, radius: float, colour: str, width: float, dashes: str | None = None) -> Markup:
    ring = {"cx": x, "cy": y, "r": radius, "stroke_width": width}
    return element("circle", fill="none", stroke=colour, stroke_dasharray=dashes, **ring)


def _draw_sign(x: float, y: float, player: int, colour: str, width: float, cross: float, ring: float) -> Markup:
    """Return a player's sign: a cross for player 1, a ring for player 2."""
    if player == 2:
        return _circle(x, y, ring, colour, width)
    left, right, top, bottom = (f"{edge:g}" for edge in (x - cross, x + cross, y - cross, y + cross))
    arms = f"M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}"
    return element("path", d=arms, fill="none", stroke=colour, stroke_width=width, stroke_linecap="round")


def _word(x: float, y: float, word: str, size: float, *, is_bold: bool = True) -> Markup:
    weight = "bold" if is_bold else None
    font = {"font_family": "system-ui, sans-serif", "text_anchor": "middle", "fill": INK, "font_weight": weight}
    return element("text", word, x=x, y=y, font_size=size, **font)


def _draw_labels(position: Position, analysis: Analysis | None, *, has_rows: bool) -> Iterator[Markup]:
    """Yield the columns' numbers, and below them the scores, the best in a frame. Rows have numbers beside marks."""
    y = position.height * CELL + LABELS + 1
    for column in range(position.width):
        yield _word((column + 0.5) * CELL, y, str(column + 1), 8, is_bold=False)
    for row in range(position.height if has_rows else 0):
        yield _word(EDGE - ROWS / 2 - 2, _centre(position, (0, row))[1] + 3, str(row + 1), 8, is_bold=False)
    for column, score in enumerate(analysis.scores if analysis is not None else ()):
        if score is None or analysis is None:
            continue
        is_best = column in analysis.best_columns
        if is_best:
            frame = {"x": column * CELL + 0.5, "y": y + SCORES - 8.5, "width": CELL - 1, "height": 11, "rx": 3}
            yield element("rect", fill="none", stroke=INK, stroke_width=0.9, **frame)
        yield _word((column + 0.5) * CELL, y + SCORES, signed(score), 8, is_bold=is_best)


def _centre(position: Position, cell: Cell) -> tuple[float, float]:
    column, row = cell
    return (column + 0.5) * CELL, (position.height - row - 0.5) * CELL
