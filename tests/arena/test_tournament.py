"""Tournaments: every scheduled game exactly once, whatever happens to the runner."""

from __future__ import annotations

import io
import random
import signal
import subprocess
import sys
from multiprocessing import active_children
from typing import TYPE_CHECKING, Any

import pytest

from connect4_agent import errors
from connect4_agent.arena import progress
from connect4_agent.arena.config import RunConfig, make_config
from connect4_agent.arena.progress import PlainLines
from connect4_agent.arena.record import Ending, GameRecord
from connect4_agent.arena.tournament import Outcome, make_schedule, run_tournament
from connect4_agent.cli import main
from tests.clusters import running_cluster, workers_at
from tests.processes import COMMAND, clean_environment, is_running, pids_in, wait_until

from .helping import command_of, read_records

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

THREE = [{"name": name, "player": name} for name in ("random", "first-open", "easy")]
TWO = THREE[:2]


def config_of(agents: Sequence[dict[str, Any]] = TWO, **values: Any) -> RunConfig:
    return make_config({"agents": list(agents), "games": 10, **values}, "here")


def programs(*commands: tuple[str, ...], **settings: Any) -> list[dict[str, Any]]:
    return [{"name": f"{number}", "command": list(command), **settings} for number, command in enumerate(commands)]


def play(config: RunConfig, folder: Path, jobs: int = 1) -> Outcome:
    return run_tournament(config, folder, PlainLines(io.StringIO()), jobs)


def assert_complete(folder: Path, config: RunConfig) -> list[GameRecord]:
    """Every scheduled game is there exactly once, as scheduled; the games in the order of the schedule."""
    schedule = make_schedule(config)
    records = sorted(read_records(folder), key=lambda record: record.game)
    assert [record.game for record in records] == list(range(len(schedule)))
    for record in records:
        setup = schedule.setup(record.game)
        assert record.agents == tuple(agent.name for agent in setup.agents)
        for name in ("round", "pair", "first", "opening", "seed", "width", "height"):
            assert getattr(record, name) == getattr(setup, name)
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


def test_a_game_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    play(config_of(), tmp_path)
    path = tmp_path / "games.jsonl"
    path.write_bytes(path.read_bytes() + path.read_bytes().splitlines(keepends=True)[3])
    with pytest.raises(errors.RunFolderError, match="game 3 is there a second time"):
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

    def wait_for_bytes(self, path: Path, size: int) -> None:
        wait_until(lambda: self.process.poll() is not None or (path.exists() and path.stat().st_size > size))

    def end(self) -> tuple[int, str, str]:
        out, err = self.process.communicate()
        return self.process.returncode, out, err


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_killed_again_and_again_a_run_still_has_every_game_once(tmp_path: Path, jobs: str) -> None:
    pids_file, path, source = tmp_path / "pids", tmp_path / "run" / "games.jsonl", random.Random(jobs)
    tournament = tmp_path / "t.toml"
    stubborn = ", ".join(f'"{word}"' for word in command_of("stubborn", str(pids_file)))
    tournament.write_text(
        'games = 80\n[[agents]]\nname = "random"\nplayer = "random"\n[[agents]]\nname = "first-open"\n'
        f'player = "first-open"\n[[agents]]\nname = "stubborn"\ncommand = [{stubborn}]\nrestart_per_game = false\n'
    )
    words = ("tournament", str(tournament), "--out", str(tmp_path / "run"), "--jobs", jobs, "--tolerate-faults")
    for _ in range(3):
        runner = Runner(*words)
        size = path.stat().st_size if path.exists() else 0
        runner.wait_for_bytes(path, size + source.randrange(20_000))
        runner.process.kill()
        assert runner.end()[0] == -signal.SIGKILL
        wait_until(lambda: not any(map(is_running, pids_in(pids_file, 0))) if pids_file.exists() else True)
    status, out, _ = Runner(*words).end()
    assert status == 0, out
    schedule_games = sorted(record.game for record in read_records(tmp_path / "run"))
    assert schedule_games == list(range(240))
    assert not any(map(is_running, pids_in(pids_file, 3)))


def slow_match(tmp_path: Path) -> tuple[str, ...]:
    """A match whose games take a while."""
    slow = " ".join(command_of("slow_start", "0.2"))
    return ("match", slow, "first-open", "--games", "100", "--out", str(tmp_path / "run"), "--tolerate-faults")


def test_the_first_ctrl_c_ends_the_run_cleanly_and_says_how_to_go_on(tmp_path: Path) -> None:
    runner = Runner(*slow_match(tmp_path))
    runner.wait_for_bytes(tmp_path / "run" / "games.jsonl", 0)
    runner.process.send_signal(signal.SIGINT)
    status, out, err = runner.end()
    assert status == 130
    assert "Stopping" in err
    assert "Traceback" not in err
    assert "to go on: connect4-agent match " in out
    finished = list(read_records(tmp_path / "run"))
    assert 0 < len(finished) < 100
    assert f"{len(finished)} of 100 games" in out


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_second_ctrl_c_kills(tmp_path: Path, jobs: str) -> None:
    pids_file = tmp_path / "pids"
    script = "import os, sys, time; open(sys.argv[1], 'a').write(f'{os.getpid()}\\n'); time.sleep(3600)"
    agent = f'{sys.executable} -c "{script}" {pids_file}'
    words = ("match", agent, "first-open", "--openings", "empty", "--startup", "3600", "--jobs", jobs)
    runner = Runner(*words, "--out", str(tmp_path / "run"))
    pids = pids_in(pids_file, int(jobs))
    runner.process.send_signal(signal.SIGINT)
    assert runner.process.stderr is not None
    while "Stopping" not in runner.process.stderr.readline():
        pass
    assert all(map(is_running, pids))
    runner.process.send_signal(signal.SIGINT)
    assert runner.end()[0] == 130
    wait_until(lambda: not any(map(is_running, pids)))


def test_a_run_on_a_cluster_survives_the_death_of_a_worker(tmp_path: Path) -> None:
    with running_cluster(tmp_path, workers=2) as cluster:
        slow = " ".join(command_of("slow_start", "0.1"))
        words = ("match", slow, "first-open", "--games", "40", "--out", str(tmp_path / "run"), "--seed", "3")
        runner = Runner(*words, "--dask", cluster.address, "--tolerate-faults")
        runner.wait_for_bytes(tmp_path / "run" / "games.jsonl", 3000)
        cluster.workers[0].kill()
        status, out, err = runner.end()
        assert status == 0, (out, err)
        assert sorted(record.game for record in read_records(tmp_path / "run")) == list(range(40))
        assert workers_at(cluster.address) == 1


class Killer(PlainLines):
    """Kills the worker processes of this process after the first game."""

    def show(self, record: GameRecord, finished: int) -> None:
        super().show(record, finished)
        for worker in active_children():
            worker.kill()


def test_the_death_of_a_local_worker_ends_the_run_and_the_same_command_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["match", "random", "first-open", "--games", "10", "--jobs", "2", "--out", str(tmp_path)]
    with monkeypatch.context() as patched:
        patched.setattr(progress, "new_progress", lambda: Killer(io.StringIO()))
        assert main(words) == 1
    told = capsys.readouterr().err
    assert "connect4-agent match: a worker process has died" in told
    assert "the games it played are not lost" in told
    assert "; the same command goes on from there\n" in told
    assert 1 <= len(read_records(tmp_path)) < 10
    assert main(words) == 0
    assert sorted(record.game for record in read_records(tmp_path)) == list(range(10))
