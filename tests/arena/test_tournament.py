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
from connect4_agent.arena.config import RunConfig, make_config
from connect4_agent.arena.faults import Ending, Fault
from connect4_agent.arena.record import GameRecord, Replay
from connect4_agent.arena.run import read_run
from connect4_agent.arena.schedule import GameSetup
from connect4_agent.arena.tournament import Outcome, run_tournament
from connect4_agent.cli import main
from connect4_agent.jobs.progress import Progress
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


def play(config: RunConfig, folder: Path, jobs: int = 1, told: io.StringIO | None = None, **settings: Any) -> Outcome:
    stream = io.StringIO() if told is None else told
    return run_tournament(config, folder, Progress("games", "play", stream), jobs, **settings)


def assert_complete(folder: Path, config: RunConfig) -> list[GameRecord]:
    """Every wanted game is there exactly once; the games in the order of the schedule."""
    state = read_run(folder, print)
    assert (state.config, state.aside) == (config, 0)
    records = list(state.records)
    assert len(records) + len(state.lost) == config.game_count
    keys = {record.key.model_dump_json() for record in records}
    assert len(keys) == len(records)
    assert len({record.game for record in read_records(folder)}) == len(records)
    return records


def moves(records: list[GameRecord]) -> list[tuple[int, ...]]:
    return [record.columns for record in records]


def test_all_games_are_played_as_scheduled(tmp_path: Path) -> None:
    config = config_of(THREE, seed=5)
    outcome = play(config, tmp_path)
    assert (outcome.wanted, outcome.finished, outcome.was_stopped, outcome.failures) == (30, 30, False, ())
    records = assert_complete(tmp_path, config)
    assert [record.game for record in records] == list(range(1, 31))


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
    play(config, tmp_path)
    kept = (tmp_path / "openings.json").read_bytes()
    (tmp_path / "games.jsonl").write_bytes(b"")
    with monkeypatch.context() as patched:
        patched.delattr("connect4_agent.arena.tournament.make_openings")
        play(config, tmp_path)
    assert_complete(tmp_path, config)
    # A file that cannot be used is made again.
    (tmp_path / "openings.json").write_text("[[9]]\n")
    play(config, tmp_path)
    assert (tmp_path / "openings.json").read_bytes() == kept


def test_a_game_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    play(config_of(), tmp_path)
    path = tmp_path / "games.jsonl"
    path.write_bytes(path.read_bytes() + path.read_bytes().splitlines(keepends=True)[3])
    with pytest.raises(errors.RunFolderError, match="game 4 appears twice"):
        play(config_of(), tmp_path)


def test_after_three_faults_in_a_row_an_agent_is_paused_and_may_be_retried(tmp_path: Path) -> None:
    config = config_of([TWO[0], *programs(command_of("crash_at_start"))])
    told = io.StringIO()
    outcome = play(config, tmp_path, told=told)
    assert (outcome.wanted, outcome.finished) == (10, 10)
    assert "\n0 is paused after 3 faults in a row (would not start); its 7 remaining games count as lost. " in (
        told.getvalue()
    )
    assert "To let it play on: --retry 0\n" in told.getvalue()
    assert [record.ending for record in assert_complete(tmp_path, config)] == [Ending.WOULD_NOT_START] * 3
    # The next start remembers, and says it again.
    told = io.StringIO()
    assert len(play(config, tmp_path, told=told).state.lost) == 7
    assert "0 is paused after 3 faults in a row" in told.getvalue()
    state = play(config, tmp_path, retry=["0"]).state
    assert (len(state.records), len(state.lost), state.out["0"].kind) == (6, 4, "paused")


class Killer(Progress):
    """Kills the worker processes of this process after the first game."""

    has_killed = False

    def count(self, done: int, note: str = "") -> None:
        super().count(done, note)
        for worker in active_children() if not self.has_killed else ():
            worker.kill()
        self.has_killed = True


def test_agents_can_be_disqualified_by_hand_and_let_in_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = config_of(THREE)
    play(config, tmp_path)
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:12]))
    tournament = tmp_path / "t.toml"
    agents = "".join(f'[[agents]]\nname = "{each["name"]}"\nplayer = "{each["name"]}"\n' for each in THREE)
    tournament.write_text(f"games = 10\n{agents}")
    words = ["tournament", str(tournament), "--out", str(tmp_path), "--jobs", "1"]
    with pytest.raises(SystemExit, match="2"):
        main([*words, "--disqualify", "nobody"])
    assert "there is no agent 'nobody'; the agents are random, first-open, easy" in capsys.readouterr().err
    assert main([*words, "--disqualify", "easy"]) == 0
    printed = capsys.readouterr()
    assert "easy is disqualified; its 12 remaining games count as lost" in printed.err
    assert "18 of 30 games are in" in printed.out
    assert "; 12 are lost without being played\n" in printed.out
    state = read_run(tmp_path, print)
    assert (len(state.records), len(state.lost), set(state.out)) == (18, 12, {"easy"})
    assert all("easy" in key.agents for key in state.lost)
    assert main(words) == 0
    assert len(read_run(tmp_path, print).lost) == 12
    assert main([*words, "--retry", "easy"]) == 0
    assert_complete(tmp_path, config)
    assert read_run(tmp_path, print).out == {}


