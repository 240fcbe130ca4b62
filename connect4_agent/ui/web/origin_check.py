"""Access control: the web server answers its own pages and programs at its own address, but not other sites' pages."""

from __future__ import annotations

import ipaddress
import re
import socket
import sys
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from connect4_agent.ui.web import http_errors
from connect4_agent.ui.web.jobs import CallError

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""The headers of every answer."""

API = "/api/"
SOLVE = "/solve"
"""The only call that pages of other servers may be allowed to read."""

_HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(?P<port>[0-9]{1,5}))?")


@dataclass(frozen=True, slots=True)
class HostNames:
    """The host names that the server answers to, without a port: behind a tunnel, the port differs.

    A page that makes its own name point to this machine (DNS rebinding) calls with that name, and is refused.
    """

    shown: str
    """The host name in the address shown to people at this machine."""
    names: frozenset[str]
    is_loopback: bool = True
    any_address: bool = False
    """True if every numeric address is accepted: such a name cannot be pointed elsewhere."""
    origins: frozenset[str] = frozenset()
    """The origins of the server's own page behind proxies, such as https://board.example."""
    readers: frozenset[str] = frozenset()
    """The origins of other pages that may read SOLVE; `*` means all."""

    @classmethod
    def of(
        cls,
        host: str,
        address: str,
        others: Iterable[str] = (),
        origins: Iterable[str] = (),
        readers: Iterable[str] = (),
    ) -> HostNames:
        """Return the names of a server that listens on `host`, which is this numeric address.

        `others` are further names. Those in origins need not be repeated there.
        """
        bound = ipaddress.ip_address(address.partition("%")[0])
        origins = frozenset(origins)
        names = {host.lower(), str(bound), *others, *(urlsplit(origin).hostname or "" for origin in origins)}
        if bound.is_loopback or bound.is_unspecified:
            names |= {"localhost", "127.0.0.1", "::1"}
        if bound.is_unspecified:
            names.add(socket.gethostname().lower())
        reachable = "localhost" if bound.is_unspecified else host
        shown = f"[{reachable}]" if ":" in reachable else reachable
        return cls(shown, frozenset(names), bound.is_loopback, bound.is_unspecified, origins, frozenset(readers))

    def allow(self, host: str) -> bool:
        """Check whether a Host header names this server."""
        match = _HOST.fullmatch(host)
        if match is None:
            return False
        name = match["name"].strip("[]").lower().removesuffix(".")
        if name in self.names:
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return self.any_address or str(address) in self.names


class OriginCheck:
    """Checks every call before the application sees it, and adds security headers to the answer."""

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
        headers = Headers(scope=scope)
        reader = self._find_reader(headers, scope["path"])

        async def send_guarded(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                MutableHeaders(scope=message).update(HEADERS | reader)
            await send(message)

        try:
            self._check(headers, scope["path"], is_shared=bool(reader))
            await self._app(scope, receive, send_guarded)
        except CallError as error:
            await http_errors.error_response(error)(scope, receive, send_guarded)
        except Exception as error:  # noqa: BLE001  # a bug in one call must neither show a traceback nor end the server
            self._tell(error)
            if not has_begun:
                await (await http_errors.answer_defect(None, error))(scope, receive, send_guarded)  # type: ignore[arg-type]

    def _find_reader(self, headers: Headers, path: str) -> dict[str, str]:
        """Return the headers that let a page of another server read the answer; none for other callers."""
        origin = headers.get("origin", "").lower()
        if path != SOLVE or not origin or self._names.readers.isdisjoint((origin, "*")):
            return {}
        return {"Access-Control-Allow-Origin": origin, "Vary": "Origin"}

    def _check(self, headers: Headers, path: str, *, is_shared: bool) -> None:
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._names.allow(hosts[0]):
            raise CallError(
                "wrong_host",
                f"Host is {', '.join(hosts)[:200] or 'missing'}; this server is {', '.join(sorted(self._names.names))}",
            )
        if "content-length" in headers and "transfer-encoding" in headers:
            raise CallError("two_lengths", "both Content-Length and Transfer-Encoding are given; send only one")
        if is_shared or not path.startswith((API, SOLVE)):
            return  # links from other sites may lead to the page
        for origin in headers.getlist("origin"):
            if origin.lower() != f"http://{hosts[0].lower()}" and origin.lower() not in self._names.origins:
                raise CallError(
                    "cross_origin", f"Origin is {origin[:200]!r}; pages of other servers may not call this one"
                )
        for site in headers.getlist("sec-fetch-site"):
            if site not in ("same-origin", "none"):
                raise CallError("cross_origin", f"Sec-Fetch-Site is {site[:50]!r}; allowed are same-origin and none")

    def _tell(self, error: Exception) -> None:
        sys.stderr.write(f"connect4-agent web: a call failed: {type(error).__name__}: {error}\n")
        if self._verbose:
            sys.stderr.write("".join(traceback.format_exception(error)))
