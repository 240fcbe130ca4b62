"""What the web server answers where it cannot do what was asked: the protocol's error objects with HTTP's status."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response

from connect4_agent import errors, protocol
from connect4_agent.play.searches import RETRY_SECONDS

if TYPE_CHECKING:
    from starlette.exceptions import HTTPException
    from starlette.requests import Request

JSON_TYPE = "application/json"

STATUS: dict[str, int] = {
    "bad_json": 400,
    "cross_origin": 403,
    "not_found": 404,
    "no_run": 404,
    "no_such_game": 404,
    "unknown_player": 404,
    "method_not_allowed": 405,
    # Of the form that the description asks for, but no board or game can be like that, or it is over.
    "ragged_grid": 409,
    "floating_disc": 409,
    "board_full": 409,
    "illegal_move": 409,
    "game_over": 409,
    "line_too_long": 413,
    "unsupported_media_type": 415,
    "wrong_host": 421,
    # Not of the form that the description asks for.
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


def problem(error: errors.RequestError | errors.WebCallError, headers: dict[str, str] | None = None) -> Response:
    """The answer to a call that failed."""
    headers = dict(headers or {})
    if isinstance(error, errors.TooBusyError):
        headers["Retry-After"] = str(RETRY_SECONDS)
    if isinstance(error, errors.LineTooLongError):
        headers["Connection"] = "close"  # the rest of the body is not read
    return Response(
        protocol.encode(protocol.error_reply(error)), STATUS[error.code], headers=headers, media_type=JSON_TYPE
    )


async def answer_problem(_: Request, error: Exception) -> Response:
    """For calls that the interface refuses."""
    assert isinstance(error, errors.RequestError | errors.WebCallError)
    return problem(error)


async def answer_routing(request: Request, error: Exception) -> Response:
    """For addresses and methods that there are not."""
    status: HTTPException = error  # type: ignore[assignment]  # starlette calls it for nothing else
    if status.status_code == 405:
        allowed = (status.headers or {}).get("Allow", "")
        return problem(
            errors.MethodNotAllowedError(f"{request.method} {request.url.path}: allowed are {allowed}"),
            {"Allow": allowed},
        )
    return problem(errors.NotFoundError(f"there is nothing at {request.url.path[:200]!r}"))


async def answer_defect(_: Request, error: Exception) -> Response:
    """For what should not happen."""
    return problem(errors.DefectError(f"the server has a defect: {type(error).__name__}"))
