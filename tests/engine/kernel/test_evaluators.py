"""Every evaluator against a naive version of itself that walks over cells, and on positions worked out by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import takewhile
from random import Random

import pytest

from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.evaluators import DEFAULT_EVALUATOR, EVALUATORS
from connect4_agent.engine.kernel.values import VALUE_LIMIT
from connect4_agent.rules.position import Position
from tests.effort import share
from tests.kernel_forms import forms_for

Cells = dict[tuple[int, int], int]
"""Every cell of the board by column and row, the bottom row being 0: 1 the mover's disc, -1 the opponent's, 0 empty."""

DIRECTIONS = ((0, 1), (1, -1), (1, 0), (1, 1))
BOARDS = ((7, 6), (8, 7), (4, 4), (5, 9), (3, 5), (2, 31), (1, 63), (6, 1), (9, 8), (10, 10))


def cells_of(position: Position) -> Cells:
    signs = {0: 0, position.player: 1, 3 - position.player: -1}
    return {
        (column, position.height - 1 - index): signs[cell]
        for column, line in enumerate(position.grid())
        for index, cell in enumerate(line)
    }


def walk(column: int, row: int, direction: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """The cells after this one in a direction, without end."""
    while True:
        column, row = column + direction[0], row + direction[1]
        yield column, row


def count_along(cells: Cells, start: tuple[int, int], direction: tuple[int, int], kinds: set[int]) -> int:
    """How many cells of these kinds follow the start without a gap."""
    follow = takewhile(lambda cell: cells.get(cell, 9) in kinds, walk(*start, direction))
    return len(list(follow))


def reverse(direction: tuple[int, int]) -> tuple[int, int]:
    return -direction[0], -direction[1]


def chains(cells: Cells, who: int) -> Iterator[tuple[int, tuple[int, int], bool]]:
    """Length, direction and whether it can become four, of every chain of a player's discs."""
    for cell, disc in cells.items():
        for direction in DIRECTIONS:
            if disc == who and count_along(cells, cell, reverse(direction), {who}) == 0:
                room = 1 + sum(count_along(cells, cell, way, {who, 0}) for way in (direction, reverse(direction)))
                yield 1 + count_along(cells, cell, direction, {who}), direction, room >= 4


def windows(cells: Cells) -> Iterator[list[int]]:
    for column, row in cells:
        for direction in DIRECTIONS:
            places = [(column + k * direction[0], row + k * direction[1]) for k in range(4)]
            if all(place in cells for place in places):
                yield [cells[place] for place in places]


def run_through(cells: Cells, cell: tuple[int, int], who: int) -> int:
    """The longest run that a disc of this player in this cell would stand in."""
    return 1 + max(
        count_along(cells, cell, direction, {who}) + count_along(cells, cell, reverse(direction), {who})
        for direction in DIRECTIONS
    )


def naive_longest_run(cells: Cells) -> int:
    own, other = (max((length for length, _, _ in chains(cells, who)), default=0) for who in (1, -1))
    return own - other


def naive_potential(cells: Cells) -> int:
    total = 0
    for cell, disc in cells.items():
        for who in (1, -1):
            run = run_through(cells, cell, who) if disc == 0 else 0
            total += who * (10 * (run >= 4) + 5 * (run >= 3) + 2 * (run >= 2))
    return total


def naive_open_chains(cells: Cells) -> int:
    return sum(
        who * sum(n * 10**n for n in range(1, length + 1))
        for who in (1, -1)
        for length, _, alive in chains(cells, who)
        if alive
    )


def naive_positional(cells: Cells) -> int:
    width = 1 + max(column for column, _ in cells)
    centres = {(width - 1) // 2, width // 2}
    total = 0
    for (column, row), disc in cells.items():
        distance = min(abs(column - centre) for centre in centres)
        total += disc * ({0: 30, 1: 15, 2: 5}.get(distance, 2) - 5 * row)
    for who in (1, -1):
        for length, direction, alive in chains(cells, who):
            if alive and length in (2, 3):
                total += who * {2: 5, 3: 15}[length] * (4 if direction == (0, 1) else 5) // 5
    return total


def naive_windows(cells: Cells) -> int:
    total = 0
    for window in windows(cells):
        own, other, empty = (window.count(kind) for kind in (1, -1, 0))
        total += 10 * (own == 3 and empty == 1) + 2 * (own == 2 and empty == 2) - 5 * (other == 3 and empty == 1)
    return total


def is_playable(cells: Cells, cell: tuple[int, int]) -> bool:
    return cells[cell] == 0 and cells.get((cell[0], cell[1] - 1), 1) != 0


def naive_threat_parity(cells: Cells) -> int:
    threats = {
        who: {cell for cell, disc in cells.items() if disc == 0 and run_through(cells, cell, who) >= 4}
        for who in (1, -1)
    }
    now = {who: {cell for cell in threats[who] if is_playable(cells, cell)} for who in (1, -1)}
    if now[1]:
        return 1000
    if len(now[-1]) > 1 or any((column, row + 1) in threats[-1] for column, row in now[-1]):
        return -1000
    total = -15 if now[-1] else 0
    discs = list(cells.values())
    mover_began = discs.count(1) == discs.count(-1)
    for who in (1, -1):
        # Row 0 is the first one, an odd row.
        suiting_remainder, suiting_worth = (0, 28) if (who == 1) == mover_began else (1, 18)
        later = threats[who] - now[who]
        others = threats[-who] - now[-who]
        alive = {(c, r) for c, r in later if not any((c, below) in others for below in range(r))}
        for column, row in alive:
            total += who * (suiting_worth if row % 2 == suiting_remainder else 8)
            total += who * 10 * ((column, row - 1) in alive)
        for window in windows(cells):
            if -who not in window:
                total += who * {1: 2, 2: 5}.get(window.count(who), 0)
    return total


NAIVE: dict[str, Callable[[Cells], int]] = {
    "threat-parity": naive_threat_parity,
    "windows": naive_windows,
    "potential": naive_potential,
    "positional": naive_positional,
    "open-chains": naive_open_chains,
    "longest-run": naive_longest_run,
}


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


@pytest.mark.parametrize("name", sorted(set(EVALUATORS) - {"windows", "threat-parity"}))
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
        # A run of three against a run of two.
        ("longest-run", 1, 3 - 2),
        ("longest-run", 2, 2 - 3),
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
