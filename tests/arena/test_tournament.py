"""Tournaments: every scheduled game exactly once, whatever happens to the runner."""

from __future__ import annotations

import io
import json
import random
import shlex
import signal
import subprocess
import sys
import time
from multiprocessing import active_children
from typing import TYPE_CHECKING, Any

import pytest

from connect4_agent import errors
from connect4_agent.arena.disqualification import TWICE
from connect4_agent.arena.progress import PLAYING
from connect4_agent.arena.run.config import RunConfig, make_config
from connect4_agent.arena.run.record import Ending, GameRecord
from connect4_agent.arena.tournament import Outcome, make_schedule, run_tournament
from connect4_agent.cli import main
from connect4_agent.progress import PlainLines
from tests.arena.helping import command_of, read_records
from tests.clusters import running_cluster, workers_at
from tests.gates import Gate
from tests.processes import COMMAND, clean_environment, is_running, pids_in, wait_until

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

pytestmark = pytest.mark.slow

THREE = [{"name": name, "player": name} for name in ("random", "first-open", "easy")]
TWO = THREE[:2]


def config_of(agents: Sequence[dict[str, Any]] = TWO, **values: Any) -> RunConfig:
    return make_config({"agents": list(agents), "games": 10, **values}, "here")


def programs(*commands: tuple[str, ...], **settings: Any) -> list[dict[str, Any]]:
    return [{"name": f"{number}", "command": list(command), **settings} for number, command in enumerate(commands)]


def play(config: RunConfig, folder: Path, jobs: int = 1) -> Outcome:
    return run_tournament(config, folder, PlainLines(PLAYING, io.StringIO()), jobs)


def assert_complete(folder: Path, config: RunConfig) -> list[GameRecord]:
    """Every scheduled game is there exactly once, as scheduled; the games in the order of the schedule."""
    schedule = make_schedule(config)
    records = sorted(read_records(folder), key=lambda record: record.game)
    assert [record.game for record in records] == list(range(len(schedule)))
    for record in records:
        setup = schedule.setup(record.game)
        assert record.agents == tuple(agent.name for agent in setup.agents)
        for name in ("round", "pair", "first", "opening", "width", "height"):
            assert getattr(record, name) == getattr(setup.scheduled, name)
        assert record.seed == setup.seed
        assert record.columns[: len(record.opening)] == record.opening
    return records


def moves(records: list[GameRecord]) -> list[tuple[int, ...]]:
    return [record.columns for record in records]


def test_all_games_are_played_as_scheduled(tmp_path: Path) -> None:
    config = config_of(THREE, seed=5)
    outcome = play(config, tmp_path)
    assert outcome == Outcome(30, 30, was_stopped=False, failures=())
    assert_complete(tmp_path, config)


def test_the_same_seed_gives_the_same_games_in_processes_and_another_seed_gives_others(tmp_path: Path) -> None:
    config = config_of(seed=5)
    play(config, tmp_path / "one")
    play(config, tmp_path / "two", jobs=2)
    assert moves(assert_complete(tmp_path / "one", config)) == moves(assert_complete(tmp_path / "two", config))
    other = config_of(seed=6)
    play(other, tmp_path / "three")
    assert moves(assert_complete(tmp_path / "three", other)) != moves(assert_complete(tmp_path / "one", config))


def test_programs_play_in_threads_and_nothing_is_left_of_them(tmp_path: Path) -> None:
    agents = programs(command_of("stubborn", str(tmp_path / "pids")), command_of("right"), restart_per_game=False)
    config = config_of(agents, games=6, openings="empty")
    play(config, tmp_path / "run", jobs=2)
    records = assert_complete(tmp_path / "run", config)
    assert {record.ending for record in records} == {Ending.FOUR}
    assert not any(map(is_running, pids_in(tmp_path / "pids", 3)))


def test_kept_programs_go_with_the_worker_processes(tmp_path: Path) -> None:
    kept = programs(command_of("stubborn", str(tmp_path / "pids")), restart_per_game=False)
    config = config_of([*kept, TWO[1]], games=4)
    play(config, tmp_path / "run", jobs=2)
    assert_complete(tmp_path / "run", config)
    assert not any(map(is_running, pids_in(tmp_path / "pids", 3)))


@pytest.mark.parametrize("seed", range(4))
def test_a_journal_cut_anywhere_is_completed_with_the_same_games(tmp_path: Path, seed: int) -> None:
    config = config_of(THREE)
    play(config, tmp_path)
    whole = moves(assert_complete(tmp_path, config))
    path = tmp_path / "games.jsonl"
    data = path.read_bytes()
    path.write_bytes(data[: random.Random(seed).randrange(len(data))])
    assert play(config, tmp_path, jobs=1 + seed % 2).finished == 30
    assert moves(assert_complete(tmp_path, config)) == whole


