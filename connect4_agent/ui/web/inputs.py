"""Foreign input over HTTP: the queries of addresses, and bodies."""

from __future__ import annotations

import datetime
from codecs import BOM_UTF8
from typing import Annotated, Any, TypeVar

import orjson
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from starlette.requests import Request

from connect4_agent import errors
from connect4_agent.rules.geometry import LARGEST_SIDE
from connect4_agent.server.lines import MAX_LINE_BYTES
from connect4_agent.server.loose_json import bad_json
from connect4_agent.text import short_json
from connect4_agent.ui.puzzles import LAST_NUMBER, PuzzleLevel, PuzzleTheme, read_day
from connect4_agent.ui.web.http_errors import JSON_TYPE
from connect4_agent.ui.web.jobs import CallError

ENOUGH_DIGITS = 18
"""The most digits of a Content-Length that are parsed to see whether the body is too long."""

AnyModel = TypeVar("AnyModel", bound=BaseModel)
LONGEST_SPEC = 200
"""The longest description of a player that is read."""

SEED_BITS = 63
MAX_MOVES = LARGEST_SIDE * LARGEST_SIDE


def _read_day(text: object) -> object:
    return read_day(text) if isinstance(text, str) else text


def _read_flag(text: object) -> object:
    return {"true": True, "false": False}.get(text, text) if isinstance(text, str) else text


Day = Annotated[datetime.date, BeforeValidator(_read_day)]
Flag = Annotated[bool, Field(strict=True), BeforeValidator(_read_flag)]
"""Only `true` or `false`, spelled exactly so."""

Seed = Annotated[int, Field(ge=-(1 << SEED_BITS), lt=1 << SEED_BITS)]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
ColumnNumber = Annotated[int, Field(ge=0, lt=LARGEST_SIDE)]
Side = Annotated[int, Field(ge=1, le=LARGEST_SIDE)]
CellNumbers = Annotated[list[ColumnNumber], Field(min_length=2, max_length=2)]
"""The column and the row of a cell."""


class Query(BaseModel):
    """The query of an address without keys."""

    model_config = ConfigDict(extra="forbid", defer_build=True)


class MoveQuery(Query):
    """The query of a move."""

    player: str = Field("hard", max_length=LONGEST_SPEC)
    time_limit: Seconds | None = None
    seed: Seed | None = None
    explain: Flag = False


class AnalyzeQuery(Query):
    """The query of an analysis: its time, and whether it continues to the end of the game."""

    time_limit: Seconds | None = None
    explain: Flag = False


class SolveQuery(Query):
    """The moves of a game on the usual board, with columns counted from 1."""

    pos: str = Field(max_length=LONGEST_SPEC)


class ExplainQuery(Query):
    """The query of an explanation, of the position or a column, and its time."""

    column: ColumnNumber | None = None
    time_limit: Seconds | None = None


class PuzzleQuery(Query):
    """The query of a puzzle; what is not given is chosen at random."""

    seed: Annotated[int, Field(ge=1, le=LAST_NUMBER)] | None = None
    theme: PuzzleTheme | None = None
    level: PuzzleLevel | None = None


class DayQuery(Query):
    """The query of a day's puzzle."""

    date: Day | None = None


class Body(BaseModel):
    """The body of a call."""

    model_config = ConfigDict(strict=True, extra="forbid", defer_build=True)


class GameBody(Body):
    """A game from the empty board, or from a position that was set up."""

    columns: list[ColumnNumber] = Field(max_length=MAX_MOVES)
    width: Side = 7
    height: Side = 6
    first: Annotated[int, Field(ge=1, le=2)] = 1
    """The player who began."""
    grid: list[list[int]] | None = None
    """The position that was set up, as in the line protocol; `width` and `height` are then its own."""


class PlanModel(Body):
    """A plan as the reason of an explanation has it."""

    kept: list[CellNumbers] = Field([], max_length=LARGEST_SIDE)
    answers: list[Annotated[list[CellNumbers], Field(min_length=2, max_length=2)]] = Field(
        default=[], max_length=MAX_MOVES
    )
    spare: ColumnNumber | None = None


class PlanBody(GameBody):
    """A game in which the plan's side is to move."""

    columns: list[ColumnNumber] = Field(min_length=1, max_length=MAX_MOVES)
    plan: PlanModel


def read_query(request: Request, model: type[AnyModel]) -> AnyModel:
    """Return the query of an address. Raises CallError."""
    items = request.query_params.multi_items()
    values = dict(items)
    allowed = ", ".join(model.model_fields) or "none"
    if any(name not in model.model_fields for name in values):  # not quoted: a page might show it
        raise CallError("bad_query", f"in the address, a key is not known; the known keys are: {allowed}")
    if len(values) < len(items):
        names = [name for name, _ in items]
        twice = next(name for name in names if names.count(name) > 1)
        raise CallError("bad_query", f"{short_json(twice)} is given {names.count(twice)} times in the address")
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise CallError("bad_query", f"in the address, {_found(error)}") from None


def read_model(body: bytes, model: type[AnyModel]) -> AnyModel:
    """Return a body that only this interface has. Raises RequestError, CallError."""
    try:
        return model.model_validate(orjson.loads(body.removeprefix(BOM_UTF8)))
    except orjson.JSONDecodeError as flaw:
        raise bad_json(body, flaw) from None
    except ValidationError as error:
        raise CallError("bad_field", f"in the body, {_found(error)}") from None


def _found(error: ValidationError) -> str:
    first: Any = error.errors(include_url=False, include_context=False)[0]
    path = ".".join(map(str, first["loc"]))
    return f"{path or 'the value'} is {short_json(first['input'])}: {first['msg'].removeprefix('Value error, ')}"


async def read_body(request: Request) -> bytes:
    """Return the body, if it is JSON and not too long. Raises CallError, RequestError."""
    content_type = request.headers.get("content-type", "")
    if content_type.partition(";")[0].strip().lower() != JSON_TYPE:
        # Browsers let any site send the content types of forms without asking this server first.
        raise CallError("unsupported_media_type", f"Content-Type is {short_json(content_type)}; allowed is {JSON_TYPE}")
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced[:ENOUGH_DIGITS]) > MAX_LINE_BYTES:
        raise _too_long()
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_LINE_BYTES:
            raise _too_long()
    return bytes(body)


def _too_long() -> errors.RequestError:
    return errors.RequestError(
        "line_too_long", f"the body is longer than {MAX_LINE_BYTES} bytes, the most that is read"
    )
