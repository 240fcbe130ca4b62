"""The files of the page, and the addresses at which they are served."""

from __future__ import annotations

import mimetypes
import os
from collections.abc import Awaitable, Callable

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

# Systems disagree on these types, and browsers refuse to run modules of any other type.
mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("application/manifest+json", ".webmanifest")
mimetypes.add_type("image/x-icon", ".ico")

PACKAGES = ("connect4_agent.drawing", "connect4_agent.ui.web", "connect4_agent.arena.report")
"""The packages whose folder `static` is served."""

PAGES = {
    "/": "index.html",
    "/learn": "index.html",
    "/puzzles": "index.html",
    "/analyse": "index.html",
    "/favicon.ico": "favicon.ico",
}
"""Files of the same folders that are served at addresses of their own. The views of the page have their names there."""

NOT_FOUND = "404.html"
"""The page at any other address."""

COMPRESSED = Middleware(GZipMiddleware, minimum_size=500)
"""For browsers that accept gzip."""


class PageFiles(StaticFiles):
    """Files that browsers cache, but check for changes on each use."""

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """Return a file, or the answer that the browser's copy is still current."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["Cache-Control"] = "no-cache"
        return response


FILES = PageFiles(packages=[(package, "static") for package in PACKAGES])


def not_found() -> Response:
    """Return the page for an unknown address, never the answer that the browser's copy is still current."""
    path, stat = FILES.lookup_path(NOT_FOUND)
    assert stat is not None
    return FileResponse(path, 404, {"Cache-Control": "no-cache"}, stat_result=stat)


def routes() -> list[BaseRoute]:
    """Return the addresses of the pages, and of every file: /static/NAME."""

    def page(name: str) -> Callable[[Request], Awaitable[Response]]:
        async def serve(request: Request) -> Response:
            return await FILES.get_response(name, request.scope)

        return serve

    pages = (Route(path, page(name), methods=["GET"], middleware=[COMPRESSED]) for path, name in PAGES.items())
    return [*pages, Mount("/static", FILES, middleware=[COMPRESSED])]
