"""The guard: whatever happens to the runner, its agents go."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from connect4_agent.agents import guarded_process
from connect4_agent.agents.guarded_process import GuardedProcess
from tests.arena.helping import STUBBORN_PROCESSES, command_of
from tests.processes import PATIENCE_SECONDS, clean_environment, is_running, pids_in, wait_until

RUNNER = """
import sys
from connect4_agent.agents.guarded_process import GuardedProcess
process = GuardedProcess(sys.argv[1:], {}, None)
sys.stdin.read()
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_agents_are_gone_after_the_death_of_the_runner(tmp_path: Path, number: int) -> None:
    pids_file = tmp_path / "pids"
    command = [sys.executable, "-c", RUNNER, *command_of("stubborn", str(pids_file))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, env=clean_environment()) as runner:
        pids = pids_in(pids_file, STUBBORN_PROCESSES)
        assert all(map(is_running, pids))
        runner.send_signal(number)
    wait_until(lambda: not any(map(is_running, pids)))


def test_an_agent_dies_with_its_guard(tmp_path: Path) -> None:
    pids_file = tmp_path / "pids"
    script = (
        "import os, sys, time; open(sys.argv[1], 'w').write(f'{os.getppid()}\\n{os.getpid()}\\n'); time.sleep(3600)"
    )
    process = GuardedProcess((sys.executable, "-c", script, str(pids_file)), {}, None)
    guard, agent = pids_in(pids_file, 2)
    os.kill(guard, signal.SIGKILL)
    wait_until(lambda: not is_running(agent))
    assert not process.read_news()
    process.kill()


def test_what_an_agent_writes_to_standard_error_is_read_while_nobody_asks_it() -> None:
    script = (
        "import sys; sys.stderr.write('x' * 1_000_000 + 'end'); sys.stderr.flush(); print('done', flush=True); input()"
    )
    process = GuardedProcess((sys.executable, "-c", script), {}, None)
    try:
        wait_until(lambda: process.wait(0.01) and process.read(100) == b"done\n")
        written = process.standard_error()
        assert written.tail.endswith(b"xxxend")
        assert len(written.tail) == 8192
        assert written.total_bytes == 1_000_003
    finally:
        process.kill()


def test_an_agent_starts_with_the_signals_as_they_are_by_default() -> None:
    script = (
        "import signal; print([signal.getsignal(n) is signal.SIG_DFL for n in (signal.SIGTERM, signal.SIGHUP)],"
        " signal.pthread_sigmask(signal.SIG_BLOCK, ()), flush=True); input()"
    )
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # as in the workers of a run
    try:
        process = GuardedProcess((sys.executable, "-c", script), {}, None)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    try:
        wait_until(lambda: process.wait(0.01) and process.read(100) == b"[True, True] set()\n")
    finally:
        process.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="looks into Linux's process table")
def test_a_paused_agent_is_stopped_with_its_children_until_it_is_resumed(tmp_path: Path) -> None:
    pids_file = tmp_path / "pids"
    process = GuardedProcess(command_of("stubborn", str(pids_file)), {}, None)
    try:
        pids = pids_in(pids_file, STUBBORN_PROCESSES)
        process.pause()
        wait_until(lambda: all(psutil.Process(pid).status() == psutil.STATUS_STOPPED for pid in pids))
        process.resume()
        wait_until(lambda: all(psutil.Process(pid).status() != psutil.STATUS_STOPPED for pid in pids))
    finally:
        process.kill()
    assert not any(map(is_running, pids))


@pytest.mark.skipif(sys.platform != "linux", reason="looks into Linux's process table")
def test_an_agent_that_forks_all_the_time_is_stopped_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guarded_process, "STOPPING_SECONDS", PATIENCE_SECONDS)
    counter = tmp_path / "counter"
    process = GuardedProcess(command_of("forks", str(counter)), {}, None)
    try:
        for _ in range(5):
            size = counter.stat().st_size if counter.exists() else 0
            wait_until(lambda: counter.exists() and counter.stat().st_size > size)  # noqa: B023  # called at once
            process.read_news()
            process.pause()
            agent = psutil.Process(process._guard.pid)
            stopped = (psutil.STATUS_STOPPED, psutil.STATUS_ZOMBIE)
            wait_until(lambda: all(child.status() in stopped for child in agent.children(recursive=True)))  # noqa: B023
            size = counter.stat().st_size
            time.sleep(0.02)
            assert counter.stat().st_size == size
            process.resume()
    finally:
        process.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="nobody else has Linux's capabilities")
def test_an_agent_cannot_raise_its_priority_even_if_it_is_roots() -> None:
    script = (
        "import os\n"
        "for act in (lambda: os.nice(-1), lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))):\n"
        "    try:\n        act()\n    except PermissionError:\n        print('refused', flush=True)\ninput()"
    )
    process = GuardedProcess((sys.executable, "-c", script), {}, None)
    seen = b""
    try:
        while seen.count(b"\n") < 2 and process.wait(PATIENCE_SECONDS) and (chunk := process.read(100)) is not None:
            process.read_news()
            seen += chunk
    finally:
        process.kill()
    assert seen == b"refused\nrefused\n"
