"""Oversights: what can be seen on the board before a move."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from connect4_agent.rules.oversights import Oversight, oversights
from connect4_agent.rules.position import Position
from tests.effort import examples
from tests.processes import REPOSITORY

NEVER = 3
"""More discs than are looked ahead."""


@st.composite
def unfinished(draw: st.DrawFn, sizes: tuple[tuple[int, int], ...] = ((7, 6), (6, 5), (5, 4), (4, 4))) -> Position:
    """A position after some moves; most of them overlook nothing, so that games get far."""
    position = Position(*draw(st.sampled_from(sizes)))
    for _ in range(draw(st.integers(0, position.empty_count - 1))):
        careful = [column for column in position.legal_columns() if column not in oversights(position)]
        is_careful = draw(st.integers(0, 5)) > 0
        columns = careful if careful and is_careful else position.legal_columns()
        after = position.play(draw(st.sampled_from(columns)))
        if after.is_over:
            break
        position = after
    return position


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


@given(unfinished())
@examples(150)
def test_an_oversight_loses_time_at_least_and_could_have_been_avoided(position: Position) -> None:
    found = oversights(position)
    legal = position.legal_columns()
    assert set(found) < set(legal)
    if position.winning_columns():
        assert found == {column: "missed four" for column in legal if column not in position.winning_columns()}
        return
    after = {column: position.play(column) for column in legal}
    soonest = {column: NEVER if each.is_over else discs_to_four(each, 2) for column, each in after.items()}
    for column, oversight in found.items():
        assert soonest[column] < max(soonest.values())
        assert soonest[column] == (2 if oversight is Oversight.ALLOWED_DOUBLE else 1)
    # Nothing else that loses to the next disc is left out if another column does not.
    if max(soonest.values()) > 1:
        assert {column for column in legal if soonest[column] == 1} <= set(found)


@given(unfinished())
@examples(150)
def test_the_kinds_say_where_the_four_is(position: Position) -> None:
    assume(not position.winning_columns())
    threatened = set(position.passed().winning_columns())
    for column, oversight in oversights(position).items():
        wins = set(position.play(column).winning_columns())
        if oversight is Oversight.UNBLOCKED_FOUR:
            assert wins & threatened
        if oversight is Oversight.GAVE_ABOVE:
            assert wins == {column}
        if oversight is Oversight.ALLOWED_DOUBLE:
            assert wins == set()


@given(unfinished())
@examples(60)
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
