"""Tournaments: every scheduled game exactly once, whatever happens to the runner."""

from __future__ import annotations

import io
import random
import sys
from collections.abc import Callable, Sequence
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from connect4_agent import errors
from connect4_agent.arena import referee
from connect4_agent.arena.agents.contestant import Seats
from connect4_agent.arena.config import RunConfig, make_config
from connect4_agent.arena.progress import PLAYING
from connect4_agent.arena.run.record import Ending, Fault, GameRecord, Replay
from connect4_agent.arena.schedule import GameSetup
from connect4_agent.arena.tournament import Outcome, make_schedule, run_tournament
from connect4_agent.cli import main
from connect4_agent.jobs.progress import PlainLines
from connect4_agent.rules.position import Position
from tests.arena.helping import command_of, read_records
from tests.processes import running_with

pytestmark = pytest.mark.slow

THREE = [{"name": name, "player": name} for name in ("random", "first-open", "easy")]
TWO = THREE[:2]


def config_of(agents: Sequence[dict[str, Any]] = TWO, **values: Any) -> RunConfig:
    return make_config({"agents": list(agents), "games": 10, **values}, "here")


def programs(*commands: tuple[str, ...], **settings: Any) -> list[dict[str, Any]]:
    return [{"name": f"{number}", "command": list(command), **settings} for number, command in enumerate(commands)]


def play(config: RunConfig, folder: Path, jobs: int = 1, told: io.StringIO | None = None) -> Outcome:
    return run_tournament(config, folder, PlainLines(PLAYING, told or io.StringIO()), jobs)


def assert_complete(folder: Path, config: RunConfig) -> list[GameRecord]:
    """Every scheduled game is there exactly once, as scheduled; the games in the order of the schedule."""
    schedule = make_schedule(config)
    records = sorted(read_records(folder), key=lambda record: record.game)
    assert [record.game for record in records] == list(range(len(schedule)))
    for record in records:
        setup = schedule.setup(record.game)
        assert record.agents == tuple(agent.name for agent in setup.agents)
        for name in ("round", "pair", "first", "opening", "width", "height", "seed"):
            assert getattr(record, name) == getattr(setup.scheduled, name)
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


def test_programs_play_below_workers_and_nothing_is_left_of_them(tmp_path: Path) -> None:
    mark = str(tmp_path / "pids")
    agents = programs(command_of("stubborn", mark), command_of("right"), keep_running=True)
    config = config_of(agents, games=6, openings="empty")
    told = io.StringIO()
    play(config, tmp_path / "run", jobs=2, told=told)
    records = assert_complete(tmp_path / "run", config)
    assert {record.ending for record in records} == {Ending.FOUR}
    assert running_with(mark) == []
    (isolation,) = {record.isolation for record in records}
    assert told.getvalue().startswith(f"isolation: {isolation}")


def test_the_death_of_a_process_that_plays_built_in_players_ends_no_run(tmp_path: Path) -> None:
    outcome = run_tournament(config_of(), tmp_path, Killer(PLAYING, io.StringIO()), jobs=2)
    assert (outcome.finished, outcome.failures) == (10, ())
    assert_complete(tmp_path, config_of())


@pytest.mark.skipif(sys.platform != "linux", reason="finds its worker as its parent")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_game_that_kills_its_worker_twice_is_void_and_the_others_are_played(tmp_path: Path, jobs: int) -> None:
    agents = [*TWO, *programs(command_of("attacks", "x", "kill_parent"))]
    config = config_of(agents, games=2, isolation="none")
    told = io.StringIO()
    outcome = play(config, tmp_path, jobs, told)
    assert (outcome.scheduled, outcome.finished) == (6, 2)
    void = "game 2 between random and 0 is void: its worker process died (signal 9), twice"
    assert void in outcome.failures
    assert void in told.getvalue()
    assert {record.agents for record in read_records(tmp_path)} == {("random", "first-open"), ("first-open", "random")}
    # Somebody has to decide about the agent; then the run can be completed.
    outcome = run_tournament(config, tmp_path, PlainLines(PLAYING, io.StringIO()), disqualify=["0"])
    assert (outcome.finished, outcome.failures) == (6, ())


