"""Web servers, for tests: the real command as a process, and calls of its interface, down to the bytes."""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from connect4_agent.rules.position import Position
from connect4_agent.server.request import make_request
from tests.processes import PATIENCE_SECONDS, REPOSITORY, started_agent

AGENTS = REPOSITORY / "tests" / "arena" / "agents"

ENDLESS = make_request(Position.from_moves("44", 8, 7))
"""A position that no exact search comes to an end with."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered."""

    status: int
    headers: dict[str, str]
    """By their names in small letters."""
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The code of an error object, which has a sentence, too."""
        assert set(self.json) == {"error", "code"}
        assert self.json["error"]
        assert self.headers["content-type"] == "application/json"
        return str(self.json["code"])


@dataclass(frozen=True, slots=True)
class WebServer:
    """A running server."""

    process: subprocess.Popen[bytes]
    port: int
    address: str
    """As it was printed."""

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """One call over a connection of its own; header names are written with _."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            sent.setdefault("Content-Type", "application/json")
        connection.request(method, path, body, sent)
        response = connection.getresponse()
        fields = {name.lower(): value for name, value in response.getheaders()}
        answer = Answer(response.status, fields, response.read())
        connection.close()
        return answer

    def post(self, path: str, value: object) -> Answer:
        """A call with a JSON body."""
        return self.ask("POST", path, json.dumps(value).encode())

    def connect(self) -> socket.socket:
        """A bare connection."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_SECONDS)

    def send(self, data: bytes) -> Answer:
        """Send these bytes, which ask for the connection's end, and read what comes."""
        with self.connect() as connection:
            connection.sendall(data)
            received = b""
            while chunk := connection.recv(1 << 16):
                received += chunk
        head, _, body = received.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        fields = dict(line.lower().split(": ", 1) for line in lines)
        return Answer(int(first.split()[1]), fields, body)

    def begin(self, path: str, body: bytes) -> socket.socket:
        """Send a POST without reading the answer."""
        connection = self.connect()
        connection.sendall(
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        return connection


def read_until(connection: socket.socket, end: bytes) -> bytes:
    """Read until these bytes have come."""
    received = b""
    while end not in received:
        chunk = connection.recv(1 << 16)
        assert chunk, f"the server has closed the connection after {received!r}"
        received += chunk
    return received


@contextmanager
def web_server(*arguments: str, **options: Any) -> Iterator[WebServer]:
    """A server on a free port, ready; killed in the end if it still runs."""
    with started_agent("web", "--port", "0", *arguments, **options) as process:
        assert process.stdout is not None
        line = process.stdout.readline().decode()
        assert line.startswith("http://"), line
        yield WebServer(process, urlsplit(line).port or 0, line.strip())


def agent_option(name: str, *words: str) -> tuple[str, str]:
    """--agent for one of the small programs in tests/arena/agents."""
    return "--agent", f"{name}={sys.executable} {AGENTS / words[0]} {' '.join(words[1:])}".rstrip()
