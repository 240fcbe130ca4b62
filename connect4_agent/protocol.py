"""The wire: requests and replies as lines of JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, NoReturn

import orjson
from pydantic import BaseModel, ConfigDict, FailFast, Field, ValidationError

from connect4_agent import errors
from connect4_agent.position import LARGEST_SIDE, Position

LONGEST_LINE_BYTES = 1 << 20
"""The longest line that the server reads; the largest board takes a fiftieth of it."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

# What is extra is for the web interface's description: there 1.0 is an integer, too, and sizes are said beforehand.
Cell = Annotated[int, Field(strict=True, ge=0, le=2, json_schema_extra={"enum": [0, 1, 2]})]
_SIDE: dict[str, Any] = {"minItems": 1, "maxItems": LARGEST_SIDE}
Column = Annotated[list[Cell], FailFast(), Field(json_schema_extra=_SIDE)]


ONE_LINE_HINT = "; a request is one line, and `connect4-agent move` reads a document of several"
"""The end of what is said of a line that is no JSON."""

_BUILT_WHEN_USED = ConfigDict(defer_build=True)
"""For models that most servers never need: building one takes some milliseconds of the start."""


class Request(BaseModel):
    """What a manager asks. Only the grid has to be right: the rest is checked against it, with warnings."""

    model_config = ConfigDict(extra="ignore", strict=True)

    grid: Annotated[list[Column], FailFast(), Field(json_schema_extra=_SIDE)]
    """The columns from left to right, each from its top cell to its bottom cell: 0 empty, 1 and 2 the players."""
    height: Any = None
    width: Any = None
    player: Any = None


class MoveReply(BaseModel):
    """The answer to a request."""

    move: int
    """The column to play, counted from 0."""


class ExplainedReply(MoveReply):
    """The answer with `--explain`."""

    model_config = _BUILT_WHEN_USED

    score: int | None
    """From the side to move; null where nothing was searched."""
    exact: bool
    """True: 0 is a draw, +k a win with the winner's k-th last disc, -k a loss. False: an evaluator's opinion."""
    depth: int
    """The plies searched; 0 where nothing was."""
    nodes: int
    """The positions visited."""
    elapsed_ms: float
    """The time from the request's arrival to this answer."""
    line: list[int]
    """The play expected from both sides, beginning with `move`."""


class ErrorReply(BaseModel):
    """The answer where no move exists."""

    model_config = _BUILT_WHEN_USED

    error: str
    """What is wrong, and where."""
    code: str
    """The cause, as one of ERROR_CODES."""


ERROR_CODES: tuple[str, ...] = tuple(cause.code for cause in errors.RequestError.__subclasses__())


@dataclass(frozen=True, slots=True)
class Stated:
    """What the command line says about the game; a request's own words come first."""

    player: int | None = None
    width: int | None = None
    height: int | None = None


NOTHING_STATED = Stated()


@dataclass(frozen=True, slots=True)
class Question:
    """A request understood: the position to move in, and what was odd about the request."""

    position: Position
    warnings: tuple[str, ...]


def encode(reply: BaseModel) -> bytes:
    """A reply as one line."""
    return orjson.dumps(reply.model_dump(), option=orjson.OPT_APPEND_NEWLINE)


def error_reply(error: errors.RequestError | errors.WebCallError) -> ErrorReply:
    """The reply that says why no move exists."""
    return ErrorReply(error=str(error), code=error.code)


def read_question(document: bytes, stated: Stated = NOTHING_STATED) -> Question:
    """Understand a request. Raises the RequestError for which no move exists."""
    try:
        request = Request.model_validate(load(document))
    except ValidationError as error:
        _raise_request_error(error)
    warnings: list[str] = []
    row_major = _is_row_major(request, stated)
    player = _known_player(request, stated, warnings)
    position = Position.from_grid(request.grid, player, row_major=row_major)
    if row_major:
        warnings.append(
            f"the grid is {len(request.grid)} lists of {len(request.grid[0])} cells: read as rows, not columns"
        )
    else:
        _check_size("width", request.width, stated.width, position.width, warnings)
        _check_size("height", request.height, stated.height, position.height, warnings)
    if position.is_full:
        raise errors.BoardFullError(
            f"the board is full: all {position.width * position.height} cells of grid hold discs"
        )
    if position.winner is not None:
        warnings.append(f"the game is over: player {position.winner} has four in a row")
    surplus = position.own.bit_count() - position.opponent.bit_count()
    if surplus not in (-1, 0):
        count_1, count_2 = position.discs_1.bit_count(), position.discs_2.bit_count()
        warnings.append(
            f"odd disc counts: player 1 has {count_1}, player 2 has {count_2}, and player {position.player} is to move"
        )
    return Question(position, tuple(warnings))


