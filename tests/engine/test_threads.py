"""Several threads on one position: exact, ended at once, and used only if they may be."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.engine import threads
from connect4_agent.engine.exact import exact_scores
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.engine.kernel.solver import Solver
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.perfect import PerfectPlayer
from connect4_agent.engine.threads import SharedSolver, can_share, default_threads, limited_to
from connect4_agent.rules.position import Position
from tests.effort import examples
from tests.late import late_positions, random_position
from tests.processes import output_of

compiled = pytest.mark.needs("compiled")

SIZES = [(4, 4), (5, 4), (4, 7), (5, 5), (6, 4), (6, 5), (6, 6), (7, 5), (7, 6), (6, 7), (8, 6), (8, 7), (12, 4)]


class StopError(Exception):
    """Raised by a poll."""


def new_solver(width: int, height: int, poll_interval: int) -> Solver:
    solver: Solver = forms.module("solver", forms.NARROW).Solver(width, height, 14, poll_interval)
    return solver


def score_of(solver: Solver | SharedSolver, position: Position, poll: Callable[[], None] = do_nothing) -> int:
    return solver.score(position.own, position.opponent, poll)


@pytest.fixture
def helps_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "POLLS_ALONE", 1)


def helped(solver: SharedSolver) -> bool:
    """Whether any helper has searched at all."""
    return any(helper.nodes for helper in solver._helpers)


@compiled
@given(late_positions(SIZES, most_empties=12))
@examples(60)
def test_several_threads_find_what_plain_code_finds(position: Position) -> None:
    solver = SharedSolver(new_solver(position.width, position.height, poll_interval=1), 3)
    plain = forms.new_solver(position.width, position.height, forms.PLAIN)
    assert score_of(solver, position) == score_of(plain, position)


@compiled
@given(late_positions(SIZES, most_empties=26), st.sampled_from([1, 4, 64, 1024]), st.sampled_from([2, 2, 3, 8]))
@examples(150)
def test_several_threads_find_what_one_finds(position: Position, poll_interval: int, count: int) -> None:
    alone = forms.new_solver(position.width, position.height, forms.NARROW)
    shared = SharedSolver(new_solver(position.width, position.height, poll_interval), count)
    assert score_of(shared, position) == score_of(alone, position)


@compiled
def test_one_group_of_solvers_answers_many_positions() -> None:
    alone, shared = forms.new_solver(7, 6, forms.NARROW), SharedSolver(new_solver(7, 6, poll_interval=64), 2)
    for seed in range(60):
        position = random_position(seed, 7, 6, 21 + seed % 9, quiet=True)
        assert score_of(shared, position) == score_of(alone, position), str(position)
    assert helped(shared)


@compiled
@given(late_positions([(7, 6), (6, 6), (8, 5)], most_empties=22), st.integers(-10, 10))
@examples(60)
def test_a_window_holds_with_two_threads(position: Position, floor: int) -> None:
    alone = forms.new_solver(position.width, position.height, forms.NARROW)
    shared = SharedSolver(new_solver(position.width, position.height, poll_interval=4), 2)
    found = shared.score(position.own, position.opponent, do_nothing, floor, floor + 1)
    assert (found > floor) == (score_of(alone, position) > floor)


@compiled
def test_a_short_search_stays_alone_and_visits_the_same_nodes() -> None:
    alone, shared = forms.new_solver(7, 6, forms.NARROW), SharedSolver(forms.new_solver(7, 6, forms.NARROW), 2)
    for seed in range(40):
        position = random_position(seed, 7, 6, 13)
        assert score_of(shared, position) == score_of(alone, position)
    assert shared.nodes == alone.nodes
    assert not helped(shared)


@compiled
@pytest.mark.usefixtures("helps_from_the_start")
def test_a_solver_that_had_help_visits_the_same_nodes_alone_as_any_other() -> None:
    solver = new_solver(7, 6, poll_interval=64)
    shared = SharedSolver(solver, 2)
    for seed in range(10):
        score_of(shared, random_position(seed, 7, 6, 28, quiet=True))
    assert helped(shared)
    shared.clear()
    before, position = solver.nodes, random_position(77, 7, 6, 26, quiet=True)
    fresh = new_solver(7, 6, poll_interval=64)
    assert score_of(solver, position) == score_of(fresh, position)
    assert solver.nodes - before == fresh.nodes


@compiled
@pytest.mark.usefixtures("helps_from_the_start")
@pytest.mark.parametrize("polls", [1, 2, 3, 10, 100])
def test_a_poll_that_raises_ends_all_threads(polls: int) -> None:
    threads_before = threading.enumerate()
    shared = SharedSolver(new_solver(7, 6, poll_interval=256), 2)
    left = polls

    def poll() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise StopError

    with pytest.raises(StopError):
        score_of(shared, Position(), poll)
    assert threading.enumerate() == threads_before
    position = random_position(3, 7, 6, 26, quiet=True)
    assert score_of(shared, position) == score_of(forms.new_solver(7, 6), position)
    assert threading.enumerate() == threads_before


@compiled
def test_an_interrupted_wait_for_a_helper_spoils_no_later_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = SharedSolver(new_solver(7, 6, poll_interval=16), 2)
    first, second = (random_position(seed, 7, 6, 26, quiet=True) for seed in (5, 6))

    def interrupted(_: threading.Thread) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "join", interrupted)
        with pytest.raises(KeyboardInterrupt):
            score_of(shared, first)
    assert score_of(shared, second) == score_of(forms.new_solver(7, 6), second)
    assert score_of(shared, first) == score_of(forms.new_solver(7, 6), first)


@compiled
def test_without_more_threads_the_search_continues_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    shared = SharedSolver(new_solver(7, 6, poll_interval=16), 2)
    position = random_position(5, 7, 6, 26, quiet=True)
    assert score_of(shared, position) == score_of(forms.new_solver(7, 6), position)
    assert not helped(shared)


@pytest.mark.parametrize("form", [*forms.WORD_BITS, forms.PLAIN])
def test_a_solver_that_is_searching_refuses_another_search(form: str) -> None:
    solver = forms.new_solver(7, 6, form)

    def again() -> None:
        score_of(solver, Position())

    with pytest.raises(RuntimeError, match="searching already"):
        score_of(solver, Position(), again)
    position = random_position(3, 7, 6, 10)
    assert score_of(solver, position) == score_of(forms.new_solver(7, 6), position)


@compiled
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

    interval = sys.getswitchinterval()
    other = threading.Thread(target=answer)
    other.start()
    sys.setswitchinterval(1000)  # Python by itself does not change threads
    try:
        with pytest.raises(StopError):
            score_of(forms.new_solver(7, 6, form), Position(), poll)
    finally:
        sys.setswitchinterval(interval)
        other.join()


@pytest.mark.parametrize(("value", "most"), [("1", 1), ("0", 1), ("2", 2), ("99", 3), ("", 3), ("x", 3), ("-1", 3)])
def test_the_environment_limits_the_threads(monkeypatch: pytest.MonkeyPatch, value: str, most: int) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2}, raising=False)
    monkeypatch.setenv(threads.VARIABLE, value)
    assert default_threads() == most


def test_a_process_with_one_core_has_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(threads.VARIABLE, raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3}, raising=False)
    assert default_threads() == 1
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 5}, raising=False)
    assert default_threads() == 2


def test_a_caller_limits_the_threads_of_what_it_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(threads.VARIABLE, raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    with limited_to(1):
        assert default_threads() == 1
        with limited_to(2):
            assert default_threads() == 2
    assert default_threads() == 2


def test_only_the_narrow_form_has_helpers() -> None:
    assert [form for form in (*forms.WORD_BITS, forms.PLAIN) if can_share(form)] == [forms.NARROW]
    for form in (forms.WIDE, forms.PLAIN):
        assert not isinstance(exact_scores(7, 6, form=form, threads=2).solver, SharedSolver)


@compiled
def test_threads_are_the_callers_choice() -> None:
    assert isinstance(exact_scores(7, 6, threads=2).solver, SharedSolver)
    assert not isinstance(exact_scores(7, 6, threads=1).solver, SharedSolver)


@compiled
@pytest.mark.usefixtures("helps_from_the_start")
def test_the_perfect_player_chooses_the_same_columns_with_two_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(threads.VARIABLE, raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    player = PerfectPlayer()
    for seed in range(8):
        position = random_position(seed, 7, 6, 25, quiet=True)
        choice = player.choose(position, Limits())
        with limited_to(1):
            alone = player.choose(position, Limits())
        assert (choice.column, choice.score, choice.exact) == (alone.column, alone.score, True)


@compiled
def test_dropped_solvers_leave_no_memory_behind() -> None:
    position = Position.from_moves("121212212121343434434343565656")
    program = f"""
import threading
from connect4_agent.engine import threads
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.order import do_nothing
threads.POLLS_ALONE = 1

def resident_pages():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1])

for turn in range(1500):
    if turn == 300:
        before = resident_pages()
    solver = threads.SharedSolver(forms.module("solver", "narrow").Solver(7, 6, 14, 1), 3)
    solver.score({position.own}, {position.opponent}, do_nothing)
assert threading.active_count() == 1
print(resident_pages() - before)
"""
    assert int(output_of(program)) < 500  # pages of 4 KB; the small tables alone would take 1,200 x 128
