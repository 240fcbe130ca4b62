"""Whom the web server answers, down to the bytes that a browser would never send."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.ui.web.origin_check import HEADERS, HostNames
from tests.ui.web.web_servers import WebServer

LOOPBACK = HostNames.of("127.0.0.1", "127.0.0.1")


def get(path: str, *lines: str, version: str = "1.1") -> bytes:
    return "\r\n".join([f"GET {path} HTTP/{version}", *lines, "Connection: close", "", ""]).encode()


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8076", "localhost:1", "LOCALHOST", "[::1]:80", "localhost."])
def test_a_server_on_the_loopback_address_has_its_names_with_any_port(host: str) -> None:
    assert LOOPBACK.allow(host)
    assert LOOPBACK.is_loopback


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "localhost@evil.example",
        "localhost:80:80",
        "localhost:",
        "10.0.0.1",
        "0.0.0.0",
        "[::1",
        "[::]",
        "127.0.0.1/",
        " localhost",
        "localhost evil.example",
    ],
)
def test_other_names_are_refused(host: str) -> None:
    assert not LOOPBACK.allow(host)


@given(st.from_regex(r"[a-z0-9-]{1,20}(\.[a-z][a-z0-9-]{1,10}){1,3}", fullmatch=True))
def test_no_name_of_another_domain_is_allowed(name: str) -> None:
    assert not LOOPBACK.allow(name)
    assert not HostNames.of("192.0.2.7", "192.0.2.7").allow(name)


def test_a_server_on_one_address_has_that_name_and_no_other() -> None:
    names = HostNames.of("192.0.2.7", "192.0.2.7")
    assert names.allow("192.0.2.7:8076")
    assert not names.allow("localhost:8076")
    assert not names.allow("192.0.2.8")
    assert not names.is_loopback


def test_a_server_on_every_address_has_all_numeric_names_but_no_foreign_one() -> None:
    names = HostNames.of("0.0.0.0", "0.0.0.0")
    assert names.allow("192.0.2.7:8076")
    assert names.allow("localhost")
    assert names.allow("[2001:db8::1]:80")
    assert not names.allow("evil.example")
    assert not names.is_loopback


def test_a_server_told_to_listen_on_a_name_has_it() -> None:
    assert HostNames.of("board.example", "192.0.2.7").allow("board.example:8076")


def test_a_call_for_another_host_is_refused(web: WebServer) -> None:
    for path in ("/api/players", "/", "/static/board.js"):
        answer = web.send(get(path, "Host: evil.example"))
        assert (answer.status, answer.code) == (421, "wrong_host")


def test_a_call_without_a_host_is_refused(web: WebServer) -> None:
    answer = web.send(get("/api/players", version="1.0"))
    assert (answer.status, answer.code) == (421, "wrong_host")


def test_two_hosts_are_refused(web: WebServer) -> None:
    assert web.send(get("/api/players", "Host: localhost", "Host: evil.example")).status in (400, 421)


def test_an_address_that_names_another_host_does_not_get_around_that(web: WebServer) -> None:
    answer = web.send(get("http://evil.example/api/players", "Host: localhost"))
    assert (answer.status, answer.code) == (404, "not_found")


@pytest.mark.parametrize(
    "header",
    [
        "Origin: http://evil.example",
        "Origin: null",
        "Origin: https://localhost",
        "Origin: http://localhost:1",
        "Origin: http://127.0.0.1",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
    ],
)
@pytest.mark.parametrize("path", ["/api/players", "/%61pi/players", "/api/nothing", "/solve?pos=4"])
def test_pages_of_other_servers_may_not_call_the_interface(web: WebServer, header: str, path: str) -> None:
    answer = web.send(get(path, "Host: localhost", header))
    assert (answer.status, answer.code) == (403, "cross_origin")


@pytest.mark.parametrize("header", ["Origin: http://localhost", "Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: none"])
def test_the_page_itself_may(web: WebServer, header: str) -> None:
    assert web.send(get("/api/players", "Host: localhost", header)).status == 200


def test_a_link_from_elsewhere_may_lead_to_the_page(web: WebServer) -> None:
    assert web.send(get("/static/board.js", "Host: localhost", "Sec-Fetch-Site: cross-site")).status == 200


def test_a_browser_that_asks_for_permission_gets_none(web: WebServer) -> None:
    answer = web.ask(
        "OPTIONS",
        "/api/move",
        Origin="http://evil.example",
        Access_Control_Request_Method="POST",
        Access_Control_Request_Headers="content-type",
    )
    assert answer.status == 403
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize("path", ["/api/players", "/static/board.css", "/nothing", "/api/move", "/api/run/games/9999"])
def test_every_answer_keeps_browsers_strict(web: WebServer, path: str) -> None:
    answer = web.ask("GET", path)
    for name, value in HEADERS.items():
        assert answer.headers[name.lower()] == value
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_refusals_keep_them_strict_too(web: WebServer) -> None:
    assert web.send(get("/", "Host: evil.example")).headers["x-frame-options"] == "deny"


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/../../../pyproject.toml",
        "/static/..%2f..%2f..%2fpyproject.toml",
        "/static/%2e%2e/%2e%2e/protocol.py",
        "/static//etc/passwd",
        "/static/%00",
        "/static/",
        "/static",
        "/app.py",
        "/..",
        "//etc/passwd",
    ],
)
def test_only_the_pages_own_files_are_served(web: WebServer, path: str) -> None:
    answer = web.send(get(path, "Host: localhost"))
    assert (answer.status, answer.code) == (404, "not_found")