def test_a_finished_run_is_not_played_again(tmp_path: Path) -> None:
    config = config_of()
    play(config, tmp_path)
    before = (tmp_path / "games.jsonl").read_bytes()
    assert play(config, tmp_path).finished == 10
    assert (tmp_path / "games.jsonl").read_bytes() == before


def test_openings_are_drawn_once_for_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = config_of()
    schedule = make_schedule(config)
    play(config, tmp_path)
    (tmp_path / "games.jsonl").write_bytes(b"")
    with monkeypatch.context() as patched:
        patched.delattr("connect4_agent.arena.tournament.make_openings")
        assert make_schedule(config, tmp_path).openings == schedule.openings
        play(config, tmp_path)
    assert_complete(tmp_path, config)
    # An older run has none, and they are kept from now on; others than the run's own are not used.
    (tmp_path / "openings.json").unlink()
    assert make_schedule(config, tmp_path).openings == schedule.openings
    (tmp_path / "openings.json").write_text("[[0]]\n")
    assert make_schedule(config, tmp_path).openings == schedule.openings
    play(config, tmp_path)
    assert (tmp_path / "openings.json").read_bytes().count(b"[") == 1 + len(schedule.openings)


def test_a_game_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    play(config_of(), tmp_path)
    path = tmp_path / "games.jsonl"
    path.write_bytes(path.read_bytes() + path.read_bytes().splitlines(keepends=True)[3])
    with pytest.raises(errors.RunFolderError, match="game 3 appears twice"):
        play(config_of(), tmp_path)


def test_after_three_faults_of_a_kind_the_remaining_games_are_forfeited(tmp_path: Path) -> None:
    config = config_of([TWO[0], *programs(command_of("crash_at_start"))])
    outcome = play(config, tmp_path)
    assert outcome.finished == outcome.scheduled
    records = assert_complete(tmp_path, config)
    assert [record.ending for record in records] == [Ending.WOULD_NOT_START] * 3 + [Ending.FORFEITED] * 7
    assert all(record.agents[(record.winner or 0) - 1] == "random" for record in records)
    # A run that goes on remembers.
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:5]))
    play(config, tmp_path)
    assert [record.ending for record in assert_complete(tmp_path, config)][5:] == [Ending.FORFEITED] * 5


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


@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_again_and_again_a_run_still_has_every_game_once(tmp_path: Path, jobs: int) -> None:
    pids_file, path, source = tmp_path / "pids", tmp_path / "run" / "games.jsonl", random.Random(jobs)
    gate = Gate(tmp_path / "gate")
    tournament = tmp_path / "t.toml"
    stubborn = json.dumps(command_of("stubborn", str(pids_file), *gate.command[-2:]))
    tournament.write_text(
        'games = 80\n[[agents]]\nname = "random"\nplayer = "random"\n[[agents]]\nname = "first-open"\n'
        f'player = "first-open"\n[[agents]]\nname = "stubborn"\ncommand = {stubborn}\nrestart_per_game = false\n'
        "time_limit_seconds = 3600\n"
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
    schedule_games = sorted(record.game for record in read_records(tmp_path / "run"))
    assert schedule_games == list(range(240))
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
    assert [record.game for record in read_records(tmp_path / "run")] == [0, 1]
    assert "2 of 100 games" in out
    assert gate.begun == 2


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_second_ctrl_c_kills(tmp_path: Path, jobs: str) -> None:
    pids_file = tmp_path / "pids"
    script = "import os, sys, time; open(sys.argv[1], 'a').write(f'{os.getpid()}\\n'); time.sleep(3600)"
    agent = f'{sys.executable} -c "{script}" {pids_file}'
    words = ("match", agent, "first-open", "--openings", "empty", "--startup", "3600", "--jobs", jobs)
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
    assert sorted(record.game for record in read_records(tmp_path / "run")) == list(range(12))
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
    assert sorted(record.game for record in read_records(tmp_path / "run")) == list(range(12))


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
    assert sorted(record.game for record in read_records(tmp_path / "run")) == list(range(60))


class Killer(PlainLines):
    """Kills the worker processes of this process after the first game."""

    has_killed = False

    def count(self, done: int) -> None:
        super().count(done)
        for worker in active_children() if not self.has_killed else ():
            worker.kill()
        self.has_killed = True


def test_the_death_of_a_worker_ends_no_run(tmp_path: Path) -> None:
    told = io.StringIO()
    outcome = run_tournament(config_of(), tmp_path, Killer(PLAYING, told), jobs=2)
    assert (outcome.finished, outcome.failures) == (10, ())
    assert "a worker process died; the game is tried again in a worker of its own" in told.getvalue()
    assert "disqualified" not in told.getvalue()
    assert_complete(tmp_path, config_of())


def disqualified(folder: Path) -> dict[str, str]:
    """Who was disqualified in a run, and why."""
    found = {}
    for record in read_records(folder):
        if record.ending is Ending.DISQUALIFIED:
            assert record.fault is not None
            assert record.columns == record.opening
            found[record.agents[record.fault.player - 1]] = record.fault.detail
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="finds its worker in Linux's process table")
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_agent_that_kills_its_workers_is_disqualified_and_the_run_ends(tmp_path: Path, jobs: int) -> None:
    agents = [*TWO, *programs(command_of("kills_worker"), command_of("good"))]
    config = config_of(agents, games=2)
    outcome = play(config, tmp_path, jobs)
    assert outcome.finished == outcome.scheduled
    records = assert_complete(tmp_path, config)
    assert list(disqualified(tmp_path)) == ["0"]
    assert all(record.ending is Ending.DISQUALIFIED for record in records if "0" in record.agents)
    assert all(record.ending.is_rated for record in records if "0" not in record.agents)
    # A run that is resumed remembers; the journal is the truth.
    path = tmp_path / "games.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(line for line in lines if b'"disqualified"' not in line or b'"game":2,' in line))
    assert play(config, tmp_path, jobs).finished == outcome.scheduled
    assert list(disqualified(tmp_path)) == ["0"]


