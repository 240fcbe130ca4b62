"""Confinement: what a program may use, can see and can do in each mode, and what is said if one cannot be had."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from connect4_agent.arena import confinement, process
from connect4_agent.arena.faults import Ending
from connect4_agent.arena.record import GameRecord
from connect4_agent.arena.referee import play_with_worker
from connect4_agent.arena.spec import HOST, AgentSpec, Isolation
from connect4_agent.arena.worker import Worker
from connect4_agent.cli import main
from tests.arena.helping import AGENTS, built_in, command_of, play_game, program, setup_of

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


@pytest.fixture
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of somebody else, in a home, with a socket and a FIFO that somebody reads."""
    folder = tmp_path / "home" / "foreign"
    folder.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(folder.parent))
    os.mkfifo(folder / "fifo")
    reader = os.open(folder / "fifo", os.O_RDONLY | os.O_NONBLOCK)
    with socket.socket(socket.AF_UNIX) as server:
        monkeypatch.chdir(folder)  # the path of a socket may have 108 bytes
        server.bind("socket")
        server.listen()
        monkeypatch.chdir(tmp_path)
        yield folder
    os.close(reader)


@linux_only
@pytest.mark.parametrize("isolation", [NONE, PROCESSES, FULL])
def test_what_a_program_can_see_and_do(tmp_path: Path, foreign: Path, listening_port: str, isolation: str) -> None:
    own = tmp_path / "own"
    own.mkdir()
    shutil.copy(AGENTS / "looks_around.py", own)
    (foreign.parent / "diary").write_text("secret")
    command = (sys.executable, "-S", "looks_around.py", str(foreign), listening_port, str(foreign.parent / "diary"))
    spec = program("looks_around", directory=str(own), isolation=isolation).model_copy(update={"command": command})
    with own_worker() as worker:
        record = play_with_worker(worker, setup_of(spec, OPPONENT))
    assert record.fault is not None
    assert record.fault.exit_status == 3, record.fault
    seen = json.loads(record.fault.stderr_tail)
    is_alone = len(seen.pop("processes")) <= 4
    is_free = isolation != "full"
    # Without a namespace, these depend on who runs the manager, and on the system.
    told = {name: seen.pop(name) for name in ("changes the system", "makes namespaces")}
    assert seen.pop("open files") <= 256
    may_write = seen.pop("may write to /")
    assert is_free or not may_write
    assert seen == {
        "writes to its folder": is_free,
        "writes to another folder": is_free,
        "reads another folder": is_free,
        "reads its home": is_free,
        "writes to a socket": is_free,
        "writes to a FIFO": is_free,
        "writes to /tmp": True,
        "writes to its home": True,
        "connects": is_free,
    }
    assert (foreign.parent / "connect4-looks-around").exists() == is_free
    if isolation != "none":
        assert not any(told.values()), told
    assert is_alone == (isolation != "none")
    assert record.isolation == isolation


IMPORTS_PACKAGE = """\
import sys
sys.path.insert(0, {library!r})
try:
    open({library!r} + "/connect4_agent/written", "x").close()
except OSError as error:
    sys.stderr.write("read-only" if error.errno == 30 else str(error))
import connect4_agent.engine
"""


@pytest.mark.needs("bwrap")
@pytest.mark.parametrize("has_directory", [True, False])
def test_with_full_isolation_a_program_cannot_import_this_package(tmp_path: Path, has_directory: bool) -> None:
    library = tmp_path / "lib" / "python3.11" / "site-packages"
    (library / "connect4_agent").mkdir(parents=True)
    (library / "connect4_agent" / "engine.py").touch()
    script = tmp_path / "agent.py"
    script.write_text(IMPORTS_PACKAGE.format(library=str(library)))
    command = (sys.executable, "agent.py" if has_directory else str(script))
    spec = AgentSpec(name="x", command=command, directory=str(tmp_path) if has_directory else None, time_limit=60.0)
    said = {}
    for isolation in (Isolation.PROCESSES, Isolation.FULL):
        record = play_game(setup_of(spec.model_copy(update={"isolation": isolation}), OPPONENT))
        assert record.fault is not None
        said[isolation] = record.fault.stderr_tail
    assert said[Isolation.PROCESSES] == ""
    assert "read-only" in said[Isolation.FULL]
    assert "No module named 'connect4_agent" in said[Isolation.FULL]


@pytest.mark.needs("bwrap")
def test_the_host_of_python_files_alone_is_shown_of_this_package(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("import sys, os\ndef agent(grid, player):\n    return 0\n")
    command = (sys.executable, HOST, "agent.py")
    spec = AgentSpec(name="x", command=command, directory=str(tmp_path), isolation=Isolation.FULL, time_limit=60.0)
    record = play_game(setup_of(spec, program("right")))
    assert (record.ending, record.winner) == (Ending.FOUR, 1)
    assert "agents" not in {Path(path).name for path in shown_paths(command, tmp_path, owns_directory=True)}


@pytest.mark.needs("bwrap")
def test_our_own_command_plays_with_full_isolation() -> None:
    command = (sys.executable, "-m", "connect4_agent", "--level", "easy")
    spec = AgentSpec(name="x", command=command, isolation=Isolation.FULL, time_limit=60.0)
    assert play_game(setup_of(spec, OPPONENT)).fault is None


def test_a_package_in_any_python_below_a_folder_is_found(tmp_path: Path) -> None:
    libraries = "lib/python3.11/site-packages", "local/lib/python3.12/dist-packages"
    places = [*libraries, "envs/x/lib64/python3.14/site-packages"]
    for place in places:
        (tmp_path / place / "connect4_agent").mkdir(parents=True)
    found = confinement._find_package([str(tmp_path)])
    assert found == {str(tmp_path / place / "connect4_agent") for place in places}


def shown_paths(command: tuple[str, ...], directory: Path, *, owns_directory: bool) -> set[str]:
    return confinement._find_own_paths(command, str(directory), owns_directory=owns_directory)


def test_with_full_isolation_a_home_and_shared_folders_stay_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "bots").mkdir()
    for name in ("agent.py", "bots/agent.py"):
        (tmp_path / name).touch()
    assert shown_paths(("sh", "agent.py"), tmp_path, owns_directory=False) == {str(tmp_path / "agent.py")}
    assert shown_paths(("sh", "bots/agent.py"), tmp_path, owns_directory=False) == {str(tmp_path / "bots")}
    assert shown_paths(("sh", "agent.py"), tmp_path, owns_directory=True) == {str(tmp_path / "agent.py")}
    bots = tmp_path / "bots"
    assert shown_paths(("sh", "../agent.py", "/etc/passwd"), bots, owns_directory=True) == {str(bots)}


