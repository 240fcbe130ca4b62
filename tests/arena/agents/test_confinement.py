"""Confinement: what a program may use, can see and can do in each mode, and what is said if one cannot be had."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from connect4_agent.arena import confinement
from connect4_agent.arena.faults import Ending
from connect4_agent.arena.record import GameRecord
from connect4_agent.arena.spec import Isolation
from connect4_agent.cli import main
from tests.arena.helping import built_in, command_of, play_game, program, setup_of

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="looks at Linux's process table")
pytestmark = pytest.mark.slow

OPPONENT = built_in("first-open")
NONE = "none"
PROCESSES = pytest.param("processes", marks=pytest.mark.needs("bwrap"))
FULL = pytest.param("full", marks=pytest.mark.needs("bwrap"))


def played(name: str, *arguments: str, **settings: Any) -> GameRecord:
    return play_game(setup_of(program(name, *arguments, **settings), OPPONENT))


@linux_only
@pytest.mark.parametrize("isolation", [NONE, PROCESSES])
def test_too_many_processes_are_an_ending_of_their_own(isolation: str) -> None:
    record = played("multiplies", "20", "3600", processes=10, isolation=isolation)
    assert record.ending is Ending.CRASHED
    assert record.fault is not None
    assert record.fault.detail.endswith(" processes; its limit is 10")


@linux_only
@pytest.mark.parametrize("isolation", [NONE, PROCESSES])
def test_as_many_processes_as_allowed_do_no_harm(isolation: str) -> None:
    record = played("multiplies", "9", "0.3", processes=10, isolation=isolation)
    assert record.ending is Ending.ILLEGAL_MOVE  # column 0 is full by then


@linux_only
def test_children_that_have_died_are_not_counted() -> None:
    record = played("daemons", "30", processes=10)
    assert record.ending is Ending.ILLEGAL_MOVE  # column 0 is full by then


def test_a_file_that_is_too_large_ends_its_writer(tmp_path: Path) -> None:
    script = "import sys; file = open(sys.argv[1], 'wb', 0); file.truncate(10**9); file.seek(0, 2); file.write(b'!')"
    spec = program("good").model_copy(update={"command": (sys.executable, "-c", script, str(tmp_path / "large"))})
    record = play_game(setup_of(spec, OPPONENT))
    assert record.fault is not None
    assert "File too large" in record.fault.stderr_tail


@pytest.fixture
def listening_port() -> Iterator[str]:
    """The port of somebody who answers on the loopback address."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield str(server.getsockname()[1])


@linux_only
@pytest.mark.parametrize("isolation", [NONE, PROCESSES, FULL])
def test_what_a_program_can_see_and_do(tmp_path: Path, listening_port: str, isolation: str) -> None:
    own, foreign = tmp_path / "own", tmp_path / "foreign"
    own.mkdir()
    foreign.mkdir()
    arguments = (str(foreign), listening_port)
    record = played("looks_around", *arguments, directory=str(own), isolation=isolation)
    assert record.fault is not None
    assert record.fault.exit_status == 3, record.fault
    seen = json.loads(record.fault.stderr_tail)
    is_alone = len(seen.pop("processes")) <= 3
    is_free = isolation != "full"
    assert seen == {
        "writes to its folder": is_free,
        "writes to another folder": is_free,
        "writes to /tmp": True,
        "connects": is_free,
    }
    assert is_alone == (isolation != "none")
    assert record.isolation == isolation


@pytest.mark.parametrize("isolation", [PROCESSES, FULL])
def test_in_a_namespace_ends_and_closed_pipes_are_seen_at_once(isolation: str) -> None:
    for name, arguments in (("closes_stdout", ()), ("closes_stdin", ("0",)), ("leaves_child", ())):
        assert played(name, *arguments, isolation=isolation).ending is Ending.CRASHED
    killed = played("killed_mid_game", isolation=isolation)
    assert killed.fault is not None
    assert (killed.ending, killed.fault.exit_status) == (Ending.CRASHED, -9)
    missing = program("good").model_copy(update={"command": ("no-such-program",), "isolation": Isolation(isolation)})
    record = play_game(setup_of(missing, OPPONENT))
    assert record.fault is not None
    assert record.ending is Ending.WOULD_NOT_START
    assert record.fault.exit_status in (126, 127)  # a folder of PATH may be out of reach


@pytest.mark.needs("bwrap")
def test_the_mode_is_in_the_first_line_and_in_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["match", " ".join(command_of("right")), "first-open", "--games", "2", "--isolate", "--out", str(tmp_path)]
    assert main(words) == 0
    assert capsys.readouterr().err.startswith("isolation: full\n")
    assert main(["report", str(tmp_path)]) == 0
    assert "note: 2 games played by programs with isolation 'full'" in capsys.readouterr().out


@pytest.fixture
def without_bubblewrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A PATH without any program; the folder that is searched."""
    confinement.why_not.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    yield tmp_path
    confinement.why_not.cache_clear()


@pytest.mark.parametrize("command", ["match", "tournament", "check"])
@pytest.mark.parametrize(
    ("launcher", "told"),
    [
        ("", "isolation 'full' does not work here: bwrap cannot be found; install bubblewrap"),
        ("refuses", "isolation 'full' does not work here: no namespaces; the system must allow"),
    ],
)
def test_full_isolation_that_cannot_be_had_is_refused(
    without_bubblewrap: Path, capsys: pytest.CaptureFixture[str], command: str, launcher: str, told: str
) -> None:
    if launcher:
        (without_bubblewrap / "bwrap").write_text("#!/bin/sh\necho no namespaces >&2\nexit 1\n")
        (without_bubblewrap / "bwrap").chmod(0o755)
    description = without_bubblewrap / "t.toml"
    agents = "".join(f'[[agents]]\nname = "{name}"\ncommand = "{sys.executable}"\n' for name in "ab")
    description.write_text(agents)
    words = {"match": [sys.executable, "greedy"], "tournament": [str(description)], "check": ["random"]}[command]
    run = without_bubblewrap / "run"
    with pytest.raises(SystemExit, match="2"):
        main([command, *words, "--isolate", *(["--out", str(run)] if command != "check" else [])])
    assert told in capsys.readouterr().err
    assert not run.exists()


def test_without_bubblewrap_the_default_is_none_and_says_why(without_bubblewrap: Path) -> None:
    assert without_bubblewrap.exists()
    assert confinement.choose_isolation(None) is Isolation.NONE
    line = confinement.isolation_line(Isolation.NONE, is_default=True)
    assert line.startswith("isolation: none (bwrap cannot be found; install bubblewrap")
    assert confinement.isolation_line(Isolation.NONE, is_default=False) == "isolation: none"


@pytest.mark.parametrize("size", ["0", "12", "-1G", "x", "1e400G", ""])
def test_a_size_that_is_none_is_refused(size: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["match", "random", "greedy", f"--memory={size}"])
    assert "allowed are sizes such as 500M or 2G" in capsys.readouterr().err
