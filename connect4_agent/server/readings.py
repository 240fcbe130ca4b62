"""Requests in other forms than the documented one: how they can be read, and which legal reading is played."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from connect4_agent.errors import RequestError
from connect4_agent.rules.position import USUAL_SIZE, Position
from connect4_agent.server.request import CommandLineDefaults, Request, RequestWarning, request_for
from connect4_agent.text import short_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Grid = list[list[int]]

SYNONYMS = {"grid": "board", "height": "rows", "width": "columns", "player": "turn"}
"""Other names of the documented keys. The command line takes precedence over them."""

DOCUMENTED = "columns from the top to the bottom"
LAYOUTS: dict[str, Callable[[Grid], Sequence[Sequence[int]]]] = {
    DOCUMENTED: lambda lines: lines,
    "rows, the top row first": lambda lines: list(zip(*lines, strict=True)),
    "rows, the bottom row first": lambda lines: list(zip(*reversed(lines), strict=True)),
    "columns from the bottom to the top": lambda lines: [line[::-1] for line in lines],
}
"""The orders in which cells may be listed, the most usual one first; each finds the columns from the top."""


class Stated(NamedTuple):
    """A value, and the key of the request or the option of the command line that states it."""

    name: str
    sent: Any

    @property
    def number(self) -> int | None:
        """The integer that is meant."""
        return whole(self.sent)


NOTHING = Stated("", None)


def read_otherwise(value: dict[str, Any], defaults: CommandLineDefaults) -> Request:
    """Return the request of an object. Raise the RequestError of the documented reading if no reading is legal."""
    odd: list[RequestWarning] = []
    grid = _find(value, "grid", None, odd).sent
    if grid is None and "grid" not in value:
        raise RequestError("missing_grid", f'the request has no "grid"; its keys are {short_json(list(value))}')
    width, height = _find(value, "width", defaults.width, odd), _find(value, "height", defaults.height, odd)
    if type(grid) is list and grid and not any(type(line) is list for line in grid):
        legal = _flat_readings(grid, width.number, height.number, odd)
    else:
        legal = _nested_readings(grid, width.number, height.number, odd)

    layout = min(legal, key=lambda each: _size(legal[each]) != USUAL_SIZE)
    position = legal[layout]
    if layout != DOCUMENTED or type(grid[0]) is not list:
        odd.append(RequestWarning(layout, f"the grid is {_shape(grid)}: read as {layout}"))
    is_certain = layout == DOCUMENTED and (width.number, height.number) == _size(position)
    columns = None if is_certain else _open_in_all(legal.values(), position, odd)

    for stated, actual in ((width, position.width), (height, position.height)):
        if stated is not NOTHING and stated.number != actual:
            text = f"{stated.name} is {short_json(stated.sent)}, but the grid has {actual}: using the grid"
            odd.append(RequestWarning(f"size {stated.name}", text))
        elif stated is not NOTHING:
            _check_form(stated.name, stated.sent, actual, odd)
    player = _find(value, "player", defaults.player, odd)
    number = player_number(player.sent)
    if number is not None:
        _check_form(player.name, player.sent, number, odd)
    elif player is not NOTHING:
        text = f"{player.name} is {short_json(player.sent)}, not 1 or 2: deriving the player to move"
        odd.append(RequestWarning("player", text))
        number = defaults.player
    if number not in (None, position.player):
        position = position.passed()
    return request_for(position, odd, columns)


def whole(value: object) -> int | None:
    """Return the integer that a JSON value stands for: 1, 1.0 or "1"; None if it is not one. Booleans are not."""
    if type(value) is str:
        with suppress(ValueError):
            value = float(value)
    if type(value) is float and value.is_integer():
        return int(value)
    return value if type(value) is int else None


def player_number(value: object) -> int | None:
    """Return 1 or 2 for a JSON value that names a player; -1 is player 2. None for any other."""
    number = whole(value)
    return 2 if number == -1 else number if number in (1, 2) else None


def cell_content(value: object) -> int | None:
    """Return 0, 1 or 2 for a JSON value that stands for a cell's content; None for any other."""
    return 0 if value is None or whole(value) == 0 else player_number(value)


