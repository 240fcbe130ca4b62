"""Requests in unusual forms: what their senders mean, if only one reading of them is legal.

wire_models validates grids that are not lists of lists of the integers 0, 1 and 2.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import cast

from connect4_agent import errors
from connect4_agent.rules.position import Position
from connect4_agent.text import short_json
from connect4_agent.wire import request as protocol
from connect4_agent.wire.foreign_json import read_text
from connect4_agent.wire.foreign_numbers import player_number, whole
from connect4_agent.wire.layouts import (
    DOCUMENTED,
    FLAT,
    NESTED,
    ROWS,
    Choice,
    Grid,
    Layout,
    choose_layout,
    flat_size,
    legal_positions,
)
from connect4_agent.wire.request import CommandLineDefaults, Oddity, ParsedRequest

SYNONYMS = {"grid": "board", "height": "rows", "width": "columns", "player": "turn"}
"""Other names of the documented keys. The command line takes precedence over them."""


@dataclass(frozen=True, slots=True)
class StatedSide:
    """A size as the request or the command line states it; `number` is None if it is not an integer."""

    name: str
    sent: object
    number: int | None


@dataclass(frozen=True, slots=True)
class Context:
    """What the request and the command line say about a grid."""

    width: StatedSide | None
    height: StatedSide | None
    player: int | None
    turn: int | None
    """The player as stated by another key, which counts only if the disc counts agree."""
    kept: Layout | None

    @property
    def size(self) -> tuple[int | None, int | None]:
        """Width and height, as far as they are stated as integers."""
        return self.width.number if self.width else None, self.height.number if self.height else None

    def player_for(self, grid: Grid, oddities: list[Oddity]) -> int | None:
        """The player to move, if it is stated."""
        if self.player is not None or self.turn is None:
            return self.player
        cells = [cell for line in grid for cell in line]
        lead = cells.count(1) - cells.count(2)
        if lead not in ((0, -1) if self.turn == 1 else (0, 1)):
            return None
        oddities.append(_renamed(SYNONYMS["player"], "player"))
        return self.turn


def read_odd_request(document: bytes, defaults: CommandLineDefaults, kept: Layout | None) -> ParsedRequest:
    """Understand any request. Raises the RequestError of the documented reading if there is no move."""
    text = read_text(document)
    oddities = list(text.oddities)
    try:
        return _read_value(text.value, defaults, kept, oddities)
    except errors.RequestError:
        if text.error is not None:
            raise text.error from None
        raise


def _read_value(
    value: object, defaults: CommandLineDefaults, kept: Layout | None, oddities: list[Oddity]
) -> ParsedRequest:
    if not isinstance(value, dict):
        raise errors.RequestError("not_an_object", f"the request is {short_json(value)}, not an object with a grid")
    context = _context_of(value, defaults, kept, oddities)
    if "grid" in value:
        return _read_grid(value["grid"], context, oddities)
    readings: dict[Position, ParsedRequest] = {}
    for key in _keys_like(value, "grid", SYNONYMS["grid"]):
        try:
            request = _read_grid(value[key], context, [*oddities, _renamed(key, "grid")])
        except errors.RequestError as error:
            if error.code == "board_full":
                raise
            continue
        readings.setdefault(request.position, request)
    if len(readings) != 1:
        raise errors.RequestError("missing_grid", f'the request has no "grid"; its keys are {short_json(list(value))}')
    return next(iter(readings.values()))


def _keys_like(value: dict[str, object], *names: str) -> list[str]:
    """The keys that equal one of the names, ignoring case."""
    return [key for key in value if key.casefold() in names]


def _renamed(key: str, name: str) -> Oddity:
    return Oddity(f"key {name}", f"{short_json(key)} is read as {name}")


def _context_of(
    value: dict[str, object], defaults: CommandLineDefaults, kept: Layout | None, oddities: list[Oddity]
) -> Context:
    width = _stated("width", value, defaults.width, oddities)
    height = _stated("height", value, defaults.height, oddities)
    player, turn = _known_player(value, defaults.player, oddities)
    return Context(width, height, player, turn, kept)


def _only_value(value: dict[str, object], keys: list[str], oddities: list[Oddity], name: str) -> object:
    """The value of the keys that replace a documented one; None if there are none, or they contradict each other."""
    said = [value[key] for key in keys if value[key] is not None]
    if not said or any(other != said[0] for other in said):
        return None
    oddities.append(_renamed(keys[0], name))
    return said[0]


def _stated(name: str, value: dict[str, object], default: int | None, oddities: list[Oddity]) -> StatedSide | None:
    """A size from the request, else from the command line, else by another name from the request."""
    sent = value.get(name)
    if sent is None:
        sent = _only_value(value, _keys_like(value, name), oddities, name)
    if sent is not None:
        return StatedSide(name, sent, whole(sent))
    if default is not None:
        return StatedSide(f"--{name}", default, default)
    keys = [key for key in _keys_like(value, SYNONYMS[name]) if whole(value[key]) is not None]
    number = whole(_only_value(value, keys, oddities, name))
    return None if number is None else StatedSide(keys[0], value[keys[0]], number)


def _known_player(
    value: dict[str, object], default: int | None, oddities: list[Oddity]
) -> tuple[int | None, int | None]:
    """The player to move, and the player that another key names, if nothing else states it."""
    sent = value.get("player")
    is_sent = "player" in value
    if not is_sent:
        sent = _only_value(value, _keys_like(value, "player"), oddities, "player")
        is_sent = sent is not None
    if is_sent:
        number = player_number(sent)
        if number is not None:
            if type(sent) is not int or sent != number:
                oddities.append(_number_oddity("player", sent, number))
            return number, None
        oddities.append(
            Oddity("player", f"player is {short_json(sent)}, not 1 or 2: using the command line or the disc counts")
        )
    if default is not None:
        return default, None
    turns = {whole(value[key]) for key in _keys_like(value, SYNONYMS["player"])} & {1, 2}
    return None, turns.pop() if len(turns) == 1 else None


def _number_oddity(name: str, sent: object, number: int) -> Oddity:
    return Oddity(f"number {name.partition('[')[0]}", f"{name} is {short_json(sent)}: read as {number}")


def _read_grid(sent: object, context: Context, oddities: list[Oddity]) -> ParsedRequest:
    if type(sent) is list and sent and not any(type(line) is list for line in sent):
        return _read_flat_grid(sent, context, oddities)
    grid = _checked_grid(sent, oddities)
    player = context.player_for(grid, oddities)
    grids = [(layout, grid) for layout in NESTED]
    legal = legal_positions(grids, player, *context.size)
    choice = choose_layout(legal, DOCUMENTED, context.kept)
    if choice is None and not legal:  # the grid takes precedence over the sizes
        choice = choose_layout(legal_positions(grids, player, None, None), DOCUMENTED, context.kept)
    if choice is None:
        choice = _read_by_shape(grid, player, context)
    if choice.layout is not DOCUMENTED:
        shape = f"the grid is {len(grid)} lists of {len(grid[0])} cells"
        oddities.append(Oddity(choice.layout.words, f"{shape}: read as {choice.layout.words}"))
    _check_sizes(context, choice.position, oddities)
    return protocol.check_position(choice.position, oddities, choice.kept)


def _check_sizes(context: Context, position: Position, oddities: list[Oddity]) -> None:
    """Warn of sizes that are not the grid's, and of those that are not written as integers."""
    for stated, actual in ((context.width, position.width), (context.height, position.height)):
        if stated is None:
            continue
        if stated.number != actual:
            said = f"{stated.name} is {short_json(stated.sent)}, but the grid has {actual}: using the grid"
            oddities.append(Oddity(f"size {stated.name}", said))
        elif type(stated.sent) is not int:
            oddities.append(_number_oddity(stated.name, stated.sent, actual))


