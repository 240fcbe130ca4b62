"""The web server's error replies: the protocol's error objects with an HTTP status, and a page for people."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from connect4_agent import errors
from connect4_agent.server.replies import error_reply
from connect4_agent.ui.web import pages
from connect4_agent.ui.web.jobs import CallError

JSON_TYPE = "application/json"

RETRY_SECONDS = 1
"""When clients may come back if the server is too busy."""

STATUS: dict[str, int] = {
    "bad_http": 400,
    "bad_json": 400,
    "two_lengths": 400,
    "cross_origin": 403,
    "not_found": 404,
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
    # Not of the form that the call asks for.
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


def error_response(error: errors.RequestError | CallError, headers: dict[str, str] | None = None) -> Response:
    """Return the answer to a call that failed."""
    headers = dict(headers or {})
    if error.code == "too_busy":
        headers["Retry-After"] = str(RETRY_SECONDS)
    if error.code in ("line_too_long", "two_lengths"):
        headers["Connection"] = "close"  # the rest of the body is not read
    return Response(error_reply(error), STATUS[error.code], headers=headers, media_type=JSON_TYPE)


async def answer_error(_: Request, error: Exception) -> Response:
    """For calls that the interface refuses."""
    assert isinstance(error, errors.RequestError | CallError)
    return error_response(error)


async def answer_routing(request: Request, error: Exception) -> Response:
    """For addresses and methods that do not exist."""
    status: HTTPException = error  # type: ignore[assignment]  # starlette calls it for nothing else
    if status.status_code == 405:
        allowed = (status.headers or {}).get("Allow", "")
        message = f"{request.method} {request.url.path}: allowed are {allowed}"
        return error_response(CallError("method_not_allowed", message), {"Allow": allowed})
    if _is_for_people(request):
        return pages.not_found()
    return error_response(CallError("not_found", f"there is nothing at {request.url.path[:200]!r}"))


def _is_for_people(request: Request) -> bool:
    """Check whether a browser shows the answer as a page, after a link or a typed address."""
    wants_page = "text/html" in request.headers.get("accept", "")
    return wants_page and request.method in ("GET", "HEAD") and not request.url.path.startswith(("/api/", "/static/"))


async def answer_defect(_: Request, error: Exception) -> Response:
    """For internal errors."""
    return error_response(CallError("internal_error", f"internal error (a bug in the server): {type(error).__name__}"))
