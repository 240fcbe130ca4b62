"""Outcome: how a finished game ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from connect4_agent.rules import geometry
from connect4_agent.rules.position import Position, stride_of

Reason = Literal["four in a row", "draw"]
"""Why a game is over."""

Cell = tuple[int, int]
"""A column and a row, both counted from 0 at the bottom left."""

FOUR: Reason = "four in a row"
DRAW: Reason = "draw"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: what `Position.outcome` gives once the game is over."""

    winner: int | None
    """The player who has four in a row, 1 or 2; None for a draw."""
    reason: Reason
    """`"four in a row"` or `"draw"`."""
    cells: tuple[Cell, ...] = ()
    """The cells of the winning lines as `(column, row)`, both counted from 0 at the bottom left; empty for a draw."""


def outcome_of(position: Position) -> Outcome | None:
    """How the game ended; None if it is not over."""
    winner = position.winner
    if winner is None:
        return Outcome(None, DRAW) if position.is_full else None
    lines = lines_of(position, winner)
    return Outcome(winner, FOUR, tuple(sorted({cell for line in lines for cell in line})))


def lines_of(position: Position, player: int) -> list[list[Cell]]:
    """The lines of four discs or more that a player has, each as long as it is, from its left or lower end."""
    stride = stride_of(position.height)
    discs = position.discs_1 if player == 1 else position.discs_2
    return [[divmod(bit, stride) for bit in line] for line in geometry.lines_of(discs, stride)]
