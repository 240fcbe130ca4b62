"""The wire format: requests and replies as lines of JSON; `dialects` reads requests in unusual forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import orjson

from connect4_agent import errors
from connect4_agent.rules.position import LARGEST_SIDE, USUAL_SIZE, Position
from connect4_agent.text import short_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connect4_agent.wire.layouts import Layout

LONGEST_LINE_BYTES = 1 << 20
"""The longest line that the server reads; the largest board needs a fiftieth of that."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


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

PLAYERS = (1, 2)

_CELLS = frozenset((0, 1, 2))
_INTEGERS = frozenset((int,))


class Oddity(NamedTuple):
    """Something unusual about a request that was understood anyway; servers warn of each kind once."""

    kind: str
    text: str


class ParsedRequest(NamedTuple):
    """A request that was understood: the position, what was odd, and the layout to keep for later requests."""

    position: Position
    warnings: tuple[Oddity, ...]
    kept: Layout | None = None


def encode_move(column: int) -> bytes:
    """The answer to a request: a MoveReply of wire_models as one line."""
    return orjson.dumps({"move": column}, option=orjson.OPT_APPEND_NEWLINE)


def encode_explained_move(
    *, move: int, score: int | None, exact: bool, depth: int, nodes: int, elapsed_ms: float, line: Sequence[int]
) -> bytes:
    """The answer with `--explain`: an ExplainedReply of wire_models as one line."""
    reply = {
        "move": move,
        "score": score,
        "exact": exact,
        "depth": depth,
        "nodes": nodes,
        "elapsed_ms": round(elapsed_ms, 3),
        "line": line,
    }
    return orjson.dumps(reply, option=orjson.OPT_APPEND_NEWLINE)


def encode_error(error: str, code: str) -> bytes:
    """The answer if no move is possible: an ErrorReply of wire_models as one line."""
    return orjson.dumps({"error": error, "code": code}, option=orjson.OPT_APPEND_NEWLINE)


def read_request(
    document: bytes, defaults: CommandLineDefaults = NO_DEFAULTS, kept: Layout | None = None
) -> ParsedRequest:
    """Understand a request. Raises the RequestError that says why no move is possible.

    The documented reading is played if it is legal: no disc floats, and the sizes agree. Otherwise, if exactly one
    other reading is legal, that one is played, with a warning. `kept` is the layout of the grid that an earlier
    request of the same manager needed.
    """
    if kept is None:
        position = _plain_position(document, defaults)
        if position is not None:
            return check_position(position)
    from connect4_agent.wire.tolerant import read_odd_request  # noqa: PLC0415  # most servers never need it

    return read_odd_request(document, defaults, kept)


def check_position(position: Position, warnings: Sequence[Oddity] = (), kept: Layout | None = None) -> ParsedRequest:
    """The request for a position, with warnings about the position added. Raises RequestError."""
    found = list(warnings)
    if position.is_full:
        raise errors.RequestError(
            "board_full", f"the board is full: all {position.width * position.height} cells of grid hold discs"
        )
    if position.winner is not None:
        found.append(Oddity("over", f"the game is over: player {position.winner} has four in a row"))
    surplus = position.own.bit_count() - position.opponent.bit_count()
    if surplus not in (-1, 0):
        count_1, count_2 = position.discs_1.bit_count(), position.discs_2.bit_count()
        counts = f"player 1 has {count_1}, player 2 has {count_2}, and player {position.player} is to move"
        found.append(Oddity("counts", f"odd disc counts: {counts}"))
    return ParsedRequest(position, tuple(found), kept)


def _plain_position(document: bytes, defaults: CommandLineDefaults) -> Position | None:
    """The position of a request in its documented form; None for any other request."""
    try:
        value = orjson.loads(document.removeprefix(BYTE_ORDER_MARK))
    except orjson.JSONDecodeError:
        return None
    if type(value) is not dict or not is_plain_grid(grid := value.get("grid")) or not grid:
        return None
    width, height, player = value.get("width"), value.get("height"), value.get("player")
    if width is None or height is None or player is None:
        has_player = "player" in value
        if len(value) > 1 + ("width" in value) + ("height" in value) + has_player or (has_player and player is None):
            return None  # another key may state what is missing
        width = defaults.width if width is None else width
        height = defaults.height if height is None else height
        player = defaults.player if player is None else player
    is_plain = _agrees(width, len(grid)) and _agrees(height, len(grid[0]))
    if not is_plain or not (player is None or (type(player) is int and player in PLAYERS)):
        return None
    try:
        return Position.from_grid(grid, player)
    except errors.RequestError:
        return None


def _agrees(sent: object, actual: int) -> bool:
    """Whether a size is the grid's, or not stated."""
    return sent is None or (type(sent) is int and sent == actual)


def is_plain_grid(grid: object) -> bool:
    """Whether a grid is a list of lists of the integers 0, 1 and 2, which the model would accept unchanged."""
    if type(grid) is not list:
        return False
    for line in grid:
        if type(line) is not list or not _INTEGERS.issuperset(map(type, line)) or not _CELLS.issuperset(line):
            return False
    return True


def load(document: bytes) -> object:
    """The value of a JSON document. Raises RequestError."""
    document = document.removeprefix(BYTE_ORDER_MARK)
    try:
        return orjson.loads(document)
    except orjson.JSONDecodeError as error:
        raise bad_json(document, error) from None


def bad_json(document: bytes, error: orjson.JSONDecodeError) -> errors.RequestError:
    """The error for a document that is not JSON."""
    return errors.RequestError(
        "bad_json", f"{flaw_of(document, error)}: {short_json(document.decode(errors='replace').strip())}"
    )


def flaw_of(document: bytes, error: orjson.JSONDecodeError) -> str:
    """Where a document is not JSON, and why."""
    try:
        document.decode()
    except UnicodeDecodeError as wrong:
        return f"not JSON at byte {wrong.start + 1} (invalid UTF-8)"
    if error.pos >= len(error.doc):
        return "not JSON at its end: incomplete"
    return f"not JSON at character {error.pos + 1} ({error.msg})"


def request_of(position: Position, *, grid_only: bool = False) -> bytes:
    """The request for a position, without a newline: all four keys, or the grid alone."""
    if grid_only:
        return orjson.dumps({"grid": position.grid()})
    return orjson.dumps(
        {"grid": position.grid(), "height": position.height, "player": position.player, "width": position.width}
    )


def read_move(line: bytes) -> int:
    """The column that an answer names, legal or not. Raises ReplyError if the answer holds no move."""
    try:
        reply = orjson.loads(line)
    except orjson.JSONDecodeError:
        mark = "; it begins with a byte order mark" if line.startswith(BYTE_ORDER_MARK) else ""
        raise errors.ReplyError(f"the reply is not JSON{mark}") from None
    if not isinstance(reply, dict):
        raise errors.ReplyError(f"the reply is {short_json(reply)}, not an object with a move")
    if "move" not in reply:
        said = (
            f"an error, {short_json(reply['error'])}" if "error" in reply else f"{short_json(reply)}, which has no move"
        )
        raise errors.ReplyError(f"the reply is {said}")
    move = reply["move"]
    if type(move) is not int:  # true is not an integer, nor is 7.0
        raise errors.MoveNotWholeError(f"move is {short_json(move)}, not an integer")
    column: int = move
    return column


def check_default(name: str, text: str | None) -> int | None:
    """The value of --player, --width or --height; None if it is not allowed."""
    largest = 2 if name == "player" else LARGEST_SIDE
    try:
        value = int(text or "")
    except ValueError:
        return None
    return value if 1 <= value <= largest else None
