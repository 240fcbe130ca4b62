"""Requests in other forms than the documented one: how they can be read, and which legal reading is played."""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from connect4_agent.errors import RequestError
from connect4_agent.rules.position import USUAL_SIZE, Position
from connect4_agent.server.request import CommandLineDefaults, Request, RequestWarning, is_plain_grid, request_for
from connect4_agent.text import short_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import orjson

Grid = list[list[int]]

SYNONYMS = {"grid": "board", "height": "rows", "width": "columns", "player": "turn"}
"""Other names of the documented keys. The command line takes precedence over them."""

SHOWN_CHARACTERS = 100
"""How much of a text that is not JSON is looked at to quote its beginning."""


class Layout(NamedTuple):
    """An order in which the cells of a grid may be listed."""

    words: str
    by_rows: bool
    from_bottom: bool

    def columns(self, lines: Grid) -> Sequence[Sequence[int]]:
        """The columns, each from its top cell, of lines of equal length."""
        if self.by_rows:
            return list(zip(*(reversed(lines) if self.from_bottom else lines), strict=True))
        return [line[::-1] for line in lines] if self.from_bottom else lines


COLUMNS = Layout("columns from the top to the bottom", by_rows=False, from_bottom=False)
ROWS = Layout("rows, the top row first", by_rows=True, from_bottom=False)
ROWS_FROM_BOTTOM = Layout("rows, the bottom row first", by_rows=True, from_bottom=True)
COLUMNS_FROM_BOTTOM = Layout("columns from the bottom to the top", by_rows=False, from_bottom=True)

LAYOUTS = (COLUMNS, ROWS, ROWS_FROM_BOTTOM, COLUMNS_FROM_BOTTOM)
"""The layouts of a list of lists, the most usual one first."""

FLAT_LAYOUTS = (ROWS, ROWS_FROM_BOTTOM, COLUMNS, COLUMNS_FROM_BOTTOM)
"""The layouts of a flat list, the most usual one first."""


class StatedSize(NamedTuple):
    """A width or height, and where it is stated: a key of the request or an option of the command line."""

    name: str
    sent: object

    @property
    def number(self) -> int | None:
        """None if it is not an integer."""
        return whole(self.sent)


def objects_of(text: bytes) -> list[object] | None:
    """The objects of a text that consists of nothing else, NaN and invalid UTF-8 allowed; None for any other text."""
    decoded = text.decode("utf-8-sig", "replace").strip()
    decoder, blanks = json.JSONDecoder(), re.compile(r"\s*")
    objects: list[object] = []
    end = 0
    while decoded.startswith("{", end):
        try:
            value, end = decoder.raw_decode(decoded, end)
        except (ValueError, RecursionError):  # also a number with too many digits
            return None
        objects.append(value)
        end = cast("re.Match[str]", blanks.match(decoded, end)).end()
    return objects if objects and end == len(decoded) else None


def flawed_values(line: bytes, flaw: orjson.JSONDecodeError) -> tuple[list[object], tuple[RequestWarning, ...]]:
    """The objects of a line that is not JSON, but several objects, or nearly JSON. Raises RequestError."""
    objects = objects_of(line)
    if objects is None:
        raise bad_json(line, flaw)
    if len(objects) > 1:
        text = f"a line holds {len(objects)} requests; expected is one request per line"
        return objects, (RequestWarning("several requests", text),)
    return objects, (RequestWarning("text", f"{_described(line, flaw)}, where it does not matter"),)


def bad_json(document: bytes, flaw: orjson.JSONDecodeError) -> RequestError:
    """The error for a document that is not JSON."""
    if document.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) or b"\0" in document[:2]:
        return RequestError("bad_json", "not JSON: the text is UTF-16; send UTF-8")
    quoted = short_json(document.lstrip()[:SHOWN_CHARACTERS].decode("utf-8-sig", "replace").strip())
    return RequestError("bad_json", f"{_described(document, flaw)}: {quoted}")


def _described(document: bytes, flaw: orjson.JSONDecodeError) -> str:
    """Where a document is not JSON, and why."""
    try:
        document.decode()
    except UnicodeDecodeError as error:
        return f"not JSON at byte {error.start + 1} (invalid UTF-8)"
    if flaw.pos >= len(flaw.doc):
        return "not JSON at its end: incomplete"
    return f"not JSON at character {flaw.pos + 1} ({flaw.msg})"


