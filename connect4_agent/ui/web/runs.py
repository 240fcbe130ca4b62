"""A run of the arena as pages show it: made anew when its files have changed, but not too often."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path
from time import monotonic

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from connect4_agent import errors
from connect4_agent.arena.journal import JOURNAL_NAME
from connect4_agent.arena.judged_moves import JUDGED_NAME
from connect4_agent.arena.report.html import build_page
from connect4_agent.arena.report.tally import number_games, report_on
from connect4_agent.arena.run import DESCRIPTION_NAME, read_run
from connect4_agent.ui.web.jobs import CallError
from connect4_agent.ui.web.pages import COMPRESSED

SHARE = 0.2
"""At most this part of the time goes into making pages."""

LEAST_SECONDS = 1.0
"""Between two looks at the files."""

EVENTS = "/api/run/events"

QUIET_SECONDS = 15.0
"""After that long without a change, a comment keeps the connection open."""


class OpenRun:
    """The page of a run that may still be in progress.

    Any thread may ask; they are answered one at a time. Raises RunFolderError if the run cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._version = ""
        self._page = b""
        self._next_time = 0.0
        self.page()

    def version(self) -> str:
        """Return a text that changes when the page would, if it is time for that."""
        if monotonic() < self._next_time:
            return self._version
        files = (self._folder / name for name in (JOURNAL_NAME, JUDGED_NAME, DESCRIPTION_NAME))
        return sha256(repr([*map(_identity, files)]).encode()).hexdigest()[:16]

    def page(self) -> bytes:
        """Return the page of the run as it is."""
        with self._lock:
            version = self.version()
            if version != self._version:
                started = monotonic()
                self._page = self._new_page(f"{EVENTS}?from={version}")
                self._version = version
                now = monotonic()
                self._next_time = now + max(LEAST_SECONDS, (now - started) / SHARE)
            return self._page

    def _new_page(self, events: str) -> bytes:
        bad_lines: list[str] = []
        state = read_run(self._folder, bad_lines.append)
        states = {self._folder.resolve().name: state}
        report = report_on(states, warnings=bad_lines)
        games = (record for _, record in number_games(states))
        return "".join(build_page(report, games, events)).encode(errors="backslashreplace")


def routes(run: OpenRun | None) -> list[BaseRoute]:
    """Return the page of the run, and the events that say when it has changed."""
    if run is None:
        return []

    async def page(_: Request) -> Response:
        try:
            content = await asyncio.to_thread(run.page)
        except errors.RunFolderError as error:
            raise CallError("bad_run", f"the run can no longer be read: {error}") from None
        return Response(content, media_type="text/html", headers={"Cache-Control": "no-cache"})

    async def events(request: Request) -> Response:
        seen = request.headers.get("last-event-id") or request.query_params.get("from", "")
        return StreamingResponse(_changes(run, seen), media_type="text/event-stream")

    return [
        Route("/run", page, methods=["GET"], middleware=[COMPRESSED]),
        Route(EVENTS, events, methods=["GET"]),
    ]


async def _changes(run: OpenRun, seen: str) -> AsyncIterator[str]:
    """Give an event for every version of the page after the one that was seen."""
    quiet = 0.0
    while True:
        version = run.version()
        if version != seen:
            seen = version
            quiet = 0.0
            yield f"event: change\nid: {version}\ndata: {version}\n\n"
        elif quiet >= QUIET_SECONDS:
            quiet = 0.0
            yield ":\n\n"
        await asyncio.sleep(LEAST_SECONDS)
        quiet += LEAST_SECONDS


def _identity(path: Path) -> tuple[int, ...]:
    """Values that change when the file does; none without the file."""
    try:
        status = path.stat()
    except OSError:
        return ()
    return (status.st_ino, status.st_size, status.st_mtime_ns)
