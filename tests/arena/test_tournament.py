"""Tournaments: every scheduled game exactly once, whatever happens to the runner."""

from __future__ import annotations

import io
import os
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest

from connect4_agent import errors
from connect4_agent.arena import referee, worker
from connect4_agent.arena import tournament as tournament_module
from connect4_agent.arena.config import RunConfig, make_config
from connect4_agent.arena.faults import Ending, Fault
from connect4_agent.arena.record import GameRecord
from connect4_agent.arena.run import read_run
from connect4_agent.arena.schedule import GameSetup
from connect4_agent.arena.tournament import Outcome, run_tournament
from connect4_agent.arena.worker import Workers
from connect4_agent.cli import main
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.player import Choice
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.jobs import cores
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
    state = read_run(folder)
    assert (state.config, state.other_games) == (config, 0)
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
    assert (outcome.state.wanted, outcome.state.finished, outcome.was_stopped, outcome.failures) == (30, 30, False, ())
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
    assert play(config, tmp_path, jobs=1 + seed % 2).state.finished == 30
    assert moves(assert_complete(tmp_path, config)) == whole


def test_a_finished_run_is_not_played_again(tmp_path: Path) -> None:
    config = config_of()
    play(config, tmp_path)
    before = (tmp_path / "games.jsonl").read_bytes()
    assert play(config, tmp_path).state.finished == 10
    assert (tmp_path / "games.jsonl").read_bytes() == before


def test_a_game_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    play(config_of(), tmp_path)
    path = tmp_path / "games.jsonl"
    path.write_bytes(path.read_bytes() + path.read_bytes().splitlines(keepends=True)[3])
    with pytest.raises(errors.RunFolderError, match=r"line 11 of .* game 4 appears twice"):
        play(config_of(), tmp_path)


def test_after_three_faults_in_a_row_an_agent_is_paused_and_its_games_can_be_played_again(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("import sys; sys.exit(3)\n")
    agent = {"name": "0", "command": [*command_of("good")[:-1], str(bot)], "version": "1"}
    config = config_of([TWO[0], agent])
    told = io.StringIO()
    outcome = play(config, tmp_path / "run", told=told)
    assert (outcome.state.wanted, outcome.state.finished) == (10, 10)
    paused = (
        "0 is paused after 3 faults in a row (would not start); its 7 remaining games are lost without being played\n"
    )
    assert paused in told.getvalue()
    assert "--" not in told.getvalue()  # the words of a command line are the command's
    assert [record.ending for record in assert_complete(tmp_path / "run", config)] == [Ending.WOULD_NOT_START] * 3
    # The next start remembers, and says it again.
    told = io.StringIO()
    assert len(play(config, tmp_path / "run", told=told).state.lost) == 7
    assert paused in told.getvalue()
    # Another chance is for its lost games alone, and what comes of them decides about the others.
    told = io.StringIO()
    state = play(config, tmp_path / "run", told=told, retry=["0"]).state
    assert "0 plays 3 games again that it lost by faults\n" in told.getvalue()
    assert (len(state.records), len(state.lost), state.played_again) == (3, 7, {"0": 3})
    assert len(read_records(tmp_path / "run")) == 6
    bot.write_text(Path(command_of("good")[-1]).read_text())
    assert len(play(config, tmp_path / "run").state.lost) == 7
    state = play(config, tmp_path / "run", retry=["0"]).state
    assert (len(state.records), state.exclusions, state.played_again) == (10, {}, {"0": 6})
    assert [record.game for record in state.records] == list(range(1, 11))
    told = io.StringIO()
    play(config, tmp_path / "run", told=told, retry=["0"])
    assert "0 has lost no game by a fault\n" in told.getvalue()
    assert len(read_records(tmp_path / "run")) == 3 + 3 + 3 + 7


def test_a_retried_game_is_not_played_against_an_excluded_opponent(tmp_path: Path) -> None:
    config = config_of([TWO[0], *programs(command_of("crash_at_start"))])
    play(config, tmp_path)
    state = play(config.model_copy(update={"disqualified": ("random",)}), tmp_path, retry=["0"]).state
    assert (state.played_again, len(state.records)) == ({}, 3)
    state = play(config.model_copy(update={"disqualified": ("0",)}), tmp_path, retry=["0"]).state
    assert (state.played_again, len(state.records)) == ({}, 3)


def test_a_retry_that_is_interrupted_loses_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = config_of([TWO[0], *programs(command_of("crash_at_start"))])
    play(config, tmp_path)
    played = 0
    play_really = referee.play_with_worker

    def play_once(workers: Workers, setup: GameSetup) -> GameRecord:
        nonlocal played
        played += 1
        if played == 2:
            raise KeyboardInterrupt
        return play_really(workers, setup)

    monkeypatch.setattr(tournament_module, "play_with_worker", play_once)
    with pytest.raises(KeyboardInterrupt):
        play(config, tmp_path, retry=["0"], handles_interrupts=False)
    state = read_run(tmp_path)
    assert (len(state.records), len(state.lost), state.played_again) == (3, 7, {"0": 1})


class Killer(Progress):
    """Kills the workers of this process after the first game."""

    has_killed = False

    def count(self, done: int, note: str = "") -> None:
        super().count(done, note)
        for process in psutil.Process().children() if not self.has_killed else ():
            if worker.START in process.cmdline():
                process.kill()
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
    assert (
        "disqualified: there is no agent 'nobody'; the agents are random, first-open, easy" in capsys.readouterr().err
    )
    assert main([*words, "--disqualify", "easy"]) == 0
    printed = capsys.readouterr()
    assert "easy is disqualified by the organiser; its 12 remaining games are lost without being played" in printed.err
    assert "18 of 30 games are in" in printed.out
    assert "; 12 are lost without being played\n" in printed.out
    state = read_run(tmp_path)
    assert (len(state.records), len(state.lost), set(state.exclusions)) == (18, 12, {"easy"})
    assert all("easy" in key.agents for key in state.lost)
    assert len(read_run(tmp_path).lost) == 12
    tournament.write_text(f'games = 10\ndisqualified = ["easy"]\n{agents}')
    assert main(words) == 0
    assert len(read_run(tmp_path).lost) == 12
    tournament.write_text(f"games = 10\n{agents}")
    assert main(words) == 0
    assert_complete(tmp_path, config)
    assert read_run(tmp_path).exclusions == {}


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


@pytest.mark.parametrize(("load", "is_busy"), [(0.5, False), (99.0, True)])
def test_the_load_of_the_machine_is_told_and_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, load: float, is_busy: bool
) -> None:
    monkeypatch.setattr(cores, "core_count", lambda: 1)
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 0.0, 0.0))
    told = io.StringIO()
    play(config_of([TWO[0], *programs(command_of("good"))], games=2), tmp_path, told=told)
    warning = "the load of this machine is 99.0 on 1 core: programs may lose games on time\n"
    assert (warning in told.getvalue()) == is_busy
    assert all(record.load is not None for record in read_records(tmp_path))


