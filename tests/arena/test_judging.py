"""The judge: every game once, kept as soon as it is judged, whatever happens to it."""

from __future__ import annotations

import io
import json
import re
import signal
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import pytest

from connect4_agent import errors
from connect4_agent.arena import judging as judge_module
from connect4_agent.arena.journal import LineFile, open_in_run
from connect4_agent.arena.judged_moves import JUDGED_NAME
from connect4_agent.arena.judging import Game, judge_game, judge_run
from connect4_agent.arena.report.tally import report_on
from connect4_agent.cli import main
from connect4_agent.jobs.progress import Progress
from connect4_agent.reasons.explain import explain_shortly
from connect4_agent.reasons.judge import JudgedGame, judge
from connect4_agent.rules.position import Position
from tests.clusters import LostAfterFirst, running_cluster
from tests.processes import COMMAND, clean_environment
from tests.sample_runs import ALL_MISTAKES, read_judged_games, record_of, state_of, tournament, write_match, write_run


def judged(run: Path, jobs: int = 1, dask_address: str | None = None) -> str:
    """Judge, and what was said."""
    stream = io.StringIO()
    progress = Progress("games", "judge", stream)
    judge_run(run, state_of(read_judged_games(run, progress.say)), progress, jobs, dask_address)
    return stream.getvalue()


def kept(run: Path) -> list[dict[str, list[int]]]:
    return [json.loads(line) for line in (run / JUDGED_NAME).read_bytes().splitlines()]


def short_games(count: int = 4) -> list[str]:
    """Games that the opening book alone can judge."""
    return ["0101010", ALL_MISTAKES, "3435363", "0010203"][:count]


@pytest.mark.needs("compiled")
def test_every_move_is_judged_as_the_engine_judges_it(tmp_path: Path) -> None:
    run = write_run(tmp_path, tournament(rounds=1, agents=("negamax:depth=3", "random")))
    judged(run)
    for record in read_judged_games(run, pytest.fail):
        assert record.judged == replace(
            judge(Position(7, 6, record.first), record.columns),
            opening=len(record.opening),
            explanations=record.judged.explanations if record.judged else {},
        )


@pytest.mark.needs("compiled")
def test_a_mistake_that_changed_the_result_has_its_reason_with_the_players_as_they_began(tmp_path: Path) -> None:
    moves = "".join(str(int(sign) - 1) for sign in "22222446544455546551")
    run = write_run(tmp_path, [record_of(moves, game=game, begins=game) for game in (1, 2)])
    judged(run)
    for record in read_judged_games(run, pytest.fail):
        assert record.judged is not None
        explanations = record.judged.explanations
        assert all(record.judged.moves[ply].changes_result for ply in explanations)
        mistake = record.judged.moves[19]
        assert mistake.explanation == explanations[19] == explain_shortly(mistake.position, mistake.column)
        assert (mistake.player, mistake.explanation.reasons[0].player) == (3 - record.first, record.first)


def test_games_with_the_same_moves_are_judged_once(tmp_path: Path) -> None:
    run = write_run(tmp_path, [record_of("0101010", game=game, begins=1 + game % 2) for game in range(1, 5)])
    assert judged(run).startswith("1 of 1 games to judge\n1 of 1 games, ")
    (line,) = kept(run)
    assert (line["columns"], line["scores"]) == ([0, 1, 0, 1, 0, 1, 0], [1, 2, -2, 2, -1, 1, 18, -18])


def test_what_is_judged_is_not_judged_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = short_games()
    run = write_run(tmp_path, [record_of(columns, game=game) for game, columns in enumerate(games[:2], 1)])
    judged(run)
    write_run(tmp_path, [record_of(columns, game=game) for game, columns in enumerate(games, 1)])
    asked: list[Game] = []

    def ask(game: Game) -> JudgedGame:
        asked.append(game)
        return judge_game(game)

    monkeypatch.setattr(judge_module, "judge_game", ask)
    assert "2 of 4 games to judge" in judged(run)
    assert asked == [(7, 6, tuple(map(int, columns))) for columns in games[2:]]
    assert judged(run) == ""
    assert len(kept(run)) == 4


