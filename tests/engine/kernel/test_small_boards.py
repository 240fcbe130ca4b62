"""Boards of up to five columns and rows: the solver against brute force, from the empty board on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from random import Random

import pytest

from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.rules.position import Position
from tests.brute_force import BruteForce
from tests.effort import share

SIZES = [size for size in product(range(1, 6), repeat=2) if size != (5, 5)]


def open_positions(start: Position, plies: int) -> Iterator[Position]:
    """The position and all that follow it within this many plies, without finished games."""
    if not start.is_over:
        yield start
        if plies:
            for column in start.legal_columns():
                yield from open_positions(start.play(column), plies - 1)


def assert_equal_scores(width: int, height: int, positions: Iterable[Position]) -> None:
    brute_force = BruteForce(width, height)
    solver = forms.new_solver(width, height)
    for position in positions:
        expected = brute_force.score(position.own, position.opponent)
        assert solver.score(position.own, position.opponent, do_nothing) == expected, str(position)


@pytest.mark.needs("compiled")
@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.slow
def test_every_position_of_the_first_plies_has_the_score_of_brute_force(width: int, height: int) -> None:
    assert_equal_scores(width, height, open_positions(Position(width, height), 1 if width * height == 20 else 2))


@pytest.mark.needs("compiled")
@pytest.mark.slow
def test_so_has_5x5_from_the_empty_board_and_in_the_middle_of_games() -> None:
    random = Random(5)
    positions = [Position(5, 5)]
    while len(positions) < share(25):
        position = Position(5, 5)
        for _ in range(random.randint(8, 16)):
            if not position.is_over:
                position = position.play(random.choice(position.legal_columns()))
        if not position.is_over:
            positions.append(position)
    assert_equal_scores(5, 5, positions)
