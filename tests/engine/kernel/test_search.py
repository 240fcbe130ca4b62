"""The fixed-ply search, in each form, against plain minimax."""

from __future__ import annotations

import sys
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.order import do_nothing, middle_first
from connect4_agent.engine.kernel.search import Search
from connect4_agent.engine.kernel.values import MAX_PLIES, exact_score, is_decided
from connect4_agent.rules.position import Position
from tests.boards import unfinished
from tests.effort import examples
from tests.kernel_forms import each_form, forms_for

WIN = 1 << 30
TABLE_SIZE = 1009  # small, so that entries push each other out

sizes = st.sampled_from([(1, 1), (2, 3), (4, 4), (5, 4), (7, 6), (8, 7), (4, 9), (10, 6), (10, 10)])
high_sizes = st.sampled_from([(1, 63), (2, 31), (3, 20), (3, 16), (4, 15), (5, 11)])


def search_for(position: Position, form: str) -> Search:
    """A fresh search; a board too large for the form is searched by the plain one."""
    form = form if forms.fits(form, position.width, position.height) else forms.PLAIN
    search = forms.new_search(position.width, position.height, "windows", TABLE_SIZE, form)
    search.prepare(do_nothing)
    return search


def open_ranks(position: Position) -> list[int]:
    return [rank for rank, column in enumerate(middle_first(position.width)) if position.is_open(column)]


def naive_windows(position: Position) -> int:
    """The windows evaluator, cell by cell."""
    grid, own, total = position.grid(), position.player, 0
    for column in range(position.width):
        for row in range(position.height):
            for step_column, step_row in ((1, 0), (0, 1), (1, 1), (1, -1)):
                places = [(column + i * step_column, row + i * step_row) for i in range(4)]
                if not all(0 <= c < position.width and 0 <= r < position.height for c, r in places):
                    continue
                cells = [grid[c][r] for c, r in places]
                counts = cells.count(own), cells.count(3 - own)
                total += {(3, 0): 10, (2, 0): 2, (0, 3): -5}.get(counts, 0)
    return total


def minimax(position: Position, depth: int) -> int:
    """The value by definition: no pruning, no table, no shortcuts."""
    if position.winner is not None:
        return -(WIN + position.empty_count)
    if position.is_full:
        return 0
    if depth == 0:
        return naive_windows(position)
    return max(-minimax(position.play(column), depth - 1) for column in position.legal_columns())


@each_form
@given(position=unfinished(sizes), depth=st.integers(1, 3))
@examples(150)
@pytest.mark.slow
def test_value_and_ties_are_those_of_plain_minimax(form: str, position: Position, depth: int) -> None:
    values = {
        rank: -minimax(position.play(middle_first(position.width)[rank]), depth - 1) for rank in open_ranks(position)
    }
    best = max(values.values())
    ties = [rank for rank, value in values.items() if value == best]
    search = search_for(position, form)
    value, ranks = search.best_ranks(position.own, position.opponent, depth, open_ranks(position), True)
    assert (value, sorted(ranks)) == (best, ties)
    value, ranks = search.best_ranks(position.own, position.opponent, depth, open_ranks(position), False)
    assert (value, min(ranks)) == (best, ties[0])


@each_form
@given(moves=st.lists(st.integers(0, 4), max_size=40), sides=high_sizes, depth=st.integers(1, 3))
@examples(150)
@pytest.mark.slow
def test_on_high_boards_no_shift_is_wider_than_a_machine_word(
    form: str, moves: list[int], sides: tuple[int, int], depth: int
) -> None:
    position = Position(*sides)
    for column in moves:
        after = position.play(column % position.width) if position.is_open(column % position.width) else position
        position = position if after.is_over else after
    value, _ = search_for(position, form).best_ranks(
        position.own, position.opponent, depth, open_ranks(position), False
    )
    assert value == minimax(position, depth)


