"""Positions of random games: different, unfinished, repeatable, and no more than there are."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

import pytest

from connect4_agent.lab.sampling import sample
from connect4_agent.rules.position import Position


@pytest.mark.parametrize("size", [(7, 6), (5, 4), (3, 9), (9, 8)])
def test_positions_are_different_unfinished_and_have_the_discs_asked_for(size: tuple[int, int]) -> None:
    positions = list(islice(sample(Random(1), range(3, 11), *size), 300))
    assert len({position.canonical() for position in positions}) == len(positions)
    for position in positions:
        assert not position.is_over
        assert 3 <= position.disc_count <= 10
        assert (position.width, position.height) == size
        assert position.own.bit_count() in (position.opponent.bit_count(), position.opponent.bit_count() - 1)


def test_the_same_seed_gives_the_same_positions() -> None:
    one, two, other = (list(islice(sample(Random(seed), [12]), 50)) for seed in (1, 1, 2))
    assert one == two != other


def test_it_ends_when_there_are_no_more() -> None:
    reached = {Position()}
    for _ in range(2):
        reached = {p.play(column).canonical() for p in reached for column in p.legal_columns()}
    assert {position.canonical() for position in sample(Random(1), [2])} == reached


def test_all_numbers_of_discs_are_equally_likely_though_games_end_early() -> None:
    found = Counter(position.disc_count for position in islice(sample(Random(1), [10, 20, 30, 36]), 2000))
    assert min(found.values()) > 400
