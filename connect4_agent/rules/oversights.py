"""Oversights: what a person could have seen before a move, found from the position alone, without a solver."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from connect4_agent.rules.geometry import Cell
    from connect4_agent.rules.position import Position


class Oversight(StrEnum):
    """The kinds of oversight, the plainest first; a closed set.

    Each of them costs something, and some other column would have avoided it: who cannot stop a four overlooks none.
    """

    MISSED_FOUR = "missed four"
    """The player could have made four."""
    UNBLOCKED_FOUR = "unblocked four"
    """The other side could already make four, and still can."""
    ALLOWED_DOUBLE = "allowed double threat"
    """The other side can now make two fours at once, beside or above each other, of which only one can be blocked."""
    GAVE_ABOVE = "gave the cell above"
    """The other side can make four right above the disc."""


@lru_cache(maxsize=100)  # a game is looked at in several ways, one after the other
def oversights(position: Position) -> Mapping[int, Oversight]:
    """Return what each column would overlook; those that overlook nothing are left out. The game must not be over."""
    legal = position.legal_columns()
    if wins := position.winning_columns():
        return {column: Oversight.MISSED_FOUR for column in legal if column not in wins}
    after = {column: position.play(column) for column in legal}
    fours = {column: after[column].winning_columns() for column in legal}
    safe = [column for column in legal if not fours[column]]
    if not safe:
        return {}
    blocked = set(position.passed().winning_columns())
    found = {
        column: Oversight.UNBLOCKED_FOUR if blocked & set(fours[column]) else Oversight.GAVE_ABOVE
        for column in legal
        if fours[column]
    }
    if len(safe) > 1:
        lost = {column: loss for column in safe if (loss := _loss_in_two(after[column])) is not None}
        if len(lost) < len(safe):
            found |= {column: Oversight.ALLOWED_DOUBLE for column, loss in lost.items() if loss}
    return found


def danger_cells(position: Position, column: int, oversight: Oversight) -> tuple[Cell, ...]:
    """Return the cells that show what a column overlooks: the four, or a double threat's disc and its two ends."""
    if oversight is Oversight.MISSED_FOUR:
        return _four(position)
    after = position.play(column)
    return (_loss_in_two(after) or ()) if oversight is Oversight.ALLOWED_DOUBLE else _four(after)


def _four(position: Position) -> tuple[Cell, ...]:
    """Return the cells of the four that the side to move can make."""
    outcome = position.play(position.winning_columns()[0]).outcome
    return outcome.cells if outcome else ()


def _cell(position: Position, column: int) -> Cell:
    return column, sum(map(bool, position.grid()[column]))


def _loss_in_two(position: Position) -> tuple[Cell, ...] | None:
    """Return the disc and the two ends of a double threat of the side to move, which cannot make four yet.

    Empty if it forces a four with its second disc in another way only; None if it does not.
    """
    forced = None
    for column in position.legal_columns():
        after = position.play(column)
        if after.is_full or after.winning_columns():
            continue
        threats = after.passed().winning_columns()
        if len(threats) > 1:
            return (_cell(position, column), *(_cell(after, threat) for threat in threats))
        if threats and (wins := (blocked := after.play(threats[0])).winning_columns()):
            return _cell(position, column), _cell(after, threats[0]), _cell(blocked, wins[0])
        if not threats and all(after.play(reply).winning_columns() for reply in after.legal_columns()):
            forced = ()
    return forced
