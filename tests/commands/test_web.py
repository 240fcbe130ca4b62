"""connect4-agent web, as it is started."""

from __future__ import annotations

import errno
import os
import socket
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NoReturn

import pytest

from connect4_agent.commands import web
from connect4_agent.commands.shared.options import how_to_add
from connect4_agent.ui.web.serving import network_address
from tests.processes import clean_environment, run_agent, wait_until
from tests.sample_runs import write_match
from tests.ui.web.web_servers import WebServer, web_server

pytestmark = pytest.mark.slow


def one_job(*arguments: str, **options: Any) -> AbstractContextManager[WebServer]:
    """A server that is soon there."""
    return web_server("--jobs", "1", *arguments, **options)


@pytest.mark.needs("compiled")
def test_the_address_is_printed_once_and_nothing_else() -> None:
    with one_job() as server:
        assert server.address == f"http://127.0.0.1:{server.port}/"
        assert server.ask("GET", "/api/players").json["has_run"] is False
        assert server.ask("GET", "/run").status == 404
        server.process.terminate()
        assert server.process.stdout is not None
        assert server.process.stderr is not None
        assert server.process.stdout.read() == b""
        assert server.process.stderr.read() == b""


def test_calls_are_told_with_v() -> None:
    with one_job("-v") as server:
        server.ask("GET", "/api/players")
        server.process.terminate()
        assert server.process.stderr is not None
        assert b'"GET /api/players HTTP/1.1" 200' in server.process.stderr.read()