def whole(value: object) -> int | None:
    """The integer that a JSON value stands for: 1, 1.0 or "1"; None if it is not one. Booleans are not."""
    if type(value) is str:
        try:
            value = float(value)
        except ValueError:
            return None
    if type(value) is float and value.is_integer():
        return int(value)
    return value if type(value) is int else None


def player_number(value: object) -> int | None:
    """1 or 2 for a JSON value that names a player; -1 is player 2. None for any other."""
    number = whole(value)
    if number == -1:
        return 2
    return number if number in (1, 2) else None


def cell_of(value: object) -> int | None:
    """0, 1 or 2 for a JSON value that stands for a cell's content; None for any other."""
    if value is None or whole(value) == 0 or (type(value) is str and not value.strip()):
        return 0
    return player_number(value)


def read_value(value: object, defaults: CommandLineDefaults, warnings: Iterable[RequestWarning] = ()) -> Request:
    """The request of any JSON value. Raises the RequestError of the documented reading if no reading is legal."""
    if not isinstance(value, dict):
        raise RequestError("not_an_object", f"the request is {short_json(value)}, not an object with a grid")
    odd = list(warnings)
    grid = _grid_of(value, odd)
    width = _size_of(value, "width", defaults.width, odd)
    height = _size_of(value, "height", defaults.height, odd)
    stated = (width.number if width else None, height.number if height else None)
    is_flat = type(grid) is list and len(grid) > 0 and not any(type(line) is list for line in grid)
    legal = _flat_readings(grid, *stated, odd) if is_flat else _nested_readings(grid, *stated, odd)

    layout = min(legal, key=lambda each: _size(legal[each]) != USUAL_SIZE)  # the most usual one
    position = legal[layout]
    if is_flat:
        odd.append(RequestWarning("flat", f"the grid is a flat list of {len(grid)} cells: read as {layout.words}"))
    elif layout is not COLUMNS:
        shape = f"{len(grid)} lists of {len(grid[0])} cells"
        odd.append(RequestWarning(layout.words, f"the grid is {shape}: read as {layout.words}"))
    is_certain = layout is COLUMNS and stated == _size(position)
    columns = None if is_certain else _open_in_all(legal, position, odd)

    _check_size(width, position.width, odd)
    _check_size(height, position.height, odd)
    player = _player_of(value, defaults.player, position, odd)
    if player not in (None, position.player):
        position = position.passed()
    return request_for(position, odd, columns)


def _open_in_all(
    legal: dict[Layout, Position], position: Position, odd: list[RequestWarning]
) -> tuple[int, ...] | None:
    """The columns that are open in all legal readings of this size; None if all open ones are, or none is."""
    readings = [reading for reading in legal.values() if _size(reading) == _size(position)]
    columns = position.legal_columns()
    common = [column for column in columns if all(reading.is_open(column) for reading in readings)]
    if not common or common == columns:
        return None
    text = "the grid is legal in several orders of the cells: playing a column that is open in all of them"
    odd.append(RequestWarning("several orders", text))
    return tuple(common)


def _size(position: Position) -> tuple[int, int]:
    return position.width, position.height


def _nested_readings(
    grid: object, width: int | None, height: int | None, odd: list[RequestWarning]
) -> dict[Layout, Position]:
    """The legal readings of a list of lists, the most usual one first; only those of the stated size if there are any.

    Raises the RequestError of the documented reading if none is legal, or that of rows if the sizes ask for rows.
    """
    lines = _cells(grid, odd)
    is_rectangular = len(set(map(len, lines))) == 1
    legal = _legal_positions((layout, lines) for layout in LAYOUTS) if is_rectangular else {}
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
) -> dict[Layout, Position]:
    """The legal readings of a flat list, the most usual one first. Raises RequestError if none is legal."""
    legal = {}
    size = _flat_size(len(grid), width, height)
    if size is not None:
        with suppress(RequestError):
            (cells,) = _cells([grid], odd, "grid[{1}]")
            legal = _legal_positions((layout, _cut(cells, size[not layout.by_rows])) for layout in FLAT_LAYOUTS)
    if not legal:
        raise RequestError("bad_grid", f"grid[0] is {short_json(grid[0])}, not a list of cells")
    return legal


def _flat_size(count: int, width: int | None, height: int | None) -> tuple[int, int] | None:
    """The size of a board with that many cells: as stated if that fits, else the usual one if that does."""
    if height is None and width:
        height = count // width
    elif width is None and height:
        width = count // height
    if width is not None and height is not None and width > 0 and width * height == count:
        return width, height
    return USUAL_SIZE if count == USUAL_SIZE[0] * USUAL_SIZE[1] else None


