"""Exact scores: book and solver behind one service, and the choice among equally good moves.

The default rule for such a choice looks for traps. If a position is won, every reply loses: there is
nothing to choose. If it is drawn or lost, a reply is a mistake if it leaves the opponent less than it had
(a loss where it had a draw, a draw or a loss where it had a win), and the move after which most replies are
mistakes is the best; then the one nearest the centre, then the lower column. Of a position and its mirror
image, the one with the smaller key is examined, so that both are played alike.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.engine.book.library import book_for
from connect4_agent.engine.book.lookup import Book
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.oracle import UNKNOWN
from connect4_agent.engine.kernel.order import do_nothing, middle_first

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from connect4_agent.engine.kernel.oracle import Known, Oracle
    from connect4_agent.engine.kernel.solver import Solver
    from connect4_agent.rules.position import Position

    ScoreBook = Book | Known

MAX_DISCS_BOUNDED = 13
"""Up to this many discs, a book may know a position's predecessors; beyond that, looking them up gains nothing."""

MAX_SOLVERS = 2
"""How many solvers a thread keeps, the most recently used, one per board size; a filled table takes 8 MB."""


def exact_scores(
    width: int,
    height: int,
    poll: Callable[[], None] = do_nothing,
    *,
    book: ScoreBook | None = None,
    form: str | None = None,
) -> ExactScores:
    """Return the scores of boards of one size, from the size's book or the given one, and from this thread's solver.

    `poll` is called often and may raise to end a search. The solver's table stays filled between uses.
    """
    form = forms.solver_form(width, height, form)
    solver = _thread_solver(width, height, form)
    book = book_for(width, height) if book is None else book
    last_solver, last_book, oracle = _this_thread.last
    if oracle is None or last_solver is not solver or last_book is not book:
        oracle = forms.new_oracle(width, height, lookup_of(book, width, height), solver, MAX_DISCS_BOUNDED, form)
        _this_thread.last = solver, book, oracle
    return ExactScores(solver, book, poll, oracle)


def book_scores(width: int, height: int) -> ExactScores:
    """The scores of boards of one size from its book alone; what it does not know raises NotInBookError."""
    return ExactScores(None, book_for(width, height), do_nothing)


class NotInBookError(Exception):
    """The book does not know a score, and there is no solver to ask."""


class _ThisThread(threading.local):
    def __init__(self) -> None:
        self.solvers: dict[tuple[int, int, str], Solver] = {}
        self.last: tuple[Solver | None, ScoreBook | None, Oracle | None] = (None, None, None)
        """The solver and the book that were asked for last, and what asks them."""


_this_thread = _ThisThread()


def _thread_solver(width: int, height: int, form: str) -> Solver:
    key = (width, height, form)
    solvers = _this_thread.solvers
    solver = solvers.pop(key) if key in solvers else forms.new_solver(width, height, form)
    solvers[key] = solver
    while len(solvers) > MAX_SOLVERS:
        del solvers[next(iter(solvers))]
    return solver


class ExactScores:
    """Scores from a book if it knows them, otherwise from the solver; without one, NotInBookError is raised.

    All positions have the same size. `oracle`, if given, has this solver and this book.
    """

    def __init__(
        self,
        solver: Solver | None,
        book: ScoreBook | None,
        poll: Callable[[], None],
        oracle: Oracle | None = None,
    ) -> None:
        self.solver = solver
        self._book = book
        self._poll = poll
        self._made_oracle = oracle

    @property
    def nodes(self) -> int:
        """The positions that the solver has visited so far."""
        return self.solver.nodes if self.solver is not None else 0

    def _oracle(self, position: Position) -> Oracle:
        if self._made_oracle is None:
            size = position.width, position.height
            self._made_oracle = forms.new_oracle(*size, lookup_of(self._book, *size), self.solver, MAX_DISCS_BOUNDED)
        return self._made_oracle

    def score(self, position: Position) -> int:
        """The score of a position in which nobody has four and a column is open."""
        return _found(self._oracle(position).score(position.own, position.opponent, self._poll))

    def is_above(self, position: Position, floor: int) -> bool:
        """Whether the score is above this."""
        return _found(self._oracle(position).bounded(position.own, position.opponent, self._poll, floor)) > floor

    def score_columns(self, position: Position, scores: list[int | None]) -> None:
        """Write the score of every open column into the list, those nearest to the centre first. Nobody has four.

        If the poll or a missing score ends it, the list has what was known by then.
        """
        if not self._oracle(position).score_columns(position.own, position.opponent, self._poll, scores):
            raise NotInBookError

    def column_scores(self, position: Position) -> list[int | None]:
        """The score of the position if a column is played, for every column; None for a full one. Nobody has four."""
        scores: list[int | None] = [None] * position.width
        self.score_columns(position, scores)
        return scores

    def known_reply(self, position: Position) -> tuple[int, int] | None:
        """The column to play by the rule for traps and the score, if the book alone has the scores for it."""
        if not isinstance(self._book, Book) or position.winning_columns():
            return None
        if reply := self._book.reply(position):
            return reply
        score = self._book.score(position)
        if score is None:
            return None
        try:
            return ExactScores(None, self._book, self._poll).best_trap(position, score), score
        except NotInBookError:
            return None

    def tried_columns(self, position: Position, score: int) -> Iterator[tuple[int, bool]]:
        """The open columns, nearest to the centre first, each with whether it keeps the position's score.

        Nobody has four. A column is tried when it is asked for.
        """
        winning = position.winning_columns()
        for column in middle_first(position.width):
            if position.is_open(column):
                yield column, column in winning if winning else self._keeps(position.play(column), score)

    def _keeps(self, after: Position, score: int) -> bool:
        return score <= 0 if after.is_full else not self.is_above(after, -score)

    def best_columns(self, position: Position, score: int) -> list[int]:
        """All columns that keep the score, nearest to the centre first."""
        return [column for column, keeps in self.tried_columns(position, score) if keeps]

    def first_best_column(self, position: Position, score: int) -> int:
        """The first of these columns; the others are not examined."""
        return next(column for column, keeps in self.tried_columns(position, score) if keeps)

    def mistakes_after(self, position: Position, column: int, score: int) -> int:
        """How many replies to the column are mistakes, given a score of 0 or less."""
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
        """Of the columns that keep a score of 0 or less, the best by the rule for traps."""
        if len(columns) == 1:
            return columns[0]
        return max(columns, key=lambda column: self.mistakes_after(position, column, score))

    def principal_line(self, position: Position, column: int, score: int) -> tuple[int, ...]:
        """This column, and those with which perfect play continues: of equally good ones, the nearest to the centre.

        If time runs out, the line ends early.
        """
        line = [column]
        position, score = position.play(column), -score
        try:
            while not position.is_over:
                self._poll()  # a solver that finds everything in its table would never do it
                column = self.first_best_column(position, score)
                line.append(column)
                position, score = position.play(column), -score
        except errors.OutOfTimeError:
            pass
        return tuple(line)


def lookup_of(book: ScoreBook | None, width: int, height: int) -> Known | None:
    """What a book knows about boards of this size."""
    if isinstance(book, Book):
        return book.lookup if (book.width, book.height) == (width, height) else None
    return book


def _found(score: int) -> int:
    if score == UNKNOWN:
        raise NotInBookError
    return score
