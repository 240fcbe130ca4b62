"""How long a search may take: time limits and their defaults, and the bound on the solver's nodes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from connect4_agent import errors
from connect4_agent.engine.book.files import EMPTY_BOOK
from connect4_agent.engine.engine import Engine
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.limits import (
    LEAST_SECONDS,
    NO_LIMITS,
    PROVABLE_ROWS,
    QUICK_NODES,
    QUICK_ROWS,
    Limits,
    NodeBound,
    is_provable,
    is_quick,
)
from connect4_agent.rules.position import Position
from tools.benchmarks.empty_boards import PUBLISHED_PLIES, prove, published_result
from tools.benchmarks.positions.make import plies_to_end

EMPTY = Position(5, 4)


def test_a_proof_that_takes_more_nodes_ends_and_one_that_takes_fewer_does_not() -> None:
    def new_engine() -> Engine:
        return Engine(EMPTY.width, EMPTY.height, book=EMPTY_BOOK)

    engine = new_engine()
    score = engine.score(EMPTY, NodeBound(engine, float("inf")).poll)
    needed = engine.nodes
    engine = new_engine()
    assert engine.score(EMPTY, NodeBound(engine, needed).poll) == score
    engine = new_engine()
    with pytest.raises(errors.TooHardError, match="more than 10 nodes"):
        engine.score(EMPTY, NodeBound(engine, 10).poll)


def test_each_position_has_its_own_nodes() -> None:
    engine = Engine(EMPTY.width, EMPTY.height, book=EMPTY_BOOK)
    bound = NodeBound(engine, 10)
    with pytest.raises(errors.TooHardError):
        engine.score(EMPTY, bound.poll)
    with pytest.raises(errors.TooHardError):
        bound.poll()
    bound.renew()
    bound.poll()


def test_the_shorter_of_two_limits_counts() -> None:
    assert Limits().at_most(None) == NO_LIMITS
    assert Limits().at_most(0.5).seconds == 0.5
    assert Limits(2.0).at_most(0.5).seconds == 0.5
    assert Limits(0.1).at_most(0.5).seconds == 0.1


def test_a_changed_limit_keeps_everything_else() -> None:
    def poll() -> None:
        raise AssertionError

    limits = Limits(2.0, poll, True, lambda: 7.5, 0.25)
    for changed in (limits.at_most(1.0), limits.since(6.5)):
        assert changed == replace(limits, seconds=1.0)
    assert replace(limits, seconds=None).for_proofs(8, 7) == replace(limits, seconds=2.0)
    assert limits.for_proofs(8, 7) is limits.for_search(100, 100) is limits


def test_a_search_has_a_default_time_only_on_boards_too_large_for_compiled_code() -> None:
    assert Limits().for_search(7, 6) == NO_LIMITS
    assert Limits().for_search(20, 20) == Limits(2.0)
    assert Limits(7.0).for_search(20, 20) == Limits(7.0)


def test_however_late_it_is_some_time_is_left() -> None:
    assert Limits(1.0, clock=lambda: 9.0).since(1.0).seconds == LEAST_SECONDS
    assert Limits(clock=lambda: 9.0).since(1.0).seconds is None


@pytest.mark.parametrize(("share", "last"), [(1.0, 9.994), (0.5, 4.994)])
def test_a_timed_poll_raises_when_its_share_of_the_time_is_over_but_for_sending_the_reply(
    share: float, last: float
) -> None:
    now, asked = [0.0], []
    poll = Limits(10.0, lambda: asked.append(now[0]), clock=lambda: now[0]).timed_poll(0.0, share)
    now[0] = last
    poll()
    now[0] = last + 0.002
    with pytest.raises(errors.OutOfTimeError):
        poll()
    assert len(asked) == 2


@pytest.mark.needs("compiled")
@pytest.mark.parametrize("size", list(enumerate(QUICK_ROWS, 1)))
def test_the_highest_quick_boards_are_proven_within_the_bound(size: tuple[int, int]) -> None:
    """If one is not, python -m tools.benchmarks.empty_boards computes all of them anew."""
    assert prove(*size, most_nodes=QUICK_NODES) is not None


def test_what_is_quick_is_provable() -> None:
    assert all(rows <= most for rows, most in zip(QUICK_ROWS, PROVABLE_ROWS, strict=False))
    assert len(QUICK_ROWS) <= len(PROVABLE_ROWS)


@pytest.mark.needs("compiled")
def test_a_board_that_takes_too_many_nodes_is_not_proven() -> None:
    assert prove(8, 8, most_nodes=20_000) is None


@pytest.mark.needs("compiled")
@pytest.mark.parametrize(
    "size", [(4, 4), (5, 4), (6, 4), (7, 4), (4, 5), (5, 5), (6, 5), (4, 6), (5, 6), (4, 7), (4, 8)]
)
def test_proven_boards_are_as_others_have_published_them(size: tuple[int, int]) -> None:
    proof = prove(*size)
    assert proof is not None
    assert "=+-"[(proof.score > 0) - (proof.score < 0)] == published_result(*size)
    if proof.score:
        assert plies_to_end(proof.score, size[0] * size[1]) == PUBLISHED_PLIES[size]


@pytest.mark.needs("compiled")
@pytest.mark.parametrize(
    ("size", "seconds", "share", "quick"),
    [
        ((7, 6), None, 0.9, True),
        ((6, 5), None, 0.9, True),
        ((9, 4), 10, 0.9, False),
        ((8, 7), 2, 0.5, False),
        ((9, 7), 2, 0.5, False),
        ((12, 10), 2, 0.5, False),
        ((100, 100), 2, 0.5, False),
    ],
)
def test_the_default_time_depends_on_the_board(
    size: tuple[int, int], seconds: float | None, share: float, quick: bool
) -> None:
    limits = Limits().for_proofs(*size)
    assert (limits.seconds, limits.proof_share, is_quick(*size)) == (seconds, share, quick)
    assert is_provable(*size) == (share > 0.5)


def test_plain_code_is_never_waited_for() -> None:
    for size in ((7, 6), (6, 5), (4, 4)):
        assert Limits().for_proofs(*size, forms.PLAIN) == Limits(2, proof_share=0.5)
        assert not is_quick(*size, forms.PLAIN)