@pytest.mark.skipif(sys.platform != "linux", reason="finds its worker in Linux's process table")
def test_of_two_programs_the_one_that_kills_workers_is_found(tmp_path: Path) -> None:
    config = config_of(programs(command_of("good"), command_of("kills_worker")), games=2)
    play(config, tmp_path)
    assert disqualified(tmp_path) == {"1": TWICE}
    assert {record.agents[(record.winner or 0) - 1] for record in assert_complete(tmp_path, config)} == {"0"}


@pytest.mark.skipif(sys.platform != "linux", reason="finds its worker in Linux's process table")
def test_an_agent_that_stops_its_worker_does_not_stop_the_run(tmp_path: Path) -> None:
    config = config_of([TWO[0], *programs(command_of("kills_worker", "STOP"))], games=2)
    assert play(config, tmp_path).finished == 2


@pytest.mark.skipif(sys.platform != "linux", reason="finds its worker in Linux's process table")
@pytest.mark.parametrize("isolate", [False, pytest.param(True, marks=pytest.mark.needs("bwrap"))])
@pytest.mark.parametrize(("deed", "reasons"), [("TRACE", {}), ("LIMIT", {"0": TWICE})])
def test_an_agent_that_holds_up_or_cripples_its_worker_does_not_stop_the_run(
    tmp_path: Path, deed: str, reasons: dict[str, str], isolate: bool
) -> None:
    config = config_of([TWO[0], *programs(command_of("attacks", "x", "worker", deed))], games=2, isolate=isolate)
    assert play(config, tmp_path).finished == 2
    assert disqualified(tmp_path) == ({} if isolate else reasons)


def test_agents_can_be_disqualified_by_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = config_of(THREE)
    play(config, tmp_path)
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:12]))
    tournament = tmp_path / "t.toml"
    agents = "".join(f'[[agents]]\nname = "{each["name"]}"\nplayer = "{each["name"]}"\n' for each in THREE)
    tournament.write_text(f"games = 10\n{agents}")
    words = ["tournament", str(tournament), "--out", str(tmp_path), "--jobs", "1", "--disqualify"]
    with pytest.raises(SystemExit, match="2"):
        main([*words, "nobody"])
    assert "no agent 'nobody' to disqualify; the agents are random, first-open, easy" in capsys.readouterr().err
    assert main([*words, "easy"]) == 1
    assert "easy: disqualified, by hand" in capsys.readouterr().out
    records = assert_complete(tmp_path, config)
    assert [record.game for record in records if record.ending is Ending.DISQUALIFIED] == [
        record.game for record in records[12:] if "easy" in record.agents
    ]
    assert main(["report", str(tmp_path)]) == 0
    assert "note: easy was disqualified, by hand: 12 of its games were neither played" in capsys.readouterr().out
