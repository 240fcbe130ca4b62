"""The starter for language models, against an endpoint that answers well, badly, slowly, with errors, and never."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from connect4_agent import Position
from connect4_agent.commands.new import STARTERS
from connect4_agent.server.replies import read_move
from connect4_agent.server.request import make_request
from tests.endpoints import KEY, TOKENS, Endpoint, send, serving
from tests.page_blocks import blocks_of, run_blocks
from tests.processes import PATIENCE_SECONDS, REPOSITORY, run_agent

AGENT = str(STARTERS / "llm" / "agent.py")
MIDDLE_IS_FULL = Position.from_moves("444444")


def ask(endpoint: Endpoint, *lines: bytes, options: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """Ask the starter for moves; its replies. The key must not appear anywhere."""
    done = subprocess.run(
        [sys.executable, AGENT, "--model", "some-model", *options],
        input=b"".join(line + b"\n" for line in lines or [make_request(MIDDLE_IS_FULL)]),
        capture_output=True,
        env=endpoint.environment,
        timeout=PATIENCE_SECONDS,
        check=True,
    )
    assert KEY.encode() not in done.stdout + done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def stats(attempts: int, illegal: int) -> dict[str, int]:
    return {"tokens": TOKENS * attempts, "attempts": attempts, "illegal": illegal}


def test_the_move_of_a_good_answer_is_played() -> None:
    with serving("I block.\nmove: 2") as endpoint:
        assert ask(endpoint) == [{"move": 2, "stats": stats(1, 0)}]
    (request,) = endpoint.requests
    assert (request["model"], "temperature" in request) == ("some-model", False)
    assert endpoint.paths == ["/v1/chat/completions"]
    assert endpoint.headers[0]["Authorization"] == f"Bearer {KEY}"
    (message,) = request["messages"]
    assert message["role"] == "user"
    board = "\n".join([" 0  1  2  3  4  5  6", *[" .  .  .  O  .  .  .", " .  .  .  X  .  .  ."] * 3])
    assert board in message["content"]
    assert "the open columns: 0, 1, 2, 4, 5, 6." in message["content"]


def test_the_board_is_shown_from_the_side_of_the_player_to_move() -> None:
    with serving("move: 2") as endpoint:
        ask(endpoint, make_request(Position.from_moves("1")))
    assert " O  .  .  .  .  .  .\n" in endpoint.requests[0]["messages"][0]["content"]


def test_the_temperature_is_passed_on() -> None:
    with serving("move: 2") as endpoint:
        ask(endpoint, options=("--temperature", "0.5"))
    assert endpoint.requests[0]["temperature"] == 0.5


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ('```json\n{"move": 2}\n```', 2),
        ('{"move":"2"}', 2),
        ("**Move:** 2", 2),
        ("MOVE : [2].", 2),
        ("If I play move: 1, I lose.\nmove: 2\nThat blocks column 5.", 2),
    ],
)
def test_the_last_number_after_move_counts(text: str, move: int) -> None:
    with serving(text) as endpoint:
        assert ask(endpoint) == [{"move": move, "stats": stats(1, 0)}]


def test_what_was_wrong_is_said_and_the_model_asked_again() -> None:
    with serving("Let me think.", "move: 3", "move: 5") as endpoint:
        assert ask(endpoint) == [{"move": 5, "stats": stats(3, 2)}]
    messages = endpoint.requests[2]["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "user", "assistant", "user"]
    assert messages[1]["content"] == "Let me think."
    assert messages[2]["content"].startswith('Your answer has no line "move: COLUMN". Open columns: 0, 1, 2, 4, 5, 6.')
    assert messages[4]["content"].startswith("Column 3 is not open.")


@pytest.mark.parametrize(
    ("text", "move"),
    [("move: 3", 3), ("move: -2", -2), ("move: 12", 12), ("column 2", -1), ("", -1), ("move: 2.5", -1)],
)
def test_after_three_bad_answers_the_reply_is_illegal(text: str, move: int) -> None:
    with serving(text) as endpoint:
        (reply,) = ask(endpoint)
    assert reply == {"move": move, "error": "3 answers without an open column", "stats": stats(3, 3)}
    assert len(endpoint.requests) == 3
    assert not MIDDLE_IS_FULL.is_open(read_move(json.dumps(reply).encode()))


@pytest.mark.parametrize("status", [401, 404, 400])
def test_a_refusal_ends_the_move_at_once_without_the_key(status: int) -> None:
    with serving(status) as endpoint:
        (reply,) = ask(endpoint)
    assert reply["error"].startswith(f"HTTP status {status} ")
    assert "the key (key) is wrong" in reply["error"]
    assert reply["stats"] == stats(0, 0)
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize("status", [500, 503])
def test_a_broken_endpoint_is_asked_again(status: int) -> None:
    with serving(status, "move: 4") as endpoint:
        assert ask(endpoint) == [{"move": 4, "stats": stats(1, 0)}]


def test_a_rate_limit_is_waited_for_as_long_as_it_says() -> None:
    with serving((429, {"Retry-After": "0"}), (429, {"Retry-After": "0"}), "move: 4") as endpoint:
        assert ask(endpoint, options=("--time-limit", "120")) == [{"move": 4, "stats": stats(1, 0)}]
    with serving((429, {"Retry-After": "999"}), "move: 4") as endpoint:
        (reply,) = ask(endpoint)
    assert reply["error"] == "no answer within 50 s; the last problem: HTTP status 429 Too Many Requests"
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize("how", ["stay_silent", "send_slowly"])
def test_an_answer_that_does_not_come_or_does_not_end_is_given_up(how: str) -> None:
    with serving("move: 4") as endpoint:
        endpoint.answer_with(getattr(endpoint, how))
        (reply,) = ask(endpoint, options=("--time-limit", "1"))
    assert reply["error"].startswith("no answer within 1 s; the last problem: TimeoutError")
    assert reply["stats"] == stats(0, 0)


def test_an_endpoint_that_is_not_there_is_given_up() -> None:
    with serving("move: 4") as endpoint:
        pass
    (reply,) = ask(endpoint, options=("--time-limit", "1"))
    assert "Connection refused" in reply["error"]


@pytest.mark.parametrize("document", [b"<html>", [], {"choices": []}, {"choices": [{"message": None}]}, b""])
def test_what_is_not_a_chat_completion_is_said(document: Any) -> None:
    with serving(lambda handler: send(handler, 200, {}, document)) as endpoint:
        (reply,) = ask(endpoint)
    assert reply["error"].startswith("not a chat completion: ")


def test_a_refusal_to_speak_and_missing_counts_are_no_error() -> None:
    def refuse(handler: BaseHTTPRequestHandler) -> None:
        send(handler, 200, {}, {"choices": [{"message": {"content": None}}], "usage": None})

    with serving(refuse) as endpoint:
        (reply,) = ask(endpoint)
    assert (reply["move"], reply["stats"]) == (-1, {"tokens": 0, "attempts": 3, "illegal": 3})


def test_the_key_does_not_follow_a_redirect() -> None:
    with serving("move: 4") as other, serving((302, {"Location": other.url})) as endpoint:
        (reply,) = ask(endpoint)
    assert reply["error"].startswith("HTTP status 302")
    assert other.requests == []


def test_bad_requests_get_errors_and_cost_nothing() -> None:
    full = b'{"grid":[[1,2]]}'
    with serving("move: 0") as endpoint:
        first, second, move = ask(
            endpoint, b"{", b"", full, b'\xef\xbb\xbf{"grid":[[0,0]]}\r', options=("--player", "2")
        )
    assert ("error" in first, second) == (True, {"error": "ValueError: no column is open"})
    assert move == {"move": 0, "stats": stats(1, 0)}


@pytest.mark.slow
def test_the_tutorial_works(tmp_path: Path) -> None:
    page = (REPOSITORY / "docs" / "tutorials" / "llm.md").read_text()
    with serving("move: 3", "move: 2") as endpoint:
        run_blocks(blocks_of(page), tmp_path, endpoint.environment, PATIENCE_SECONDS * 5)
    assert (tmp_path / "my-model" / "runs" / "tournament" / "report.html").exists()


@pytest.mark.slow
def test_every_command_of_its_readme_works_and_no_file_holds_the_key(tmp_path: Path) -> None:
    made = run_agent("new", str(tmp_path), "--lang", "llm")
    assert made.returncode == 0
    assert (
        'connect4-agent match "python3 agent.py --model MODEL" level:1 --games 10 --time-limit' in made.stdout.decode()
    )
    config = tmp_path / "tournament.toml"
    config.write_text(config.read_text().replace("games = 4", "games = 2"))
    with serving("move: 3", "move: 2") as endpoint:  # at last, the column is full
        run_blocks(
            blocks_of((tmp_path / "README.md").read_text()), tmp_path, endpoint.environment, PATIENCE_SECONDS * 5
        )
    games = (tmp_path / "runs" / "tournament" / "games.jsonl").read_text()
    assert '"ending":"illegal move"' in games
    report = run_agent("report", "runs/tournament", folder=tmp_path).stdout.decode()
    assert re.search(r"Figures of the agents\n +agent +tokens +attempts +illegal\n +mine +[\d.]+ \(\d+\)", report), (
        report
    )
    assert (tmp_path / "runs" / "tournament" / "report.html").exists()
    for path in (tmp_path / "runs").rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes(), path
