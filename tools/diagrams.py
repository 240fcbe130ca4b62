"""The diagrams in docs/pictures that explain the solver, drawn again: python -m tools.diagrams."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from connect4_agent.drawing.svg import svg
from connect4_agent.reasons.explain import explain
from connect4_agent.rules.position import Position

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
CELL = 48
MARGIN = 12
BLUE, RED, YELLOW, INK, FAINT, BOARD = "#1d4a9c", "#d8332a", "#ffc733", "#10151f", "#4b5768", "#cdd5e5"


def text(x: float, y: float, words: str, size: int = 15, colour: str = INK, weight: str = "normal") -> str:
    """Centred words."""
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="middle" font-family="sans-serif" font-size="{size}" '
        f'font-weight="{weight}" fill="{colour}">{words}</text>'
    )


def centre(column: int, row: int, rows: int) -> tuple[float, float]:
    """The centre of a cell; rows are counted from 0 at the bottom."""
    return MARGIN + 32 + (column + 0.5) * CELL, MARGIN + (rows - row - 0.5) * CELL


def picture(width: float, height: float, parts: list[str], title: str) -> str:
    """A whole file, on a white background so that it can also be read on a dark page."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img"><title>{title}</title>'
        f'<rect width="{width:g}" height="{height:g}" rx="10" fill="#fbfcfe"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def bit_layout() -> str:
    """Which bit each cell of the 7x6 board is, and the steps between neighbours."""
    rows = 7
    left, bottom = MARGIN + 32, MARGIN + rows * CELL
    parts = [
        f'<rect x="{left}" y="{MARGIN + CELL}" width="{7 * CELL}" height="{6 * CELL}" rx="10" fill="{BOARD}"/>',
        text(left + 3.5 * CELL, bottom + 46, "columns, counted from 0", 14, FAINT),
    ]
    for column in range(7):
        for row in range(rows):
            x, y = centre(column, row, rows)
            outline = f'stroke="{FAINT}" stroke-dasharray="4 4" fill="none"' if row == 6 else 'fill="#ffffff"'
            parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="19" {outline}/>')
            parts.append(text(x, y + 5, str(column * 7 + row), 15, FAINT if row == 6 else INK))
        parts.append(text(left + (column + 0.5) * CELL, bottom + 22, str(column), 14, FAINT))
    legend = left + 7 * CELL + 24
    parts.append(text(legend + 66, MARGIN + 31, "always 0", 15, FAINT))
    middle_x, middle_y = legend + 50, MARGIN + 4.1 * CELL
    parts.append(f'<circle cx="{middle_x:g}" cy="{middle_y:g}" r="6" fill="{INK}"/>')
    for step, dx, dy in (("+1", 0, -1), ("+8", 1, -1), ("+7", 1, 0), ("+6", 1, 1)):
        x, y = middle_x + 46 * dx, middle_y + 46 * dy
        parts.append(
            f'<line x1="{middle_x:g}" y1="{middle_y:g}" x2="{x:g}" y2="{y:g}" stroke="{BLUE}" stroke-width="3"/>'
        )
        parts.append(text(x + 16 * dx, y + (16 * dy or 5), step, 16, BLUE, "bold"))
    return picture(legend + 140, bottom + 60, parts, "The bits of a board of 7 columns and 6 rows")


def disc(x: float, y: float, player: int) -> str:
    """A disc as the page draws it: a cross on red, a ring on yellow."""
    if player == 1:
        arms = f"M{x - 7:g} {y - 7:g}l14 14m0 -14l-14 14"
        sign = f'<path d="{arms}" stroke="#ffffff" stroke-width="5" stroke-linecap="round"/>'
    else:
        sign = f'<circle cx="{x:g}" cy="{y:g}" r="7.5" fill="none" stroke="#3b2a05" stroke-width="5"/>'
    fill = RED if player == 1 else YELLOW
    return f'<circle cx="{x:g}" cy="{y:g}" r="20" fill="{fill}" stroke="{INK}" stroke-width="2"/>{sign}'


