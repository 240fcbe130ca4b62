"""Confinement: what an agent may use, and what it can see and do when it is isolated."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from connect4_agent.agents import confinement
from connect4_agent.agents.confinement import Confinement
from connect4_agent.agents.spec import Agent
from connect4_agent.arena.referee import play_game
from connect4_agent.arena.run.record import Ending, GameRecord
from connect4_agent.cli import main
from tests.arena.helping import built_in, command_of, program, setup_of

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="the guard looks at Linux's process table")
pytestmark = pytest.mark.slow

OPPONENT = built_in("first-open")
ISOLATED = pytest.param(True, marks=pytest.mark.needs("bwrap"), id="isolated")
BARE = pytest.param(False, id="bare")


def played(name: str, *arguments: str, **settings: Any) -> GameRecord:
    return play_game(setup_of(program(name, *arguments, confinement=Confinement(**settings)), OPPONENT))


@linux_only
@pytest.mark.parametrize("isolate", [BARE, ISOLATED])
@pytest.mark.parametrize("processes", ["1", "4"])
def test_too_much_memory_is_an_ending_of_its_own(isolate: bool, processes: str) -> None:
    record = played("grows", "200", processes, memory_mb=100, isolate=isolate)
    assert record.ending is Ending.OUT_OF_MEMORY
    assert record.winner == 2
    assert record.fault is not None
    assert record.fault.detail.endswith(" MB of memory; its limit is 100 MB")


@linux_only
@pytest.mark.parametrize("isolate", [BARE, ISOLATED])
def test_too_many_processes_are_an_ending_of_their_own(isolate: bool) -> None:
    record = played("multiplies", "20", "3600", processes=10, isolate=isolate)
    assert record.ending is Ending.TOO_MANY_PROCESSES
    assert record.fault is not None
    assert "; its limit is 10" in record.fault.detail


@linux_only
@pytest.mark.parametrize("isolate", [BARE, ISOLATED])
def test_as_many_processes_as_allowed_do_no_harm(isolate: bool) -> None:
    record = played("multiplies", "9", "0.3", processes=10, isolate=isolate)
    assert record.ending is Ending.ILLEGAL_MOVE  # column 0 is full by then


@linux_only
def test_children_that_have_died_are_not_counted() -> None:
    record = played("daemons", "30", processes=10)
    assert record.ending is Ending.ILLEGAL_MOVE  # column 0 is full by then


def test_a_file_that_is_too_large_ends_its_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confinement, "FILE_BYTES", 1000)
    script = "import sys; file = open(sys.argv[1], 'wb', 0); file.write(bytes(1000)); file.write(b'!')"
    command = (sys.executable, "-c", script, str(tmp_path / "large"))
    record = play_game(setup_of(Agent("writer", command=command, limit_seconds=30.0), OPPONENT))
    assert record.fault is not None
    assert "File too large" in record.fault.stderr_tail
    assert (tmp_path / "large").stat().st_size == 1000


@pytest.fixture
def listening_port() -> Iterator[str]:
    """The port of somebody who answers on the loopback address."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield str(server.getsockname()[1])


@linux_only
@pytest.mark.parametrize("isolate", [BARE, ISOLATED])
def test_what_an_agent_can_see_and_do(tmp_path: Path, listening_port: str, isolate: bool) -> None:
    own, foreign, run = (tmp_path / name for name in ("own", "foreign", "own/run"))
    for folder in (own, foreign, run):
        folder.mkdir()
    confined = Confinement(isolate=isolate, kept_safe=(str(run),))
    arguments = (str(foreign), listening_port, str(run))
    agent = program("looks_around", *arguments, directory=str(own), confinement=confined)
    record = play_game(setup_of(agent, OPPONENT))
    assert record.fault is not None
    assert record.fault.exit_status == 3, record.fault
    seen = json.loads(record.fault.stderr_tail)
    processes = seen.pop("processes")
    assert seen == {
        "writes to its folder": True,
        "writes to another folder": not isolate,
        "writes to the run": not isolate,
        "writes to /tmp": True,
        "connects": not isolate,
    }
    assert (own / "own-file").exists()
    assert (len(processes) <= 3) == isolate
    assert record.isolation.startswith("bubblewrap ") == isolate


@pytest.mark.needs("bwrap")
def test_without_a_folder_of_its_own_an_isolated_agent_writes_nothing(
    tmp_path: Path, listening_port: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = (str(tmp_path), listening_port, str(tmp_path))
    agent = program("looks_around", *arguments, confinement=Confinement(isolate=True))
    record = play_game(setup_of(agent, OPPONENT))
    assert record.fault is not None
    assert json.loads(record.fault.stderr_tail)["writes to its folder"] is False
    assert list(tmp_path.iterdir()) == []


@pytest.mark.needs("bwrap")
def test_an_isolated_agent_that_closes_its_output_or_input_has_crashed() -> None:
    for name, arguments in (("closes_stdout", ()), ("closes_stdin", ("0",)), ("leaves_child", ())):
        assert played(name, *arguments, isolate=True).ending is Ending.CRASHED


@pytest.mark.needs("bwrap")
def test_the_report_says_what_isolated_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["match", " ".join(command_of("right")), "first-open", "--games", "2", "--isolate", "--out", str(tmp_path)]
    assert main(words) == 0
    assert main(["report", str(tmp_path)]) == 0
    assert "note: the programs of 2 of 2 games were isolated by bubblewrap " in capsys.readouterr().out
    assert main(["verify", str(tmp_path)]) == 0


@pytest.fixture
def fresh_check() -> Iterator[None]:
    confinement.check_isolation.cache_clear()
    yield
    confinement.check_isolation.cache_clear()


@pytest.mark.usefixtures("fresh_check")
@pytest.mark.parametrize("command", ["match", "tournament", "check"])
@pytest.mark.parametrize(
    ("launcher", "told"), [("", "needs bwrap, which cannot be found"), ("refuses", "does not work here: no namespaces")]
)
def test_without_bubblewrap_nothing_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    command: str, launcher: str, told: str,
) -> None:  # fmt: skip
    if launcher:
        (tmp_path / "bwrap").write_text("#!/bin/sh\necho no namespaces >&2\nexit 1\n")
        (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    description = tmp_path / "t.toml"
    description.write_text('[[agents]]\nname = "a"\nplayer = "random"\n[[agents]]\nname = "b"\nplayer = "greedy"\n')
    words = {"match": ["random", "greedy"], "tournament": [str(description)], "check": ["random"]}[command]
    with pytest.raises(SystemExit, match="2"):
        main([command, *words, "--isolate", *(["--out", str(tmp_path / "run")] if command != "check" else [])])
    assert told in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("size", ["0", "12", "-1G", "x", "1e400G", ""])
def test_a_size_that_is_none_is_refused(size: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["match", "random", "greedy", f"--memory={size}"])
    assert "allowed are sizes such as 500M or 2G" in capsys.readouterr().err
