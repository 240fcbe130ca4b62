"""Every evaluator against its naive version, and on positions worked out by hand."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.evaluators import DEFAULT_EVALUATOR, EVALUATORS
from connect4_agent.engine.kernel.values import VALUE_LIMIT
from connect4_agent.rules.position import Position
from tests.effort import share
from tests.kernel_forms import forms_for
from tests.naive_evaluators import NAIVE, cells_of

BOARDS = ((7, 6), (8, 7), (4, 4), (5, 9), (3, 5), (2, 31), (1, 63), (6, 1), (9, 8), (10, 10))


def random_positions(width: int, height: int, count: int) -> Iterator[Position]:
    """Unfinished positions of random games, some with a move passed."""
    random = Random(f"{width} {height}")
    while count:
        position = Position(width, height, random.choice((1, 2)))
        for _ in range(random.randrange(width * height)):
            after = position.play(random.choice(position.legal_columns()))
            if after.is_over:
                break
            position = after
        yield position.passed() if random.random() < 0.1 else position
        count -= 1


def value_of(name: str, position: Position) -> int:
    """The value, which must be the same in every form."""
    size = position.width, position.height
    value = forms.new_evaluator(name, *size, form="plain").value(position.own, position.opponent)
    for form in forms_for(*size):
        assert forms.new_evaluator(name, *size, form=form).value(position.own, position.opponent) == value
    return value


def test_every_evaluator_has_a_naive_version_and_the_default_is_one() -> None:
    assert set(EVALUATORS) == set(NAIVE)
    assert DEFAULT_EVALUATOR in EVALUATORS


@pytest.mark.parametrize("name", EVALUATORS)
@pytest.mark.parametrize(("width", "height"), BOARDS)
@pytest.mark.slow
def test_an_evaluator_agrees_with_its_naive_version(name: str, width: int, height: int) -> None:
    evaluators = [forms.new_evaluator(name, width, height, form) for form in forms_for(width, height)]
    for position in random_positions(width, height, share(500 if width * height < 50 else 100)):
        expected = NAIVE[name](cells_of(position))
        for evaluator in evaluators:
            assert evaluator.value(position.own, position.opponent) == expected, str(position)


@pytest.mark.parametrize("name", EVALUATORS)
def test_a_value_does_not_see_left_and_right(name: str) -> None:
    for position in random_positions(7, 6, 100):
        assert value_of(name, position) == value_of(name, position.mirrored())


@pytest.mark.parametrize("name", sorted(set(EVALUATORS) - {"windows", "threat-parity", "longest-run"}))
def test_a_value_changes_its_sign_with_the_mover(name: str) -> None:
    for position in random_positions(7, 6, 100):
        assert value_of(name, position) == -value_of(name, position.passed())


@pytest.mark.parametrize("name", EVALUATORS)
@pytest.mark.parametrize("pattern", [(1, 1, 1, 0), (1, 1, 0, 0), (1, 0, 0, 0), (1, 1, 1, 2)])
def test_values_stay_within_the_limit_on_the_largest_board(name: str, pattern: tuple[int, ...]) -> None:
    rows = [[pattern[(column + 2 * (row // 2)) % 4] for column in range(100)] for row in range(100)]
    own = sum(1 << column * 101 + row for row in range(100) for column in range(100) if rows[row][column] == 1)
    other = sum(1 << column * 101 + row for row in range(100) for column in range(100) if rows[row][column] == 2)
    evaluator = forms.new_evaluator(name, 100, 100, form="plain")
    assert abs(evaluator.value(own, other)) < VALUE_LIMIT
    assert abs(evaluator.value(other, own)) < VALUE_LIMIT


THREE_AGAINST_TWO = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . O . .
    X X X . O . .
"""
"""Worked out below cell by cell; (3, 0) is column 3, the bottom row."""


@pytest.mark.parametrize(
    ("name", "mover", "expected"),
    [
        # A run of three; a run of two.
        ("longest-run", 1, 3),
        ("longest-run", 2, 2),
        # X: (3, 0) makes four and so three and two; two also beside and above the discs, in 4 more cells.
        # O: (4, 2) makes three; two in the 7 empty cells around the pair.
        ("potential", 1, (10 + 5 + 2 * 5) - (5 + 2 * 7)),
        # X: the row of three has room for four, and so have three single discs upwards and three up to the right;
        # down to the right there is none. O: the pair upwards; singles: two in rows, one up and two down to the right.
        ("open-chains", 1, (3210 + 3 * 10 + 3 * 10) - (210 + 2 * 10 + 10 + 2 * 10)),
        # X: three in a row 15, discs 3, 2 and 1 off the centre. O: two upwards 4, discs 1 off it, one of them a row up.
        ("positional", 1, (15 + 2 + 5 + 15) - (4 + 15 + 15 - 5)),
        # X X X . is the only window of X's. O has two and two empty once, and X's three against it.
        ("windows", 1, 10),
        ("windows", 2, 2 - 5),
        # X to move has four at once.
        ("threat-parity", 1, 1000),
        # O has to block (-15). Its windows: one of two (upwards), and 9 of one: upwards 1, in the bottom row 1, in the
        # row above 3, up to the right 1, down to the right 1 + 2. X's: of one, upwards 3, up to the right 3.
        ("threat-parity", 2, -15 + (5 + 9 * 2) - 6 * 2),
    ],
)
def test_values_worked_out_by_hand(name: str, mover: int, expected: int) -> None:
    assert value_of(name, Position.from_drawing(THREE_AGAINST_TWO, mover)) == expected


def test_both_middle_columns_of_an_even_width_are_the_centre() -> None:
    for column in (3, 4):
        position = Position(8, 6).play(column)
        assert value_of("positional", position) == -30


def test_a_chain_without_room_for_four_is_worth_nothing() -> None:
    # X's pair has three cells between the edge and O's disc; upwards, and up to the right, each disc has room.
    # O's disc has room to the right, upwards and to both sides upwards.
    position = Position.from_drawing(
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X X . O . . .
        """,
        player=1,
    )
    assert value_of("open-chains", position) == (2 * 10 + 2 * 10) - 4 * 10


def test_a_threat_in_an_odd_row_suits_whoever_moved_first() -> None:
    drawing = """
        . . . .
        X X X .
        X O O .
        O X X O
    """
    # X threatens the third row of the last column; O has one open window of one disc, that column, X none.
    # O to move with fewer discs: X moved first. X to move with more discs: a move was passed, O counts as first.
    assert value_of("threat-parity", Position.from_drawing(drawing, player=2)) == 2 - 28
    assert value_of("threat-parity", Position.from_drawing(drawing, player=1)) == 8 - 2


def test_two_threats_to_block_are_as_good_as_lost() -> None:
    drawing = """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . O . . . .
        . . X X X . O
    """
    assert value_of("threat-parity", Position.from_drawing(drawing, player=2)) == -1000
    assert value_of("threat-parity", Position.from_drawing(drawing, player=1)) == 1000
