"""Attacks: whatever an agent does to the processes above it, its game ends and nothing of it is left."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from connect4_agent.agents.confinement import Confinement
from connect4_agent.arena.check.cases import cases as all_cases
from connect4_agent.arena.check.extra_cases import extra_cases
from connect4_agent.arena.referee import play_game
from connect4_agent.arena.run.record import Ending
from tests.arena.helping import built_in, command_of, program, setup_of
from tests.processes import COMMAND, clean_environment, is_running, wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="other systems do not let anybody adopt orphans"),
]

ISOLATED = pytest.param(True, marks=pytest.mark.needs("bwrap"), id="isolated")
BARE = pytest.param(False, id="bare")

RUNNER = """
import sys
from connect4_agent.agents.confinement import Confinement
from connect4_agent.agents.guarded_process import GuardedProcess
process = GuardedProcess(sys.argv[2:], {}, None, Confinement(isolate=sys.argv[1] == "True"))
process.write(b"{}\\n")
while not (line := process.read(100)):
    process.read_news()
    process.wait(60.0)
print(line, flush=True)
sys.stdin.read()
"""


def running_with(mark: str) -> list[int]:
    """The running processes that have this word in their command line."""
    found = []
    for path in Path("/proc").iterdir():
        try:
            words = (path / "cmdline").read_bytes().split(b"\0") if path.name.isdigit() else []
        except OSError:
            continue
        if mark.encode() in words and is_running(int(path.name)):
            found.append(int(path.name))
    return found


GUARD_ATTACKS = [
    ("guard", "STOP"),
    ("guard", "KILL"),
    ("guard", "TERM"),
    ("guard", "USR1"),
    ("guard", "STOP", "again"),
    ("group", "KILL"),
    ("guard", "TRACE"),
    ("guard", "LIMIT"),
]


@pytest.mark.parametrize("isolate", [BARE, ISOLATED])
@pytest.mark.parametrize("attack", GUARD_ATTACKS, ids=" ".join)
def test_nothing_is_left_after_a_game(attack: tuple[str, ...], isolate: bool) -> None:
    mark = uuid4().hex
    agent = program("attacks", mark, *attack, confinement=Confinement(isolate=isolate))
    record = play_game(setup_of(agent, built_in("first-open")))
    assert running_with(mark) == []
    if isolate:
        # What it takes for its guard is bubblewrap's first process, and nobody else can see it.
        assert record.ending is Ending.ILLEGAL_MOVE or attack[0] == "group"
    assert record.winner == 2  # column 0 is full before it has four, if it gets that far


@pytest.mark.parametrize("isolate", [BARE, ISOLATED])
def test_nothing_is_left_of_an_agent_that_forks_all_the_time(tmp_path: Path, isolate: bool) -> None:
    mark = uuid4().hex
    agent = program("forks", str(tmp_path / "counter"), mark, confinement=Confinement(isolate=isolate))
    record = play_game(setup_of(replace(agent, directory=str(tmp_path)), built_in("first-open")))
    assert running_with(mark) == []
    assert (record.ending, record.winner) == (Ending.WOULD_NOT_START, 2)
    size = (tmp_path / "counter").stat().st_size
    assert size > 0
    time.sleep(0.1)  # no look at the process table shows who forks all the time
    assert (tmp_path / "counter").stat().st_size == size


@pytest.mark.parametrize("isolate", [BARE, ISOLATED])
@pytest.mark.parametrize("attack", [("guard", "STOP"), ("guard", "TERM"), ("worker", "STOP")], ids=" ".join)
def test_nothing_is_left_after_the_runner_was_killed(attack: tuple[str, ...], isolate: bool) -> None:
    mark = uuid4().hex
    command = [sys.executable, "-c", RUNNER, str(isolate), *command_of("attacks", mark, *attack)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=clean_environment()
    ) as runner:
        assert runner.stdout is not None
        if isolate or attack[0] == "guard":
            assert runner.stdout.readline() == "b'{\"move\":0}\\n'\n"
        else:
            wait_until(lambda: len(running_with(mark)) >= 4)  # the runner, its guard, the agent and its daemon
        runner.kill()
    wait_until(lambda: running_with(mark) == [])


@pytest.mark.needs("bwrap")
def test_an_isolated_agent_that_kills_all_it_can_see_hits_nobody() -> None:
    mark = uuid4().hex
    agent = program("attacks", mark, "all", "KILL", confinement=Confinement(isolate=True))
    record = play_game(setup_of(agent, program("right", confinement=Confinement(isolate=True))))
    assert (record.ending, record.winner) == (Ending.FOUR, 1)
    assert running_with(mark) == []


@pytest.mark.parametrize("isolate", [BARE, ISOLATED])
def test_nothing_is_left_after_a_check(isolate: bool) -> None:
    mark = uuid4().hex
    agent = " ".join(command_of("attacks", mark, "guard", "KILL"))
    cases = ("ordinary", "end-of-input", "no-request")  # enough of them
    skipped = ",".join(case.name for case in (*all_cases([]), *extra_cases()) if case.name not in cases)
    words = [COMMAND, "check", agent, "--time-limit", "2", "--skip", skipped, *(["--isolate"] if isolate else [])]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=clean_environment())
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert running_with(mark) == []
