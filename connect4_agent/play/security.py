"""Whom the web server answers: its own page and programs on its own address, nobody else's page."""

from __future__ import annotations

import ipaddress
import re
import socket
import sys
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders

from connect4_agent import errors
from connect4_agent.play.problems import answer_defect, problem

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""What every answer carries."""

API = "/api/"

_HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(?P<port>[0-9]{1,5}))?")


@dataclass(frozen=True, slots=True)
class HostNames:
    """The names under which the server may be called, without a port: one behind a tunnel has another port.

    A page that makes its own name point to this machine (DNS rebinding) calls with that name, and is refused.
    """

    shown: str
    """The name for the address that people at this machine are told."""
    names: frozenset[str]
    is_loopback: bool = True
    any_address: bool = False
    """Whether every numeric address will do: such a name points nowhere else."""

    @classmethod
    def of(cls, host: str, address: str) -> HostNames:
        """The names of a server that was told to listen on `host`, and does so on this numeric address."""
        bound = ipaddress.ip_address(address.partition("%")[0])
        names = {host.lower(), str(bound)}
        if bound.is_loopback or bound.is_unspecified:
            names |= {"localhost", "127.0.0.1", "::1"}
        if bound.is_unspecified:
            names.add(socket.gethostname().lower())
        reachable = "localhost" if bound.is_unspecified else host
        shown = f"[{reachable}]" if ":" in reachable else reachable
        return cls(shown, frozenset(names), bound.is_loopback, any_address=bound.is_unspecified)

    def allow(self, host: str) -> bool:
        """Whether a Host header names this server."""
        found = _HOST.fullmatch(host)
        if found is None:
            return False
        name = found["name"].strip("[]").lower().removesuffix(".")
        if name in self.names:
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return self.any_address or str(address) in self.names


class Guard:
    """Checks every call before the application sees it, and adds the headers that keep browsers strict."""

    def __init__(self, app: ASGIApp, names: HostNames, *, verbose: bool = False) -> None:
        self._app = app
        self._names = names
        self._verbose = verbose

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a call."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        has_begun = False

        async def send_guarded(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        try:
            self._check(Headers(scope=scope), scope["path"])
            await self._app(scope, receive, send_guarded)
        except errors.WebCallError as error:
            await problem(error)(scope, receive, send_guarded)
        except Exception as error:  # noqa: BLE001  # one call's defect must not show a traceback, nor end the server
            self._tell(error)
            if not has_begun:
                await (await answer_defect(None, error))(scope, receive, send_guarded)  # type: ignore[arg-type]

    def _check(self, headers: Headers, path: str) -> None:
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._names.allow(hosts[0]):
            raise errors.WrongHostError(
                f"Host is {', '.join(hosts)[:200] or 'missing'}; this server is {', '.join(sorted(self._names.names))}"
            )
        if not path.startswith(API):
            return  # a link from elsewhere may lead to the page
        for origin in headers.getlist("origin"):
            if origin.lower() != f"http://{hosts[0].lower()}":
                raise errors.CrossOriginError(
                    f"Origin is {origin[:200]!r}; pages of other servers may not call this one"
                )
        for site in headers.getlist("sec-fetch-site"):
            if site not in ("same-origin", "none"):
                raise errors.CrossOriginError(f"Sec-Fetch-Site is {site[:50]!r}; allowed are same-origin and none")

    def _tell(self, error: Exception) -> None:
        details = "".join(traceback.format_exception(error)) if self._verbose else ""
        sys.stderr.write(f"connect4-agent web: a call failed: {type(error).__name__}: {error}\n{details}")
