"""How hard boards are: the computed sizes are right, and the default times follow from it."""

from __future__ import annotations

import pytest

from connect4_agent.engine.effort import (
    PROVABLE_ROWS,
    QUICK_NODES,
    QUICK_ROWS,
    default_seconds,
    default_share,
    is_provable,
    is_quick,
)
from connect4_agent.engine.kernel import forms
from tools.benchmarks.empty_boards import PUBLISHED_PLIES, prove, published_result
from tools.benchmarks.positions.make import plies_to_end


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
    assert (default_seconds(*size), default_share(*size), is_quick(*size)) == (seconds, share, quick)
    assert is_provable(*size) == (share > 0.5)


def test_plain_code_is_never_waited_for() -> None:
    for size in ((7, 6), (6, 5), (4, 4)):
        assert default_seconds(*size, forms.PLAIN) == 2
        assert not is_quick(*size, forms.PLAIN)