def promise(x: float, y: float, player: int) -> str:
    """A cell that a player will get: the sign of its discs, drawn small in an empty cell."""
    if player == 1:
        arms = f"M{x - 5:g} {y - 5:g}l10 10m0 -10l-10 10"
        return f'<path d="{arms}" stroke="{RED}" stroke-width="3" stroke-linecap="round"/>'
    return f'<circle cx="{x:g}" cy="{y:g}" r="6" fill="none" stroke="#8a5a00" stroke-width="3"/>'


def shared_out(moves: str, owners: dict[tuple[int, int], int], threats: set[tuple[int, int]], title: str) -> str:
    """A position, who gets which empty cell, and a dashed ring around each threat."""
    position = Position.from_moves(moves)
    left, bottom = MARGIN + 32, MARGIN + 6 * CELL
    parts = [f'<rect x="{left}" y="{MARGIN}" width="{7 * CELL}" height="{6 * CELL}" rx="10" fill="{BOARD}"/>']
    for row in range(6):
        parts.append(text(MARGIN + 14, centre(0, row, 6)[1] + 5, str(row + 1), 14, FAINT))
    for column, cells in enumerate(position.grid()):
        parts.append(text(left + (column + 0.5) * CELL, bottom + 22, str(column + 1), 14, FAINT))
        for row, cell in enumerate(reversed(cells)):
            x, y = centre(column, row, 6)
            if cell:
                parts.append(disc(x, y, cell))
                continue
            parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="19" fill="#ffffff"/>')
            if (column, row) in owners:
                parts.append(promise(x, y, owners[column, row]))
            if (column, row) in threats:
                parts.append(
                    f'<circle cx="{x:g}" cy="{y:g}" r="18" fill="none" stroke="{BLUE}" stroke-width="4" '
                    f'stroke-dasharray="6 4"/>'
                )
    return picture(left + 7 * CELL + MARGIN, bottom + 34, parts, title)


EVERY_CELL = [(column, row) for column in range(7) for row in range(6)]


def even_threats() -> str:
    """The second player follows up: odd rows for the first player, even rows for the second."""
    threats = {(1, 1), (5, 1)}
    beyond = [(column, row) for column, _ in threats for row in range(2, 6)]  # the game is over before
    owners = {(column, row): 1 if row % 2 == 0 else 2 for column, row in EVERY_CELL if (column, row) not in beyond}
    return shared_out("14317355333734", owners, threats, "Two threats of the second player on an even row")


def odd_threat() -> str:
    """The first player follows up everywhere but in the column of its threat, the fourth."""
    owners = {(column, row): 2 if row % 2 == 0 else 1 for column, row in EVERY_CELL if column != 3}
    return shared_out("512321231235431", owners, {(3, 2)}, "A threat of the first player on an odd row")


REASONS = {
    "why-double.svg": ("4455", 2),
    "why-above.svg": ("644444667676615", None),
    "why-forced.svg": ("734731563355", None),
    "why-follow-up.svg": ("145444441", 4),
    "why-odd-threat.svg": ("45144444113235", None),
    "why-mistake.svg": ("2222244654445554655", 0),
}
"""The examples of tutorials/why-it-wins.md: a game, and the column that is explained, counted from 0."""


def explained(moves: str, column: int | None) -> str:
    """A position with the marks of its explanation, as a notebook shows it."""
    return svg(explain(Position.from_moves(moves), column)) + "\n"


DIAGRAMS: dict[str, Callable[[], str]] = {
    "bit-layout.svg": bit_layout,
    "even-threats.svg": even_threats,
    "odd-threat.svg": odd_threat,
    **{name: partial(explained, *example) for name, example in REASONS.items()},
}
"""Every diagram by the name of its file."""

if __name__ == "__main__":
    for name, draw in DIAGRAMS.items():
        (FOLDER / name).write_text(draw())
        print(FOLDER / name)
