"""The web server's error replies: the protocol's error objects with an HTTP status."""

from __future__ import annotations

from typing import ClassVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from connect4_agent import errors
from connect4_agent.wire import request as protocol

JSON_TYPE = "application/json"

RETRY_SECONDS = 1
"""When clients may come back if the server is too busy."""

STATUS: dict[str, int] = {
    "bad_json": 400,
    "two_lengths": 400,
    "cross_origin": 403,
    "not_found": 404,
    "no_run": 404,
    "no_such_game": 404,
    "not_judged": 404,
    "unknown_player": 404,
    "method_not_allowed": 405,
    # Well-formed, but no board or game can be like that, or the game is over.
    "ragged_grid": 409,
    "floating_disc": 409,
    "board_full": 409,
    "illegal_move": 409,
    "game_over": 409,
    "line_too_long": 413,
    "unsupported_media_type": 415,
    "wrong_host": 421,
    # Not of the form that the interface's description asks for.
    "not_an_object": 422,
    "missing_grid": 422,
    "bad_grid": 422,
    "empty_grid": 422,
    "bad_cell": 422,
    "board_too_large": 422,
    "bad_field": 422,
    "bad_query": 422,
    "internal_error": 500,
    "search_failed": 500,
    "bad_run": 500,
    "agent_failed": 502,
    "too_busy": 503,
}
"""The status of every error code."""


class WebCallError(errors.Connect4Error):
    """A call of the web interface that cannot be answered; `code` names the cause in the answer."""

    code: ClassVar[str]


class BadQueryError(WebCallError):
    """A key in the address's query is unknown, appears twice, or has a value that is not allowed."""

    code = "bad_query"


class BadFieldError(WebCallError):
    """A field of the body has a value that is not allowed."""

    code = "bad_field"


class UnknownPlayerError(WebCallError):
    """There is no such player."""

    code = "unknown_player"


class IllegalColumnError(WebCallError):
    """A column of a game is full or not on the board."""

    code = "illegal_move"


class GameOverCallError(WebCallError):
    """The game is over, so the question about it has no answer."""

    code = "game_over"


class NotFoundError(WebCallError):
    """There is nothing at this address."""

    code = "not_found"


class NoRunError(WebCallError):
    """The server was started without a run."""

    code = "no_run"


class NoSuchGameError(WebCallError):
    """The run has no game with this number, or not yet."""

    code = "no_such_game"


class NotJudgedError(WebCallError):
    """The run's judge has not judged this game, or not yet."""

    code = "not_judged"


class BadRunError(WebCallError):
    """The run's journal can no longer be read."""

    code = "bad_run"


class MethodNotAllowedError(WebCallError):
    """The address exists, but not for this method."""

    code = "method_not_allowed"


class NotJsonError(WebCallError):
    """The body is not declared as JSON."""

    code = "unsupported_media_type"


class CrossOriginError(WebCallError):
    """The call comes from another site's page."""

    code = "cross_origin"


class TwoLengthsError(WebCallError):
    """The call gives the length of its body in two ways; a proxy in between may have used the other one."""

    code = "two_lengths"


class WrongHostError(WebCallError):
    """The call's Host header names another server."""

    code = "wrong_host"


class TooBusyError(WebCallError):
    """The maximum number of searches is already waiting."""

    code = "too_busy"


class AgentFailedError(WebCallError):
    """A command-line agent did not return a move."""

    code = "agent_failed"


class SearchFailedError(WebCallError):
    """A search ended without an answer."""

    code = "search_failed"


class DefectError(WebCallError):
    """An internal error: a bug in the server."""

    code = "internal_error"


def error_response(error: errors.RequestError | WebCallError, headers: dict[str, str] | None = None) -> Response:
    """The answer to a call that failed."""
    headers = dict(headers or {})
    if isinstance(error, TooBusyError):
        headers["Retry-After"] = str(RETRY_SECONDS)
    if isinstance(error, errors.LineTooLongError | TwoLengthsError):
        headers["Connection"] = "close"  # the rest of the body is not read
    body = protocol.encode_error(str(error), error.code)
    return Response(body, STATUS[error.code], headers=headers, media_type=JSON_TYPE)


async def answer_error(_: Request, error: Exception) -> Response:
    """For calls that the interface refuses."""
    assert isinstance(error, errors.RequestError | WebCallError)
    return error_response(error)


async def answer_routing(request: Request, error: Exception) -> Response:
    """For addresses and methods that do not exist."""
    status: HTTPException = error  # type: ignore[assignment]  # starlette calls it for nothing else
    if status.status_code == 405:
        allowed = (status.headers or {}).get("Allow", "")
        return error_response(
            MethodNotAllowedError(f"{request.method} {request.url.path}: allowed are {allowed}"), {"Allow": allowed}
        )
    return error_response(NotFoundError(f"there is nothing at {request.url.path[:200]!r}"))


async def answer_defect(_: Request, error: Exception) -> Response:
    """For internal errors."""
    return error_response(DefectError(f"internal error (a bug in the server): {type(error).__name__}"))