def test_a_port_in_use_is_said_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run_agent("web", "--port", str(port))
    assert result.returncode == 1
    assert result.stdout == b""
    advice = "choose another one with --port, or any free one with --port 0"
    assert result.stderr.decode() == f"connect4-agent web: error: port {port} is in use; {advice}\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--port", "65536"], "'65536' is not a whole number from 0 to 65535"),
        (["--port", "-1"], "'-1' is not a whole number from 0 to 65535"),
        (["--port", "x"], "'x' is not a whole number"),
        (["--jobs", "0"], "'0' is not a whole number, 1 or more"),
        (["--time-limit", "0"], "time limit is '0'"),
        (["no-such-folder"], "'no-such-folder' is not a run folder: no such folder"),
        (["x" * 300], "x' is not a run folder: no such folder"),
        (["--agent", "python3"], "is not of the form NAME=COMMAND"),
        (["--agent", "=python3"], "is not of the form NAME=COMMAND"),
        (["--agent", "hard=python3 x.py"], "there is already a player 'hard'"),
        (["--agent", "a=cat", "--agent", "a=cat"], "there is already a player 'a'"),
        (["--agent", "mine=no-such-program"], "'no-such-program' is neither a command that can be found"),
        (["--agent", "mine=perfect"], "'perfect' is a built-in player"),
        (["--allow-host", "board.example:80"], "'board.example:80' is not a host name such as board.example"),
        (["--origin", "board.example"], "'board.example' is not an origin such as https://board.example"),
        (["--origin", "https://board.example/page"], "is not an origin"),
        (["--origin", "https://board.example:99999"], "is not an origin"),
        (["--allow-origin", "my.example"], "is not an origin"),
        (["--por", "1"], "unrecognized arguments"),
    ],
)
def test_a_command_line_that_cannot_be_used_exits_with_2(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        web.run(words)
    assert stopped.value.code == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1


def test_an_address_of_another_machine_cannot_be_listened_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert web.run(["--port", "0", "--host", "192.0.2.1"]) == 1
    assert "error: --host '192.0.2.1' is not an address of this machine\n" in capsys.readouterr().err


def test_neither_can_a_name_that_is_not_known(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def ask_nobody(*_: object, **__: object) -> NoReturn:  # a real question may wait long for its answer
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", ask_nobody)
    assert web.run(["--host", "no-such-host.invalid"]) == 1
    advice = "--host 'no-such-host.invalid' is not an address of this machine: Name or service not known"
    assert capsys.readouterr().err == f"connect4-agent web: error: {advice}\n"


def test_a_port_that_takes_permission_is_said_so() -> None:
    error = PermissionError(errno.EACCES, "Permission denied")
    advice = "this user may not use port 80; ports from 1024 on are usually allowed"
    assert web.why_not("127.0.0.1", 80, error) == advice
    other = OSError(errno.ENOBUFS, "No buffer space available")
    assert web.why_not("127.0.0.1", 80, other) == "cannot listen on 127.0.0.1 port 80: No buffer space available"


@pytest.mark.needs("compiled")
def test_other_machines_are_let_in_with_a_warning_only() -> None:
    with one_job("--host", "0.0.0.0") as server:
        assert server.ask("GET", "/api/players").status == 200
        assert server.ask("GET", "/api/players", Host="192.0.2.9").status == 200
        assert server.ask("GET", "/api/players", Host="evil.example").status == 421
        server.process.terminate()
        assert server.process.stderr is not None
        told = server.process.stderr.read().decode()
    assert told.startswith("connect4-agent web: warning: everyone who can reach 0.0.0.0")
    assert told.count("\n") == 1


def test_on_all_addresses_a_second_line_says_where_a_phone_finds_the_page() -> None:
    address = network_address("0.0.0.0")
    with one_job("--host", "0.0.0.0") as server:
        assert server.address == f"http://localhost:{server.port}/"
        server.process.terminate()
        assert server.process.stdout is not None
        rest = server.process.stdout.read().decode()
    assert rest == ("" if address is None else f"http://{address}:{server.port}/\n")


def test_a_page_behind_a_proxy_may_call_with_its_own_name_and_origin() -> None:
    words = (
        "--origin",
        "https://Board.example/",
        "--origin",
        "http://other.example:8080",
        "--allow-host",
        "laptop.local",
    )
    with one_job(*words) as server:

        def status(host: str, origin: str) -> int:
            return server.ask("GET", "/api/players", Host=host, Origin=origin).status

        assert status("board.example", "https://board.example") == 200
        assert status("127.0.0.1:1", "https://board.example") == 200  # a proxy that writes a Host of its own
        assert status("other.example:8080", "http://other.example:8080") == 200
        assert status("laptop.local:8076", "http://laptop.local:8076") == 200
        assert status("laptop.local", "https://laptop.local") == 403
        assert status("board.example", "https://evil.example") == 403
        assert status("evil.example", "https://board.example") == 421


def test_pages_of_allowed_origins_may_read_solve_and_nothing_else() -> None:
    with one_job("--allow-origin", "https://My.example") as server:

        def ask(path: str, origin: str) -> tuple[int, str | None]:
            answer = server.ask("GET", path, Origin=origin, Sec_Fetch_Site="cross-site")
            return answer.status, answer.headers.get("access-control-allow-origin")

        assert ask("/solve?pos=44", "https://my.example") == (200, "https://my.example")
        assert ask("/solve?pos=9", "https://my.example") == (422, "https://my.example")
        assert ask("/solve?pos=44", "https://evil.example") == (403, None)
        assert ask("/api/players", "https://my.example") == (403, None)
        assert ask("/solve/", "https://my.example") == (403, None)
    with one_job("--allow-origin", "*") as server:
        assert ask("/solve?pos=44", "https://evil.example") == (200, "https://evil.example")
        assert ask("/api/players", "https://evil.example") == (403, None)


def test_by_default_other_machines_are_not_let_in() -> None:
    with one_job() as server, socket.socket() as other:
        address = network_address("0.0.0.0") or "127.0.0.2"
        with pytest.raises(ConnectionRefusedError):
            other.connect((address, server.port))


def test_open_opens_the_page_in_the_browser(tmp_path: Path) -> None:
    script = tmp_path / "browser"
    script.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened.part && mv {tmp_path}/opened.part {tmp_path}/opened\n')
    script.chmod(0o755)
    with one_job("--open", env=clean_environment(BROWSER=str(script))) as server:
        wait_until((tmp_path / "opened").exists)
        assert (tmp_path / "opened").read_text() == f"http://127.0.0.1:{server.port}/\n"


@pytest.mark.needs("compiled")
def test_without_a_browser_the_page_is_served_all_the_same() -> None:
    with one_job(
        "--open", env=clean_environment(BROWSER="no-such-browser", PATH=os.path.dirname(sys.executable))
    ) as server:
        assert server.process.stderr is not None
        line = server.process.stderr.readline().decode()
        assert line == f"connect4-agent web: could not open a browser; the page is at http://127.0.0.1:{server.port}/\n"
        assert server.ask("GET", "/api/players").status == 200


def test_a_run_that_has_no_games_yet_can_be_opened(tmp_path: Path) -> None:
    with one_job(str(write_match(tmp_path, []))) as server:
        assert b"no game has been played yet" in server.ask("GET", "/run").body
        assert server.address == f"http://127.0.0.1:{server.port}/run"


@pytest.mark.parametrize("missing", ["starlette", "uvicorn"])
def test_without_the_extra_it_says_what_to_install(missing: str) -> None:
    program = (
        f"import sys; sys.modules[{missing!r}] = None; from connect4_agent.cli import main; sys.exit(main(['web']))"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr == f"connect4-agent web: error: the page needs the extra web: {how_to_add('web')}\n"
