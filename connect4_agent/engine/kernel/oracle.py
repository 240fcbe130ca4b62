"""Exact scores from a book and a solver: of a position, of all its columns, or of the columns of many positions.

A score is looked up if the book knows it. Otherwise it is searched for; with few discs, the book may know a position
before, and then a bound.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from connect4_agent.rules import geometry

from . import fours, order, tuning, word

if TYPE_CHECKING:
    from collections.abc import Callable

    from .book import Book
    from .solver import Solver


FULL = -128
"""Instead of a score: the column is full, or the game is over. No board of 128 bits has a score so low."""

PENDING = -127
"""Instead of a score that is still to be searched for."""

UNKNOWN = 1 << 20
"""Instead of a score, if the book does not know it and there is no solver."""


class Oracle:
    """Exact scores on boards of one size. Nobody has four in the positions, and a column is open.

    Without a book, everything is searched for; without a solver, what the book does not know is UNKNOWN. The book may
    know bounds of positions with up to `max_bounded` discs. `poll` is called often and may raise.
    """

    def __init__(self, width: int, height: int, book: Book | None, solver: Solver | None, max_bounded: int) -> None:
        self.width = width
        self.line_stride = geometry.line_stride(width, height)
        self.board = word.from_int(geometry.board_cells(width, height))
        self.bottom = word.from_int(geometry.bottom_cells(width, height))
        self.columns = word.words([geometry.column_cells(height, column) for column in range(width)])
        self.order = word.ints(order.middle_first(width))
        self.book = book
        self.solver = solver
        self.max_bounded = max_bounded

    def __dealloc__(self) -> None:
        word.release(self.columns)
        word.release_ints(self.order)

    def score(self, own: int, opponent: int, poll: Callable[[], None]) -> int:
        """Return the score of a position, `own` to move."""
        return self._score(word.from_int(own), word.from_int(opponent), poll)

    def bounded(self, own: int, opponent: int, poll: Callable[[], None], floor: int) -> int:
        """Return the score of a position if the book knows it; otherwise a number above the floor if the score is."""
        own_word = word.from_int(own)
        opponent_word = word.from_int(opponent)
        score = self._known(own_word, opponent_word, poll)
        return self._solved(own_word, opponent_word, poll, floor, floor + 1) if score == UNKNOWN else score

    def score_columns(self, own: int, opponent: int, poll: Callable[[], None], scores: list[int | None]) -> bool:
        """Write the score of every open column into the list, those nearest to the centre first.

        Whether all are known; otherwise some are missing.
        """
        own_word = word.from_int(own)
        opponent_word = word.from_int(opponent)
        occupied = own_word | opponent_word
        playable = occupied + self.bottom & self.board
        wins = self._wins(own_word, occupied)
        empties = word.popcount(self.board & ~occupied)
        for index in range(self.width):
            column = self.order[index]
            move = playable & self.columns[column]
            if move == 0:
                continue
            if move & wins:
                score = (empties + 1) >> 1
            elif empties == 1:
                score = 0
            else:
                score = self._score(opponent_word, own_word | move, poll)
                if score == UNKNOWN:
                    return False
                score = -score
            scores[column] = score
        return True

    def score_many(
        self, owns: list[int], opponents: list[int], solver: Solver, poll: Callable[[], None], weak: bool
    ) -> list[int]:
        """Return the scores of all columns of many positions, one position after the other; FULL instead of some.

        With `weak`, 1, 0 or -1 for a win, a draw or a loss. Games may be over. Searches run in the given solver, and
        let other Python threads run.
        """
        count = len(owns)
        answer = []
        own_words = word.words(owns)
        opponent_words = word.words(opponents)
        scores = word.ints([FULL] * (count * self.width))
        bounds = word.ints([-UNKNOWN] * (count * self.width))
        try:
            if self._look_up_many(own_words, opponent_words, count, scores, bounds, poll):
                solver.begin(poll)
                solver.yield_to_threads()
                self._solve_many(own_words, opponent_words, count, scores, bounds, solver, weak)
                solver.end()
            for index in range(count * self.width):
                score = scores[index]
                answer.append(1 if weak and score > 0 else -1 if weak and FULL < score < 0 else score)
        finally:
            word.release(own_words)
            word.release(opponent_words)
            word.release_ints(scores)
            word.release_ints(bounds)
        return answer

    def _look_up_many(
        self,
        owns: list[int],
        opponents: list[int],
        count: int,
        scores: list[int],
        bounds: list[int],
        poll: Callable[[], None],
    ) -> int:
        """Write what the rules or the book know; what has to be searched for is PENDING. How many scores that are.

        `bounds` gets lower bounds for the opponent's scores after those columns.
        """
        pending = 0
        for number in range(count):
            own = owns[number]
            opponent = opponents[number]
            if fours.has_four(own, self.line_stride) or fours.has_four(opponent, self.line_stride):
                continue
            occupied = own | opponent
            playable = occupied + self.bottom & self.board
            wins = self._wins(own, occupied)
            empties = word.popcount(self.board & ~occupied)
            is_known = self._may_know(word.popcount(occupied) + 1)
            for column in range(self.width):
                move = playable & self.columns[column]
                if move == 0:
                    continue
                if move & wins:
                    score = (empties + 1) >> 1
                elif empties == 1:
                    score = 0
                elif self._wins(opponent, occupied | move):
                    score = -(empties >> 1)
                else:
                    score = UNKNOWN
                    if is_known:
                        score = self._known(opponent, own | move, poll)
                    if score == UNKNOWN:
                        score = -PENDING
                        pending += 1
                        bounds[number * self.width + column] = self._least(opponent, own | move, poll)
                    score = -score
                scores[number * self.width + column] = score
        return pending

    def _solve_many(
        self,
        owns: list[int],
        opponents: list[int],
        count: int,
        scores: list[int],
        bounds: list[int],
        solver: Solver,
        weak: bool,
    ) -> None:
        """Search for what is PENDING, unless the poll raises."""
        for number in range(count):
            own = owns[number]
            opponent = opponents[number]
            playable = (own | opponent) + self.bottom & self.board
            for index in range(self.width):
                column = self.order[index]
                where = number * self.width + column
                if scores[where] == PENDING:
                    move = playable & self.columns[column]
                    if weak:
                        scores[where] = -solver._score(opponent, own | move, -1, 1)
                    else:
                        scores[where] = -self._solve(opponent, own | move, bounds[where], solver)
                    if solver.has_failed:
                        return

    def _solve(self, own: int, opponent: int, least: int, solver: Solver) -> int:
        """Return the score, which is at least this."""
        if least == -UNKNOWN:
            return solver._score(own, opponent, -tuning.INFINITY, tuning.INFINITY)
        if solver._score(own, opponent, least, least + 1) <= least:
            return least
        return solver._score(own, opponent, least, tuning.INFINITY)

    def _score(self, own: int, opponent: int, poll: Callable[[], None]) -> int:
        score = self._known(own, opponent, poll)
        if score != UNKNOWN or self.solver is None:
            return score
        least = self._least(own, opponent, poll)
        if least == -UNKNOWN:
            return self._solved(own, opponent, poll, -tuning.INFINITY, tuning.INFINITY)
        if self._solved(own, opponent, poll, least, least + 1) <= least:
            return least
        return self._solved(own, opponent, poll, least, tuning.INFINITY)

    def _solved(self, own: int, opponent: int, poll: Callable[[], None], lowest: int, highest: int) -> int:
        if self.solver is None:
            return UNKNOWN
        return self.solver.score(word.to_int(own), word.to_int(opponent), poll, lowest, highest)

    def _known(self, own: int, opponent: int, poll: Callable[[], None]) -> int:
        """Return the score if the position is won at once or in the book, otherwise UNKNOWN."""
        occupied = own | opponent
        if self._wins(own, occupied):
            return (word.popcount(self.board & ~occupied) + 1) >> 1
        if self.book is None or not self._may_know(word.popcount(occupied)):
            return UNKNOWN
        poll()  # looking scores up takes time where the code is not compiled
        score = self.book.score(word.to_int(own), word.to_int(opponent))
        return UNKNOWN if score is None else score

    def _may_know(self, discs: int) -> bool:
        return self.book is not None and self.book.may_know(discs)

    def _least(self, own: int, opponent: int, poll: Callable[[], None]) -> int:
        """Return a lower bound of the score; -UNKNOWN if there is none.

        No move improves a position for the side that made it. So what the position before any of the possible last
        moves was worth to the opponent is an upper bound for the opponent now.
        """
        least = -UNKNOWN
        occupied = own | opponent
        if word.popcount(occupied) > self.max_bounded:
            return least
        # Above the discs of every column is one bit of the sum; below that bit, the topmost disc.
        last = occupied + self.bottom >> 1 & opponent
        while last:
            cell = last & ~(last - 1)
            last ^= cell
            if self._wins(opponent ^ cell, occupied ^ cell) == 0:
                score = self._known(opponent ^ cell, own, poll)
                if score != UNKNOWN:
                    least = max(least, -score)
        return least

    def _wins(self, own: int, occupied: int) -> int:
        """Return the cells in which the side to move can make four with its next disc."""
        return fours.threats(own, self.line_stride) & occupied + self.bottom & self.board
