"""The player of the longest run: six plies ahead, its own runs alone, and the middle one of equal columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connect4_agent.engine.limits import NO_LIMITS
from connect4_agent.engine.players.negamax import NegamaxPlayer
from connect4_agent.engine.players.player import Choice, obvious_column

if TYPE_CHECKING:
    from connect4_agent.engine.limits import Limits
    from connect4_agent.rules.position import Position

PLIES = 6

WIN = 9999
"""The value of a four, however soon it comes; -9999 of the opponent's. Any other board is worth its own longest run."""


class LongestRunPlayer:
    """Plays by the rule of a course's JSON player.

    If it has no disc on the board, it plays column `width // 2`. Otherwise it values every column by itself, and of
    those with the best value it plays the middle one. A four ends a line of search. If time runs out, the search is one
    of fewer plies.
    """

    def __init__(self, form: str | None = None) -> None:
        self._negamax = NegamaxPlayer(PLIES, "longest-run", form=form, rates_full_boards=True)

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
        """Return the middle one of the best columns, with their value."""
        started = limits.clock()
        column = position.width // 2
        if not position.own and position.is_open(column):
            return Choice(column)
        columns = position.legal_columns()
        values, plies, nodes = self._negamax.value_columns(position, columns, limits, started)
        if not plies:
            return Choice(obvious_column(position), nodes=nodes)
        rated = {column: max(-WIN, min(value, WIN)) for column, value in zip(columns, values, strict=True)}
        best = max(rated.values())
        equal = [column for column, value in rated.items() if value == best]
        return Choice(equal[len(equal) // 2], score=best, depth=plies, nodes=nodes)
