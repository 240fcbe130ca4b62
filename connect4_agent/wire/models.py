"""The models of requests and replies: they validate requests in unusual forms and describe the interface.

`protocol` loads this module only when it needs it, because loading pydantic takes longer than most searches.
"""

from __future__ import annotations

from typing import Annotated, Any

import orjson
from pydantic import BaseModel, BeforeValidator, ConfigDict, FailFast, Field, ValidationError, WithJsonSchema

from connect4_agent import errors
from connect4_agent.rules.position import LARGEST_SIDE
from connect4_agent.text import short_json
from connect4_agent.wire.foreign_numbers import cell


def _known_cell(value: object) -> object:
    """A cell's content as an integer, however it is written; anything else is returned as it is, to be refused."""
    content = cell(value)
    return value if content is None else content


# The schemas are for the description of the web interface. There, 1.0 is an integer, too.
Cell = Annotated[
    int,
    BeforeValidator(_known_cell),
    Field(strict=True, ge=0, le=2),
    WithJsonSchema(
        {
            "description": "0 empty, 1 and 2 the players; -1, null and text are read as well",
            "anyOf": [
                {"type": "integer", "enum": [0, 1, 2, -1]},
                {"type": "string", "enum": ["0", "1", "2", "-1", "", " "]},
                {"type": "null"},
            ],
        }
    ),
]
_SIDE: dict[str, Any] = {"minItems": 1, "maxItems": LARGEST_SIDE}
Column = Annotated[list[Cell], FailFast(), Field(json_schema_extra=_SIDE)]


class Request(BaseModel):
    """What a manager asks. Only the grid is required; the rest is checked against it, with warnings."""

    model_config = ConfigDict(extra="ignore", strict=True)

    grid: Annotated[list[Column], FailFast(), Field(json_schema_extra=_SIDE)]
    """The columns from left to right, each from its top cell to its bottom cell: 0 empty, 1 and 2 the players."""
    height: Any = None
    width: Any = None
    player: Any = None


def checked_cells(grid: object) -> list[list[int]]:
    """A grid with its cells as 0, 1 and 2. Raises the RequestError that names the place of what cannot be one."""
    try:
        return Request.model_validate({"grid": grid}).grid
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False)[0]
    place, value = found["loc"], found["input"]
    name = str(place[0]) + "".join(f"[{index}]" for index in place[1:])
    if len(place) == 3:
        raise errors.RequestError("bad_cell", f"{name} is {short_json(value)}; a cell is the integer 0, 1 or 2")
    wanted = "a list of columns" if len(place) == 1 else "a list of cells"
    raise errors.RequestError("bad_grid", f"{name} is {short_json(value)}, not {wanted}")


class MoveReply(BaseModel):
    """The answer to a request."""

    move: int
    """The column to play, counted from 0."""


class ExplainedReply(MoveReply):
    """The answer with `--explain`."""

    score: int | None
    """From the side to move; null if nothing was searched."""
    exact: bool
    """True: 0 is a draw, +k a win with the winner's k-th last disc, -k a loss. False: an evaluator's opinion."""
    depth: int
    """The number of plies searched; 0 if nothing was searched."""
    nodes: int
    """The number of positions visited."""
    elapsed_ms: float
    """The time from the request's arrival to this answer."""
    line: list[int]
    """The play expected from both sides, beginning with `move`."""


class ErrorReply(BaseModel):
    """The answer if no move is possible."""

    error: str
    """What is wrong, and where."""
    code: str
    """The cause, as one of errors.REQUEST_CODES."""


def encode(reply: BaseModel) -> bytes:
    """A reply as one line."""
    return orjson.dumps(reply.model_dump(), option=orjson.OPT_APPEND_NEWLINE)
