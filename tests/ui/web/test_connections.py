"""Too many connections, and requests that could be read in two ways."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from connect4_agent.ui.web.serving import MAX_CONNECTIONS
from tests.processes import wait_until
from tests.ui.web.web_servers import WebServer, web_server


@pytest.mark.slow
def test_beyond_the_limit_calls_are_sent_away_and_afterwards_all_is_well() -> None:
    with web_server("--jobs", "1") as server:
        with ExitStack() as stack:
            for _ in range(MAX_CONNECTIONS):
                stack.enter_context(server.connect())
            assert server.ask("GET", "/api/players").status == 503
        wait_until(lambda: server.ask("GET", "/api/players").status == 200)


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
