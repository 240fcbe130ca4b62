"""Exact scores from book and solver, and the choice among equally good moves.

The default rule for such a choice looks for traps. Where a position is won, every reply loses: there is
nothing to choose. Where it is drawn or lost, a reply is a mistake if it gives the opponent less than it had
(a loss where it had a draw, a draw or a loss where it had a win), and the move after which most replies are
mistakes is the best; then the one nearest the centre, then the lower column. Of a position and its mirror
image, the one with the smaller key is looked at, so that both are played alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from connect4_agent import errors
from connect4_agent.engine.search import middle_first

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from connect4_agent.engine.solver import Solver
    from connect4_agent.position import Position


MOST_DISCS_BOUNDED = 10
"""Up to so many discs a book may know the positions that led to one; beyond that, asking for them gains nothing."""


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
        if known is not None:
            return known
        least = self._least(position)
        if least is None:
            return self._solver.score(position.own, position.opponent, self._poll)
        if not self.is_above(position, least):
            return least
        return self._solver.score(position.own, position.opponent, self._poll, least)

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

    def _least(self, position: Position) -> int | None:
        """What the score is at the least: nobody gets more in a position than was promised before the last move."""
        if position.disc_count > MOST_DISCS_BOUNDED:
            return None
        before = [self._known(each) for each in position.predecessors()]
        return max((-score for score in before if score is not None), default=None)

    def tried_columns(self, position: Position, score: int) -> Iterator[tuple[int, bool]]:
        """The open columns, the nearest to the centre first, each with whether it keeps the position's score.

        Nobody has four. A column is tried when it is asked for.
        """
        winning = position.winning_columns()
        for column in middle_first(position.width):
            if position.is_open(column):
                yield column, column in winning if winning else self._keeps(position.play(column), score)

    def _keeps(self, after: Position, score: int) -> bool:
        return score <= 0 if after.is_full else not self.is_above(after, -score)

    def best_columns(self, position: Position, score: int) -> list[int]:
        """All columns that keep the score, the nearest to the centre first."""
        return [column for column, keeps in self.tried_columns(position, score) if keeps]

    def first_best_column(self, position: Position, score: int) -> int:
        """The first of these columns; the others are not looked at."""
        return next(column for column, keeps in self.tried_columns(position, score) if keeps)

    def mistakes_after(self, position: Position, column: int, score: int) -> int:
        """How many replies to the column give away what a score of 0 or less promises the opponent."""
        after = position.play(column)
        floor = 0 if score == 0 else -1
        mistakes = 0
        for reply in map(after.play, after.legal_columns()):
            if reply.winner is None:
                mistakes += floor < 0 if reply.is_full else self.is_above(reply, floor)
        return mistakes

    def best_trap(self, position: Position, score: int) -> int:
        """The best column by the rule for traps, whatever the cost."""
        if score > 0:
            return self.first_best_column(position, score)
        return self.best_trap_of(self.best_columns(position, score), position, score)

    def best_trap_of(self, columns: list[int], position: Position, score: int) -> int:
        """The best by the rule for traps of the columns that keep a score of 0 or less."""
        if len(columns) == 1:
            return columns[0]
        return max(columns, key=lambda column: self.mistakes_after(position, column, score))


def canonical(position: Position) -> Position:
    """The position or its mirror image, whichever has the smaller key."""
    mirrored = position.mirrored()
    return mirrored if mirrored.key < position.key else position


def principal_line(exact: ExactScores, position: Position, column: int, score: int) -> tuple[int, ...]:
    """The columns that perfect play goes on with after this one, the nearest to the centre of the best each time.

    Where time runs out, the line ends.
    """
    line = [column]
    position, score = position.play(column), -score
    try:
        while not position.is_over:
            column = exact.first_best_column(position, score)
            line.append(column)
            position, score = position.play(column), -score
    except errors.OutOfTimeError:
        pass
    return tuple(line)
