"""The guard: whatever happens to the runner, its agents go."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import psutil
import pytest

from connect4_agent.agents.guarded_process import GuardedProcess
from tests.arena.helping import STUBBORN_PROCESSES, command_of
from tests.processes import clean_environment, is_running, pids_in, wait_until

if TYPE_CHECKING:
    from pathlib import Path

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
