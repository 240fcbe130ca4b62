"""Puzzles and grades in the web interface."""

from __future__ import annotations

from datetime import date

import orjson
import pytest

from connect4_agent.reasons.judge import judge
from connect4_agent.rules.notation import parse_moves
from connect4_agent.rules.position import Position
from connect4_agent.ui.puzzles import Puzzle, PuzzleLevel, PuzzleTheme, draw_puzzle, puzzle_of_the_day
from tests.ui.web.web_servers import WebServer

pytestmark = pytest.mark.needs("compiled")


def as_json(puzzle: Puzzle) -> object:
    return orjson.loads(orjson.dumps(puzzle.to_dict()))


GAME = list(parse_moves("44444162353"))


def test_a_seed_gives_the_puzzle_that_the_command_gives(web: WebServer) -> None:
    answer = web.ask("GET", "/api/puzzle?seed=7&theme=zugzwang&level=hard")
    assert answer.status == 200
    assert answer.json == as_json(draw_puzzle(7, PuzzleTheme.ZUGZWANG, PuzzleLevel.HARD))
    assert answer.json["reason"]["kind"] == "zugzwang"


def test_a_date_gives_its_puzzle(web: WebServer) -> None:
    assert web.ask("GET", "/api/puzzle/day?date=2027-01-04").json == as_json(puzzle_of_the_day(date(2027, 1, 4)))


def test_without_a_date_it_is_the_servers_day(web: WebServer) -> None:
    before = date.today()
    assert web.ask("GET", "/api/puzzle/day").json["date"] in (before.isoformat(), date.today().isoformat())


def test_without_a_seed_the_reply_names_one_that_gives_the_puzzle_again(web: WebServer) -> None:
    found = web.ask("GET", "/api/puzzle?level=easy").json
    assert web.ask("GET", f"/api/puzzle?level=easy&seed={found['seed']}").json == found


@pytest.mark.parametrize(
    "query",
    ["/day?date=2027-02-30", "/day?date=today", "/day?date=2025-12-31", "/day?date=1700000000", "/day?seed=1",
     "?date=2027-01-04", "?seed=x", "?seed=0", "?kind=win", "?theme=fork", "?seed=1&level=7"],
)  # fmt: skip
def test_a_puzzle_that_does_not_exist_is_refused(web: WebServer, query: str) -> None:
    answer = web.ask("GET", f"/api/puzzle{query}")
    assert (answer.status, answer.code) == (422, "bad_query")


def test_a_level_that_a_theme_does_not_have_is_not_found(web: WebServer) -> None:
    answer = web.ask("GET", "/api/puzzle?seed=1&theme=double&level=hard")
    assert (answer.status, answer.code) == (404, "not_found")


def test_the_mistakes_of_a_game_become_puzzles(web: WebServer) -> None:
    found = web.post("/api/puzzles", {"columns": GAME}).json
    assert found["exact"] is True
    assert [len(puzzle["columns"]) for puzzle in found["puzzles"]] == [10]
    assert all(puzzle["columns"] == GAME[: len(puzzle["columns"])] for puzzle in found["puzzles"])
    assert web.post("/api/puzzles", {"columns": [0] * 7}).code == "illegal_move"


def test_a_judged_game_has_grades_counts_and_an_accuracy_for_both_players(web: WebServer) -> None:
    for first in (1, 2):
        found = web.post("/api/judge", {"columns": GAME, "first": first}).json
        grades = [move["grade"] for move in found["moves"]]
        assert [player["player"] for player in found["players"]] == [1, 2]
        for player in found["players"]:
            own = grades[player["player"] != first :: 2]
            assert player["moves"] == len(own)
            names = {"best": "best", "inaccuracies": "inaccuracy", "mistakes": "mistake", "blunders": "blunder"}
            assert {key: player[key] for key in names} == {key: own.count(name) for key, name in names.items()}
            assert player["to_see"] == player["seen"] + player["blunders"]
            assert player["accuracy"] == judge(Position(7, 6, first), GAME).count(player["player"]).accuracy
            assert {grades[moment["ply"]] for moment in player["moments"]} <= {"mistake", "blunder"}
            for moment in player["moments"]:
                risk = moment["risks"][GAME[moment["ply"]]]
                assert (risk and risk["oversight"]) == found["moves"][moment["ply"]]["oversight"]
            assert all(moment["ply"] >= 6 and moment["better"] for moment in player["moments"])
    assert {"mistake", "blunder"} <= set(grades)
    overlooked = found["moves"][grades.index("blunder")]
    assert overlooked["oversight"] == "allowed double threat"
    assert overlooked["words"] == f"Column {overlooked['column'] + 1} allows a double threat. Better: column 5."
    assert overlooked["remark"] == f"Move {grades.index('blunder') + 1}: column 5 stopped two fours at once."
    assert (overlooked["mark"], overlooked["better"]) == ("??", [4])


def test_an_empty_game_has_no_accuracy(web: WebServer) -> None:
    players = web.post("/api/judge", {"columns": []}).json["players"]
    assert [(player["moves"], player["accuracy"]) for player in players] == [(0, None), (0, None)]
