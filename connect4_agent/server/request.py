"""Requests: what a line means. Those in the documented form are read here, all others by `tolerant`."""

from __future__ import annotations

from codecs import BOM_UTF8
from typing import TYPE_CHECKING, NamedTuple

import orjson

from connect4_agent.errors import RequestError
from connect4_agent.rules.position import LARGEST_SIDE, USUAL_SIZE, Position

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

_USUAL_ROWS = (USUAL_SIZE[1], USUAL_SIZE[0])
_CELLS = frozenset((0, 1, 2))
_INTEGERS = frozenset((int,))


# Tuples, because dataclasses would add a sixth to the time that the server needs to start.
class CommandLineDefaults(NamedTuple):
    """What the command line says about the game; a request takes precedence over it."""

    player: int | None = None
    width: int | None = None
    height: int | None = None

    @property
    def size(self) -> tuple[int, int]:
        """The size of the board if nothing else states it."""
        return self.width or USUAL_SIZE[0], self.height or USUAL_SIZE[1]


NO_DEFAULTS = CommandLineDefaults()


class RequestWarning(NamedTuple):
    """Something unusual about a request that was understood anyway; servers warn of each kind once."""

    kind: str
    text: str


class Request(NamedTuple):
    """What a line asks: a move in a position in which a column is open."""

    position: Position
    warnings: tuple[RequestWarning, ...] = ()
    columns: tuple[int, ...] | None = None
    """The columns that may be answered, if the grid can be read in several ways; None: every open one."""


def read_request(document: bytes, defaults: CommandLineDefaults = NO_DEFAULTS) -> Request:
    """The request of a document that holds one. Raises the RequestError that says why no move is possible."""
    request, *others = read_requests(document, defaults)
    if others:
        raise RequestError("bad_json", f"there are {1 + len(others)} requests; allowed is one")
    if isinstance(request, RequestError):
        raise request
    return request


def read_requests(line: bytes, defaults: CommandLineDefaults = NO_DEFAULTS) -> Iterator[Request | RequestError]:
    """The requests of a line, usually one; an error in place of each for which no move is possible."""
    values: list[object]
    warnings: tuple[RequestWarning, ...] = ()
    try:
        values = [orjson.loads(line.removeprefix(BOM_UTF8))]
    except orjson.JSONDecodeError as flaw:
        from connect4_agent.server.readings import flawed_values  # noqa: PLC0415  # most servers never need it

        try:
            values, warnings = flawed_values(line, flaw)
        except RequestError as error:
            yield error
            return
    for value in values:
        try:
            yield _request_of_value(value, defaults, warnings)
        except RequestError as error:
            yield error


def _request_of_value(value: object, defaults: CommandLineDefaults, warnings: tuple[RequestWarning, ...]) -> Request:
    if type(value) is dict:
        request = _plain_request(value, defaults, warnings)
        if request is not None:
            return request
    from connect4_agent.server.readings import read_value  # noqa: PLC0415  # most servers never need it

    return read_value(value, defaults, warnings)


def _plain_request(
    value: dict[str, Any], defaults: CommandLineDefaults, warnings: tuple[RequestWarning, ...]
) -> Request | None:
    """A request in its documented form; None if it has another form, or may have. Raises RequestError."""
    grid = value.get("grid")
    if not is_plain_grid(grid) or not grid:
        return None
    width, height, player = value.get("width"), value.get("height"), value.get("player")
    if width is None or height is None or player is None:
        has_player = "player" in value
        if len(value) > 1 + ("width" in value) + ("height" in value) + has_player or (has_player and player is None):
            return None  # another key may state what is missing
        width = defaults.width if width is None else width
        height = defaults.height if height is None else height
        player = defaults.player if player is None else player
    columns, rows = len(grid), len(grid[0])
    if (width is None or height is None) and (columns == rows or (columns, rows) == _USUAL_ROWS):
        return None  # these may be rows
    is_plain = _agrees(width, columns) and _agrees(height, rows)
    if not is_plain or not (player is None or (type(player) is int and player in (1, 2))):
        return None
    try:
        position = Position.from_grid(grid, player)
    except RequestError:
        return None
    return request_for(position, warnings)


def _agrees(stated: object, actual: int) -> bool:
    """Whether a size is the grid's, or not stated."""
    return stated is None or (type(stated) is int and stated == actual)


def is_plain_grid(grid: object) -> bool:
    """Whether a grid is a list of lists of the integers 0, 1 and 2, which the model would accept unchanged."""
    if type(grid) is not list:
        return False
    for line in grid:
        if type(line) is not list or not _INTEGERS.issuperset(map(type, line)) or not _CELLS.issuperset(line):
            return False
    return True


def request_for(
    position: Position,
    warnings: Iterable[RequestWarning] = (),
    columns: tuple[int, ...] | None = None,
) -> Request:
    """The request for a move in a position, with warnings about the position added. Raises RequestError."""
    odd = list(warnings)
    if position.is_full:
        cells = position.width * position.height
        raise RequestError("board_full", f"the board is full: all {cells} cells of grid hold discs")
    if position.winner is not None:
        odd.append(RequestWarning("over", f"the game is over: player {position.winner} has four in a row"))
    surplus = position.own.bit_count() - position.opponent.bit_count()
    if surplus not in (-1, 0):
        count_1, count_2 = position.discs_1.bit_count(), position.discs_2.bit_count()
        counts = f"player 1 has {count_1}, player 2 has {count_2}, and player {position.player} is to move"
        odd.append(RequestWarning("counts", f"odd disc counts: {counts}"))
    return Request(position, tuple(odd), columns)


def request_of(position: Position, *, grid_only: bool = False) -> bytes:
    """The line that asks for a move in a position, without a newline: all four keys, or the grid alone."""
    if grid_only:
        return orjson.dumps({"grid": position.grid()})
    return orjson.dumps(
        {"grid": position.grid(), "height": position.height, "player": position.player, "width": position.width}
    )


def check_default(name: str, text: str | None) -> int | None:
    """The value of --player, --width or --height; None if it is not allowed."""
    largest = 2 if name == "player" else LARGEST_SIDE
    try:
        value = int(text or "")
    except ValueError:
        return None
    return value if 1 <= value <= largest else None
