"""Replies as lines: what the server writes, and what a manager makes of an agent's answer."""

from __future__ import annotations

import json

import pytest

from connect4_agent import errors
from connect4_agent.engine.players.player import Choice
from connect4_agent.server.replies import error_reply, explained_reply, move_reply, read_move, read_stats


@pytest.mark.parametrize("column", [0, 3, 99])
def test_a_reply_is_one_line_with_an_integer(column: int) -> None:
    assert move_reply(column).endswith(b"\n")
    assert json.loads(move_reply(column)) == {"move": column}


def test_an_explained_reply_has_its_keys_in_the_documented_order() -> None:
    choice = Choice(3, score=12, exact=False, depth=8, nodes=4711, line=(3, 3, 2))
    assert (
        explained_reply(choice, 2.50049)
        == b'{"move":3,"score":12,"exact":false,"depth":8,"nodes":4711,"elapsed_ms":2.5,"line":[3,3,2]}\n'
    )


def test_an_error_reply_has_the_message_and_the_code() -> None:
    error = errors.RequestError("empty_grid", "grid is empty")
    assert error_reply(error) == b'{"error":"grid is empty","code":"empty_grid"}\n'


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"3", "the reply is 3, not an object with a move"),
        (b'{"mov":3}', 'the reply is {"mov":3}, which has no move'),
        (b'{"error":"full"}', 'the reply is an error, "full"'),
        (b"{'move': 3}", "the reply is not JSON"),
        (b'\xef\xbb\xbf{"move":3}', "the reply is not JSON; it begins with a byte order mark"),
        (b'{"move":true}', "move is true, not an integer"),
        (b'{"move":3.0}', "move is 3.0, not an integer"),
    ],
)
def test_a_reply_without_a_move_is_refused_with_the_reason(line: bytes, said: str) -> None:
    with pytest.raises(errors.ReplyError) as caught:
        read_move(line)
    assert str(caught.value) == said


def test_a_reply_may_have_other_keys() -> None:
    assert read_move(b' {"score": 1.5, "move": 6}\r') == 6


@pytest.mark.parametrize(
    ("stats", "read"),
    [
        ({"nodes": 12, "depth": 7.5, "-": -1}, {"nodes": 12, "depth": 7.5, "-": -1}),
        ({"nodes": "12", "b": True, "c": None, "d": [1], "e": 1e16, "": 1, "x" * 41: 1, "ok": 0}, {"ok": 0}),
        ({str(number): number for number in range(99)}, {str(number): number for number in range(16)}),
        ([1], {}),
        (3, {}),
    ],
)
def test_the_numbers_of_an_answer_are_read_and_anything_else_is_left_out(stats: object, read: dict[str, float]) -> None:
    assert read_stats(json.dumps({"move": 3, "stats": stats}).encode()) == read


@pytest.mark.parametrize("line", [b"", b"[1]", b"{", b'{"move":3}', b'{"move":3,"stats":{"n":NaN}}'])
def test_an_answer_without_numbers_has_none(line: bytes) -> None:
    assert read_stats(line) == {}
