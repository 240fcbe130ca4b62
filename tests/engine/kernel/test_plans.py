"""Forced sequences and plans: sound on boards of all sizes, and the same in every form."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given

from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.engine.kernel.plans import MAX_POSITIONS, Plans, Rule, pairings
from connect4_agent.engine.kernel.solver import Solver
from connect4_agent.reasons.explanation import cells_of
from connect4_agent.rules.position import Position
from tests.effort import examples
from tests.kernel_forms import each_form, forms_for
from tests.late import late_positions
from tests.plan_referee import Referee

SIZES = [(7, 6), (7, 6), (7, 6), (7, 5), (6, 7), (8, 7), (5, 4), (4, 5), (3, 9), (12, 4), (9, 7), (1, 5)]
"""Usual and unusual ones: odd heights, boards of more than 64 bits (9x7), and some without lines across."""

MENDED = "...O.O./...X.X./...O.X./...X.XO/...O.OX/...XOXO"
MEND = 5_000


@cache
def plans_for(width: int, height: int, form: str | None = None) -> Plans:
    return forms.new_plans(width, height, form)


@cache
def solver_for(width: int, height: int) -> Solver:
    """A solver that knows none of the rules which plans resemble."""
    return forms.new_solver(width, height, with_rules=False)


def score(position: Position) -> int:
    return solver_for(position.width, position.height).score(position.own, position.opponent, do_nothing)


def referee_for(position: Position, rule: Rule, *, wins: bool) -> Referee:
    kept, answers, columns = rule
    height = position.height
    cells = [(cells_of(one, height)[0], cells_of(two, height)[0]) for one, two in answers]
    return Referee(position.width, height, cells_of(kept, height), cells, columns[0], wins=wins)


def discs(mask: int, height: int) -> frozenset[tuple[int, int]]:
    return frozenset(cells_of(mask, height))


def column_of(cell: int, height: int) -> int:
    return cells_of(cell, height)[0][0]


@each_form
def test_a_chain_of_threats_is_found(form: str) -> None:
    position = Position.from_moves("734731563355")
    line = plans_for(7, 6, form).forced_line(position.own, position.opponent)
    assert [column_of(cell, 6) + 1 for cell in line] == [4, 6, 2, 2, 4, 4, 5]


@each_form
def test_the_rule_of_answering_on_top_is_found_with_ten_discs(form: str) -> None:
    position = Position.from_moves("1454444415")
    plans = plans_for(7, 6, form)
    rule = plans.find(position.opponent, position.own, wins=True, budget=MEND)
    assert rule == (0, [], [3, 2, 4, 1, 5, 0, 6])
    plans.use(*rule)
    assert plans.run(position.opponent, position.own, wins=True, budget=MAX_POSITIONS) == 22
    assert len(plans.longest_play(position.opponent, position.own)) == 22


@each_form
def test_a_plan_is_given_up_when_its_budget_is_used(form: str) -> None:
    position = Position.from_moves("1454444415")
    plans = plans_for(7, 6, form)
    plans.use(0, [], [3, 2, 4, 1, 5, 0, 6])
    assert plans.run(position.opponent, position.own, wins=True, budget=100) == 0


@examples(800)
@given(late_positions(SIZES, 26))
def test_a_forced_sequence_consists_of_threats_with_one_reply_each_and_wins(position: Position) -> None:
    line = plans_for(position.width, position.height).forced_line(position.own, position.opponent)
    if not line:
        return
    assert score(position) > 0
    for number, cell in enumerate(line):
        if number % 2:
            threatened = position.passed().winning_columns()
            assert column_of(cell, position.height) in threatened
            ends_with_two = number == len(line) - 2 and line[-1] != cell << 1
            assert len(threatened) >= 2 if ends_with_two else len(threatened) == 1
            assert position.winning_columns() == []
        position = position.play(column_of(cell, position.height))
    assert position.winner is not None


@pytest.mark.parametrize("wins", [True, False])
@examples(600)
@given(position=late_positions(SIZES, 24, quiet=True))
def test_what_a_plan_proves_is_true_for_a_second_referee_and_for_the_solver(wins: bool, position: Position) -> None:
    plans = plans_for(position.width, position.height)
    own, other = position.opponent, position.own
    rule = plans.find(own, other, wins, MEND)
    if rule is None:
        return
    assert score(position) < 0 if wins else score(position) <= 0
    plans.use(*rule)
    plies = plans.run(own, other, wins, MAX_POSITIONS)
    height = position.height
    referee = referee_for(position, rule, wins=wins)
    assert referee.longest(discs(own, height), discs(other, height)) > 0
    if wins:
        assert referee.longest(discs(own, height), discs(other, height)) == plies
        play = plans.longest_play(own, other)
        assert len(play) == plies
        assert position.after(column_of(cell, height) for cell in play).winner == 3 - position.player


@examples(200)
@given(late_positions(SIZES, 22, quiet=True))
def test_all_forms_find_the_same_with_the_same_counts(position: Position) -> None:
    found = []
    for form in forms_for(position.width, position.height):
        plans = plans_for(position.width, position.height, form)
        line = plans.forced_line(position.own, position.opponent)
        nodes = plans.nodes
        for wins in (True, False):
            rule = plans.find(position.opponent, position.own, wins, MEND)
            found.append((form, line, nodes, wins, rule, plans.positions, rule and plans.seen()))
    assert len({repr(each[1:]) for each in found}) == 2


def test_pairings_use_every_cell_once_and_leave_one_of_an_odd_number_out() -> None:
    both_ways = [(1, 2), (2, 1), (4, 8), (8, 4)]
    assert pairings([1, 2, 4, 8])[0] == both_ways
    assert len(pairings([1, 2, 4, 8])) == 3
    assert pairings([1, 2, 4]) == [[(2, 4), (4, 2)], [(1, 4), (4, 1)], [(1, 2), (2, 1)]]


@each_form
def test_a_rule_that_fails_is_mended_with_other_answers(form: str) -> None:
    position = Position.from_drawing(MENDED, player=1)
    plans = plans_for(7, 6, form)
    assert plans.find(position.opponent, position.own, wins=True, budget=0) is None
    rule = plans.find(position.opponent, position.own, wins=True, budget=50_000)
    assert rule is not None
    assert rule[1]
