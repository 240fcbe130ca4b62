"""No memory: any list of requests gets the answers that each of its lines gets alone."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.engine.players.registry import parse_player
from connect4_agent.rules.position import Position
from tests.effort import examples
from tests.processes import run_agent
from tests.server.requests import line_of, requests_of_a_session
from tests.server.scripts import Remembering, served

USUAL = st.sampled_from([(7, 6), (7, 6), (6, 5), (8, 7), (4, 4)])
PROVEN = st.sampled_from([(7, 6), (6, 5), (5, 4), (4, 4)])
"""Boards on which `perfect` needs no time limit."""

PLAYS: dict[str, tuple[st.SearchStrategy[tuple[int, int]], tuple[str, ...]]] = {
    "hard": (USUAL, ("--level", "hard")),
    "hard explained": (USUAL, ("--level", "hard", "--explain")),
    "hard with a seed": (USUAL, ("--level", "hard", "--seed", "5", "--explain")),
    "a level with a seed": (USUAL, ("--level", "4", "--seed", "5")),
    "perfect": (PROVEN, ("--level", "perfect")),
    "perfect explained": (PROVEN, ("--level", "perfect", "--explain")),
}
EMPTY = line_of(Position())
THREE_EACH = line_of(Position.from_moves("141414"))
"""Columns 0 and 3 hold three discs of one player each; player 1 is to move and can win."""

RESULTS = ("move", "score", "exact", "line", "error", "code")
"""What must not depend on other requests; the nodes and the time do, because tables stay warm."""


def answers(lines: bytes, *options: str) -> list[dict[str, Any]]:
    """What the answers of one process to these lines have of the results."""
    found = map(json.loads, run_agent(*options, lines=lines).stdout.splitlines())
    return [{key: answer[key] for key in RESULTS if key in answer} for answer in found]


@cache
def answers_alone(line: bytes, *options: str) -> list[dict[str, Any]]:
    return answers(line + b"\n", *options)


@pytest.mark.slow
@pytest.mark.parametrize("play", PLAYS)
def test_every_line_of_a_process_is_answered_as_by_a_process_of_its_own(play: str) -> None:
    sizes, options = PLAYS[play]

    @examples(4)
    @given(requests_of_a_session(sizes).map(lambda lines: lines[-12:]))  # each costs a process
    def check(lines: list[bytes]) -> None:
        alone = [answer for line in lines for answer in answers_alone(line, *options)]
        assert answers(b"\n".join(lines), *options) == alone

    check()


@examples(400)
@given(requests_of_a_session(USUAL))
def test_every_line_of_a_server_is_answered_as_by_a_server_of_its_own(lines: list[bytes]) -> None:
    player = parse_player("medium")
    alone = [answer for line in lines for answer in served(parse_player("medium"), line).answers]
    assert served(player, b"\n".join(lines)).answers == alone


def test_a_stated_player_is_obeyed_although_an_answer_was_not_followed() -> None:
    for level in ("hard", "perfect"):
        both = answers(EMPTY + b"\n" + THREE_EACH, "--level", level)
        assert both[1:] == answers(THREE_EACH, "--level", level) == [{"move": 0}]


def test_a_line_in_another_order_changes_no_later_reading() -> None:
    from_the_bottom = b'{"grid":[[0,1,0,0],[0,2,0,0],[0,0,0,0],[0,0,0,0]],"width":4,"height":4,"player":1}'
    full_column = b'{"grid":[[1,2,1,2],[0,0,0,0],[0,0,0,0],[0,0,0,0]],"width":4,"height":4,"player":1}'
    player = Remembering()
    served(player, from_the_bottom + b"\n" + full_column)
    grid = [[1, 2, 1, 2], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    assert player.positions == [Position.from_moves("22", 4, 4), Position.from_grid(grid, 1)]
