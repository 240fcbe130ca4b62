"""Connections that stay half-open, too many of them, and requests that could be read in two ways."""

from __future__ import annotations

import errno
import re
import resource
import socket
from contextlib import ExitStack
from typing import Any, cast

import pytest

from connect4_agent.rules.position import Position
from connect4_agent.web.connections import (
    HALF_OPEN_SECONDS,
    MOST_CONNECTIONS,
    OTHER_FILES,
    Crowd,
    DefectTeller,
    TimedProtocol,
    most_connections,
)
from connect4_agent.wire import request as protocol
from tests.processes import PATIENCE_SECONDS, wait_until
from tests.web.web_servers import WebServer, web_server

HALF_REQUESTS = {
    "nothing": b"",
    "half a line": b"GET /api/pla",
    "half a head": b"GET /api/players HTTP/1.1\r\nHost: localhost\r\n",
    "half a body": b"POST /api/move HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: 100\r\n\r\n{",
    "half a chunk": b"POST /api/move HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n20\r\n{",
    "half of a second request": b"GET /api/players HTTP/1.1\r\nHost: localhost\r\n\r\nGET /api/pla",
}


@pytest.mark.slow
def test_half_open_connections_are_closed_while_an_answer_may_take_longer(web: WebServer) -> None:
    assert web.ask("POST", "/api/move?player=stalls", protocol.request_of(Position())).status == 200
    with ExitStack() as stack:
        connections = [stack.enter_context(web.connect()) for _ in HALF_REQUESTS]
        for connection, request in zip(connections, HALF_REQUESTS.values(), strict=True):
            connection.sendall(request)
        # The agent thinks for longer than a request may take to arrive.
        second = protocol.request_of(Position.from_moves("12"))
        answer = web.ask("POST", f"/api/move?player=stalls&time_limit={HALF_OPEN_SECONDS + 1}", second)
        assert (answer.status, answer.code) == (502, "agent_failed")
        for connection in connections:
            connection.settimeout(PATIENCE_SECONDS)
            try:
                while connection.recv(1 << 16):
                    pass
            except ConnectionResetError:
                continue


def limited(files: int) -> Any:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

    return limit


@pytest.mark.slow
@pytest.mark.parametrize("files", [OTHER_FILES + 20, 64])
def test_more_connections_than_files_cost_neither_the_server_nor_a_thousand_lines(files: int) -> None:
    with web_server("--jobs", "1", preexec_fn=limited(files)) as server, ExitStack() as stack:
        for _ in range(4 * files):
            connection = stack.enter_context(socket.socket())
            connection.settimeout(PATIENCE_SECONDS)
            connection.connect(("127.0.0.1", server.port))

        def answers() -> bool:
            try:
                return server.ask("GET", "/api/players").status == 200
            except OSError:
                return False

        wait_until(answers)
        assert server.ask("GET", "/").status == 200
        server.process.terminate()
        assert server.process.stderr is not None
        told = re.sub(".*the search runs as plain Python.*\n", "", server.process.stderr.read().decode())
    assert told.count("\n") <= 1, told
    assert told == "" or "too many open files for another connection" in told


@pytest.mark.parametrize(
    ("limit", "most"), [(None, MOST_CONNECTIONS), (1 << 20, MOST_CONNECTIONS), (256, 256 - OTHER_FILES), (20, 8)]
)
def test_the_number_of_connections_is_below_the_limit_of_files(limit: int | None, most: int) -> None:
    assert most_connections(limit) == most


class FakeConnection:
    """Remembers whether it was closed."""

    def __init__(self) -> None:
        self.is_closed = False
        self.transport = self

    def abort(self) -> None:
        self.is_closed = True


def crowd_of(most: int, count: int) -> tuple[Crowd, list[FakeConnection]]:
    crowd, connections = Crowd(most), [FakeConnection() for _ in range(count)]
    for connection in connections:
        crowd.enter(cast("TimedProtocol", connection))
    return crowd, connections


def test_the_connection_that_waits_longest_leaves_for_a_new_one() -> None:
    _, connections = crowd_of(3, 5)
    assert [connection.is_closed for connection in connections] == [True, True, False, False, False]


def test_one_that_is_being_answered_stays() -> None:
    crowd, connections = crowd_of(2, 2)
    first, second, third = (cast("Any", connection) for connection in (*connections, FakeConnection()))
    crowd.set_waiting(first, is_waiting=False)
    crowd.enter(third)
    assert (first.is_closed, second.is_closed, third.is_closed) == (False, True, False)
    crowd.leave(second)
    crowd.set_waiting(third, is_waiting=False)
    fourth = cast("Any", FakeConnection())
    crowd.enter(fourth)  # nobody else could leave
    assert (first.is_closed, third.is_closed, fourth.is_closed) == (False, False, True)


def test_a_lack_of_files_is_told_once_and_other_errors_in_a_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    teller = DefectTeller()
    for _ in range(1000):
        teller.tell_of_loop(cast("Any", None), {"exception": OSError(errno.EMFILE, "Too many open files")})
    teller.tell(OSError(errno.ENFILE, "Too many open files in system"), "a call failed")
    teller.tell(ValueError("x"), "a call failed")
    teller.tell_of_loop(cast("Any", None), {"message": "a task failed\nwith details"})
    lack, call, task = capsys.readouterr().err.splitlines()
    assert "too many open files for another connection" in lack
    assert call == "connect4-agent web: a call failed: ValueError: x"
    assert task == "connect4-agent web: a task failed"


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