@each_form
@given(position=unfinished(st.just((4, 4))), depth=st.integers(4, 16))
@examples(25)
def test_deep_values_on_a_small_board_are_those_of_plain_minimax(form: str, position: Position, depth: int) -> None:
    while position.empty_count > 8 and not position.play(position.legal_columns()[0]).is_over:
        position = position.play(position.legal_columns()[0])
    value, _ = search_for(position, form).best_ranks(
        position.own, position.opponent, depth, open_ranks(position), False
    )
    assert value == minimax(position, depth)


@pytest.mark.needs("compiled")
@given(position=unfinished(st.sampled_from([(7, 6), (8, 7), (4, 4)])), depth=st.integers(1, 6))
@examples(60)
def test_narrow_and_plain_visit_the_same_nodes_to_the_same_result(position: Position, depth: int) -> None:
    results = []
    for form in forms_for(position.width, position.height):
        search = search_for(position, form)
        found = search.best_ranks(position.own, position.opponent, depth, open_ranks(position), False)
        results.append((found, search.nodes))
    assert results[0] == results[1]


@each_form
@given(position=unfinished(st.sampled_from([(7, 6), (6, 5)])), depth=st.integers(1, 4))
@examples(60)
def test_a_mirror_image_has_the_same_value(form: str, position: Position, depth: int) -> None:
    values = []
    for each in (position, position.mirrored()):
        found = search_for(each, form).best_ranks(each.own, each.opponent, depth, open_ranks(each), False)
        values.append(found[0])
    assert values[0] == values[1]


@each_form
@given(position=unfinished(st.sampled_from([(7, 6), (5, 5)])), depth=st.integers(1, 4), data=st.data())
@examples(60)
def test_the_order_of_trying_changes_nothing(form: str, position: Position, depth: int, data: st.DataObject) -> None:
    order = data.draw(st.permutations(open_ranks(position)))
    plain = search_for(position, form).best_ranks(position.own, position.opponent, depth, open_ranks(position), False)
    other = search_for(position, form).best_ranks(position.own, position.opponent, depth, order, False)
    assert (plain[0], min(plain[1])) == (other[0], min(other[1]))


@each_form
def test_what_was_searched_before_changes_neither_result_nor_nodes(form: str) -> None:
    position = Position.from_moves("4453")
    search = search_for(position, form)
    fresh = search.best_ranks(position.own, position.opponent, 6, open_ranks(position), False), search.nodes
    other = Position.from_moves("44")
    search.best_ranks(other.own, other.opponent, 7, open_ranks(other), False)
    search.prepare(do_nothing)
    again = search.best_ranks(position.own, position.opponent, 6, open_ranks(position), False), search.nodes
    assert again == fresh


@each_form
def test_the_table_forgets_earlier_requests_even_after_thousands_of_them(form: str) -> None:
    position = Position.from_moves("4453")
    search = search_for(position, form)
    fresh = search.best_ranks(position.own, position.opponent, 4, open_ranks(position), False), search.nodes
    for _ in range(4095 * 2):
        search.prepare(do_nothing)
    again = search.best_ranks(position.own, position.opponent, 4, open_ranks(position), False), search.nodes
    assert again == fresh


@each_form
def test_a_poll_that_raises_ends_the_search(form: str) -> None:
    class StopError(Exception):
        pass

    def stop() -> None:
        raise StopError

    position = Position()
    search = search_for(position, form)
    search.prepare(stop)
    with pytest.raises(StopError):
        search.best_ranks(position.own, position.opponent, 30, open_ranks(position), False)


def test_a_search_of_the_greatest_depth_stays_within_the_limit_of_recursion() -> None:
    position = Position(2, 100)
    search = search_for(position, "plain")
    polls = 0

    def stop_after_a_while() -> None:
        nonlocal polls
        polls += 1
        if polls == 50:
            raise TimeoutError

    search.prepare(stop_after_a_while)
    with pytest.raises(TimeoutError):
        search.best_ranks(position.own, position.opponent, MAX_PLIES, open_ranks(position), False)