def load(document: bytes) -> object:
    """The value of a JSON document. Raises BadJsonError."""
    document = document.removeprefix(BYTE_ORDER_MARK)
    try:
        return orjson.loads(document)
    except orjson.JSONDecodeError as error:
        raise errors.BadJsonError(_explain_bad_json(document, error)) from None


def _explain_bad_json(document: bytes, error: orjson.JSONDecodeError) -> str:
    if b"\0" in document:
        return "not JSON: the line holds zero bytes, as UTF-16 text does; send UTF-8"
    place = "at its end: incomplete" if error.pos >= len(error.doc) else f"at character {error.pos + 1} ({error.msg})"
    text = shown(document.decode(errors="replace").strip())
    return f"not JSON {place}: {text}{ONE_LINE_HINT}"


def _raise_request_error(error: ValidationError) -> NoReturn:
    """Turn what pydantic found first into the error that names its place on the wire."""
    found = error.errors(include_url=False, include_context=False)[0]
    place, value = found["loc"], found["input"]
    if not place:
        raise errors.NotAnObjectError(f"the request is {shown(value)}, not an object with a grid") from None
    if found["type"] == "missing":
        raise errors.MissingGridError(f'the request has no "grid"; its keys are {shown(list(value))}') from None
    name = str(place[0]) + "".join(f"[{index}]" for index in place[1:])
    if len(place) == 3:
        raise errors.BadCellError(f"{name} is {shown(value)}; a cell is the integer 0, 1 or 2") from None
    wanted = "a list of columns" if len(place) == 1 else "a list of cells"
    raise errors.BadGridError(f"{name} is {shown(value)}, not {wanted}") from None


def shown(value: object) -> str:
    """A JSON value as text, cut to a length that fits into a message."""
    try:
        text = orjson.dumps(value).decode()
    except orjson.JSONEncodeError:  # orjson reads lists in lists four times as deep as it writes them
        return "a deeply nested value"
    return text if len(text) <= 60 else text[:57] + "..."


def _is_whole(value: object) -> bool:
    """Whether a JSON value is an integer: true is none, nor is 7.0."""
    return type(value) is int


def _is_row_major(request: Request, stated: Stated) -> bool:
    """Whether the grid is exactly `height` lists of `width` cells, the two being different."""
    width = request.width if request.width is not None else stated.width
    height = request.height if request.height is not None else stated.height
    if not (_is_whole(width) and _is_whole(height)) or width == height:
        return False
    return len(request.grid) == height and all(len(line) == width for line in request.grid)


def _known_player(request: Request, stated: Stated, warnings: list[str]) -> int | None:
    """The player to move, as far as anybody says."""
    if "player" not in request.model_fields_set:
        return stated.player
    if _is_whole(request.player) and request.player in (1, 2):
        player: int = request.player
        return player
    warnings.append(f"player is {shown(request.player)}, not 1 or 2: found from the command line or the disc counts")
    return stated.player


def _check_size(name: str, sent: object, stated: int | None, actual: int, warnings: list[str]) -> None:
    """Warn where the request, or else the command line, states a size that the grid does not have."""
    if sent is not None:
        if not _is_whole(sent) or sent != actual:
            warnings.append(f"{name} is {shown(sent)}, but the grid has {actual}: the grid counts")
    elif stated is not None and stated != actual:
        warnings.append(f"--{name} is {stated}, but the grid has {actual}: the grid counts")


def document_of(moves: str, stated: Stated) -> bytes:
    """The request for the position after a move string, on the stated board (7 by 6 where nothing is stated)."""
    return request_of(Position.from_moves(moves, stated.width or 7, stated.height or 6, stated.player or 1))


def request_of(position: Position, *, grid_only: bool = False) -> bytes:
    """The request for a position, without a line's end: all four keys, or the grid alone."""
    if grid_only:
        return orjson.dumps({"grid": position.grid()})
    return orjson.dumps(
        {"grid": position.grid(), "height": position.height, "player": position.player, "width": position.width}
    )


def read_move(line: bytes) -> int:
    """The column that an answer names, legal or not. Raises ReplyError where the answer holds no move."""
    try:
        reply = orjson.loads(line)
    except orjson.JSONDecodeError:
        raise errors.ReplyError("the reply is not JSON") from None
    if not isinstance(reply, dict):
        raise errors.ReplyError(f"the reply is {shown(reply)}, not an object with a move")
    if "move" not in reply:
        said = f"an error, {shown(reply['error'])}" if "error" in reply else f"{shown(reply)}, which has no move"
        raise errors.ReplyError(f"the reply is {said}")
    move = reply["move"]
    if not _is_whole(move):
        raise errors.MoveNotWholeError(f"move is {shown(move)}, not an integer")
    column: int = move
    return column


def check_stated(name: str, text: str | None) -> int | None:
    """A command line's value for player, width or height; None, for a warning, where it cannot be one."""
    largest = 2 if name == "player" else LARGEST_SIDE
    try:
        value = int(text or "")
    except ValueError:
        return None
    return value if 1 <= value <= largest else None
