"""Boards at the edges of what is allowed: lines, tiny boards, the largest one. Nothing fails, and time is kept."""

from __future__ import annotations

from random import Random

import pytest

from connect4_agent.arena.referee import adjudicated_winner, is_near_end
from connect4_agent.engine.analysis import analyze
from connect4_agent.engine.book.files import EMPTY_BOOK
from connect4_agent.engine.engine import Engine
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.perfect import PerfectPlayer
from connect4_agent.engine.players.player import choose
from connect4_agent.reasons.judge import judge
from connect4_agent.rules.position import Position
from tests.brute_force import BruteForce

SMALL = [(1, 1), (1, 9), (1, 100), (9, 1), (2, 2), (3, 3), (2, 9), (3, 8), (8, 3), (10, 2), (4, 1), (1, 4), (4, 4)]
LARGE = [(100, 1), (2, 99), (3, 61), (64, 1), (30, 3), (12, 10), (100, 100)]


def ticking_limits(seconds: float) -> Limits:
    """Limits by a clock that advances a hundredth of a second each time it is read."""
    now = [0.0]

    def tick() -> float:
        now[0] += 0.01
        return now[0]

    return Limits(seconds, clock=tick)


@pytest.mark.needs("compiled")
@pytest.mark.parametrize("size", SMALL)
@pytest.mark.slow
def test_small_boards_are_played_to_the_end_with_proven_moves(size: tuple[int, int]) -> None:
    player, position = PerfectPlayer(), Position(*size)
    score = analyze(position).score
    while not position.is_over:
        choice = choose(player, position, Limits(seconds=60))
        assert choice.exact
        position = position.play(choice.column)
    assert score == 0
    assert position.winner is None


@pytest.mark.parametrize("size", LARGE)
@pytest.mark.slow
def test_large_boards_get_a_legal_move_in_time_that_says_whether_it_is_proven(size: tuple[int, int]) -> None:
    position = Position(*size).play(size[0] // 2)
    choice = choose(PerfectPlayer(), position, ticking_limits(0.5))
    assert position.is_open(choice.column)
    found = analyze(position, ticking_limits(0.5))
    assert len(found.columns) == size[0]
    if min(size) > 3:
        assert not choice.exact
        assert not found.is_exact


@pytest.mark.parametrize("size", [(100, 100), (12, 10), (2, 99)])
def test_a_game_on_a_large_board_is_judged_from_its_end_until_time_is_up(size: tuple[int, int]) -> None:
    random, position, columns = Random(3), Position(*size), []
    while not position.is_over:
        columns.append(random.choice(position.legal_columns()))
        position = position.play(columns[-1])
    limits = ticking_limits(5.0)
    judged = judge(Position(*size), columns, poll=limits.timed_poll())
    proven = [score for score in judged.scores if score is not None]
    assert judged.scores[len(judged.scores) - len(proven) :] == tuple(proven)
    if position.winner is not None and proven:
        assert proven[-1] < 0


def test_a_game_is_judged_by_the_engine_that_is_given() -> None:
    engine = Engine(5, 4, book=EMPTY_BOOK)
    assert judge(Position(5, 4), [2, 2], engine=engine).is_exact
    assert engine.nodes > 0


@pytest.mark.parametrize("size", [size for size in SMALL if size != (1, 1)])
def test_the_end_of_a_game_is_adjudicated_as_brute_force_says(size: tuple[int, int]) -> None:
    random = Random(1)
    position = Position(*size)
    while not is_near_end(position):
        position = position.play(random.choice(position.legal_columns()))
        position = Position(*size) if position.is_over else position
    score = BruteForce(*size).score(position.own, position.opponent)
    expected = None if score == 0 else position.player if score > 0 else 3 - position.player
    assert adjudicated_winner(position) == expected
