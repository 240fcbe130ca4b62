"""The calls of the web interface."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import connect4_agent as c4
from connect4_agent import errors
from connect4_agent.rules.position import Position
from connect4_agent.server.lines import MAX_LINE_BYTES
from connect4_agent.server.request import make_request
from connect4_agent.ui.web import http_errors
from connect4_agent.ui.web.http_errors import STATUS, error_response
from connect4_agent.ui.web.jobs import CallError
from tests.processes import REPOSITORY, run_agent
from tests.ui.web.web_servers import ENDLESS, WebServer

LATE = "4444445225636133112"
REQUESTS = (REPOSITORY / "examples" / "requests.jsonl").read_bytes().splitlines()


def request(moves: str, width: int = 7, height: int = 6) -> bytes:
    return make_request(Position.from_moves(moves, width, height))


def test_a_move_is_exactly_what_the_line_server_answers(web: WebServer) -> None:
    by_line = run_agent("--level", "medium", lines=b"\n".join(REQUESTS)).stdout.splitlines(keepends=True)
    for line, expected in zip(REQUESTS, by_line, strict=True):
        answer = web.ask("POST", "/api/move?player=medium", line)
        assert (answer.status, answer.body) == (200, expected)


@pytest.mark.parametrize("moves", ["", "4455", "1111112"])
def test_solve_gives_the_scores_of_a_move_string_with_100_for_a_full_column(web: WebServer, moves: str) -> None:
    scores = c4.analyze(Position.from_moves(moves)).scores
    assert web.ask("GET", f"/solve?pos={moves}").json == {
        "pos": moves,
        "score": [100 if score is None else score for score in scores],
    }


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ("", 422, "pos"),
        ("?pos=4480", 422, "pos: move 3 of '4480' is '8'; the columns are 1 to 7"),
        ("?pos=1111111", 422, "pos: move 7 of '1111111': column 1 is full"),
        ("?pos=12121212", 422, "pos: move 8 of '12121212' comes after the end"),
        ("?pos=1212121", 409, "there is nothing to solve: player 1 has four in a row"),
        ("?position=4", 422, "the known keys are: pos"),
    ],
)
def test_solve_says_what_is_wrong_with_a_move_string(web: WebServer, query: str, status: int, said: str) -> None:
    answer = web.ask("GET", f"/solve{query}")
    assert (answer.status, said in answer.json["error"]) == (status, True), answer


def test_the_default_player_is_hard(web: WebServer) -> None:
    assert web.ask("POST", "/api/move", request("4455")).body == b'{"move":2}\n'


def test_explain_adds_what_the_line_server_adds(web: WebServer) -> None:
    found = web.ask("POST", "/api/move?player=perfect&explain=true", request(LATE)).json
    assert list(found) == ["move", "score", "exact", "depth", "nodes", "elapsed_ms", "line"]
    assert found["exact"] is True
    assert "score" not in web.ask("POST", "/api/move?player=perfect&explain=false", request(LATE)).json


def test_a_seed_makes_a_random_player_repeat_itself(web: WebServer) -> None:
    answers = {web.ask("POST", "/api/move?player=random&seed=5", request("4")).body for _ in range(5)}
    assert len(answers) == 1


def test_a_request_may_be_spread_over_lines(web: WebServer) -> None:
    body = json.dumps(json.loads(request("4455")), indent=2).encode()
    assert web.ask("POST", "/api/move", body).json == {"move": 2}


def test_a_won_board_gets_a_legal_move_as_on_the_line(web: WebServer) -> None:
    assert web.ask("POST", "/api/move", request("1212121")).status == 200


BAD_REQUESTS = {
    b"no json": "bad_json",
    b"[1]": "not_an_object",
    b"{}": "missing_grid",
    b'{"grid":3}': "bad_grid",
    b'{"grid":[]}': "empty_grid",
    b'{"grid":[[0,0],[0]]}': "ragged_grid",
    b'{"grid":[[0,3]]}': "bad_cell",
    b'{"grid":[[0,0,0],[0,2,0],[0,0,0]]}': "floating_disc",
    json.dumps({"grid": [[0]] * 101}).encode(): "board_too_large",
    b'{"grid":[[1]]}': "board_full",
    b"[" * 5000: "bad_json",
}


def test_errors_are_the_line_protocols_with_a_status(web: WebServer) -> None:
    by_line = run_agent(lines=b"\n".join(BAD_REQUESTS)).stdout.splitlines(keepends=True)
    for (body, code), expected in zip(BAD_REQUESTS.items(), by_line, strict=True):
        for path in ("/api/move", "/api/analyze"):
            answer = web.ask("POST", path, body)
            assert (answer.status, answer.code) == (STATUS[code], code)
            assert answer.body == expected


def test_an_empty_body_is_no_json(web: WebServer) -> None:
    for path in ("/api/move", "/api/analyze", "/api/judge"):
        answer = web.ask("POST", path, b"")
        assert (answer.status, answer.code) == (400, "bad_json")


def test_who_is_sent_away_is_told_when_to_come_back() -> None:
    answer = error_response(CallError("too_busy", "200 wait"))
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert json.loads(bytes(answer.body)) == {"error": "200 wait", "code": "too_busy"}


def test_every_code_has_a_status() -> None:
    sources = Path(http_errors.__file__).parent.rglob("*.py")
    own = {code for source in sources for code in re.findall(r'CallError\(\s*"(\w+)"', source.read_text())}
    strict = {"missing_key", "unknown_key", "bad_size", "bad_player"}  # with --strict alone
    assert {*errors.REQUEST_CODES, *own} == set(STATUS) | strict


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("level=hard", "a key is not known; the known keys are: player, time_limit, seed, explain"),
        ("time_limit=0", "greater than 0"),
        ("time_limit=inf", "finite"),
        ("time_limit=nan", "time_limit"),
        ("seed=x", "seed"),
        ("explain=1", "explain"),
        ("player=easy&player=hard", "2 times"),
        ("player=" + "x" * 300, "200"),
    ],
)
def test_a_bad_query_is_named(web: WebServer, query: str, said: str) -> None:
    answer = web.ask("POST", f"/api/move?{query}", request(""))
    assert (answer.status, answer.code) == (422, "bad_query")
    assert said in answer.json["error"]


@pytest.mark.parametrize(
    "player", ["nobody", "negamax:depth=x", "negamax:colour=red", "", "python3%20-c%201", "/bin/true"]
)
def test_only_players_and_agents_of_the_command_line_can_be_asked(web: WebServer, player: str) -> None:
    answer = web.ask("POST", f"/api/move?player={player}", request(""))
    assert (answer.status, answer.code) == (404, "unknown_player")


def test_a_body_has_to_say_that_it_is_json(web: WebServer) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        answer = web.ask("POST", "/api/move", request(""), Content_Type=kind)
        assert (answer.status, answer.code) == (415, "unsupported_media_type")
    assert web.ask("POST", "/api/move", request(""), Content_Type="Application/JSON; charset=utf-8").status == 200


def test_a_body_that_never_ends_is_cut_off_whatever_its_length_was_said_to_be(web: WebServer) -> None:
    chunk = b" " * 65536
    with web.connect() as connection:
        connection.sendall(
            b"POST /api/move HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        received = b""
        for _ in range(MAX_LINE_BYTES // len(chunk) + 1):
            connection.sendall(b"10000\r\n" + chunk + b"\r\n")
        while b"}" not in received:
            received += connection.recv(65536)
    assert received.startswith(b"HTTP/1.1 413 ")
    assert b"line_too_long" in received
    assert b"connection: close" in received.lower()


def test_a_body_announced_as_too_long_is_refused_as_well(web: WebServer) -> None:
    answer = web.send(  # and no byte of it is waited for
        b"POST /api/move HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
        + f"Content-Length: {MAX_LINE_BYTES + 1}\r\n\r\n".encode()
    )
    assert (answer.status, answer.code) == (413, "line_too_long")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/api/move", {"POST"}),
        ("HEAD", "/api/analyze", {"POST"}),
        ("POST", "/api/players", {"GET", "HEAD"}),
        ("PUT", "/static/board.js", {"GET", "HEAD"}),
        ("OPTIONS", "/api/move", {"POST"}),
        ("TRACE", "/api/move", {"POST"}),
    ],
)
def test_a_method_that_an_address_does_not_have_is_told_which_it_has(
    web: WebServer, method: str, path: str, allowed: set[str]
) -> None:
    answer = web.ask(method, path)
    assert answer.status == 405
    assert set(answer.headers["allow"].split(", ")) == allowed
    if method != "HEAD":
        assert answer.code == "method_not_allowed"


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/moves", "/api/players/", "/api/run/x"])
def test_what_is_not_there_is_an_error_object(web: WebServer, path: str) -> None:
    answer = web.ask("GET", path)
    assert (answer.status, answer.code) == (404, "not_found")


def test_head_of_a_call_gives_the_headers_alone(web: WebServer) -> None:
    answer = web.ask("HEAD", "/api/players")
    assert (answer.status, answer.body) == (200, b"")
    assert answer.headers["cache-control"] == "no-store"


def test_the_players_are_those_of_the_command_line_with_the_agents_of_this_server(web: WebServer) -> None:
    found = web.ask("GET", "/api/players").json
    names = [player["name"] for player in found["players"]]
    listed = run_agent("players").stdout.decode()
    assert all(f"  {name} " in listed for name in names)
    assert [player["name"] for player in found["players"] if player["is_level"]] == [
        "easy",
        "medium",
        "hard",
        "perfect",
        *(f"level:{number}" for number in range(1, 11)),
    ]
    assert found["agents"] == ["good", "crashes", "stalls"]
    assert found["default_player"] in names
    assert found["has_run"] is True
    assert found["limits"] == {"largest_side": 100, "longest_seconds": 60.0}


def test_an_analysis_is_that_of_the_command(web: WebServer) -> None:
    found = web.ask("POST", "/api/analyze?explain=true", request(LATE)).json
    by_command = json.loads(run_agent("analyze", "--moves", LATE, "--json").stdout)
    assert by_command.pop("moves") == LATE
    assert found.pop("exact") is by_command.pop("exact") is True
    results, counts = found["results"], found["moves_to_end"]
    for figure in ("nodes", "elapsed_ms"):
        found.pop(figure)
        by_command.pop(figure)
    assert found == by_command
    words = {"win": "wins", "draw": "draws", "loss": "loses", None: None}
    assert [words[result] for result in results] == [verdict and verdict.split()[0] for verdict in found["verdicts"]]
    said = [re.search(r"\d+", verdict or "") for verdict in found["verdicts"]]
    assert counts == [number and int(number[0]) for number in said]


def test_an_analysis_for_which_there_is_no_time_gives_what_a_search_finds(web: WebServer) -> None:
    found = web.ask("POST", "/api/analyze?time_limit=0.2", ENDLESS).json
    assert found["exact"] is False
    assert found["score"] is None
    assert found["scores"] == [None] * 8
    assert found["verdicts"] == [None] * 8
    assert found["line"][0] == found["best"][0]


def test_such_an_analysis_still_tells_what_is_proven(web: WebServer) -> None:
    wide = request("55464", 20, 20)
    found = web.ask("POST", "/api/analyze?time_limit=1", wide).json
    assert found["best"]
    for score, verdict in zip(found["scores"], found["verdicts"], strict=True):
        assert (score is None) == (verdict is None)


def test_hints_that_the_book_knows_are_what_a_search_finds(web: WebServer) -> None:
    known = web.ask("POST", "/api/analyze", request("445532")).json
    searched = web.ask("POST", "/api/analyze?explain=true", request("445532")).json
    for found in (known, searched):
        del found["elapsed_ms"], found["nodes"], found["line"]
    assert known == searched


def test_a_game_that_is_over_cannot_be_analyzed(web: WebServer) -> None:
    answer = web.ask("POST", "/api/analyze", request("1212121"))
    assert (answer.status, answer.code) == (409, "game_over")


@pytest.mark.needs("compiled")
def test_every_move_of_a_game_is_judged(web: WebServer) -> None:
    columns = [int(sign) - 1 for sign in LATE]
    found = web.post("/api/judge", {"columns": columns}).json
    assert found["exact"] is True
    assert [move["column"] for move in found["moves"]] == columns
    assert found["moves"][0] == {
        "column": 3,
        "score_before": 1,
        "score": 1,
        "mistake": None,
        "oversight": None,
        "grade": "best",
        "mark": "",
        "words": "",
        "remark": "",
        "better": [],
        "explanation": None,
        "changes_result": False,
        "verdict_before": "wins in 21 moves",
        "verdict": "wins in 21 moves",
        "moves_to_end_before": 21,
        "moves_to_end": 21,
    }
    assert {move["mistake"] for move in found["moves"]} > {None}
    assert web.post("/api/judge", {"columns": []}).json["moves"] == []


def test_the_player_who_begins_makes_no_difference_to_the_scores(web: WebServer) -> None:
    columns = [int(sign) - 1 for sign in LATE]
    one, other = (web.post("/api/judge", {"columns": columns, "first": first}).json for first in (1, 2))
    assert one["moves"] == other["moves"]


def test_a_game_from_a_position_that_was_set_up_is_judged_like_one_from_the_empty_board(web: WebServer) -> None:
    columns = [int(sign) - 1 for sign in LATE]
    grid = [list(column) for column in Position.from_moves(LATE[:4]).grid()]
    whole = web.post("/api/judge", {"columns": columns}).json
    found = web.post("/api/judge", {"columns": columns[4:], "grid": grid, "first": 1}).json
    for move in (*found["moves"], *whole["moves"]):
        del move["remark"]  # it counts the moves of its game
    assert found["moves"] == whole["moves"][4:]
    refused = web.post("/api/judge", {"columns": columns[4:], "grid": [[1, 0], [0, 0]], "first": 2})
    assert (refused.status, refused.code) == (STATUS["floating_disc"], "floating_disc")


@pytest.mark.parametrize(
    ("game", "code"),
    [
        ({}, "bad_field"),
        ([], "bad_field"),
        ({"columns": "4453"}, "bad_field"),
        ({"columns": [True]}, "bad_field"),
        ({"columns": [0.5]}, "bad_field"),
        ({"columns": [-1]}, "bad_field"),
        ({"columns": [], "width": 101}, "bad_field"),
        ({"columns": [], "first": 3}, "bad_field"),
        ({"columns": [], "moves": []}, "bad_field"),
        ({"columns": [7]}, "illegal_move"),
        ({"columns": [0] * 7}, "illegal_move"),
        ({"columns": [0, 1, 0, 1, 0, 1, 0, 1]}, "game_over"),
    ],
)
def test_what_is_no_game_cannot_be_judged(web: WebServer, game: Any, code: str) -> None:
    answer = web.post("/api/judge", game)
    assert (answer.status, answer.code) == (STATUS[code], code)
