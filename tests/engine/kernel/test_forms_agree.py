"""All forms give the same answers with as many nodes, on boards of every shape; they leak nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.evaluators import EVALUATORS
from connect4_agent.engine.kernel.order import do_nothing, middle_first
from connect4_agent.rules.position import Position
from tests.boards import unfinished
from tests.effort import examples
from tests.kernel_forms import forms_for
from tests.late import late_positions, nearly_full
from tests.processes import output_of

pytestmark = pytest.mark.needs("compiled")

small_sizes = st.tuples(st.integers(1, 21), st.integers(1, 63)).filter(lambda size: forms.fits(forms.NARROW, *size))
large_sizes = st.sampled_from([(8, 8), (9, 7), (10, 8), (12, 9), (11, 10), (2, 60), (30, 3), (12, 10)])
positions = st.one_of(small_sizes, large_sizes).flatmap(lambda size: unfinished(st.just(size)))


def in_all_forms(position: Position, answer: Callable[[str], object]) -> None:
    expected = answer(forms.PLAIN)
    for form in forms_for(position.width, position.height):
        assert answer(form) == expected, form


@examples(150)
@given(positions, st.sampled_from(sorted(EVALUATORS)), st.integers(1, 4))
def test_a_search(position: Position, evaluator: str, depth: int) -> None:
    columns = middle_first(position.width)
    order = [rank for rank in range(position.width) if position.is_open(columns[rank])]

    def answer(form: str) -> object:
        search = forms.new_search(position.width, position.height, evaluator, 1009, form)
        search.prepare(do_nothing)
        found = search.best_ranks(position.own, position.opponent, min(depth, position.empty_count), order, True)
        return found, search.nodes

    in_all_forms(position, answer)


@examples(150)
@given(positions, st.sampled_from(sorted(EVALUATORS)))
def test_an_evaluator(position: Position, name: str) -> None:
    def answer(form: str) -> object:
        evaluator = forms.new_evaluator(name, position.width, position.height, form)
        return evaluator.value(position.own, position.opponent), evaluator.value(position.opponent, position.own)

    in_all_forms(position, answer)


@examples(100)
@given(positions, st.integers(0, 2**64 - 1))
def test_playouts(position: Position, seed: int) -> None:
    def answer(form: str) -> object:
        playouts = forms.new_playouts(position.width, position.height, seed, do_nothing, form)
        return [playouts.finish(position.own, position.opponent) for _ in range(3)], playouts.plies

    in_all_forms(position, answer)


SOLVED_SIZES = [(1, 9), (2, 12), (3, 8), (4, 4), (4, 7), (5, 5), (6, 4), (6, 7), (7, 6), (8, 7), (9, 6), (16, 3)]
SOLVED_SIZES += [(8, 8), (9, 7)]
LARGE_SIZES = [(10, 8), (12, 9), (11, 10), (12, 10)]  # hardly any random game fills them; the last one does not fit


@examples(150)
@given(late_positions(SOLVED_SIZES, most_empties=13) | nearly_full(LARGE_SIZES, most_empties=13), st.booleans())
def test_a_solver(position: Position, with_rules: bool) -> None:
    def answer(form: str) -> object:
        solver = forms.new_solver(position.width, position.height, form, with_rules)
        return solver.score(position.own, position.opponent, do_nothing), solver.nodes

    in_all_forms(position, answer)


def test_a_number_that_no_board_has_is_refused_and_not_cut() -> None:
    for form, bits in forms.WORD_BITS.items():
        evaluator = forms.new_evaluator("windows", 7, 6, form)
        for number in (-1, 1 << bits):
            with pytest.raises(OverflowError):
                evaluator.value(number, 0)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="resident memory is read from /proc")
@pytest.mark.parametrize(
    ("make_and_use", "moves", "count"),
    [
        (
            "search = forms.new_search(7, 6, NAMES[turn % len(NAMES)], 101, FORM); search.prepare(do_nothing);"
            " search.best_ranks(OWN, OPPONENT, 1, [0], False)",
            "",
            10_000,
        ),
        ("forms.new_playouts(7, 6, turn, do_nothing, FORM).finish(OWN, OPPONENT)", "", 10_000),
        # A win at once needs no table.
        ("forms.new_solver(7, 6, FORM).score(OWN, OPPONENT, do_nothing)", "121212", 10_000),
        # Late in the game a solver takes its table, slow as that is, and needs few of its pages: but more than one.
        (
            "forms.new_solver(7, 6, FORM).score(OWN, OPPONENT, do_nothing)",
            "121212212121343434434343565656656565",
            1_000,
        ),
    ],
    ids=["searches", "playouts", "solvers", "solvers with tables"],
)
@pytest.mark.parametrize("form", forms.WORD_BITS)
@pytest.mark.slow
def test_thousands_of_dropped_objects_leave_no_memory_behind(
    make_and_use: str, moves: str, count: int, form: str
) -> None:
    position = Position.from_moves(moves)
    program = f"""
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.evaluators import EVALUATORS
from connect4_agent.engine.kernel.order import do_nothing
NAMES, FORM, OWN, OPPONENT = sorted(EVALUATORS), {form!r}, {position.own}, {position.opponent}

def resident_pages():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1])

for turn in range({count + 500}):
    if turn == 500:
        before = resident_pages()
    {make_and_use}
print(resident_pages() - before)
"""
    assert int(output_of(program)) < 500  # pages of 4 KB; the smallest array of each object would take thousands
