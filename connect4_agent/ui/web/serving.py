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

import uvicorn
from starlette.types import ASGIApp

MAX_CONNECTIONS = 200
"""Beyond this many at a time, uvicorn answers calls with 503."""

KEEP_ALIVE_SECONDS = 10
"""How long a connection stays open between two calls."""

PROBES = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses reserved for documentation: nobody is there, and nothing is sent."""


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
    config = uvicorn.Config(
        app,
        http="h11",
        limit_concurrency=MAX_CONNECTIONS,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        log_config=None,
        access_log=verbose,
        proxy_headers=False,
        server_header=False,
        ws="none",
        lifespan="on",
    )
    with listener:
        Server(config).run(sockets=[listener])


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


def url_of(host: str, port: int, path: str = "") -> str:
    """Return the address of a page."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/{path}"
