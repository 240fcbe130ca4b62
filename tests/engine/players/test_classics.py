"""The classic agents, each against a naive reference of its rule."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.order import ORDERS, do_nothing, middle_first
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.negamax import NegamaxPlayer
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.rules.position import Position
from tests.boards import unfinished
from tests.effort import examples, share
from tests.kernel_forms import each_form, forms_for
from tests.naive_evaluators import DIRECTIONS, cells_of, naive_potential, run_through

sizes = st.sampled_from([(7, 6), (6, 7), (4, 4), (5, 4), (8, 7), (3, 6), (6, 1)])


# The order of moves


def naive_chains(position: Position, column: int) -> int:
    """The sum of m x n x 10^n along the runs beside the cell that a column offers."""
    cells = cells_of(position)
    row = next(row for row in range(position.height) if not cells[column, row])
    total = 0
    for step_column, step_row in (*DIRECTIONS, *((-c, -r) for c, r in DIRECTIONS)):
        who = cells.get((column + step_column, row + step_row), 0)
        for n in range(1, 4):
            if who and cells.get((column + n * step_column, row + n * step_row)) == who:
                total += (2 if who == 1 else 1) * n * 10**n
            else:
                break
    return total


def naive_urgency(position: Position, column: int, order: str) -> int:
    """How early a column is tried: the larger, the earlier."""
    after = cells_of(position.play(column))
    match order:
        case "threats":
            return sum(disc == 0 and run_through(after, cell, -1) >= 4 for cell, disc in after.items())
        case "open-chains":
            return naive_chains(position, column)
        case "evaluation":
            return -naive_potential(after)
    return 0


def tried_columns(before: Position, column: int, order: str, form: str) -> list[int]:
    """The order in which a search of three plies tries the replies to a column, as seen by what it values."""
    position = before.play(column)
    evaluator = forms.new_evaluator("potential", position.width, position.height, form)
    seen: list[int] = []

    def value(own: int, opponent: int) -> int:
        if (own | opponent).bit_count() == position.disc_count + 2:  # with one disc less, it asks for the order
            reply = own & ~position.own
            seen.append((reply.bit_length() - 1) // (position.height + 1))
        return evaluator.value(own, opponent)

    search = forms.new_search(position.width, position.height, value, 0, form, order)
    search.prepare(do_nothing)
    search.best_ranks(before.own, before.opponent, 3, [middle_first(position.width).index(column)], every_tie=False)
    return list(dict.fromkeys(seen))


@each_form
@pytest.mark.parametrize("order", ORDERS)
def test_moves_are_tried_in_the_order_of_the_rule(order: str, form: str) -> None:
    random = Random(order)
    compared = 0
    while compared < share(200):
        before, column = Position(*random.choice([(7, 6), (8, 7), (5, 4)])), 0
        for _ in range(random.randrange(1, 25)):
            column = random.choice(before.legal_columns())
            if (after := before.play(column)).is_over or not after.legal_columns():
                break
            position, before = before, after
        else:
            before = position
            found = tried_columns(before, column, order, form)
            position = before.play(column)
            expected = [each for each in middle_first(position.width) if each in found]
            expected.sort(key=lambda each: naive_urgency(position, each, order), reverse=True)
            assert found == expected, str(position)
            compared += len(found) > 2


@given(
    position=unfinished(sizes),
    depth=st.integers(1, 5),
    evaluator=st.sampled_from(["potential", "positional", "longest-run"]),
    seed=st.none() | st.integers(0, 9),
)
@examples(80)
def test_the_order_changes_no_move(position: Position, depth: int, evaluator: str, seed: int | None) -> None:
    choices = [
        replace(NegamaxPlayer(depth, evaluator, seed, form, move_order=order).choose(position), nodes=0)
        for order in ORDERS
        for form in forms_for(position.width, position.height)
    ]
    assert all(choice == choices[0] for choice in choices)


@pytest.mark.parametrize("order", ORDERS)
def test_all_forms_visit_the_same_nodes_in_every_order(order: str) -> None:
    for moves in ("", "4", "4453", "23135154667766"):
        position = Position.from_moves(moves)
        nodes = [NegamaxPlayer(5, form=form, move_order=order).choose(position).nodes for form in forms_for(7, 6)]
        assert len(set(nodes)) == 1


def test_the_orders_visit_different_nodes() -> None:
    position = Position.from_moves("4453")
    nodes = {parse_player(f"negamax:order={order}").choose(position, Limits()).nodes for order in ORDERS}
    assert len(nodes) == len(ORDERS)
