"""How hard boards are: the computed table is right, and the default times follow from it."""

from __future__ import annotations

import pytest

from benchmarks.empty_boards import PUBLISHED_PLIES, prove, published_result
from benchmarks.positions.make import plies_to_end
from connect4_agent.engine.effort import PROVABLE_NODES, default_seconds, default_share, is_provable, is_quick
from connect4_agent.engine.empty_boards import EMPTY_BOARDS
from connect4_agent.engine.kernel import forms

CHEAP_NODES = 700_000


@pytest.mark.needs("compiled")
@pytest.mark.parametrize("size", [size for size, (_, nodes) in EMPTY_BOARDS.items() if nodes <= CHEAP_NODES])
def test_the_boards_that_are_proven_quickly_are_as_the_table_says(size: tuple[int, int]) -> None:
    """If the nodes differ by a factor, python -m benchmarks.empty_boards writes the table anew."""
    score, nodes = EMPTY_BOARDS[size]
    proof = prove(*size)
    assert proof is not None
    assert proof.score == score
    assert nodes / 4 - 100 <= proof.nodes <= 4 * nodes + 100


def test_the_table_holds_what_was_proven_within_the_bound() -> None:
    assert max(nodes for _, nodes in EMPTY_BOARDS.values()) <= PROVABLE_NODES
    assert EMPTY_BOARDS[7, 6][0] == 1
    assert (8, 7) not in EMPTY_BOARDS


@pytest.mark.needs("compiled")
def test_a_board_that_takes_too_many_nodes_is_not_proven() -> None:
    assert prove(8, 8, most_nodes=20_000) is None


def test_the_table_agrees_with_what_is_published() -> None:
    known = {size: published_result(*size) for size in EMPTY_BOARDS}
    found = {size: "=+-"[(score > 0) - (score < 0)] for size, (score, _) in EMPTY_BOARDS.items() if known[size]}
    assert found == {size: result for size, result in known.items() if result}
    assert len(found) >= 20
    lengths = {size: plies_to_end(score, size[0] * size[1]) for size, (score, _) in EMPTY_BOARDS.items()}
    assert PUBLISHED_PLIES.items() >= {size: lengths[size] for size in PUBLISHED_PLIES.keys() & lengths.keys()}.items()
    assert {size for size in found if found[size] != "="} <= PUBLISHED_PLIES.keys()


@pytest.mark.needs("compiled")
@pytest.mark.parametrize(
    ("size", "seconds", "share", "quick"),
    [
        ((7, 6), None, 0.9, True),
        ((6, 5), 10, 0.9, True),
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
