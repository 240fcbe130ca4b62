"""Engine: what thinking about boards of one size needs, and the choice among equally good moves.

The rule for such a choice looks for traps. If a position is won, every reply loses: there is nothing to choose. If it
is drawn or lost, a reply is a mistake if it leaves the opponent less than before (a loss instead of a draw, a draw or
a loss instead of a win), and the move after which most replies are mistakes is the best; then the one nearest the
centre, then the lower column. Of a position and its mirror image, the one with the smaller key is examined, so that
both are played alike.
"""

from __future__ import annotations

import threading
from functools import cached_property
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.engine.book.files import EMPTY_BOOK, book_for
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.oracle import UNKNOWN
from connect4_agent.engine.kernel.order import do_nothing, middle_first

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from connect4_agent.engine.kernel.book import Book
    from connect4_agent.engine.kernel.plans import Plans
    from connect4_agent.rules.position import Position

    Poll = Callable[[], None]
    """Called often during long work; what it raises ends that and reaches the caller (see limits.py)."""

MAX_DISCS_BOUNDED = 13
"""Up to this many discs, a book may know a position's predecessors; beyond that, looking them up gains nothing."""

MAX_ENGINES = 2
"""The number of engines that `engine_for` keeps for each thread; a filled table takes 8 MB."""


def engine_for(width: int, height: int, form: str | None = None, book: Book | None = None) -> Engine:
    """Return this thread's engine for boards of one size; the two that were asked for last stay warm."""
    key = (width, height, forms.solver_form(width, height, form), book)
    engines = _this_thread.engines
    engine = engines.pop(key) if key in engines else Engine(*key)
    engines[key] = engine
    if len(engines) > MAX_ENGINES:
        del engines[next(iter(engines))]
    return engine


class NotInBookError(Exception):
    """The book does not know a score, and there is no solver to ask."""


