"""The model of a request: it validates grids of other cells than integers, and describes requests to web clients.

It is loaded when it is needed, because loading pydantic takes longer than most searches.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, FailFast, Field, ValidationError, WithJsonSchema

from connect4_agent.errors import RequestError
from connect4_agent.rules.position import LARGEST_SIDE
from connect4_agent.server.readings import cell_of
from connect4_agent.text import short_json


def _known_cell(value: object) -> object:
    """A cell's content as an integer, however it is written; anything else is returned as it is, to be refused."""
    content = cell_of(value)
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


class RequestModel(BaseModel):
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
        return RequestModel.model_validate({"grid": grid}).grid
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
    path, value = first["loc"], first["input"]
    name = str(path[0]) + "".join(f"[{index}]" for index in path[1:])
    if len(path) == 3:
        raise RequestError("bad_cell", f"{name} is {short_json(value)}; a cell is the integer 0, 1 or 2")
    wanted = "a list of columns" if len(path) == 1 else "a list of cells"
    raise RequestError("bad_grid", f"{name} is {short_json(value)}, not {wanted}")
