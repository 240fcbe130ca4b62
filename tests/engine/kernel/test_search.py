"""The fixed-ply search, in each form: symmetry, what ends it, and who may use it."""

from __future__ import annotations

import sys
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.order import do_nothing, middle_first
from connect4_agent.engine.kernel.search import Search
from connect4_agent.engine.kernel.values import exact_score, is_decided
from connect4_agent.rules.position import Position
from tests.boards import unfinished
from tests.effort import examples
from tests.kernel_forms import each_form

WIN = 1 << 30
TABLE_SIZE = 1009  # small, so that entries push each other out


def search_for(position: Position, form: str) -> Search:
    """A fresh search; a board too large for the form is searched by the plain one."""
    form = form if forms.fits(form, position.width, position.height) else forms.PLAIN
    search = forms.new_search(position.width, position.height, "windows", TABLE_SIZE, form)
    search.prepare(do_nothing)
    return search


def open_ranks(position: Position) -> list[int]:
    return [rank for rank, column in enumerate(middle_first(position.width)) if position.is_open(column)]


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