def test_programs_play_below_workers_and_nothing_is_left_of_them(tmp_path: Path) -> None:
    mark = str(tmp_path / "pids")
    agents = programs(command_of("stubborn", mark), command_of("right"))
    config = config_of(agents, games=6, openings="empty")
    told = io.StringIO()
    play(config, tmp_path / "run", jobs=2, told=told)
    records = assert_complete(tmp_path / "run", config)
    assert {record.ending for record in records} == {Ending.FOUR}
    assert running_with(mark) == []
    (isolation,) = {record.isolation for record in records}
    assert told.getvalue().startswith(f"isolation: {isolation}")


def test_the_death_of_a_process_that_plays_built_in_players_ends_no_run(tmp_path: Path) -> None:
    outcome = run_tournament(config_of(), tmp_path, Killer("games", "play", io.StringIO()), jobs=2)
    assert (outcome.finished, outcome.failures) == (10, ())
    assert_complete(tmp_path, config_of())


@pytest.mark.skipif(sys.platform != "linux", reason="finds its worker as its parent")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_game_that_kills_its_worker_twice_is_void_and_the_others_are_played(tmp_path: Path, jobs: int) -> None:
    agents = [*TWO, *programs(command_of("attacks", "x", "kill_parent"))]
    config = config_of(agents, games=2, isolation="none")
    told = io.StringIO()
    outcome = play(config, tmp_path, jobs, told)
    assert (outcome.wanted, outcome.finished) == (6, 2)
    assert any("between random and 0 is void: its worker process died (signal 9), twice" in f for f in outcome.failures)
    assert outcome.failures[0] in told.getvalue()
    voids = {record.game for record in outcome.state.records if record.ending is Ending.VOID}
    assert len(voids) == 4
    # The next start tries again, and the games keep their numbers.
    outcome = play(config, tmp_path, jobs)
    assert {record.game for record in outcome.state.records if record.ending is Ending.VOID} == voids
    # Somebody has to decide about the agent; then the run can be completed.
    outcome = play(config, tmp_path, jobs, disqualify=["0"])
    assert (outcome.finished, outcome.failures, len(outcome.state.lost)) == (6, (), 4)


def time_out(monkeypatch: pytest.MonkeyPatch, is_late: Callable[[GameSetup], bool]) -> list[GameSetup]:
    """Let the player to move time out in these games; the games that are played, in their order."""
    played: list[GameSetup] = []
    play_really = referee.play_game

    def play_game(setup: GameSetup, seat: referee.Seat) -> GameRecord:
        played.append(setup)
        record = play_really(setup, seat)
        if not is_late(setup):
            return record
        key = setup.key
        columns = key.opening if setup.before is None else setup.before.columns
        player = Position(setup.width, setup.height, key.begins).after(columns).player
        late = {
            "columns": columns,
            "times_ms": record.times_ms[: len(columns) - len(key.opening)],
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
    played = time_out(monkeypatch, lambda setup: setup.game == 2 and setup.before is None)
    told = io.StringIO()
    assert play(config, tmp_path, told=told).finished == 4
    assert [setup.game for setup in played] == [1, 2, 3, 4, 2]
    assert played[-1].before is not None
    lines = replays(tmp_path)
    assert lines[1] == (2, Ending.TIMED_OUT, Replay.DUE)
    assert lines[4] == (2, Ending.FOUR, Replay.CONTINUED)
    assert "late; the game will be continued when nothing else runs" in told.getvalue()
    assert "game 2 is continued from the position in which the time ran out" in told.getvalue()


def test_a_second_time_out_in_a_game_is_final_and_a_third_of_an_agent_is_final_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = config_of(games=8, openings="empty")
    played = time_out(monkeypatch, lambda setup: setup.agents[setup.key.begins - 1].name == "random")
    assert play(config, tmp_path).finished == 8
    assert [setup.game for setup in played] == [1, 2, 3, 4, 5, 6, 7, 8, 1, 4]
    lines = replays(tmp_path)
    assert [line for line in lines if line[0] in (1, 4)] == [
        (1, Ending.TIMED_OUT, Replay.DUE),
        (4, Ending.TIMED_OUT, Replay.DUE),
        (1, Ending.TIMED_OUT, Replay.CONTINUED),
        (4, Ending.TIMED_OUT, Replay.CONTINUED),
    ]
    assert [line for line in lines if line[0] == 5] == [
        (5, Ending.TIMED_OUT, Replay.DUE),
        (5, Ending.TIMED_OUT, None),
    ]
    # A run that is resumed remembers: the last game is lost at once.
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"".join(line for line in path.read_bytes().splitlines(keepends=True) if b'"game":8,' not in line))
    assert play(config, tmp_path).finished == 8
    assert replays(tmp_path)[-1] == (8, Ending.TIMED_OUT, None)


def test_a_retry_continues_the_games_that_an_agent_lost_on_time_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = config_of(games=8, openings="empty")
    with monkeypatch.context() as patched:
        time_out(patched, lambda setup: setup.agents[setup.key.begins - 1].name == "random")
        play(config, tmp_path)
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-2]))  # 5 and 8 are due again
    played = time_out(monkeypatch, lambda _: False)
    assert play(config, tmp_path, retry=["random"]).finished == 8
    assert [(setup.game, setup.before is None) for setup in played] == [(5, False), (8, False)]
    assert [replay for _, _, replay in replays(tmp_path)[-2:]] == [Replay.CONTINUED] * 2


def test_a_stopped_run_resumes_with_the_games_that_are_due(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = config_of(games=4)
    played = time_out(monkeypatch, lambda setup: setup.game == 2 and setup.before is None)
    play(config, tmp_path)
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    played.clear()
    assert play(config, tmp_path).finished == 4
    assert [(setup.game, setup.before is None) for setup in played] == [(2, False)]
