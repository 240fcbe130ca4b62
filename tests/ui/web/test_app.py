"""The web server as a process: clients that leave, signals, many calls at once."""

from __future__ import annotations

import json
import signal
import socket
import threading
from pathlib import Path

import pytest

from connect4_agent.rules.position import Position
from connect4_agent.server.request import make_request
from connect4_agent.ui.web.origin_check import HEADERS
from tests.processes import PATIENCE_SECONDS, is_running, processor_seconds, wait_until
from tests.ui.web.web_servers import ENDLESS, WebServer, agent_option, read_until, web_server

pytestmark = pytest.mark.slow


def read_to_end(connection: socket.socket) -> bytes:
    """Read until the server closes the connection."""
    return b"".join(iter(lambda: connection.recv(1 << 16), b""))


SLOW = "/api/move?player=perfect&time_limit=3000"


def children(pid: int) -> list[int]:
    """The processes that one has started, and what those have."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_bytes().rpartition(b")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[1]) == pid:
            number = int(path.parent.name)
            found += [number, *children(number)]
    return found


def wait_for_search(server: WebServer) -> None:
    """Wait until the server uses processor time, as it does only for a search."""
    before = processor_seconds(server.process.pid)
    wait_until(lambda: processor_seconds(server.process.pid) > before + 0.3)


def test_a_client_that_leaves_stops_its_search() -> None:
    with web_server("--jobs", "1", "--time-limit", "3600") as server:
        for path in (SLOW, "/api/analyze?time_limit=3000"):
            server.begin(path, ENDLESS).close()
        connection = server.begin(SLOW, ENDLESS)
        waiting = server.begin(SLOW, ENDLESS)
        wait_for_search(server)
        waiting.close()
        connection.close()
        assert server.ask("POST", "/api/move?player=easy", make_request(Position.from_moves("44"))).status == 200


def test_a_client_that_leaves_in_the_middle_of_its_body_is_no_failure_of_the_server() -> None:
    with web_server("--jobs", "1", "-v") as server:
        with server.connect() as connection:
            connection.sendall(
                b"POST /api/move HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: 100\r\n\r\n{"
            )
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(1) == b""  # the server has seen it
        assert server.ask("GET", "/api/players").status == 200
        server.process.terminate()
        assert server.process.stderr is not None
        told = server.process.stderr.read()
    assert b"Disconnect" not in told
    assert b"Traceback" not in told


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
@pytest.mark.needs("compiled")
def test_a_signal_ends_the_server_with_all_that_it_has_started(number: signal.Signals, status: int) -> None:
    with web_server("--jobs", "2", "--time-limit", "3600", *agent_option("stubborn", "good.py")) as server:
        kept_open = server.connect()
        kept_open.sendall(b"GET /api/players HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert kept_open.recv(10) == b"HTTP/1.1 2"
        server.ask("POST", "/api/move?player=stubborn", make_request(Position()))
        searching = server.begin(SLOW, ENDLESS)
        wait_for_search(server)
        started = children(server.process.pid)
        assert started
        server.process.send_signal(number)
        assert server.process.wait(PATIENCE_SECONDS) == status
        wait_until(lambda: not any(map(is_running, started)))
        searching.close()
        kept_open.close()
        assert server.process.stdout is not None
        assert server.process.stderr is not None
        assert server.process.stdout.read() == b""
        assert server.process.stderr.read() == b""


def test_many_clients_at_once_all_get_their_moves(web: WebServer) -> None:
    positions = [Position.from_moves(moves) for moves in ("", "4", "44", "443", "4435")]
    statuses: list[int] = []

    def ask(number: int) -> None:
        body = make_request(positions[number % len(positions)])
        statuses.extend(web.ask("POST", "/api/move?player=easy", body).status for _ in range(4))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [200] * 200


def test_what_is_no_http_is_refused_and_the_server_goes_on(web: WebServer) -> None:
    for nonsense in (b"\0\1\2\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01\x02\0", b"GET / HTTP/9.9\r\n\r\n"):
        with web.connect() as connection:
            connection.sendall(nonsense + b"\r\n" * 2)
            received = read_to_end(connection)
        assert received.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 421 "))
        assert json.loads(received.partition(b"\r\n\r\n")[2].splitlines()[0])["code"] in ("bad_http", "wrong_host")
        assert all(name.lower().encode() in received.lower() for name in HEADERS)
    assert web.ask("GET", "/api/players").status == 200


def test_a_connection_is_used_for_more_than_one_call(web: WebServer) -> None:
    with web.connect() as connection:
        for _ in range(3):
            connection.sendall(b"GET /api/players HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert b"200 OK" in read_until(connection, b'"version"')
