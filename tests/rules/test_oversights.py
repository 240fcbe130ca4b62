"""Oversights: what can be seen on the board before a move."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from connect4_agent.rules.oversights import Oversight, oversights
from connect4_agent.rules.position import Position
from tests.boards import seeds
from tests.effort import examples
from tests.processes import REPOSITORY

NEVER = 3
"""More discs than are looked ahead."""


def careful_position(seed: int) -> Position:
    """A position after some moves; most of them overlook nothing, so that games get far."""
    random = Random(seed)
    position = Position(*random.choice(((7, 6), (6, 5), (5, 4), (4, 4))))
    for _ in range(random.randrange(position.empty_count)):
        careful = [column for column in position.legal_columns() if column not in oversights(position)]
        columns = careful if careful and random.random() < 0.8 else position.legal_columns()
        after = position.play(random.choice(columns))
        if after.is_over:
            break
        position = after
    return position


careful_positions = st.builds(careful_position, seeds)


def discs_to_four(position: Position, discs: int) -> int:
    """With which of its next discs the side to move can force four; NEVER if it takes more than so many."""
    for needed in range(1, discs + 1):
        for column in position.legal_columns():
            after = position.play(column)
            if after.winner == position.player:
                return needed
            if needed == 1 or after.is_over:
                continue
            replies = [after.play(reply) for reply in after.legal_columns()]
            if all(not each.is_over and discs_to_four(each, needed - 1) < needed for each in replies):
                return needed
    return NEVER


def can_make_two_fours(position: Position) -> bool:
    """Whether some disc of the side to move threatens a four, and no reply prevents every four."""
    afters = [position.play(column) for column in position.legal_columns()]
    return any(
        after.passed().winning_columns() and all(after.play(reply).winning_columns() for reply in after.legal_columns())
        for after in afters
        if not after.is_over and not after.winning_columns()
    )


@given(careful_positions)
@example(Position.from_drawing("..OO/.OOX/.XOX/XOXX", player=1))  # column 0 loses for want of moves: no oversight
@example(Position.from_drawing("OO../OX../XOXX/OXXO", player=1))  # so does column 2, and column 3 is no worse
@examples(600)
def test_an_oversight_is_what_costs_a_four_that_another_column_would_have_saved(position: Position) -> None:
    found = oversights(position)
    after = {column: position.play(column) for column in position.legal_columns()}
    if wins := position.winning_columns():
        assert found == {column: Oversight.MISSED_FOUR for column in after if column not in wins}
        return
    soonest = {column: NEVER if each.is_over else discs_to_four(each, 2) for column, each in after.items()}
    threatened = set(position.passed().winning_columns())
    expected = {}
    for column, discs in soonest.items():
        if discs == 1 < max(soonest.values()):
            is_old = threatened & set(after[column].winning_columns())
            expected[column] = Oversight.UNBLOCKED_FOUR if is_old else Oversight.GAVE_ABOVE
        if discs == 2 < max(soonest.values()) and can_make_two_fours(after[column]):
            expected[column] = Oversight.ALLOWED_DOUBLE
    assert found == expected
    for column, oversight in found.items():
        if oversight is Oversight.GAVE_ABOVE:
            assert after[column].winning_columns() == [column]


@given(careful_positions)
@examples(200)
def test_mirrored_positions_have_mirrored_oversights(position: Position) -> None:
    mirrored = {position.width - 1 - column: found for column, found in oversights(position).items()}
    assert oversights(position.mirrored()) == mirrored


def test_who_cannot_stop_a_four_overlooks_nothing() -> None:
    position = Position.from_moves("443322")
    assert oversights(position.passed()) == {}  # columns 1 and 5 both make four
    assert oversights(Position.from_moves("44332")) == {}


@pytest.mark.parametrize(("moves", "column"), [("1727", 1), ("444", 4), ("443", 5), ("443322", 5)])
def test_a_move_that_sees_everything_overlooks_nothing(moves: str, column: int) -> None:
    assert column - 1 not in oversights(Position.from_moves(moves))


def test_the_documentation_has_an_example_of_every_kind() -> None:
    page = (REPOSITORY / "docs" / "puzzles.md").read_text()
    for oversight in Oversight:
        row = re.search(rf"^\| {oversight} \| .* \| `(\d+)` (\d): .* \|$", page, re.MULTILINE)
        assert row is not None, oversight
        assert oversights(Position.from_moves(row[1]))[int(row[2]) - 1] is oversight
