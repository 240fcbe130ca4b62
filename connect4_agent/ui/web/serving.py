"""Serving: uvicorn runs the application on a socket until a signal ends it; the addresses of that socket."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import os
import socket
import sys
from types import FrameType
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from connect4_agent.server.replies import error_reply
from connect4_agent.ui.web.http_errors import JSON_TYPE, error_response
from connect4_agent.ui.web.jobs import CallError
from connect4_agent.ui.web.origin_check import HEADERS

MAX_CONNECTIONS = 200
"""Beyond this many at a time, calls are answered with 503."""

MAX_FROM_ADDRESS = 100
"""Beyond this many at a time from one address, connections are closed at once: no client can lock the others out."""

KEEP_ALIVE_SECONDS = 10
"""The longest time between two calls of a connection, in seconds."""

ARRIVAL_SECONDS = 10.0
"""The time for a call to arrive, head and body, counted from the connection or from the head's first byte."""

PROBES = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses reserved for documentation: nobody is there, and nothing is sent."""


async def refuse_call(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a call on a connection too many."""
    error = CallError("too_busy", f"{MAX_CONNECTIONS} connections are open; try again")
    await error_response(error, {**HEADERS, "Connection": "close"})(scope, receive, send)


class HttpConnection(H11Protocol):
    """A client's connection, closed if a call does not arrive in time."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Accept the connection unless there are too many."""
        assert isinstance(transport, asyncio.Transport)
        super().connection_made(transport)
        clients = [each.client for each in self.connections if isinstance(each, HttpConnection)]
        address = self.client and self.client[0]
        if sum(client is not None and client[0] == address for client in clients) > MAX_FROM_ADDRESS:
            transport.abort()
            return
        if len(self.connections) > MAX_CONNECTIONS:
            self.app = refuse_call
        self._await_call()

    def data_received(self, data: bytes) -> None:
        """Take a part of a call."""
        super().data_received(data)
        self._await_call()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the deadline."""
        super().connection_lost(exc)
        self._forget_deadline()

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP with an error object, as all other errors."""
        body = error_reply(CallError("bad_http", msg))
        headers = {**HEADERS, "Content-Type": JSON_TYPE, "Content-Length": len(body), "Connection": "close"}
        lines = ["HTTP/1.1 400 Bad Request", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
        self.transport.write("\r\n".join(lines).encode() + body)
        self.transport.close()

    def _await_call(self) -> None:
        """Set the deadline if a part of a call is awaited; more of the call does not move the deadline."""
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._forget_deadline()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(ARRIVAL_SECONDS, self.transport.close)

    def _forget_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class Server(uvicorn.Server):
    """Ends at once: there is nothing to clean up, and child processes notice that their server has gone."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, reporting errors outside of calls in one line each."""
        asyncio.get_running_loop().set_exception_handler(_report)
        await super().startup(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """Exit with the status that shells use for the signal."""
        os._exit(128 + sig)


def _report(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    message = str(context.get("message", "the server hit an error")).splitlines()[0]
    error = context.get("exception")
    cause = "" if error is None else f": {type(error).__name__}: {error}"
    sys.stderr.write(f"connect4-agent web: {message}{cause}\n")


def serve(app: ASGIApp, listener: socket.socket, *, verbose: bool) -> None:
    """Answer calls on the socket; `verbose` logs each of them on standard error."""
    if verbose:
        logging.basicConfig(format="connect4-agent web: %(message)s", level=logging.INFO)
    else:
        logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    with listener:
        new_server(app, verbose=verbose).run(sockets=[listener])


def new_server(app: ASGIApp, *, verbose: bool = False) -> Server:
    """Return a server of the application."""
    config = uvicorn.Config(
        app,
        http=HttpConnection,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        log_config=None,
        access_log=verbose,
        proxy_headers=False,
        server_header=False,
        ws="none",
        lifespan="on",
    )
    return Server(config)


def network_address(bound: str) -> str | None:
    """Return the numeric address under which other machines reach a server bound to this one; None if they cannot.

    For a server on all addresses, it is that of the interface which leads out.
    """
    address = ipaddress.ip_address(bound.partition("%")[0])
    if address.is_loopback:
        return None
    if not address.is_unspecified:
        return str(address)
    families = (socket.AF_INET,) if address.version == 4 else (socket.AF_INET, socket.AF_INET6)
    for family in families:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((PROBES[family], 9))  # chooses an interface
                own_address = str(probe.getsockname()[0])
        except OSError:
            continue
        if not ipaddress.ip_address(own_address).is_loopback:
            return own_address
    return None


def format_url(host: str, port: int, path: str = "") -> str:
    """Return the address of a page."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/{path}"
