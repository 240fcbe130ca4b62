"""The files of the page: read from the package once, and served from memory alone."""

from __future__ import annotations

from hashlib import blake2b
from importlib.resources import files
from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.routing import Route

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request

CONTENT_TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
    "png": "image/png",
    "ico": "image/x-icon",
    "webmanifest": "application/manifest+json",
    "woff2": "font/woff2",
}
"""By the end of a file's name; files of other kinds are not served."""

PACKAGES = ("connect4_agent", "connect4_agent.play")
"""Those whose folder `static` is served, the board's component first."""


def routes() -> list[Route]:
    """An address for every file: /static/NAME, and /NAME for NAME.html, which is / for the index."""
    found: dict[str, Route] = {}
    for package in PACKAGES:
        folder = files(package).joinpath("static")
        for file in folder.iterdir() if folder.is_dir() else ():
            stem, _, kind = file.name.rpartition(".")
            if kind not in CONTENT_TYPES:
                continue
            endpoint = _serve(file.read_bytes(), CONTENT_TYPES[kind])
            paths = [f"/static/{file.name}"]
            if kind == "html":
                paths.append("/" if stem == "index" else f"/{stem}")
            if file.name == "favicon.ico":
                paths.append("/favicon.ico")
            found |= {path: Route(path, endpoint, methods=["GET"]) for path in paths}
    return list(found.values())


def _serve(content: bytes, content_type: str) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint that gives one file. Browsers keep it, but ask each time whether it is still the same."""
    headers = {
        "Content-Type": content_type,
        "Cache-Control": "no-cache",
        "ETag": f'"{blake2b(content, digest_size=16).hexdigest()}"',
    }

    async def serve(request: Request) -> Response:
        kept = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
        if headers["ETag"] in kept or "*" in kept:
            return Response(status_code=304, headers=headers)
        return Response(content, headers=headers)

    return serve
