"""Connections: none stays half-open, and there are never so many that the process runs out of files."""

from __future__ import annotations

import asyncio
import errno
import sys
from time import monotonic
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HALF_OPEN_SECONDS = 10.0
"""The time for a whole request to arrive, and for a client to read what was sent to it."""

MOST_CONNECTIONS = 1000

MOST_ACCEPTED = 64
"""How many connections are accepted in one go, before any of them can be counted."""

OTHER_FILES = 64 + MOST_ACCEPTED
"""Files kept free for pages, runs, searches and agents, and for connections that are not counted yet."""

TELL_SECONDS = 60.0
"""How often a lack of files is reported."""


def file_limit() -> int | None:
    """How many files the process may have open; None if that is not known."""
    try:
        import resource  # noqa: PLC0415  # not on Windows
    except ImportError:
        return None
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return None if limit == resource.RLIM_INFINITY else limit


def most_connections(limit: int | None) -> int:
    """How many connections fit within a limit of open files."""
    return MOST_CONNECTIONS if limit is None else max(8, min(MOST_CONNECTIONS, limit - OTHER_FILES))


class Crowd:
    """The connections that wait for their client, the longest wait first, and those being answered."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: dict[TimedProtocol, None] = {}
        self._answered: set[TimedProtocol] = set()

    def enter(self, connection: TimedProtocol) -> None:
        """Admit a connection; if there are too many, close the one whose client has been silent longest."""
        self._waiting[connection] = None
        if len(self._waiting) + len(self._answered) > self._most:
            longest = next(iter(self._waiting))
            self.leave(longest)  # at once: many may enter before it is really closed
            longest.transport.abort()

    def set_waiting(self, connection: TimedProtocol, *, is_waiting: bool) -> None:
        """Record whether a connection is now waiting for its client."""
        if is_waiting and connection in self._answered:
            self._answered.discard(connection)
            self._waiting[connection] = None
        elif not is_waiting and connection in self._waiting:
            del self._waiting[connection]
            self._answered.add(connection)

    def leave(self, connection: TimedProtocol) -> None:
        """Forget a connection that is closed."""
        self._waiting.pop(connection, None)
        self._answered.discard(connection)


class TimedProtocol(H11Protocol):
    """HTTP/1.1 with a time limit for every wait for the client."""

    crowd: Crowd
    """Shared by all connections of a server."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, and begin to wait for a request."""
        super().connection_made(transport)
        self._start_timer()
        self.crowd.enter(self)

    def data_received(self, data: bytes) -> None:
        """Take in a part of a request; a whole one ends the waiting."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Wait for the client to read this answer, and for its next request."""
        super().on_response_complete()
        self._stop_timer()
        self._look()

    def pause_writing(self) -> None:
        """The client is not reading: begin to wait for it."""
        super().pause_writing()
        self._start_timer()

    def resume_writing(self) -> None:
        """The client is reading again."""
        super().resume_writing()
        self._stop_timer()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        super().connection_lost(exc)
        self._stop_timer()
        self.crowd.leave(self)

    def _look(self) -> None:
        """Start or stop waiting for the client, according to the state of its request."""
        is_request_whole = self.conn.their_state not in (h11.IDLE, h11.SEND_BODY)
        is_waiting = not (is_request_whole and self.conn.our_state in (h11.SEND_RESPONSE, h11.SEND_BODY))
        self.crowd.set_waiting(self, is_waiting=is_waiting)
        if is_waiting:
            self._start_timer()
        else:
            self._stop_timer()

    def _start_timer(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(HALF_OPEN_SECONDS, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def timed_protocol(most: int) -> type[TimedProtocol]:
    """The protocol of a server with at most this many connections."""
    return type("CountedProtocol", (TimedProtocol,), {"crowd": Crowd(most)})


class DefectTeller:
    """Reports errors on standard error, one line each; a lack of files at most once a minute."""

    def __init__(self) -> None:
        self._silent_until = 0.0

    def tell(self, error: BaseException | None, what: str) -> None:
        """Write a line."""
        if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
            if monotonic() < self._silent_until:
                return
            self._silent_until = monotonic() + TELL_SECONDS
            what = f"too many open files for another connection; `ulimit -n` allows {file_limit()}"
        elif error is not None:
            what = f"{what}: {type(error).__name__}: {error}"
        sys.stderr.write(f"connect4-agent web: {what}\n")

    def tell_of_loop(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """For errors that the event loop meets outside of calls."""
        self.tell(context.get("exception"), str(context.get("message", "the server hit an error")).splitlines()[0])
