"""Every follow-up rule against search without rules, on all kinds of boards with an even number of rows."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from hypothesis import given

from connect4_agent.engine import fours, speed
from connect4_agent.engine.search import do_nothing
from connect4_agent.position import stride_of
from tests.late import examples, late_positions, random_position

if TYPE_CHECKING:
    from connect4_agent.engine.followup import FollowUp
    from connect4_agent.engine.solver import Solver
    from connect4_agent.position import Position

UNPROVEN = 1 << 20
EVEN_SIZES = [(7, 6), (7, 6), (7, 6), (4, 4), (5, 4), (6, 4), (9, 4), (12, 4), (4, 6), (5, 6), (6, 6), (5, 8), (4, 10)]

first_to_move = late_positions(EVEN_SIZES, most_empties=16, least_empties=2, step=2, quiet=True)
second_to_move = late_positions(EVEN_SIZES, most_empties=15, least_empties=1, step=2, quiet=True)
many = examples(150)


@cache
def plain_solver(width: int, height: int) -> Solver:
    return speed.new_solver(width, height, compiled=True, with_rules=False)


@cache
def rules(width: int, height: int) -> FollowUp:
    """The rules in the form that Python can call one by one."""
    found: FollowUp = speed.hot_module("followup", compiled=False).FollowUp(width, height)
    return found


def score_by_search(position: Position) -> int:
    return plain_solver(position.width, position.height).score(position.own, position.opponent, do_nothing)


def opponents_threats(position: Position) -> int:
    return (
        rules(position.width, position.height).board
        & ~position.occupied
        & fours.threats(position.opponent, stride_of(position.height))
    )


@given(first_to_move)
@many
def test_the_second_player_following_up_bounds_what_the_first_can_get(position: Position) -> None:
    bound = rules(position.width, position.height).most_for_first(
        position.own, position.opponent, opponents_threats(position), position.occupied
    )
    assert score_by_search(position) <= bound, str(position)


@given(second_to_move)
@many
def test_the_first_players_threat_on_an_odd_row_bounds_what_the_second_can_get(position: Position) -> None:
    bound = rules(position.width, position.height).most_for_second(
        position.own, opponents_threats(position), position.occupied
    )
    assert score_by_search(position) <= bound, str(position)


@given(second_to_move)
@many
def test_a_second_player_who_is_held_does_not_win_in_time(position: Position) -> None:
    threats = opponents_threats(position)
    score = score_by_search(position)
    for floor in range(position.empty_count // 2):
        plies = position.empty_count - 2 * floor
        if rules(position.width, position.height).second_is_held(position.own, threats, position.occupied, plies):
            assert score <= floor, str(position)


def children_of(position: Position, follow_up: FollowUp) -> tuple[int, int, int]:
    """Put the moves that do not lose at once where a search puts them; the cells played, begin and end."""
    stride = stride_of(position.height)
    begin = end = position.empty_count * position.width
    played = 0
    for column in position.legal_columns():
        after = position.play(column)
        if after.winner is None and not after.winning_columns():
            move = after.occupied ^ position.occupied
            follow_up.moves[end] = move
            follow_up.threats[end] = fours.threats(after.opponent, stride) & follow_up.board & ~after.occupied
            played |= move
            end += 1
    return played, begin, end


@given(first_to_move | second_to_move)
@many
def test_the_rules_one_ply_ahead_bound_the_mover_from_below(position: Position) -> None:
    follow_up = rules(position.width, position.height)
    played, begin, end = children_of(position, follow_up)
    score = score_by_search(position)
    if position.empty_count % 2:
        least = follow_up.least_for_second(position.own, position.opponent, position.occupied, played, begin, end)
        assert score >= least, str(position)
        return
    assert score >= follow_up.least_for_first(position.opponent, position.occupied, begin, end), str(position)
    for floor in range(-(position.empty_count // 2), 0):
        plies = position.empty_count + 2 * floor + 1
        if follow_up.first_holds(position.opponent, position.occupied, plies, begin, end):
            assert score > floor, str(position)


def test_the_rules_prove_something_about_many_positions() -> None:
    proven = 0
    for seed in range(100):
        position = random_position(seed, 7, 6, 12, quiet=True)
        proven += (
            rules(7, 6).most_for_first(position.own, position.opponent, opponents_threats(position), position.occupied)
            != UNPROVEN
        )
    assert proven > 20
