"""A run as the page shows it, also while it is being played."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from connect4_agent import errors
from connect4_agent.arena.run.journal import JOURNAL_NAME, with_checksum
from connect4_agent.arena.run.judged_moves import JUDGED_NAME, can_be_judged, line_of, read_judged_games
from connect4_agent.engine.judge import JudgedGame
from connect4_agent.rules.position import Position
from connect4_agent.web import http_errors
from connect4_agent.web.runs import OpenRun
from tests.processes import run_agent
from tests.sample_runs import judged_record, proven_moves, record_of, tournament, write_run
from tests.web.web_servers import WebServer

GAMES = list(tournament())


def test_the_report_is_that_of_the_command(web: WebServer, sample_run: Path) -> None:
    by_command = json.loads(run_agent("report", str(sample_run), "--json").stdout)
    assert web.ask("GET", "/api/run").json == by_command


def test_pages_of_games_make_up_the_run(web: WebServer) -> None:
    found: list[Any] = []
    while (page := web.ask("GET", f"/api/run/games?offset={len(found)}&limit=7").json)["games"]:
        assert page["total"] == len(GAMES)
        assert page["offset"] == len(found)
        found += page["games"]
    assert found == [record.model_dump(mode="json") for record in GAMES]


def test_every_game_can_be_asked_for_by_its_number(web: WebServer) -> None:
    for record in GAMES[::9]:
        assert web.ask("GET", f"/api/run/games/{record.game}").json == record.model_dump(mode="json")


@pytest.mark.parametrize("number", ["99999", "-1", "x", "1.5", "9" * 5000, "%D9%A1"])
def test_a_game_that_is_not_there_is_said_so(web: WebServer, number: str) -> None:
    answer = web.ask("GET", f"/api/run/games/{number}")
    assert (answer.status, answer.code) == (404, "no_such_game")


@pytest.mark.parametrize("query", ["offset=-1", "limit=0", "limit=1001", "offset=x", "page=2"])
def test_a_page_that_cannot_be_is_refused(web: WebServer, query: str) -> None:
    answer = web.ask("GET", f"/api/run/games?{query}")
    assert (answer.status, answer.code) == (422, "bad_query")


def test_games_are_ordered_by_their_number_however_they_came(tmp_path: Path) -> None:
    run = OpenRun(write_run(tmp_path, GAMES[5::-1]))
    assert [game["game"] for game in json.loads(run.games(0, 100))["games"]] == list(range(1, 7))
    assert json.loads(run.games(4, 100))["games"][0]["game"] == 5
    assert json.loads(run.games(100, 100))["games"] == []


def test_games_that_are_added_later_are_seen(tmp_path: Path) -> None:
    run = OpenRun(write_run(tmp_path, GAMES[:3]))
    assert json.loads(run.report())["games"] == 3
    with (tmp_path / JOURNAL_NAME).open("a") as journal:
        journal.write(with_checksum(GAMES[3]).decode() + "\n")
        journal.flush()
        assert json.loads(run.report())["games"] == 4
        assert json.loads(run.game(3))["game"] == 3
        line = with_checksum(GAMES[4]).decode() + "\n"
        journal.write(line[:50])
        journal.flush()
        half = json.loads(run.report())
        assert half["games"] == 4
        assert any("half-written" in note for note in half["notes"])
        journal.write(line[50:])
        journal.flush()
    whole = json.loads(run.report())
    assert whole["games"] == 5
    assert not any("half-written" in note for note in whole["notes"])


def test_a_journal_that_was_replaced_is_read_anew(tmp_path: Path) -> None:
    run = OpenRun(write_run(tmp_path, GAMES[:5]))
    shutil.move(tmp_path / JOURNAL_NAME, tmp_path / "old.jsonl")
    write_run(tmp_path, [record_of("0101010", agents=("x", "y"))] * 1)
    assert [agent["name"] for agent in json.loads(run.report())["agents"]] == ["x", "y"]
    assert json.loads(run.games(0, 10))["total"] == 1


def test_what_has_been_judged_is_with_the_games_and_in_the_report(tmp_path: Path) -> None:
    games = [record for record in GAMES if can_be_judged(record)][:3]
    run = OpenRun(write_run(tmp_path, games))
    assert json.loads(run.game(games[1].game))["judged"] is None
    judged_game = JudgedGame(Position(), games[1].columns, (0,) * (len(games[1].columns) + 1))
    (tmp_path / JUDGED_NAME).write_bytes(line_of(judged_game) + b"\nno game\n")
    by_command = json.loads(run_agent("report", str(tmp_path), "--json").stdout)
    assert json.loads(run.report()) == by_command
    expected = [record.model_dump(mode="json") for record in read_judged_games(tmp_path, lambda _: None)]
    assert json.loads(run.games(0, 10))["games"] == expected
    judged = json.loads(run.game(games[1].game))["judged"]
    assert len(judged) == len(games[1].columns)


def test_a_judged_game_is_told_as_if_it_had_been_sent_to_be_judged(tmp_path: Path) -> None:
    record = judged_record()
    run = OpenRun(write_run(tmp_path, [record, GAMES[1]]))
    found = json.loads(run.judged(record.game))
    assert found["exact"] is True
    assert [move["column"] for move in found["moves"]] == list(record.columns)
    assert [(move["score_before"], move["score"], move["mistake"]) for move in found["moves"]] == [
        (move.score_before, move.score, move.mistake) for move in proven_moves(record)
    ]
    first = found["moves"][0]
    assert (first["verdict_before"], first["verdict"]) == ("wins in 21 moves", "loses in 20 moves")
    assert (first["moves_to_end_before"], first["moves_to_end"]) == (21, 20)
    assert (first["explanation"], first["changes_result"]) == ("turns a win into a loss", True)
    with pytest.raises(http_errors.WebError, match="game 2 is not judged"):
        run.judged(2)
    with pytest.raises(http_errors.WebError):
        run.judged(77)


def test_a_game_that_is_not_judged_is_said_so(web: WebServer) -> None:
    answer = web.ask("GET", "/api/run/games/1/judged")
    assert (answer.status, answer.code) == (404, "not_judged")


def test_what_is_no_run_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(errors.RunFolderError, match="no such folder"):
        OpenRun(tmp_path / "nothing")
    with pytest.raises(errors.RunFolderError, match="is not a run folder"):
        OpenRun(tmp_path)
    (tmp_path / JOURNAL_NAME).write_text("no game\n")
    with pytest.raises(errors.RunFolderError, match="line 1 of"):
        OpenRun(tmp_path)
    write_run(tmp_path, [GAMES[0], GAMES[0]])
    with pytest.raises(errors.RunFolderError, match="game 1 appears twice"):
        OpenRun(tmp_path)


def test_a_run_without_a_game_yet_is_a_run(tmp_path: Path) -> None:
    run = OpenRun(write_run(tmp_path, []))
    assert json.loads(run.report())["games"] == 0
    assert json.loads(run.games(0, 10)) == {"total": 0, "offset": 0, "games": []}
