"""Perfect play: the move that keeps the exact score of a position, from the book and the solver.

Among equally good moves the default rule looks for traps. Where the position is won, every reply loses:
there is nothing to choose. Where it is drawn or lost, a reply is a mistake if it gives the opponent less
than it had (a win for us where it was a draw, no loss where it was one), and the move after which most
replies are mistakes is played; then the one nearest the centre, then the lower column. Traps are counted
where LEAST_DISCS_FOR_TRAPS discs or more are on the board, so that they cost milliseconds; the book was
computed with this rule everywhere. Of a position and its mirror image, the one with the smaller key is
looked at, so that mirror images are played alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from connect4_agent.engine.search import middle_first

if TYPE_CHECKING:
    from collections.abc import Callable

    from connect4_agent.engine.solver import Solver
    from connect4_agent.position import Position

LEAST_DISCS_FOR_TRAPS = 14


class ScoreBook(Protocol):
    """What knows the scores of some positions."""

    def score(self, position: Position) -> int | None:
        """The score of a position in which nobody can win at once, if it is known."""


class ExactScores:
    """Scores from a book where it knows them, and from the solver elsewhere."""

    def __init__(self, solver: Solver, book: ScoreBook | None, poll: Callable[[], None]) -> None:
        self._solver = solver
        self._book = book
        self._poll = poll

    def score(self, position: Position) -> int:
        """The score of a position in which nobody has four."""
        known = self._known(position)
        return self._solver.score(position.own, position.opponent, self._poll) if known is None else known

    def is_above(self, position: Position, floor: int) -> bool:
        """Whether the score is above this."""
        known = self._known(position)
        if known is None:
            known = self._solver.score(position.own, position.opponent, self._poll, floor, floor + 1)
        return known > floor

    def _known(self, position: Position) -> int | None:
        if self._book is None or position.winning_columns():
            return None
        return self._book.score(position)

    def best_columns(self, position: Position, score: int) -> list[int]:
        """The columns that keep the score of a position in which nobody has four, the nearest to the centre first."""
        winning = position.winning_columns()
        columns = [column for column in middle_first(position.width) if position.is_open(column)]
        if winning:
            return [column for column in columns if column in winning]
        return [column for column in columns if not self.is_above(position.play(column), -score)]

    def mistakes_after(self, position: Position, column: int, score: int) -> int:
        """How many replies to the column give away what a score of 0 or less promises the opponent."""
        after = position.play(column)
        replies = [after.play(reply) for reply in after.legal_columns()]
        floor = 0 if score == 0 else -1
        return sum(reply.winner is None and self.is_above(reply, floor) for reply in replies)

    def best_trap(self, position: Position, score: int) -> int:
        """The best column by the rule for traps, whatever the cost."""
        columns = self.best_columns(position, score)
        if score > 0 or len(columns) == 1:
            return columns[0]
        return max(columns, key=lambda column: self.mistakes_after(position, column, score))


def canonical(position: Position) -> Position:
    """The position or its mirror image, whichever has the smaller key."""
    mirrored = position.mirrored()
    return mirrored if mirrored.key < position.key else position