def test_a_judge_that_was_stopped_keeps_what_it_had_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = short_games()
    run = write_run(tmp_path, [record_of(columns, game=game) for game, columns in enumerate(games, 1)])

    def stop(game: Game) -> JudgedGame:
        if game == (7, 6, tuple(map(int, games[2]))):
            raise KeyboardInterrupt
        return judge_game(game)

    monkeypatch.setattr(judge_module, "judge_game", stop)
    with pytest.raises(KeyboardInterrupt):
        judged(run)
    assert len(kept(run)) == 2
    with (run / JUDGED_NAME).open("ab") as file:
        file.write(b'{"columns":[3')  # as if killed while writing
    monkeypatch.undo()
    assert "cannot be used" in judged(run)
    assert len(kept(run)) == 4


def test_ctrl_c_lets_the_game_that_has_begun_be_judged_and_exits_with_130(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    games = enumerate(short_games())
    run = write_match(tmp_path, [record_of(columns, game=1 + repeat, repeat=repeat) for repeat, columns in games])

    def interrupted(game: Game) -> JudgedGame:
        signal.raise_signal(signal.SIGINT)
        return judge_game(game)

    monkeypatch.setattr(judge_module, "judge_game", interrupted)
    assert main(["report", str(run), "--judge", "--jobs", "1"]) == 130
    captured = capfd.readouterr()
    assert "not all games are judged; the same command resumes" in captured.err
    assert captured.out == ""
    assert len(kept(run)) == 1
    monkeypatch.undo()
    assert "3 of 4 games to judge" in judged(run)


@pytest.mark.slow
def test_processes_and_a_cluster_judge_as_one_thread_does(tmp_path: Path) -> None:
    games = [record_of(columns, game=game) for game, columns in enumerate(short_games(), 1)]
    one, two, three = (write_run(tmp_path / name, games) for name in ("one", "two", "three"))
    judged(one)
    judged(two, jobs=2)
    with running_cluster(tmp_path, workers=1) as cluster:
        judged(three, dask_address=cluster.address)
    expected = list(read_judged_games(one, pytest.fail))
    assert list(read_judged_games(two, pytest.fail)) == expected
    assert list(read_judged_games(three, pytest.fail)) == expected


def test_a_lost_scheduler_is_an_error_and_what_was_judged_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("connect4_agent.arena.judging.for_computing", lambda *_: LostAfterFirst())
    run = write_run(tmp_path, [record_of(columns, game=game) for game, columns in enumerate(short_games(), 1)])
    with pytest.raises(errors.ArenaError, match="gone away; the same command judges the games that are left"):
        judged(run)
    assert len(kept(run)) == 1
    monkeypatch.undo()
    judged(run)
    assert len(kept(run)) == len(short_games())


def test_boards_that_the_solver_cannot_hold_are_named_and_left_out(tmp_path: Path) -> None:
    run = write_run(tmp_path, [record_of("0101010", width=20), record_of("0101010", game=2)])
    assert judged(run).startswith("1 games are not judged: their board is too large for the solver")
    assert len(kept(run)) == 1


@pytest.mark.needs("compiled")
def test_a_game_on_a_small_board_is_judged_whole(tmp_path: Path) -> None:
    run = write_run(tmp_path, [record_of("0101010", width=5, height=4), record_of("0101010", game=2)])
    judged(run)
    assert [(line.get("width"), line.get("height")) for line in kept(run)] == [(5, 4), (None, None)]
    small, usual = read_judged_games(run, pytest.fail)
    assert small.judged == judge(Position(5, 4), small.columns)
    assert usual.judged is not None
    assert usual.judged != small.judged


def test_on_a_large_board_the_last_moves_are_judged_and_the_rest_is_not_guessed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge_module, "MAX_NODES", 0)
    monkeypatch.setattr(judge_module, "MAX_PLAIN_NODES", 0)
    run = write_run(tmp_path, [record_of("0101010", width=9, height=7)])
    judged(run)
    (record,) = read_judged_games(run, pytest.fail)
    assert record.judged is not None
    moves = record.judged.moves
    assert moves[0].score is None
    won = moves[-1]
    assert won.score == won.score_before == 29  # the winner has 32 discs in all, and wins with the fourth
    known = sum(move.score is not None for move in moves)
    report = report_on({"run": state_of([record])})
    assert sum(agent.judged.moves for agent in report.agents if agent.judged) == known