def _cut(cells: list[int], length: int) -> Grid:
    return [cells[start : start + length] for start in range(0, len(cells), length)]


def _legal_positions(readings: Iterable[tuple[Layout, Grid]]) -> dict[Layout, Position]:
    """The positions of the readings in which no disc floats."""
    legal = {}
    for layout, lines in readings:
        with suppress(RequestError):
            legal[layout] = Position.from_grid(layout.columns(lines))
    return legal


def _cells(grid: object, odd: list[RequestWarning], name: str = "grid[{}][{}]") -> Grid:
    """The lines of a grid, with the cells as 0, 1 and 2. Raises RequestError for anything else."""
    if is_plain_grid(grid):
        return cast("Grid", grid)
    from connect4_agent.server.model import checked_cells  # noqa: PLC0415  # loading pydantic takes longer than a search

    lines = checked_cells(grid)
    for number, (sent_line, line) in enumerate(zip(cast("list[list[object]]", grid), lines, strict=True)):
        for index, (sent, cell) in enumerate(zip(sent_line, line, strict=True)):
            if type(sent) is not int or sent != cell:
                odd.append(_read_as("cell", name.format(number, index), sent, cell))
                return lines
    return lines


def _grid_of(value: dict[str, object], odd: list[RequestWarning]) -> Any:
    """The grid, by its own name, or by another one if only one key has that. Raises RequestError."""
    if "grid" in value:
        return value["grid"]
    names = ("grid", SYNONYMS["grid"])
    keys = [key for key in value if key.casefold() in names and type(value[key]) is list]
    if len(keys) != 1:
        raise RequestError("missing_grid", f'the request has no "grid"; its keys are {short_json(list(value))}')
    odd.append(_renamed(keys[0], "grid"))
    return value[keys[0]]


def _key_like(value: dict[str, object], name: str) -> str | None:
    """The key that equals a name if case is ignored and has a number; None if there is none, or they contradict."""
    keys = [key for key in value if key.casefold() == name and whole(value[key]) is not None]
    return keys[0] if len({whole(value[key]) for key in keys}) == 1 else None


def _renamed(key: str, name: str) -> RequestWarning:
    return RequestWarning(f"key {name}", f"{short_json(key)} is read as {name}")


def _size_of(value: dict[str, object], name: str, default: int | None, odd: list[RequestWarning]) -> StatedSize | None:
    """A size from the request, else from the command line, else by another name from the request."""
    key = name if value.get(name) is not None else _key_like(value, name)
    if key is None and default is not None:
        return StatedSize(f"--{name}", default)
    key = key or _key_like(value, SYNONYMS[name])
    if key is None:
        return None
    if key != name:
        odd.append(_renamed(key, name))
    return StatedSize(key, value[key])


def _check_size(stated: StatedSize | None, actual: int, odd: list[RequestWarning]) -> None:
    """Warn of a size that is not the grid's, and of one that is not written as an integer."""
    if stated is None:
        return
    if stated.number != actual:
        text = f"{stated.name} is {short_json(stated.sent)}, but the grid has {actual}: using the grid"
        odd.append(RequestWarning(f"size {stated.name}", text))
    elif type(stated.sent) is not int:
        odd.append(_read_as(stated.name, stated.name, stated.sent, actual))


def _read_as(kind: str, name: str, sent: object, number: int) -> RequestWarning:
    return RequestWarning(f"number {kind}", f"{name} is {short_json(sent)}: read as {number}")


def _player_of(
    value: dict[str, object], default: int | None, position: Position, odd: list[RequestWarning]
) -> int | None:
    """The player to move, if the request or the command line states it."""
    key = "player" if "player" in value else _key_like(value, "player")
    if key is not None:
        if key != "player":
            odd.append(_renamed(key, "player"))
        sent = value[key]
        number = player_number(sent)
        if number is not None:
            if type(sent) is not int or sent != number:
                odd.append(_read_as("player", key, sent, number))
            return number
        odd.append(RequestWarning("player", f"{key} is {short_json(sent)}, not 1 or 2: deriving the player to move"))
    if default is not None:
        return default
    key = _key_like(value, SYNONYMS["player"])
    turn = None if key is None else whole(value[key])
    lead = position.discs_1.bit_count() - position.discs_2.bit_count()
    if key is None or lead not in {1: (0, -1), 2: (0, 1)}.get(turn or 0, ()):
        return None  # `turn` may count the moves
    odd.append(_renamed(key, "player"))
    return turn