def _find(value: dict[str, Any], name: str, default: int | None, odd: list[RequestWarning]) -> Stated:
    """Return what a key states; else one in other case, else the command line, else a key with a like name."""
    if value.get(name) is not None:
        return Stated(name, value[name])
    for like in (name, SYNONYMS[name]):
        for key, sent in value.items():
            if key.casefold() == like and (type(sent) is list if name == "grid" else whole(sent) is not None):
                odd.append(RequestWarning(f"key {name}", f"{short_json(key)} is read as {name}"))
                return Stated(key, sent)
        if default is not None:
            return Stated(f"--{name}", default)
    return NOTHING


def _nested_readings(
    grid: object, width: int | None, height: int | None, odd: list[RequestWarning]
) -> dict[str, Position]:
    """Return the legal readings of a list of lists, the most usual one first; those of the stated size if it has any.

    Raise the RequestError of the documented reading if none is legal, or that of rows if the sizes ask for rows.
    """
    if type(grid) is not list:
        raise RequestError("bad_grid", f"grid is {short_json(grid)}, not a list of columns")
    lines = [_read_cells(line, f"grid[{number}]", odd) for number, line in enumerate(grid)]
    is_rectangular = len(set(map(len, lines))) == 1
    legal = _legal_positions((layout, lines) for layout in LAYOUTS if is_rectangular)
    if not legal:  # this raises
        Position.from_grid(lines, row_major=is_rectangular and len(lines) == height != width == len(lines[0]))
    fitting = {
        layout: position
        for layout, position in legal.items()
        if width in (None, position.width) and height in (None, position.height)
    }
    return fitting or legal


def _flat_readings(
    grid: list[object], width: int | None, height: int | None, odd: list[RequestWarning]
) -> dict[str, Position]:
    """Return the legal readings of a flat list, rows first. Raise RequestError if none is legal."""
    count = len(grid)
    width = count // height if width is None and height else width
    height = count // width if height is None and width else height
    if width is None or height is None or width <= 0 or width * height != count:
        width, height = USUAL_SIZE
    legal = {}
    if width * height == count:
        cells = _read_cells(grid, "grid", odd)
        lengths = {layout: width if layout.startswith("rows") else height for layout in LAYOUTS}
        legal = _legal_positions(
            (layout, [cells[start : start + length] for start in range(0, count, length)])
            for layout, length in sorted(lengths.items(), key=lambda item: not item[0].startswith("rows"))
        )
    if not legal:
        raise RequestError("bad_grid", f"grid[0] is {short_json(grid[0])}, not a list of cells")
    return legal


def _legal_positions(readings: Iterable[tuple[str, Grid]]) -> dict[str, Position]:
    """Return the positions of the readings in which no disc floats."""
    legal = {}
    for layout, lines in readings:
        with suppress(RequestError):
            legal[layout] = Position.from_grid(LAYOUTS[layout](lines))
    return legal


def _read_cells(line: object, name: str, odd: list[RequestWarning]) -> list[int]:
    """Return the cells of a line as 0, 1 and 2. Raise RequestError for anything else."""
    if type(line) is not list:
        raise RequestError("bad_grid", f"{name} is {short_json(line)}, not a list of cells")
    cells = []
    for index, sent in enumerate(line):
        cell = cell_content(sent)
        if cell is None:
            raise RequestError("bad_cell", f"{name}[{index}] is {short_json(sent)}; a cell is the integer 0, 1 or 2")
        _check_form(f"{name}[{index}]", sent, cell, odd, "cell")
        cells.append(cell)
    return cells


def _open_in_all(legal: Iterable[Position], position: Position, odd: list[RequestWarning]) -> tuple[int, ...] | None:
    """Return the columns that are open in all readings of this size; None if all open ones are, or none is."""
    readings = [reading for reading in legal if _size(reading) == _size(position)]
    columns = position.open_columns()
    common = [column for column in columns if all(reading.is_open(column) for reading in readings)]
    if not common or common == columns:
        return None
    text = "the grid is legal in several orders of the cells: playing a column that is open in all of them"
    odd.append(RequestWarning("several orders", text))
    return tuple(common)


def _shape(grid: list[Any]) -> str:
    return f"{len(grid)} lists of {len(grid[0])} cells" if type(grid[0]) is list else f"a list of {len(grid)} cells"


def _size(position: Position) -> tuple[int, int]:
    return position.width, position.height


def _check_form(name: str, sent: object, number: int, odd: list[RequestWarning], kind: str = "") -> None:
    """Warn of a number that is not written as the integer that is meant."""
    if type(sent) is not int or sent != number:
        odd.append(RequestWarning(f"number {kind or name}", f"{name} is {short_json(sent)}: read as {number}"))
