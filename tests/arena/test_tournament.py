"""Tournaments: every scheduled game exactly once, whatever happens to the runner."""

from __future__ import annotations

import io
import random
import sys
from collections.abc import Sequence
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from connect4_agent import errors
from connect4_agent.arena.disqualification import TWICE
from connect4_agent.arena.progress import PLAYING
from connect4_agent.arena.run.config import RunConfig, make_config
from connect4_agent.arena.run.record import Ending, GameRecord
from connect4_agent.arena.tournament import Outcome, make_schedule, run_tournament
from connect4_agent.cli import main
from connect4_agent.jobs.progress import PlainLines
from tests.arena.helping import command_of, read_records
from tests.processes import is_running, pids_in

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