def test_the_first_line_of_a_program_names_its_interpreter_only_through_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, tool, other = (tmp_path / name for name in ("own", "tool", "other"))
    for folder in (own, tool / "bin", other):
        folder.mkdir(parents=True)
    for path in (tool / "bin" / "speak", other / "agent"):
        path.touch(0o755)
    monkeypatch.setenv("PATH", f"{tool / 'bin'}:/usr/bin")
    for line, more in (("/usr/bin/env speak", {tool}), (tool / "bin" / "speak", {tool}), (other / "agent", set())):
        (own / "run").write_text(f"#!{line}\n")
        (own / "run").chmod(0o755)
        assert shown_paths(("./run",), own, owns_directory=True) == set(map(str, {own, *more}))


SHOWS_ENVIRONMENT = "import os, sys; sys.stdin.readline(); sys.stderr.write(' '.join(sorted(os.environ))); sys.exit(3)"


@pytest.mark.parametrize("isolation", [NONE, PROCESSES, FULL])
def test_a_program_gets_no_variables_but_those_that_it_needs(monkeypatch: pytest.MonkeyPatch, isolation: str) -> None:
    monkeypatch.setenv("CONNECT4_SECRET", "s3cr3t")
    monkeypatch.setenv("CONNECT4_LICENCE", "l1c3nc3")
    spec = AgentSpec(
        name="x", command=(sys.executable, "-c", SHOWS_ENVIRONMENT), isolation=Isolation(isolation),
        env={"COLOUR": "red"}, pass_env=("CONNECT4_LICENCE", "CONNECT4_NOT_SET"), time_limit=60.0,
    )  # fmt: skip
    with own_worker() as worker:
        record = play_with_worker(worker, setup_of(spec, OPPONENT))
    assert record.fault is not None
    names = set(record.fault.stderr_tail.split()) - {"PWD", "LC_CTYPE"}  # Python and bubblewrap set these
    allowed = {"PATH", "HOME", "LANG", "TZ", "TMPDIR", "COLOUR", "CONNECT4_LICENCE"}
    allowed |= {process.MARK} if isolation == "none" else set()
    assert {"PATH", "TMPDIR", "COLOUR", "CONNECT4_LICENCE"} <= names <= allowed


PRINTS_SECRET = "import os, sys; sys.stdin.readline(); secret = os.environ['CONNECT4_SECRET']"


@pytest.mark.parametrize(
    "way",
    [
        "sys.stderr.write('x' * 9000 + secret + 'y' * 8190); sys.exit(3)",  # cut in two where the record begins
        "print('[' + secret)",
        "print('z' * 1020 + secret)",
    ],
)
def test_the_value_of_a_passed_variable_is_in_no_record(monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    monkeypatch.setenv("CONNECT4_SECRET", "s3cr3t")
    command = (sys.executable, "-c", f"{PRINTS_SECRET}; {way}")
    spec = program("good", pass_env=("CONNECT4_SECRET",)).model_copy(update={"command": command})
    with own_worker() as worker:
        record = play_with_worker(worker, setup_of(spec, OPPONENT))
    assert record.fault is not None
    text = record.model_dump_json()
    assert "s3cr" not in text
    assert "r3t" not in text


@contextmanager
def own_worker() -> Iterator[Worker]:
    """A worker with the environment of this moment."""
    worker = Worker()
    try:
        yield worker
    finally:
        worker.close()


@pytest.mark.parametrize("isolation", [PROCESSES, FULL])
def test_in_a_namespace_the_end_of_a_program_is_seen_at_once(isolation: str) -> None:
    assert played("leaves_child", isolation=isolation).ending is Ending.CRASHED
    for name, arguments in (("closes_stdout", ()), ("closes_stdin", ("0",))):  # bubblewrap holds its pipes, too
        late = played(name, *arguments, isolation=isolation, time_limit=1.0, startup=60.0, grace=0.0)
        assert late.ending is Ending.TIMED_OUT
    killed = played("killed_mid_game", isolation=isolation)
    assert killed.fault is not None
    assert (killed.ending, killed.fault.exit_status) == (Ending.CRASHED, -9)
    missing = program("good").model_copy(update={"command": ("no-such-program",), "isolation": Isolation(isolation)})
    record = play_game(setup_of(missing, OPPONENT))
    assert record.fault is not None
    assert record.ending is Ending.WOULD_NOT_START
    assert record.fault.exit_status is None
    assert record.fault.detail == "no-such-program: No such file or directory"


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
    program = f"{sys.executable} -u"
    words = {"match": [program, "greedy"], "tournament": [str(description)], "check": [program]}[command]
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