def test_the_death_of_a_worker_that_plays_built_in_players_ends_no_run(tmp_path: Path) -> None:
    killer = Killer("games", "play", io.StringIO())
    outcome = run_tournament(config_of(), tmp_path, killer, jobs=2)
    assert killer.has_killed
    assert (outcome.state.finished, outcome.failures) == (10, ())
    assert_complete(tmp_path, config_of())


@pytest.mark.skipif(sys.platform != "linux", reason="finds its worker as its parent")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_game_that_kills_its_worker_twice_has_no_line_and_the_others_are_played(tmp_path: Path, jobs: int) -> None:
    agents = [*TWO, *programs(command_of("attacks", "x", "kill_parent"))]
    config = config_of(agents, games=2, isolation="none")
    told = io.StringIO()
    outcome = play(config, tmp_path, jobs, told)
    assert (outcome.state.wanted, outcome.state.finished, len(read_records(tmp_path))) == (6, 2, 2)
    why = "between random and 0 could not be played, and is still wanted: its worker process died (signal 9), twice"
    assert any(why in failure for failure in outcome.failures)
    assert outcome.failures[0] in told.getvalue()
    # The next start tries again.
    assert len(play(config, tmp_path, jobs).failures) == 4
    # The organiser has to decide about the agent; then the run can be completed.
    outcome = play(config.model_copy(update={"disqualified": ("0",)}), tmp_path, jobs)
    assert (outcome.state.finished, outcome.failures, len(outcome.state.lost)) == (6, (), 4)


class Deadly:
    """Ends its process when it is asked in a certain position."""

    def choose(self, position: Position, limits: Limits) -> Choice:  # noqa: ARG002  # the signature of a player
        if position.disc_count > 5:
            os._exit(7)
        return Choice(position.legal_columns()[0])


def test_a_player_that_kills_its_process_ends_the_run_with_its_name(tmp_path: Path) -> None:
    agents = [{"name": name, "python_object": name} for name in ("deadly", "one")]
    with pytest.raises(errors.WorkerLostError, match=r"the process of game \d+ between .*deadly.* died"):
        play(config_of(agents), tmp_path, 2, players={"deadly": Deadly(), "one": parse_player("first-open")})
    assert read_run(tmp_path).to_play == 10


def test_a_time_out_is_final(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = config_of(games=4)
    played: list[int] = []
    play_really = referee.play_game

    def play_game(setup: GameSetup, seat: referee.Seat) -> GameRecord:
        played.append(setup.game)
        record = play_really(setup, seat)
        player = record.mover_of(len(setup.key.opening))
        late = {
            "columns": setup.key.opening,
            "times_ms": (),
            "winner": 3 - player,
            "ending": Ending.TIMED_OUT,
            "fault": Fault(player=player, detail="late"),
        }
        return record.model_copy(update=late) if setup.game == 2 and played.count(2) == 1 else record

    monkeypatch.setattr(referee, "play_game", play_game)
    assert play(config, tmp_path).state.finished == 4
    (late,) = (record for record in read_run(tmp_path).records if record.fault is not None)
    assert (late.game, late.ending, played) == (2, Ending.TIMED_OUT, [1, 2, 3, 4])
    # Other limits change nothing: the organiser says what is played again.
    other = config.model_copy(update={"time_limit": 20.0})
    play(other, tmp_path)
    assert played == [1, 2, 3, 4]
    assert late.agent_at_fault is not None
    state = play(other, tmp_path, retry=[late.agent_at_fault]).state
    assert played == [1, 2, 3, 4, 2]
    assert not any(record.fault for record in state.records)
    assert state.played_again == {late.agent_at_fault: 1}
