"""Serving: uvicorn runs the application on a socket until a signal ends it."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from connect4_agent.web.connections import MOST_ACCEPTED, DefectTeller, file_limit, most_connections, timed_protocol

MOST_UNACCEPTED = 1024
"""Connections that the system queues for the server; they take none of its open files."""


class Server(uvicorn.Server):
    """Ends at once: there is nothing to clean up, and child processes notice that their server has gone."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, reporting errors in one line each."""
        asyncio.get_running_loop().set_exception_handler(DefectTeller().tell_of_loop)
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(MOST_UNACCEPTED)  # asyncio's backlog is also how many it accepts at a time

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """Exit with the status that shells use for the signal."""
        os._exit(128 + sig)


def serve(app: ASGIApp, listener: socket.socket, *, verbose: bool) -> None:
    """Answer calls on the socket; `verbose` logs each of them on standard error."""
    if verbose:
        logging.basicConfig(format="connect4-agent web: %(message)s", level=logging.INFO)
    else:
        logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    most = most_connections(file_limit())
    config = uvicorn.Config(
        app,
        http=timed_protocol(most),
        backlog=min(MOST_ACCEPTED, most),
        log_config=None,
        access_log=verbose,
        proxy_headers=False,
        server_header=False,
        ws="none",
        lifespan="on",
    )
    with listener:
        Server(config).run(sockets=[listener])