class Engine:
    """The book, the solver with its table, and the search for plans, for boards of one size.

    All positions have this size, and nobody has four in them. An engine serves one thread at a time: asked by a
    second one, it raises RuntimeError. Without a solver, what the book does not know raises NotInBookError.
    """

    def __init__(
        self, width: int, height: int, form: str | None = None, book: Book | None = None, *, has_solver: bool = True
    ) -> None:
        self.width = width
        self.height = height
        self.form = forms.solver_form(width, height, form)
        book = book_for(width, height) if book is None else book
        self.book = book if (book.width, book.height) == (width, height) else EMPTY_BOOK
        self.solver = forms.new_solver(width, height, self.form) if has_solver else None
        known = None if self.book is EMPTY_BOOK else self.book
        self._oracle = forms.new_oracle(width, height, known, self.solver, MAX_DISCS_BOUNDED, self.form)

    @cached_property
    def plans(self) -> Plans:
        """The search for plans and forced sequences."""
        return forms.new_plans(self.width, self.height, self.form)

    @cached_property
    def book_only(self) -> Engine:
        """An engine with the same book and no solver."""
        return Engine(self.width, self.height, self.form, self.book, has_solver=False)

    @property
    def nodes(self) -> int:
        """The number of positions that the solver has visited so far."""
        return self.solver.nodes if self.solver is not None else 0

    def score(self, position: Position, poll: Poll = do_nothing) -> int:
        """Return the score of a position in which a column is open."""
        return _require_known(self._oracle.score(position.own, position.opponent, poll))

    def is_above(self, position: Position, floor: int, poll: Poll = do_nothing) -> bool:
        """Return whether the score of a position is above the floor."""
        return _require_known(self._oracle.bounded(position.own, position.opponent, poll, floor)) > floor

    def score_columns(self, position: Position, scores: list[int | None], poll: Poll = do_nothing) -> None:
        """Write the score of every open column into the list, those nearest to the centre first.

        If the poll or a missing score ends it, the list has what was known by then.
        """
        if not self._oracle.score_columns(position.own, position.opponent, poll, scores):
            raise NotInBookError

    def column_scores(self, position: Position, poll: Poll = do_nothing) -> list[int | None]:
        """Return the score of the position if a column is played, for every column; None for a full one."""
        scores: list[int | None] = [None] * position.width
        self.score_columns(position, scores, poll)
        return scores

    def score_many(self, owns: list[int], opponents: list[int], weak: bool, poll: Poll = do_nothing) -> list[int]:
        """Return the scores of all columns of many positions, one position after the other; see Oracle.score_many."""
        assert self.solver is not None
        return self._oracle.score_many(owns, opponents, self.solver, poll, weak)

    def known_reply(self, position: Position, poll: Poll = do_nothing) -> tuple[int, int] | None:
        """Return the column to play by the rule for traps and the score, if the book alone has the scores for it."""
        if position.winning_columns():
            return None
        if reply := self.book.reply(position.own, position.opponent):
            return reply
        score = self.book.score(position.own, position.opponent)
        if score is None:
            return None
        try:
            return self.book_only.best_trap(position, score, poll), score
        except NotInBookError:
            return None

    def tried_columns(self, position: Position, score: int, poll: Poll = do_nothing) -> Iterator[tuple[int, bool]]:
        """Yield the open columns, nearest to the centre first, each with whether it keeps the position's score.

        A column is tried when it is asked for.
        """
        winning = position.winning_columns()
        for column in middle_first(position.width):
            if position.is_open(column):
                yield column, column in winning if winning else self._keeps(position.play(column), score, poll)

    def _keeps(self, after: Position, score: int, poll: Poll) -> bool:
        return score <= 0 if after.is_full else not self.is_above(after, -score, poll)

    def best_columns(self, position: Position, score: int, poll: Poll = do_nothing) -> list[int]:
        """Return all columns that keep the score, nearest to the centre first."""
        return [column for column, keeps in self.tried_columns(position, score, poll) if keeps]

    def first_best_column(self, position: Position, score: int, poll: Poll = do_nothing) -> int:
        """Return the first of these columns; the others are not examined."""
        return next(column for column, keeps in self.tried_columns(position, score, poll) if keeps)

    def mistakes_after(self, position: Position, column: int, score: int, poll: Poll = do_nothing) -> int:
        """Return how many replies to the column are mistakes, given a score of 0 or less."""
        after = position.play(column)
        floor = 0 if score == 0 else -1
        mistakes = 0
        for reply in map(after.play, after.legal_columns()):
            if reply.winner is None:
                mistakes += floor < 0 if reply.is_full else self.is_above(reply, floor, poll)
        return mistakes

    def best_trap(self, position: Position, score: int, poll: Poll = do_nothing) -> int:
        """Return the best column by the rule for traps, at any cost."""
        if score > 0:
            return self.first_best_column(position, score, poll)
        return self.best_trap_among(self.best_columns(position, score, poll), position, score, poll)

    def best_trap_among(self, columns: list[int], position: Position, score: int, poll: Poll = do_nothing) -> int:
        """Return the best of the columns that keep a score of 0 or less, by the rule for traps."""
        if len(columns) == 1:
            return columns[0]
        return max(columns, key=lambda column: self.mistakes_after(position, column, score, poll))

    def line(self, position: Position, column: int, score: int, poll: Poll = do_nothing) -> tuple[int, ...]:
        """Return this column and the perfect play after it: of equally good columns, the one nearest to the centre.

        If time runs out, the line ends early.
        """
        columns = [column]
        position, score = position.play(column), -score
        try:
            while not position.is_over:
                poll()  # a solver that finds everything in its table would never do it
                columns.append(self.first_best_column(position, score, poll))
                position, score = position.play(columns[-1]), -score
        except errors.OutOfTimeError:
            pass
        return tuple(columns)


class _ThisThread(threading.local):
    def __init__(self) -> None:
        self.engines: dict[tuple[int, int, str, Book | None], Engine] = {}


_this_thread = _ThisThread()


def _require_known(score: int) -> int:
    if score == UNKNOWN:
        raise NotInBookError
    return score