def test_a_second_judge_is_kept_out(tmp_path: Path) -> None:
    run = write_run(tmp_path, [record_of("0101010")])
    with LineFile(run / JUDGED_NAME), pytest.raises(errors.RunFolderError, match="another runner"):
        judged(run)


def test_the_report_judges_when_told_to_and_remembers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_match(tmp_path / "run", [record_of(ALL_MISTAKES), record_of("0101010", game=2, repeat=1)])
    assert main(["report", str(run), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["judged_games"] == 0
    assert main(["report", str(run), "--judge", "--jobs", "1", "--json"]) == 0
    captured = capsys.readouterr()
    assert "2 of 2 games, " in captured.err
    assert main(["report", str(run), "--json"]) == 0
    assert capsys.readouterr().out == captured.out
    report = json.loads(captured.out)
    assert report["judged_games"] == 2
    play = next(agent["judged"] for agent in report["agents"] if agent["name"] == "a")
    assert play["moves"] == 8
    assert play["errors"] == {"count": 2, "per_100_moves": 25.0}
    assert play["mistakes"]["win to loss"] == {"count": 2, "per_100_moves": 25.0}
    lost = {"slower win": 25, "sooner loss": 25, "win to draw": 75, "draw to loss": 75, "win to loss": 100}
    given_away = sum(lost[name] * found["count"] for name, found in play["mistakes"].items())
    assert play["accuracy"] == round(100 - given_away / 8, 1)
    assert main(["report", str(run), "-v"]) == 0
    assert "Judged moves" in capsys.readouterr().out


def test_a_report_that_cannot_judge_exits_2_and_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(tmp_path), "--judge"]) == 2
    assert "is not a run folder" in capsys.readouterr().err
    run = write_match(tmp_path / "run", [record_of("0101010")])
    with LineFile(run / JUDGED_NAME):
        assert main(["report", str(run), "--judge"]) == 2
    assert "another runner is at work" in capsys.readouterr().err
    with pytest.raises(SystemExit) as caught:
        main(["report", str(run), "--judge", "--jobs", "0"])
    assert caught.value.code == 2


def test_a_match_is_judged_at_its_end(tmp_path: Path) -> None:
    words = ["match", "random", "first-open", "--games", "2", "--out", str(tmp_path / "run"), "--judge"]
    done = subprocess.run([COMMAND, *words], capture_output=True, text=True, check=False, env=clean_environment())
    assert done.returncode == 0, done.stderr
    assert re.search(r"; errors per 100 moves: .*first-open \d", done.stdout)
    assert kept(tmp_path / "run")


def test_a_run_is_read_once_to_be_played_judged_and_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []

    def open_and_count(run: Path, name: str) -> BinaryIO:
        opened.append(name)
        return open_in_run(run, name)

    for module in ("run", "journal", "judged_moves"):
        monkeypatch.setattr(f"connect4_agent.arena.{module}.open_in_run", open_and_count)
    run = str(tmp_path / "run")
    words = ["random", "first-open", "--games", "2", "--openings", "empty", "--jobs", "1", "--out", run]
    assert main(["match", *words, "--judge"]) == 0
    assert "errors per 100 moves" in capsys.readouterr().out
    assert opened.count("games.jsonl") == 1
    opened.clear()
    assert main(["report", run, "--judge", "--html", f"{run}/page.html", "--csv", f"{run}/table.csv"]) == 0
    assert sorted(opened) == ["games.jsonl", "judged.jsonl", "openings.json", "run.json"]
