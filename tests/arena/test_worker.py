"""Workers: whatever happens to one of them or to its manager, nothing of a program stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from connect4_agent import errors
from connect4_agent.arena import worker as worker_module
from connect4_agent.arena.agents.remote_program import RemoteProgram
from connect4_agent.arena.faults import Ending, FaultError
from connect4_agent.arena.referee import play_with_worker
from connect4_agent.arena.worker import Worker
from connect4_agent.rules.position import Position
from tests.arena.helping import STUBBORN_PROCESSES, built_in, command_of, program, setup_of
from tests.processes import clean_environment, is_running, pids_in, running_with, wait_until

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="nobody adopts orphans elsewhere")

NONE = "none"
PROCESSES = pytest.param("processes", marks=pytest.mark.needs("bwrap"))

MANAGER = """
import sys
from connect4_agent.arena.spec import AgentSpec
from connect4_agent.arena.agents.remote_program import RemoteProgram
from connect4_agent.rules.position import Position
spec = AgentSpec(name="x", command=tuple(sys.argv[2:]), isolation=sys.argv[1], time_limit=60.0)
program = RemoteProgram(spec)
print(program.move(Position()).column, flush=True)
sys.stdin.read()
"""


def processes_of(worker: Worker) -> tuple[psutil.Process, psutil.Process]:
    """The supervisor and the worker below it."""
    supervisor = psutil.Process(worker._process.pid)
    wait_until(lambda: len(supervisor.children()) == 1)
    return supervisor, supervisor.children()[0]


@linux_only
@pytest.mark.slow
@pytest.mark.parametrize("isolation", [NONE, PROCESSES])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_programs_are_gone_after_the_death_of_the_manager(tmp_path: Path, number: int, isolation: str) -> None:
    mark = str(tmp_path / "pids")
    command = [sys.executable, "-c", MANAGER, isolation, *command_of("stubborn", mark)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=clean_environment()) as manager:
        assert manager.stdout is not None
        assert manager.stdout.readline() == b"0\n"
        assert len(running_with(mark)) > 1
        manager.send_signal(number)
    wait_until(lambda: running_with(mark) == [])


@linux_only
@pytest.mark.parametrize("isolation", [NONE, PROCESSES])
def test_programs_are_gone_after_the_death_of_the_worker(tmp_path: Path, isolation: str) -> None:
    mark = str(tmp_path / "pids")
    running = RemoteProgram(program("stubborn", mark, isolation=isolation))
    running.move(Position())
    pids_in(tmp_path / "pids", STUBBORN_PROCESSES)
    assert running._worker is not None
    _, below = processes_of(running._worker)
    below.kill()
    with pytest.raises(errors.WorkerLostError, match=r"died \(signal 9\)"):
        running.move(Position().play(3).play(3))
    assert running_with(mark) == []
    assert running.move(Position()).column == 0  # by a new worker
    running.close()


@linux_only
@pytest.mark.needs("bwrap")
def test_programs_in_a_namespace_are_gone_even_if_supervisor_and_worker_are_killed(tmp_path: Path) -> None:
    mark = str(tmp_path / "pids")
    running = RemoteProgram(program("stubborn", mark, isolation="processes"))
    running.move(Position())
    assert running._worker is not None
    for process in processes_of(running._worker):
        process.kill()
    wait_until(lambda: running_with(mark) == [])
    running.kill()


def test_a_worker_that_is_stopped_is_lost_after_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_module, "SPARE_SECONDS", 0.1)
    worker = Worker()
    _, below = processes_of(worker)
    os.kill(below.pid, signal.SIGSTOP)
    agents = [built_in("first-open", time_limit=0.01, grace=0.0) for _ in range(2)]
    with pytest.raises(errors.WorkerLostError, match="did not answer within"):
        play_with_worker(worker, setup_of(*agents))
    worker.kill()
    assert not is_running(below.pid)


def test_a_worker_does_not_look_for_modules_where_it_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "random.py").write_text("raise SystemExit('the wrong module')")
    monkeypatch.chdir(tmp_path)
    worker = Worker()
    record = play_with_worker(worker, setup_of(built_in("random"), built_in("first-open")))
    worker.close()
    assert record.fault is None


def test_a_program_is_started_again_for_another_game_and_after_a_fault(tmp_path: Path) -> None:
    running = RemoteProgram(program("stubborn", str(tmp_path / "pids")))
    first, later = Position(), Position().play(0).play(3)
    counts = []
    for position in (first, later, first):
        running.move(position)
        counts.append(len(pids_in(tmp_path / "pids", STUBBORN_PROCESSES)) // STUBBORN_PROCESSES)
    running.close()
    assert counts[0] == counts[1] == 1
    wait_until(lambda: len(pids_in(tmp_path / "pids", 1)) >= 2 * STUBBORN_PROCESSES - 1)


def test_faults_cross_the_pipe_with_their_evidence() -> None:
    running = RemoteProgram(program("crash_mid_game"))
    running.move(Position())
    with pytest.raises(FaultError) as caught:
        running.move(Position().play(0).play(3))
    running.close()
    fault = caught.value
    assert (fault.kind, fault.exit_status, fault.stderr_tail) == (Ending.CRASHED, 4, "out of ideas\n")
