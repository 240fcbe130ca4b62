"""The calls about reasons: why a position is worth what it is, and the reply of a plan."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

import connect4_agent as c4
from connect4_agent import errors
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.reasons.explanation import Plan
from connect4_agent.reasons.words import add_words, describe
from connect4_agent.rules.notation import parse_moves
from connect4_agent.rules.position import Position
from connect4_agent.server.request import make_request
from connect4_agent.ui.web.jobs import find_reason
from tests.effort import examples
from tests.ui.web.web_servers import WebServer

ZUGZWANG = "1454444415"
"""Player 2 wins by answering every disc on top of it: the reason is a plan."""


def request(moves: str) -> bytes:
    return make_request(Position.from_moves(moves))


@pytest.mark.parametrize("moves", [ZUGZWANG, "734731563355", "344444333343", "4"])
def test_an_explanation_is_what_the_python_interface_gives(web: WebServer, moves: str) -> None:
    position = Position.from_moves(moves)
    for column, query in ((None, ""), (0, "?column=0")):
        expected = c4.explain(position, column)
        found = web.ask("POST", f"/api/explain{query}", request(moves)).json
        words = orjson.loads(orjson.dumps(add_words(expected)))
        # Which positions the solver visits depends on what its table holds.
        for key in ("kind", "result", "marks", "line", "summary", "legend"):
            assert found[key] == words[key]
        spoken = "".join(part if isinstance(part, str) else part["text"] for part in found["summary"])
        assert spoken == describe(expected, ("Red", "Yellow"), brief=True)


def test_a_mistake_is_explained_with_the_right_move(web: WebServer) -> None:
    found = web.ask("POST", "/api/explain?column=0", request("2222244654445554655")).json
    assert (found["result"], found["mistake"], found["key_cell"]) == ("draw", "win to draw", [1, 5])
    assert found["best"]["column"] == 1


def test_what_cannot_be_explained_is_refused(web: WebServer) -> None:
    for moves, query, code in (
        ("1212121", "", "game_over"),
        ("444444", "?column=3", "illegal_move"),
        ("4", "?column=7", "illegal_move"),
        ("4", "?column=-1", "bad_query"),
        ("4", "?why=1", "bad_query"),
    ):
        assert web.ask("POST", f"/api/explain{query}", request(moves)).code == code, (moves, query)


def test_an_explanation_ends_when_nobody_waits_for_it() -> None:
    def leave() -> None:
        raise errors.ReaderGoneError

    with pytest.raises(errors.ReaderGoneError):
        find_reason(Position.from_moves("44536"), None, None, 30.0, leave)


def plan_body(moves: str, plan: dict[str, Any]) -> bytes:
    return orjson.dumps({"columns": parse_moves(moves), "width": 7, "height": 6, "first": 1, "plan": plan})


PLAN = c4.explain(Position.from_moves(ZUGZWANG)).reasons[0].plan or Plan()


@examples(40, HealthCheck.function_scoped_fixture)
@given(choices=st.lists(st.integers(0, 6), min_size=20, max_size=20))
def test_a_plan_that_wins_wins_against_everything(web: WebServer, choices: list[int]) -> None:
    position, moves = Position.from_moves(ZUGZWANG), ZUGZWANG
    for choice in choices:
        legal = position.legal_columns()
        column = legal[choice % len(legal)]
        position, moves = position.play(column), f"{moves}{column + 1}"
        reply = web.ask("POST", "/api/plan", plan_body(moves, asdict(PLAN))).json["move"]
        assert reply == PLAN.reply(position, column)
        position, moves = position.play(reply), f"{moves}{reply + 1}"
        if position.is_over:
            break
    assert position.winner == 2


def test_a_plan_that_cannot_reply_says_why(web: WebServer) -> None:
    for moves, plan, code in (
        ("", asdict(PLAN), "bad_field"),
        ("1212121", asdict(PLAN), "game_over"),
        ("44", {**asdict(PLAN), "kept": [[1]]}, "bad_field"),
        ("44", {**asdict(PLAN), "answers": [[[0, 0]]]}, "bad_field"),
        ("44", {**asdict(PLAN), "more": 1}, "bad_field"),
        ("4444444", asdict(PLAN), "illegal_move"),
    ):
        assert web.ask("POST", "/api/plan", plan_body(moves, plan)).code == code, (moves, plan)


def test_a_time_limit_ends_an_explanation_early() -> None:
    found = find_reason(Position.from_moves("44", 8, 7), None, 0.05, 30.0, do_nothing)
    assert found["kind"] == "none"
