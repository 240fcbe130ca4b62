"""The model of a request: its four keys, their types, and the position that they make. This is the definition."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, FailFast, Field, ValidationError, model_validator

from connect4_agent.errors import RequestError
from connect4_agent.rules.geometry import LARGEST_SIDE
from connect4_agent.rules.position import Position
from connect4_agent.server.request import request_for
from connect4_agent.text import short_json

if TYPE_CHECKING:
    from typing import Self

    from connect4_agent.errors import RequestCode
    from connect4_agent.server.request import CommandLineDefaults, Request

Cell = Annotated[int, Field(ge=0, le=2)]
Player = Annotated[int, Field(ge=1, le=2)]
Side = Annotated[int, Field(ge=1, le=LARGEST_SIDE)]


class RequestModel(BaseModel):
    """A request in the documented form. Validation raises ValidationError for a type, RequestError for a board."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    grid: Annotated[list[Annotated[list[Cell], FailFast()]], FailFast()]
    """The columns from left to right, each from its top cell to its bottom cell: 0 empty, 1 and 2 the players."""
    height: Side
    """The number of cells in each column."""
    width: Side
    """The number of columns."""
    player: Player
    """The player to move; either may have begun."""

    @cached_property
    def position(self) -> Position:
        """The board and the player to move."""
        rows = {len(column) for column in self.grid}
        if len(rows) == 1 and 0 not in rows and (len(self.grid), *rows) != (self.width, self.height):
            sent = f"grid is {len(self.grid)} lists of {rows.pop()} cells"
            raise RequestError("bad_size", f"{sent}; width and height ask for {self.width} columns of {self.height}")
        return Position.from_grid(self.grid, self.player)

    @model_validator(mode="after")
    def _check_position(self) -> Self:
        _ = self.position
        return self


def read_documented(value: dict[str, Any], defaults: CommandLineDefaults) -> Request:
    """Return the request of an object in the documented form; the command line adds keys that are missing.

    Raise the RequestError that says what was expected and what came.
    """
    stated = {name: default for name, default in defaults._asdict().items() if default is not None}
    try:
        return request_for(RequestModel.model_validate(stated | value).position)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
    raise _error_for(first["type"], *first["loc"], sent=first["input"])


def _error_for(kind: str, key: int | str, *path: int | str, sent: Any) -> RequestError:
    """Return the error for the value at `key`, or at a path of indexes below it."""
    if kind == "missing":
        code: RequestCode = "missing_grid" if key == "grid" else "missing_key"
        return RequestError(code, f'the request has no "{key}"; its keys are {short_json(list(sent))}')
    if kind == "extra_forbidden":
        allowed = ", ".join(RequestModel.model_fields)
        return RequestError("unknown_key", f"{short_json(key)} is not a key of a request; allowed are {allowed}")
    name = f"{key}{''.join(f'[{index}]' for index in path)}"
    if key == "grid" and len(path) < 2:
        lists = "a list of cells" if path else "a list of columns"
        return RequestError("bad_grid", f"{name} is {short_json(sent)}, not {lists}")
    if key == "grid":
        return RequestError("bad_cell", f"{name} is {short_json(sent)}; a cell is the integer 0, 1 or 2")
    if key == "player":
        return RequestError("bad_player", f"player is {short_json(sent)}; allowed are the integers 1 and 2")
    return RequestError("bad_size", f"{name} is {short_json(sent)}; allowed is an integer from 1 to {LARGEST_SIDE}")
