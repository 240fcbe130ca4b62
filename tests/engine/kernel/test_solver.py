"""Exact search, in each form, against brute force and against itself."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st

from connect4_agent.engine.kernel import forms, tuning
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.engine.kernel.solver import Solver
from connect4_agent.rules.position import Position
from tests.brute_force import BruteForce
from tests.effort import examples
from tests.kernel_forms import each_form, forms_for
from tests.late import late_positions, nearly_full, random_position

SIZES = [(7, 6), (7, 6), (4, 4), (5, 4), (5, 5), (8, 7), (6, 3), (3, 9), (2, 2), (1, 5), (12, 4), (7, 8), (5, 1)]
LARGE_SIZES = [(10, 10), (9, 7), (4, 40), (12, 11)]


@cache
def solver_for(width: int, height: int, form: str | None = None, with_rules: bool = True) -> Solver:
    return forms.new_solver(width, height, form, with_rules)


def score_of(position: Position, form: str | None = None, with_rules: bool = True) -> int:
    solver = solver_for(position.width, position.height, form, with_rules)
    return solver.score(position.own, position.opponent, do_nothing)


@cache
def brute_force_for(width: int, height: int) -> BruteForce:
    return BruteForce(width, height)


def score_by_brute_force(position: Position) -> int:
    return brute_force_for(position.width, position.height).score(position.own, position.opponent)


@each_form
@given(position=late_positions(SIZES, most_empties=13))
@examples(400)
def test_late_in_the_game_the_score_is_that_of_brute_force(form: str, position: Position) -> None:
    assert score_of(position, form) == score_by_brute_force(position)


@given(position=nearly_full(LARGE_SIZES, most_empties=9))
@examples(100)
def test_boards_of_more_than_64_bits_are_solved_as_well(position: Position) -> None:
    assert score_of(position, form="plain") == score_by_brute_force(position)


@pytest.mark.needs("compiled")
@given(position=late_positions([(7, 6), (7, 6), (6, 6), (8, 5)], most_empties=30, least_empties=18, quiet=True))
@examples(80, HealthCheck.filter_too_much)
def test_all_forms_agree_on_scores_and_nodes(position: Position) -> None:
    """Hard positions: order, history and mirror images matter only in long searches."""
    found = []
    for form in forms_for(position.width, position.height):
        solver = forms.new_solver(position.width, position.height, form)
        found.append((solver.score(position.own, position.opponent, do_nothing), solver.nodes))
        assume(100 < solver.nodes < 10_000)  # plain code takes half a second
    assert found == found[:1] * len(found)


@given(position=late_positions([(7, 6), (6, 6), (8, 5), (5, 7), (12, 4)], most_empties=40, quiet=True))
@examples(60)
def test_moves_are_looked_up_where_the_positions_after_them_are_stored(position: Position) -> None:
    solver = solver_for(position.width, position.height, form="plain")
    afters = [position.play(column) for column in position.legal_columns()]
    for index, after in enumerate(afters):
        solver.moves[index] = after.occupied ^ position.occupied
    solver._take_table()
    solver._prefetch(position.opponent, position.occupied, position.empty_count - 1, 0, len(afters))
    for index, after in enumerate(afters):
        assert solver.hashes[index] == solver._hash(after.own + after.occupied, after.empty_count)
        if after.empty_count >= tuning.MIN_EMPTY_MIRROR:
            mirrored = after.mirrored()
            assert solver.hashes[index] == solver._hash(mirrored.own + mirrored.occupied, mirrored.empty_count)


@given(position=late_positions([(7, 6), (7, 6), (6, 4), (8, 4)], most_empties=22, quiet=True))
@examples(400)
def test_the_rules_change_no_score(position: Position) -> None:
    assert score_of(position) == score_of(position, with_rules=False)
    other = position.passed()  # discs may be out of balance
    assert score_of(other) == score_of(other, with_rules=False)


@given(position=late_positions([(7, 6), (7, 6), (6, 6)], most_empties=28))
@examples(100)
def test_mirror_images_have_the_same_score(position: Position) -> None:
    assert score_of(position) == score_of(position.mirrored())


@given(position=late_positions([(7, 6), (5, 5)], most_empties=20))
@examples(200)
def test_the_score_is_the_best_of_the_replies_scores(position: Position) -> None:
    if position.winning_columns():
        assert score_of(position) == (position.empty_count + 1) // 2
        return
    assert score_of(position) == max(
        0 if after.is_full else -score_of(after) for after in map(position.play, position.legal_columns())
    )


@given(
    position=late_positions([(7, 6), (5, 4)], most_empties=18, quiet=True),
    lowest=st.integers(-20, 20),
    span=st.integers(1, 10),
)
@examples(100)
def test_a_window_gives_the_score_or_the_side_it_lies_on(position: Position, lowest: int, span: int) -> None:
    highest = lowest + span
    score = score_of(position)
    found = solver_for(position.width, position.height).score(
        position.own, position.opponent, do_nothing, lowest, highest
    )
    if found <= lowest:
        assert score <= found
    elif found >= highest:
        assert score >= found
    else:
        assert score == found


@pytest.mark.parametrize(
    ("moves", "score"),
    [
        ("2252576253462244111563365343671351441", -1),
        ("7422341735647741166133573473242566", 1),
        ("23163416124767223154467471272416755633", 0),
    ],
)
def test_known_positions(moves: str, score: int) -> None:
    assert score_of(Position.from_moves(moves)) == score


@each_form
def test_a_poll_that_raises_ends_the_search_and_the_solver_goes_on(form: str) -> None:
    class StopError(Exception):
        pass

    def stop() -> None:
        raise StopError

    solver = forms.new_solver(7, 6, form)
    with pytest.raises(StopError):
        solver.score(0, 0, stop)
    position = random_position(1, 7, 6, 12, quiet=True)  # one that takes a search
    assert solver.score(position.own, position.opponent, do_nothing) == score_of(position)


@each_form
def test_a_win_at_once_needs_no_table_and_an_empty_one_can_be_cleared(form: str) -> None:
    solver = forms.new_solver(7, 6, form)
    position = Position.from_moves("121212")
    assert solver.score(position.own, position.opponent, do_nothing) == 18
    solver.clear()


def test_no_table_is_held_before_the_first_question() -> None:
    solver = forms.new_solver(7, 6, form="plain")
    assert len(solver.big_table) == 0


def test_bitbully_agrees() -> None:
    from bitbully import BitBully, Board  # noqa: PLC0415  # its book takes a second to load

    other = BitBully(opening_book="12-ply-dist")
    for seed in range(60):
        position = random_position(seed, 7, 6, 10 + seed % 19)
        board = Board([list(row) for row in zip(*position.grid(), strict=True)])
        assert score_of(position) == other.mtdf(board), str(position)