@pytest.mark.parametrize(("width", "columns"), [(1, [0]), (2, [0, 1]), (4, [1, 2, 0, 3]), (7, [3, 2, 4, 1, 5, 0, 6])])
def test_columns_are_tried_from_the_centre_outwards(width: int, columns: list[int]) -> None:
    assert middle_first(width) == columns


@pytest.mark.parametrize(
    ("value", "score"),
    [(WIN, 1), (WIN + 1, 1), (WIN + 2, 2), (WIN + 35, 18), (-WIN, -1), (-(WIN + 34), -18)],
)
def test_an_exact_score_counts_the_winners_last_discs(value: int, score: int) -> None:
    assert is_decided(value)
    assert exact_score(value) == score


def test_a_draw_and_an_opinion_are_not_decided() -> None:
    assert not is_decided(0)
    assert not is_decided(400_000)


class StopError(Exception):
    """Raised by a poll or an evaluator."""


@each_form
def test_a_search_that_is_running_refuses_another_and_then_works_again(form: str) -> None:
    search = forms.new_search(7, 6, "windows", 1009, form)
    position = Position()

    def again() -> None:
        with pytest.raises(RuntimeError, match="running already"):
            search.prepare(do_nothing)
        search.best_ranks(position.own, position.opponent, 2, open_ranks(position), False)

    search.prepare(again)
    with pytest.raises(RuntimeError, match="running already"):
        search.best_ranks(position.own, position.opponent, 42, open_ranks(position), False)
    search.prepare(do_nothing)
    fresh = forms.new_search(7, 6, "windows", 1009, form)
    fresh.prepare(do_nothing)
    arguments = (position.own, position.opponent, 4, open_ranks(position), False)
    assert search.best_ranks(*arguments) == fresh.best_ranks(*arguments)
    assert search.nodes == fresh.nodes


@pytest.mark.needs("compiled")
@pytest.mark.parametrize("form", forms.WORD_BITS)
def test_other_threads_run_during_a_long_search(form: str) -> None:
    asked, ran = threading.Event(), threading.Event()

    def answer() -> None:
        asked.wait()
        ran.set()

    def poll() -> None:
        asked.set()
        if ran.is_set():
            raise StopError

    search = forms.new_search(7, 6, "threat-parity", 1009, form)
    search.prepare(poll)
    interval = sys.getswitchinterval()
    other = threading.Thread(target=answer)
    other.start()
    sys.setswitchinterval(1000)  # Python by itself does not change threads
    try:
        with pytest.raises(StopError):
            search.best_ranks(0, 0, 42, open_ranks(Position()), False)
    finally:
        sys.setswitchinterval(interval)
        other.join()


@each_form
@pytest.mark.parametrize("error", [StopError, KeyboardInterrupt])
def test_what_a_python_evaluator_raises_ends_the_search(form: str, error: type[BaseException]) -> None:
    calls = 0

    def value(own: int, opponent: int) -> int:
        nonlocal calls
        calls += 1
        if calls >= 5:
            raise error
        return own.bit_count() - opponent.bit_count()

    search = forms.new_search(7, 6, value, 0, form)
    for _ in range(2):
        search.prepare(do_nothing)
        with pytest.raises(error):
            search.best_ranks(0, 0, 6, open_ranks(Position()), False)
    assert calls == 6
    with pytest.raises(error):
        forms.new_evaluator(value, 7, 6, form).value(0, 0)


@pytest.mark.needs("compiled")
def test_a_value_that_is_not_a_number_of_c_is_an_error() -> None:
    for value in (1 << 40, "x"):
        with pytest.raises((OverflowError, TypeError)):
            forms.new_evaluator(lambda own, opponent, value=value: value, 7, 6).value(0, 0)  # type: ignore[misc]  # noqa: ARG005
