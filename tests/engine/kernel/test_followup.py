"""Every follow-up rule against search without rules, on all kinds of boards with an even number of rows."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import example, given

from connect4_agent.engine.kernel import forms, fours
from connect4_agent.engine.kernel.followup import FollowUp
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.engine.kernel.solver import Solver
from connect4_agent.rules.geometry import stride_of
from connect4_agent.rules.position import Position
from tests.effort import examples
from tests.late import late_positions, random_position

UNPROVEN = 1 << 20
EVEN_SIZES = [
    *[(7, 6)] * 5,
    *[(4, 4), (5, 4), (6, 4), (9, 4), (12, 4), (4, 6), (5, 6), (6, 6), (8, 6), (5, 8), (7, 8), (4, 10), (21, 2)],
]

first_to_move = late_positions(EVEN_SIZES, most_empties=16, least_empties=2, step=2, quiet=True)
second_to_move = late_positions(EVEN_SIZES, most_empties=15, least_empties=1, step=2, quiet=True)
many = examples(800)


@cache
def plain_solver(width: int, height: int) -> Solver:
    return forms.new_solver(width, height, with_rules=False)


@cache
def rules(width: int, height: int) -> FollowUp:
    """The rules in the form that Python can call one by one."""
    found: FollowUp = forms.module("followup", forms.PLAIN).FollowUp(width, height)
    return found


def score_by_search(position: Position) -> int:
    return plain_solver(position.width, position.height).score(position.own, position.opponent, do_nothing)


def threats_of(discs: int, position: Position) -> int:
    """The empty cells that complete a four of these discs."""
    board = rules(position.width, position.height).board
    return board & ~position.occupied & fours.threats(discs, stride_of(position.height))


@given(first_to_move)
@many
def test_the_second_player_following_up_bounds_what_the_first_can_get(position: Position) -> None:
    bound = rules(position.width, position.height).most_for_first(
        position.own, position.opponent, threats_of(position.opponent, position), position.occupied
    )
    assert score_by_search(position) <= bound, str(position)


@given(second_to_move)
@example(Position.from_drawing("...OO../O.XXXOX/O.XXOOO/XXOXOXX", player=2))  # four columns that cannot be paired
@many
def test_the_first_players_threat_on_an_odd_row_bounds_what_the_second_can_get(position: Position) -> None:
    bound = rules(position.width, position.height).most_for_second(
        position.own, threats_of(position.opponent, position), position.occupied
    )
    assert score_by_search(position) <= bound, str(position)


@given(first_to_move | second_to_move)
# The attacker wins by a threat that ends a column early, an upright four, a column whose parity the threats of the
# holder do not change, a column that was opened, and a break above a threat.
@example(Position.from_drawing("X.../OOO./XOX./OXO./XOXX/XOXO", player=1))
@example(Position.from_drawing("X.../XX../OXO./XOX./OOXO/XXOO", player=2))
@example(Position.from_drawing(".X...X./.OO.OO./.XX.XOX/.XOXOXO", player=2))
@example(Position.from_drawing("..../..../...O/...O/O.XX/XXXO", player=2))
@example(Position.from_drawing("...XX./...OX./...OX./...XOO/XOXXOO/XOOXOX", player=2))
@examples(1200)
def test_an_attacker_who_is_held_does_not_win_in_time(position: Position) -> None:
    follow_up = rules(position.width, position.height)
    own_threats = threats_of(position.own, position)
    opponent_threats = threats_of(position.opponent, position)
    score = score_by_search(position)
    for discs in range(1, position.empty_count // 2 + 1):
        if follow_up.is_held(position.own, own_threats, opponent_threats, position.occupied, discs):
            assert score <= (position.empty_count + 1) // 2 - discs, str(position)


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
    else:
        least = follow_up.least_for_first(position.opponent, position.occupied, begin, end)
        assert score >= least, str(position)
    dangers = threats_of(position.opponent, position)
    for discs in range(1, position.empty_count // 2 + 1):
        if follow_up.holds(position.opponent, dangers, position.occupied, discs, begin, end):
            assert score >= discs - position.empty_count // 2, str(position)


@pytest.mark.slow
def test_the_rules_prove_something_about_many_positions() -> None:
    bounded = held = 0
    for seed in range(100):
        position = random_position(seed, 7, 6, 12, quiet=True)
        own, opponent = threats_of(position.own, position), threats_of(position.opponent, position)
        most = rules(7, 6).most_for_first(position.own, position.opponent, opponent, position.occupied)
        bounded += most != UNPROVEN
        held += rules(7, 6).is_held(position.own, own, opponent, position.occupied, 4)
    assert bounded > 20
    assert held > 5


def test_threats_in_several_columns_that_the_other_side_must_enter_last_add_up() -> None:
    position = Position.from_drawing("""
        . . . X . X .
        X . . X . X .
        X O . O . O O
        O X . O . X O
        X O . X O O X
        X O O O X O X
    """, player=1)  # fmt: skip
    most = rules(7, 6).most_for_first(
        position.own, position.opponent, threats_of(position.opponent, position), position.occupied
    )
    assert most < -3
    assert score_by_search(position) == most
