"""Tournaments whose command, workers or cluster are killed or interrupted: every scheduled game still exactly once."""

from __future__ import annotations

import json
import random
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from connect4_agent.arena.run import read_run
from tests.arena.helping import command_of, read_records
from tests.clusters import running_cluster, workers_at
from tests.gates import Gate
from tests.processes import COMMAND, clean_environment, is_running, pids_in, wait_until

pytestmark = pytest.mark.slow


class Runner:
    """The command in a process of its own."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=clean_environment()
        )

    def read_errors_until(self, word: str) -> str:
        assert self.process.stderr is not None
        told = ""
        while word not in told:
            line = self.process.stderr.readline()
            assert line, told
            told += line
        return told

    def end(self) -> tuple[int, str, str]:
        out, err = self.process.communicate()
        return self.process.returncode, out, err


def assert_complete(folder: Path, count: int) -> None:
    """Every wanted game is there once. Numbers of games that were killed may be missing."""
    state = read_run(folder)
    assert (len(state.records), state.to_play, state.lost, state.other_games) == (count, 0, [], 0)
    assert len({record.game for record in read_records(folder)}) == len(read_records(folder)) == count


@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_again_and_again_a_run_still_has_every_game_once(tmp_path: Path, jobs: int) -> None:
    pids_file, path, source = tmp_path / "pids", tmp_path / "run" / "games.jsonl", random.Random(jobs)
    gate = Gate(tmp_path / "gate")
    tournament = tmp_path / "t.toml"
    stubborn = json.dumps(command_of("stubborn", str(pids_file), *gate.command[-2:]))
    tournament.write_text(
        'games = 80\n[[agents]]\nname = "random"\nplayer = "random"\n[[agents]]\nname = "first-open"\n'
        f'player = "first-open"\n[[agents]]\nname = "stubborn"\ncommand = {stubborn}\n'
        'version = "1"\ntime_limit = 3600\nisolation = "none"\n'
    )
    words = ("tournament", str(tournament), "--out", str(tmp_path / "run"), "--jobs", str(jobs))
    for _ in range(3):
        most_bytes = source.randrange(10_000) + (path.stat().st_size if path.exists() else 0)
        most_games = source.randrange(8) + gate.begun
        gate.let_through(most_games)
        runner = Runner(*words)
        # At a random moment, but never too late: the run does not end before the gate is open.
        while (not path.exists() or path.stat().st_size < most_bytes) and gate.begun < most_games + jobs:
            time.sleep(0.01)
        runner.process.kill()
        assert runner.end()[0] == -signal.SIGKILL
        wait_until(lambda: not any(map(is_running, pids_in(pids_file, 0))) if pids_file.exists() else True)
    gate.open()
    status, out, _ = Runner(*words).end()
    assert status == 0, out
    assert_complete(tmp_path / "run", 240)
    assert not any(map(is_running, pids_in(pids_file, 3)))


def gated_match(gate: Gate, folder: Path, games: int) -> tuple[str, ...]:
    """The words of a match that has to pass a gate in every game."""
    agent = shlex.join(gate.command)
    return ("match", agent, "first-open", "--games", str(games), "--time-limit", "3600", "--out", str(folder))


def test_the_first_ctrl_c_ends_the_run_cleanly_and_says_how_to_go_on(tmp_path: Path) -> None:
    gate = Gate(tmp_path / "gate")
    gate.let_through(1)
    runner = Runner(*gated_match(gate, tmp_path / "run", 100), "--jobs", "1")
    gate.wait_for(2)
    runner.process.send_signal(signal.SIGINT)
    told = runner.read_errors_until("Stopping")
    gate.open()
    status, out, err = runner.end()
    assert status == 130
    assert "Traceback" not in told + err
    assert "to resume: connect4-agent match " in out
    assert [record.game for record in read_records(tmp_path / "run")] == [1, 2]
    assert "2 of 100 games" in out
    assert gate.begun == 2


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_second_ctrl_c_kills(tmp_path: Path, jobs: str) -> None:
    pids_file = tmp_path / "pids"
    script = "import os, sys, time; open(sys.argv[1], 'a').write(f'{os.getpid()}\\n'); time.sleep(3600)"
    agent = f'{sys.executable} -c "{script}" {pids_file}'
    words = (
        "match",
        agent,
        "first-open",
        "--openings",
        "empty",
        "--startup",
        "3600",
        "--jobs",
        jobs,
        "--isolation",
        "none",
    )
    runner = Runner(*words, "--out", str(tmp_path / "run"))
    pids = pids_in(pids_file, int(jobs))
    runner.process.send_signal(signal.SIGINT)
    runner.read_errors_until("Stopping")
    assert all(map(is_running, pids))
    runner.process.send_signal(signal.SIGINT)
    assert runner.end()[0] == 130
    wait_until(lambda: not any(map(is_running, pids)))


def test_a_run_on_a_cluster_survives_the_death_of_a_worker(tmp_path: Path) -> None:
    gate = Gate(tmp_path / "gate")
    gate.let_through(3)
    with running_cluster(tmp_path, workers=2) as cluster:
        runner = Runner(*gated_match(gate, tmp_path / "run", 12), "--dask", cluster.address)
        gate.wait_for(3 + 2)  # both workers have a game that cannot end
        cluster.workers[0].kill()
        wait_until(lambda: workers_at(cluster.address) == 1)
        gate.open()
        status, out, err = runner.end()
        assert status == 0, (out, err)
    assert_complete(tmp_path / "run", 12)
    assert gate.begun >= 12 + 1  # the dead worker's game was played again


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_lost_scheduler_is_one_line_and_the_same_command_resumes(tmp_path: Path, number: int) -> None:
    gate = Gate(tmp_path / "gate")
    gate.let_through(3)
    words = gated_match(gate, tmp_path / "run", 12)
    with running_cluster(tmp_path, workers=2) as cluster:
        runner = Runner(*words, "--dask", cluster.address)
        gate.wait_for(3 + 2)
        cluster.scheduler.send_signal(number)
        status, _, err = runner.end()
    assert status == 2
    told = "connect4-agent match: error: the Dask scheduler has gone away; the same command resumes the run"
    assert err.splitlines()[-1] == told
    assert "Traceback" not in err
    status, _, err = Runner(*words, "--dask", cluster.address).end()
    assert (status, "Traceback" in err) == (2, False)
    assert len(read_records(tmp_path / "run")) == 3
    gate.open()
    assert Runner(*words).end()[0] == 0
    assert_complete(tmp_path / "run", 12)


def test_workers_and_schedulers_killed_at_random_leave_every_game_once(tmp_path: Path) -> None:
    source, gate = random.Random(17), Gate(tmp_path / "gate")
    words = gated_match(gate, tmp_path / "run", 60)
    for attempt in range(2):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        with running_cluster(folder, workers=2) as cluster:
            runner = Runner(*words, "--dask", cluster.address)
            for victim in (source.choice(cluster.workers), cluster.scheduler):
                let_through = gate.begun + source.randrange(1, 6)
                gate.let_through(let_through)
                gate.wait_for(let_through + source.randrange(2))
                time.sleep(source.random() / 10)
                victim.kill()
            assert runner.end()[0] == 2
    assert len(read_records(tmp_path / "run")) < 60
    gate.open()
    assert Runner(*words).end()[0] == 0
    assert_complete(tmp_path / "run", 60)