def _read_by_shape(grid: Grid, player: int | None, context: Context) -> Choice:
    """Read a grid of exactly `height` lists of `width` cells, if these differ, as rows; any other as columns.

    Raises the RequestError that names what is wrong with the grid.
    """
    width, height = context.size
    is_by_rows = width != height and len(grid) == height and all(len(line) == width for line in grid)
    layout = ROWS if is_by_rows else DOCUMENTED
    return Choice(layout, Position.from_grid(grid, player, row_major=is_by_rows), context.kept)


def _read_flat_grid(sent: list[object], context: Context, oddities: list[Oddity]) -> ParsedRequest:
    choice = None
    size = flat_size(len(sent), *context.size)
    if size is not None:
        with suppress(errors.RequestError):
            cells = _checked_grid([sent], oddities)[0]
            grids = [(layout, layout.lines(cells, *size)) for layout in FLAT]
            legal = legal_positions(grids, context.player_for([cells], oddities), *size)
            choice = choose_layout(legal, FLAT[0], context.kept)
    if choice is None:
        raise errors.RequestError("bad_grid", f"grid[0] is {short_json(sent[0])}, not a list of cells")
    said = f"the grid is a flat list of {len(sent)} cells: read as {choice.layout.words}"
    oddities.append(Oddity(f"flat {choice.layout.words}", said))
    _check_sizes(context, choice.position, oddities)
    return protocol.check_position(choice.position, oddities, choice.kept)


def _checked_grid(sent: object, oddities: list[Oddity]) -> Grid:
    """The lines of a grid, with the cells as 0, 1 and 2. Raises the RequestError for anything else."""
    if protocol.is_plain_grid(sent):
        return cast("Grid", sent)
    from connect4_agent.wire.models import checked_cells  # noqa: PLC0415  # most servers never need pydantic

    judged = checked_cells(sent)
    pairs = (
        (f"grid[{index}][{place}]", original, cell)
        for index, (line, read) in enumerate(zip(cast("Grid", sent), judged, strict=True))
        for place, (original, cell) in enumerate(zip(line, read, strict=True))
    )
    oddities += [_number_oddity(*pair) for pair in pairs if type(pair[1]) is not int or pair[1] != pair[2]][:1]
    return judged
