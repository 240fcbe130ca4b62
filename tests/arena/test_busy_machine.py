"""Busy machines: games that are played again, cores of their own, and agents that are stopped between their moves."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import connect4_agent as c4
from connect4_agent.agents.faults import FaultError, FaultKind
from connect4_agent.arena import referee
from connect4_agent.arena.progress import PLAYING
from connect4_agent.arena.run.config import make_config
from connect4_agent.arena.run.record import Ending, Fault, GameRecord
from connect4_agent.arena.schedule import GameSetup
from connect4_agent.arena.tournament import Outcome, run_tournament
from connect4_agent.cli import main
from connect4_agent.jobs.cores import core_count
from connect4_agent.jobs.executor import core_sets, in_processes
from connect4_agent.jobs.progress import PlainLines
from tests.arena.helping import command_of, read_records

GAMES = 6
CONFIG = make_config(
    {"agents": [{"name": name, "player": name} for name in ("random", "first-open")], "games": GAMES}, "here"
)

only_linux = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's signals and cores")

play_really = referee.play_game


def play(folder: Path) -> tuple[Outcome, str]:
    told = io.StringIO()
    return run_tournament(CONFIG, folder, PlainLines(PLAYING, told), handles_interrupts=False), told.getvalue()


def attempts(folder: Path) -> list[tuple[int, int, bool]]:
    return [(record.game, record.attempt, record.is_replayed) for record in read_records(folder)]


def make_busy(monkeypatch: pytest.MonkeyPatch, busy: Callable[[GameSetup], bool]) -> None:
    """Let the player to move after the opening, which has an even number of plies, be late by the machine."""

    def play_game(setup: GameSetup) -> GameRecord:
        record = play_really(setup)
        if not busy(setup):
            return record
        late = {
            "columns": record.opening,
            "times_ms": (),
            "ending": Ending.TIMED_OUT,
            "winner": 3 - setup.scheduled.first,
            "fault": Fault(player=setup.scheduled.first, detail="late"),
            "machine_busy": True,
        }
        return record.model_copy(update=late)

    monkeypatch.setattr(referee, "play_game", play_game)


def test_a_game_that_the_machine_was_too_busy_for_is_played_again_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make_busy(monkeypatch, lambda setup: setup.scheduled.game in (1, 2) and setup.attempt == 1)
    outcome, told = play(tmp_path)
    assert outcome == Outcome(GAMES, GAMES, was_stopped=False, failures=())
    assert told.count("; the game will be played again") == 2
    again = [(1, 2, False), (2, 2, False)]
    assert attempts(tmp_path) == [(game, 1, game in (1, 2)) for game in range(GAMES)] + again

    assert main(["verify", str(tmp_path)]) == 0
    assert "6 of 6 scheduled games hold" in (verified := capsys.readouterr().out)
    assert "2 attempts were played again" in verified
    assert main(["report", str(tmp_path), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["games"], report["rated_games"], report["faults"], report["busy_attempts"]) == (6, 6, [], 2)
    assert [(each["game"], each["attempt"], each["counts"]) for each in report["busy"]] == [
        (1, 1, False),
        (2, 1, False),
    ]
    assert main(["report", str(tmp_path)]) == 0
    assert "\nMachine busy\n" in capsys.readouterr().out


def test_python_programs_see_the_attempts_apart_from_the_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_busy(monkeypatch, lambda setup: setup.scheduled.game in (1, 2) and setup.attempt == 1)
    match = c4.play_match("random", "first-open", games=GAMES, out=tmp_path)
    tournament = c4.play_tournament({"a": "random", "b": "first-open"}, rounds=GAMES // 2)
    for run in (match, tournament, c4.read_run(tmp_path), c4.read_run(tmp_path).judge()):
        assert [(game.game, game.attempt) for game in run.attempts] == [(1, 1), (2, 1)]
        assert [(game.game, game.attempt) for game in run.games[-2:]] == [(1, 2), (2, 2)]
        assert (len(run.games), run.report().games, run.report().busy_attempts) == (GAMES, GAMES, 2)


def test_the_third_attempt_counts_whatever_the_machine_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make_busy(monkeypatch, lambda setup: setup.scheduled.game == 3)
    assert play(tmp_path)[0].finished == GAMES
    assert attempts(tmp_path)[-2:] == [(3, 2, True), (3, 3, False)]
    assert main(["verify", str(tmp_path)]) == 0
    capsys.readouterr()
    assert main(["report", str(tmp_path), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [fault["count"] for fault in report["faults"]] == [1]
    assert [each["counts"] for each in report["busy"]] == [False, False, True]


@pytest.mark.parametrize("lines", range(GAMES + 3))
def test_a_run_that_was_killed_after_any_line_is_resumed_with_its_attempts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: int
) -> None:
    make_busy(monkeypatch, lambda setup: setup.scheduled.game == 0 and setup.attempt < 3)
    play(tmp_path)
    journal = tmp_path / "games.jsonl"
    whole = attempts(tmp_path)
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:lines]))
    assert play(tmp_path)[0].finished == GAMES
    assert attempts(tmp_path) == whole
    assert play(tmp_path)[1].count("\n") <= 2
    assert attempts(tmp_path) == whole


def test_machine_busy_time_outs_do_not_make_an_agent_forfeit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_busy(monkeypatch, lambda _: True)
    assert play(tmp_path)[0].finished == GAMES
    assert len(attempts(tmp_path)) == 3 * GAMES
    assert {record.ending for record in read_records(tmp_path)} == {Ending.TIMED_OUT}


def test_attempts_that_are_not_in_order_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make_busy(monkeypatch, lambda setup: setup.scheduled.game == 3 and setup.attempt == 1)
    play(tmp_path)
    journal = tmp_path / "games.jsonl"
    kept = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(line for line in kept if '"machine_busy":true' not in line))
    assert main(["verify", str(tmp_path)]) == 1
    assert "game 3: it says attempt 2, but it is number 1 in the journal" in capsys.readouterr().out
    journal.write_text("".join([*kept, kept[3]]))
    assert main(["verify", str(tmp_path)]) == 1
    assert "game 3 appears twice" in capsys.readouterr().out


def test_a_record_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    play(tmp_path)
    journal = tmp_path / "games.jsonl"
    records = [json.loads(line) for line in journal.read_text().splitlines()]
    for record in records:
        for name in ("cpu_ms", "waited_ms", "attempt", "machine_busy"):
            del record[name]
    journal.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    assert attempts(tmp_path) == [(game, 1, False) for game in range(GAMES)]
    assert play(tmp_path)[0].finished == GAMES


def test_the_referee_marks_what_a_contestant_says_of_the_machine() -> None:
    score = referee._Score([], [], [])
    error = FaultError(FaultKind.TIMED_OUT, "late", is_machine_busy=True)
    score.lose(1, error)
    assert score.machine_busy


@only_linux
@pytest.mark.slow
def test_every_worker_has_cores_of_its_own(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    cores = sorted(os.sched_getaffinity(0))
    assert core_sets(1) == [tuple(cores)]
    assert core_sets(len(cores)) == [(core,) for core in cores]
    parallel = min(2, len(cores))
    executor = in_processes(parallel, pin=True)
    try:
        found = [executor.submit(os.sched_getaffinity, 0) for _ in range(10)]
        assert {tuple(sorted(each.result())) for each in found} <= set(core_sets(parallel))
    finally:
        executor.close()
    words = ["match", "random", "first-open", "--games", "2", "--out", str(tmp_path), "--pin"]
    assert main([*words, "--jobs", "1"]) == 0
    with pytest.raises(SystemExit, match="2"):
        main([*words, "--jobs", str(core_count() + 1), "--seed", "1", "--out", str(tmp_path / "other")])
    assert f"; use --jobs {core_count()} or less" in capfd.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main([*words, "--dask", "tcp://127.0.0.1:1"])
    assert "--pin is for games on this machine" in capfd.readouterr().err


@only_linux
@pytest.mark.slow
def test_a_program_is_stopped_in_every_turn_of_its_opponent(tmp_path: Path) -> None:
    ponders = " ".join(command_of("ponders", str(tmp_path / "count")))
    watches = " ".join(command_of("watches", str(tmp_path / "count"), str(tmp_path / "notes")))
    words = ["--games", "2", "--openings", "empty", "--width", "4", "--height", "4", "--pause-waiting", "--jobs", "1"]
    (tmp_path / "count").write_bytes(b"0" * 20)
    assert main(["match", ponders, watches, *words, "--out", str(tmp_path / "run")]) == 0
    records = sorted(read_records(tmp_path / "run"), key=lambda record: record.game)
    turns = sum(len(record.columns) // 2 for record in records) + len(records[1].columns) % 2
    assert (tmp_path / "notes").read_text().split() == ["still"] * turns
    assert int((tmp_path / "count").read_bytes()) > 0
