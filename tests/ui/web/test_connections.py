"""Too many connections, slow ones, and requests that could be read in two ways."""

from __future__ import annotations

import gc
import http.client
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from connect4_agent.ui.web import serving
from connect4_agent.ui.web.origin_check import HEADERS
from tests.processes import PATIENCE_SECONDS, wait_until
from tests.ui.web.web_servers import WebServer, read_until

CALL = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\n"
BEGINNINGS = (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\nX:", CALL + b"GET /", POST + b"xx")


async def say_ok(scope: Scope, receive: Receive, send: Send) -> None:
    """Read a call to its end and say ok."""
    while (message := await receive()).get("more_body"):
        pass
    if message["type"] == "http.request":
        await PlainTextResponse("ok")(scope, receive, send)


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The port of a server in this process, which says ok; tests that need a deadline set it."""
    monkeypatch.setattr(serving, "ARRIVAL_SECONDS", 10_000.0)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = serving.new_server(say_ok)
        server.config.lifespan = "off"
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield listener.getsockname()[1]
        server.force_exit = server.should_exit = True
        thread.join()


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS)


def is_closed(connection: socket.socket) -> bool:
    """Read all that comes; return whether the server has closed the connection."""
    try:
        while connection.recv(1 << 16):
            pass
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False
    return True


def ask(port: int) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    try:
        connection.request("GET", "/")
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_a_call_that_does_not_arrive_is_given_up(port: int, beginning: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "ARRIVAL_SECONDS", 0.01)
    with connected(port) as connection:
        connection.sendall(beginning)
        assert is_closed(connection)


def test_a_call_that_comes_byte_by_byte_is_given_up_all_the_same(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "ARRIVAL_SECONDS", 0.5)
    with connected(port) as connection:
        connection.settimeout(0.01)

        def is_given_up_after_a_byte() -> bool:
            try:
                connection.sendall(b"x")
                return connection.recv(1) == b""
            except TimeoutError:
                return False
            except OSError:
                return True

        wait_until(is_given_up_after_a_byte)


def test_a_connection_between_two_calls_has_no_deadline(port: int) -> None:
    with connected(port) as connection:
        connection.sendall(CALL)
        read_until(connection, b"ok")
        found = [each for each in gc.get_objects() if isinstance(each, serving.HttpConnection)]
        (accepted,) = (each for each in found if not each.transport.is_closing())
        assert accepted._deadline is None


def test_connections_beyond_the_limit_of_their_address_are_closed(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "MAX_FROM_ADDRESS", 3)
    with ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(connected(port))
        assert is_closed(stack.enter_context(connected(port)))
    wait_until(lambda: answers(port))


def answers(port: int) -> bool:
    try:
        return ask(port)[0] == 200
    except OSError:
        return False


def test_calls_beyond_the_limit_are_sent_away_and_afterwards_all_is_well(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "MAX_CONNECTIONS", 3)
    with ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(connected(port))
        status, headers, body = ask(port)
        assert (status, json.loads(body)["code"], headers["connection"]) == (503, "too_busy", "close")
        assert headers["retry-after"] == "1"
        assert all(headers[name.lower()] == value for name, value in HEADERS.items())
    wait_until(lambda: answers(port))


def test_a_call_with_two_lengths_is_refused_and_its_rest_is_not_read(web: WebServer) -> None:
    answer = web.send(
        b"POST /api/move HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/players HTTP/1.1\r\nHost: localhost\r\n\r\n"
    )
    assert (answer.status, answer.code) == (400, "two_lengths")
    assert answer.headers["connection"] == "close"
    assert answer.body.count(b"{") == 1


def test_an_unknown_key_of_the_address_is_not_echoed(web: WebServer) -> None:
    answer = web.ask("GET", "/api/players?%3Cscript%3E=%3Cscript%3E")
    assert (answer.status, answer.code) == (422, "bad_query")
    assert b"script" not in answer.body
    assert b"a key is not known" in answer.body