def time_out(monkeypatch: pytest.MonkeyPatch, is_late: Callable[[GameSetup], bool]) -> list[GameSetup]:
    """Let the player to move time out in these games; the games that are played, in their order."""
    played: list[GameSetup] = []
    play_really = referee.play_game

    def play_game(setup: GameSetup, seats: Seats) -> GameRecord:
        played.append(setup)
        record = play_really(setup, seats)
        if not is_late(setup):
            return record
        game = setup.scheduled
        columns = game.opening if setup.before is None else setup.before.columns
        player = Position(game.width, game.height, game.first).after(columns).player
        late = {
            "columns": columns,
            "times_ms": record.times_ms[: len(columns) - len(game.opening)],
            "winner": 3 - player,
        }
        fault = Fault(player=player, detail="late")
        return record.model_copy(update={**late, "ending": Ending.TIMED_OUT, "fault": fault})

    monkeypatch.setattr(referee, "play_game", play_game)
    return played


def replays(folder: Path) -> list[tuple[int, Ending, Replay | None]]:
    return [(record.game, record.ending, record.replay) for record in read_records(folder)]


def test_a_game_lost_on_time_is_continued_once_the_others_are_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = config_of(games=4)
    played = time_out(monkeypatch, lambda setup: setup.scheduled.game == 1 and setup.before is None)
    told = io.StringIO()
    assert play(config, tmp_path, told=told).finished == 4
    assert [setup.scheduled.game for setup in played] == [0, 1, 2, 3, 1]
    assert played[-1].before is not None
    lines = replays(tmp_path)
    assert lines[1] == (1, Ending.TIMED_OUT, Replay.DUE)
    assert lines[4] == (1, Ending.FOUR, Replay.CONTINUED)
    assert "late; the game will be continued when nothing else runs" in told.getvalue()
    assert "game 1 is continued from the position in which the time ran out" in told.getvalue()


def test_a_second_time_out_in_a_game_is_final_and_a_third_of_an_agent_is_final_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = config_of(games=8, openings="empty")
    played = time_out(monkeypatch, lambda setup: setup.agents[setup.scheduled.first - 1].name == "random")
    assert play(config, tmp_path).finished == 8
    assert [setup.scheduled.game for setup in played] == [0, 1, 2, 3, 4, 5, 6, 7, 0, 3]
    lines = replays(tmp_path)
    assert [line for line in lines if line[0] in (0, 3)] == [
        (0, Ending.TIMED_OUT, Replay.DUE),
        (3, Ending.TIMED_OUT, Replay.DUE),
        (0, Ending.TIMED_OUT, Replay.CONTINUED),
        (3, Ending.TIMED_OUT, Replay.CONTINUED),
    ]
    assert [line for line in lines if line[0] == 4] == [
        (4, Ending.TIMED_OUT, Replay.DUE),
        (4, Ending.TIMED_OUT, None),
    ]
    # A run that is resumed remembers: the last game is lost at once.
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"".join(line for line in path.read_bytes().splitlines(keepends=True) if b'"game":7,' not in line))
    assert play(config, tmp_path).finished == 8
    assert replays(tmp_path)[-1] == (7, Ending.TIMED_OUT, None)


def test_a_stopped_run_resumes_with_the_games_that_are_due(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = config_of(games=4)
    played = time_out(monkeypatch, lambda setup: setup.scheduled.game == 1 and setup.before is None)
    play(config, tmp_path)
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    played.clear()
    assert play(config, tmp_path).finished == 4
    assert [(setup.scheduled.game, setup.before is None) for setup in played] == [(1, False)]
