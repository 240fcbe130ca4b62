"""Building: an entry's own build command, run in isolation, with limits, and with a log of what it printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from connect4_agent.arena.entries import building
from connect4_agent.arena.entries.building import build
from connect4_agent.arena.spec import Isolation

BOTH = pytest.mark.parametrize(
    "isolation", [Isolation.NONE, pytest.param(Isolation.FULL, marks=pytest.mark.needs("bwrap"))]
)


def built(folder: Path, command: str, isolation: Isolation = Isolation.NONE) -> building.Built:
    return build(folder, command, isolation, "anna")


@BOTH
def test_a_build_writes_into_its_folder_and_its_words_are_kept(tmp_path: Path, isolation: Isolation) -> None:
    folder = tmp_path / "anna"
    folder.mkdir()
    assert built(folder, "echo hello; echo oops >&2; echo made > agent", isolation) == ("hello\noops\n", None)
    assert (folder / "agent").read_text() == "made\n"


@BOTH
def test_a_build_that_fails_is_explained_by_its_last_line(tmp_path: Path, isolation: Isolation) -> None:
    found = built(tmp_path, "echo first; echo 'agent.c: no such file'; exit 3", isolation)
    assert found.problem is not None
    assert found.problem.startswith("building it failed: ")
    assert found.problem.endswith("exit status 3 (agent.c: no such file)")


def test_the_first_error_of_a_compiler_is_quoted(tmp_path: Path) -> None:
    found = built(tmp_path, "echo 'a.c:1:2: error: no x'; echo '  |   ;'; echo 'make: *** [agent] Error 1'; exit 2")
    assert found.problem is not None
    assert found.problem.endswith("exit status 2 (a.c:1:2: error: no x)")


@pytest.mark.needs("bwrap")
def test_a_build_that_wants_the_network_is_told_that_there_is_none(tmp_path: Path) -> None:
    ask = "import socket; socket.getaddrinfo('example.org', 80)"
    found = built(tmp_path, f'python3 -c "{ask}"', Isolation.FULL)
    assert found.problem is not None
    assert found.problem.endswith("; a build has no network here: put what it needs beside the program")


def test_an_endless_build_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "BUILD_SECONDS", 3.0)  # long enough to print something on a busy machine
    found = built(tmp_path, "sleep 1000 & echo begun; sleep 1000")
    assert found.log == "begun\n"
    assert found.problem is not None
    assert "took longer than" in found.problem


def test_an_endless_build_that_talks_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "BUILD_SECONDS", 0.3)
    found = built(tmp_path, "yes")
    assert found.problem is not None
    assert "took longer than" in found.problem


def test_a_build_that_never_stops_talking_has_a_log_of_limited_size(tmp_path: Path) -> None:
    found = built(tmp_path, "head -c 3000000 /dev/zero | tr '\\0' x")
    assert len(found.log) == building.MAX_LOG_BYTES
    assert found.problem is None


@pytest.mark.needs("bwrap")
def test_a_build_sees_neither_the_network_nor_other_entries(tmp_path: Path) -> None:
    for name in ("anna", "ben"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "secret").write_text(name)
    found = built(tmp_path / "anna", f"ls {tmp_path}; cat secret; tail -n +3 /proc/net/dev", Isolation.FULL)
    assert found.log.splitlines()[:1] == ["anna"]
    assert [line.split(":")[0].strip() for line in found.log.removeprefix("anna\nanna").splitlines()] == ["lo"]


def test_a_build_does_not_know_of_a_make_around_the_course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAKELEVEL", "1")
    monkeypatch.setenv("MAKEFLAGS", "w")
    assert built(tmp_path, 'echo "[$MAKELEVEL$MAKEFLAGS]"').log == "[]\n"
