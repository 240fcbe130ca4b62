"""The description of the web interface: a table of its calls, and the OpenAPI document made from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import orjson
from pydantic import BaseModel, TypeAdapter

from connect4_agent import __version__, errors
from connect4_agent.rules.position import Position, columns_of
from connect4_agent.server.request import request_of
from connect4_agent.web import models, queries
from connect4_agent.web.http_errors import JSON_TYPE, STATUS

DESCRIPTION = """\
The interface that the page of `connect4-agent web` uses. Columns are counted from 0; a grid is a list of columns, each
from its top cell to its bottom cell, 0 empty, 1 and 2 the players. Errors are the line protocol's objects."""

ALWAYS = ("two_lengths", "cross_origin", "wrong_host", "bad_query", "internal_error")
BODY = ("bad_json", "line_too_long", "unsupported_media_type")
SEARCH = ("search_failed", "too_busy")
REQUEST_CODES = tuple(code for code in errors.REQUEST_CODES if code in STATUS)
EXAMPLE_GAME = "4453"


@dataclass(frozen=True, slots=True)
class Operation:
    """A call: where it is, what it reads, what it answers."""

    method: str
    path: str
    name: str
    """The name of the method of `Api`."""
    summary: str
    replies: tuple[Any, ...]
    """The types of the reply; the first that fits is used."""
    query: type[queries.Query] = queries.Query
    body: type[BaseModel] | None = None
    codes: tuple[str, ...] = ()
    """The codes of its errors, besides ALWAYS."""
    example: Any = None
    """A body."""


_POSITION = orjson.loads(request_of(Position.from_moves(EXAMPLE_GAME)))
_GAME = {"columns": list(columns_of(EXAMPLE_GAME)), "width": 7, "height": 6, "first": 1}

OPERATIONS = (
    Operation("GET", "/api/players", "players", "the players that can be asked for moves", (models.PlayersReply,)),
    Operation(
        "POST",
        "/api/move",
        "move",
        "a move in a position: the line protocol's request and reply",
        (models.ExplainedReply, models.MoveReply),
        queries.MoveQuery,
        models.RequestModel,
        (*BODY, *SEARCH, *REQUEST_CODES, "unknown_player", "agent_failed"),
        _POSITION,
    ),
    Operation(
        "POST",
        "/api/analyze",
        "analyze",
        "the exact score of every column of a position",
        (models.AnalysisReply,),
        queries.AnalyzeQuery,
        models.RequestModel,
        (*BODY, *SEARCH, *REQUEST_CODES, "game_over"),
        _POSITION,
    ),
    Operation(
        "POST",
        "/api/explain",
        "explain",
        "why a position, or a column in it, is worth what it is",
        (models.ExplanationReply,),
        queries.ExplainQuery,
        models.RequestModel,
        (*BODY, *SEARCH, *REQUEST_CODES, "game_over", "illegal_move"),
        _POSITION,
    ),
    Operation(
        "POST",
        "/api/plan",
        "plan",
        "a plan's reply to the last move of a game",
        (models.MoveReply,),
        body=models.PlanRequest,
        codes=(*BODY, "bad_field", "illegal_move", "game_over"),
        example={**_GAME, "plan": {"kept": ["b2"], "answers": [], "spare": None}},
    ),
    Operation(
        "POST",
        "/api/judge",
        "judge",
        "what every move of a game did to the exact score",
        (models.JudgeReply,),
        body=models.JudgeRequest,
        codes=(*BODY, *SEARCH, "bad_field", "illegal_move", "game_over"),
        example=_GAME,
    ),
    Operation(
        "GET",
        "/api/puzzle",
        "puzzle",
        "a position in which exactly one column is right",
        (models.PuzzleReply,),
        queries.PuzzleQuery,
        codes=(*SEARCH, "not_found"),
    ),
    Operation(
        "GET",
        "/api/puzzle/day",
        "puzzle_of_the_day",
        "the puzzle of a day, the same on every server",
        (models.PuzzleReply,),
        queries.DayQuery,
        codes=SEARCH,
    ),
    Operation(
        "POST",
        "/api/puzzles",
        "game_puzzles",
        "the puzzles in the mistakes of a game",
        (models.PuzzlesReply,),
        body=models.JudgeRequest,
        codes=(*BODY, *SEARCH, "bad_field", "illegal_move", "game_over"),
        example=_GAME,
    ),
    Operation("GET", "/api/openapi.json", "openapi", "this description", (models.AnyJson,)),
)
"""Every call of the interface."""


@cache
def description() -> bytes:
    """The OpenAPI document."""
    wanted: dict[str, tuple[Any, str]] = {"ErrorReply": (models.ErrorReply, "serialization")}
    for operation in OPERATIONS:
        for reply in operation.replies:
            wanted[reply.__name__] = (reply, "serialization")
        if operation.body is not None:
            wanted[operation.body.__name__] = (operation.body, "validation")
    inputs: list[Any] = [(name, mode, TypeAdapter(kind)) for name, (kind, mode) in wanted.items()]
    by_name, shared = TypeAdapter.json_schemas(inputs, ref_template="#/components/schemas/{model}")
    references = {name: schema for (name, _), schema in by_name.items()}
    paths: dict[str, Any] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _described(operation, references)
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": "connect4-agent",
            "version": __version__,
            "description": DESCRIPTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": paths,
        "components": {"schemas": shared.get("$defs", {})},
    }
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _described(operation: Operation, references: dict[str, Any]) -> dict[str, Any]:
    replies = [references[reply.__name__] for reply in operation.replies]
    schema = replies[0] if len(replies) == 1 else {"anyOf": replies}
    responses: dict[str, Any] = {"200": {"description": operation.summary, "content": {JSON_TYPE: {"schema": schema}}}}
    for code in dict.fromkeys((*ALWAYS, *operation.codes)):
        response = responses.setdefault(
            str(STATUS[code]), {"description": "", "content": {JSON_TYPE: {"schema": references["ErrorReply"]}}}
        )
        response["description"] = ", ".join(filter(None, (response["description"], code)))
        if code == "too_busy":
            response["headers"] = {"Retry-After": {"schema": {"type": "string"}, "description": "seconds"}}
    described: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "responses": dict(sorted(responses.items())),
        "parameters": _query_parameters(operation.query),
    }
    if operation.body is not None:
        content = {"schema": references[operation.body.__name__], "example": operation.example}
        described["requestBody"] = {"required": True, "content": {JSON_TYPE: content}}
    return described


def _query_parameters(query: type[queries.Query]) -> list[dict[str, Any]]:
    parameters = []
    whole = query.model_json_schema()
    for name, schema in whole.get("properties", {}).items():
        # None stands for a key that is left out; a request cannot send it.
        kind = next(kind for kind in schema.get("anyOf", [schema]) if kind.get("type") != "null")
        if "$ref" in kind:
            kind = whole["$defs"][kind["$ref"].rpartition("/")[2]]
        sent = {key: value for key, value in kind.items() if key not in ("title", "description", "default")}
        if schema.get("default") is not None:
            sent["default"] = schema["default"]
        parameters.append(
            {"name": name, "in": "query", "required": False, "description": schema["description"], "schema": sent}
        )
    return parameters
