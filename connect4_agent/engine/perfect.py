"""The perfect player: the book, then the solver; where time runs out, the best move that a search finds."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.book.lookup import shipped_book
from connect4_agent.engine import speed
from connect4_agent.engine.exact import ExactScores, canonical, principal_line
from connect4_agent.engine.negamax import NegamaxPlayer
from connect4_agent.engine.player import LARGE_BOARD_SECONDS, Choice, Limits, poll_until, random_source

if TYPE_CHECKING:
    from connect4_agent.book.lookup import Book
    from connect4_agent.engine.solver import Solver
    from connect4_agent.position import Position

LEAST_DISCS_FOR_TRAPS = 14
"""Traps are counted from so many discs on, where it takes some milliseconds; before that, in the book alone."""

SOLVER_SHARE = 0.5
"""The part of a time limit that the solver gets before a search takes over."""


class PerfectPlayer:
    """Never gives away anything: wins as early and loses as late as possible.

    Among equally good moves it follows the rule for traps (see exact.py); with `plain_ties` it takes the one
    nearest the centre, then the lower column; with a seed, any of them, but always the same one in the same
    position. Without a time limit it takes the time that it needs on the usual board, and LARGE_BOARD_SECONDS
    on others or where the solver is not compiled. `compiled` chooses the form, None what is there.
    """

    def __init__(
        self,
        seed: int | None = None,
        plain_ties: bool = False,
        book: Book | None = None,
        compiled: bool | None = None,
    ) -> None:
        self.seed = seed
        self.plain_ties = plain_ties
        self.compiled = compiled
        self._book = book
        self._solver: Solver | None = None
        self._solver_size = (0, 0)
        self._fallback = NegamaxPlayer(None, seed=seed, compiled=compiled)

    def choose(self, position: Position, limits: Limits) -> Choice:
        """The best column; the best one found where time runs out."""
        if self._book is None:
            self._book = shipped_book()
        solver = self._solver_for(position)
        nodes_before = solver.nodes
        seconds = limits.seconds
        if seconds is None and not self._is_quick(position):
            seconds = LARGE_BOARD_SECONDS
        poll = limits.poll if seconds is None else poll_until(monotonic(), seconds * SOLVER_SHARE, limits.poll)
        exact = ExactScores(solver, self._book, poll)
        try:
            column, score = self._best(exact, position)
        except errors.OutOfTimeError:
            left = None if seconds is None else seconds * (1 - SOLVER_SHARE)
            return self._fallback.choose(position, replace(limits, seconds=left))
        line = principal_line(exact, position, column, score) if limits.explain else (column,)
        nodes = solver.nodes - nodes_before
        return Choice(column, score, exact=True, depth=position.empty_count, nodes=nodes, line=line)

    def _is_quick(self, position: Position) -> bool:
        size = (position.width, position.height)
        compiled = speed.runs_compiled(*size) if self.compiled is None else self.compiled
        return size == (7, 6) and compiled

    def _best(self, exact: ExactScores, position: Position) -> tuple[int, int]:
        """The column to play and the position's score."""
        assert self._book is not None
        by_traps = self.seed is None and not self.plain_ties
        if not position.winning_columns():
            reply = self._book.reply(position)
            if reply is not None and by_traps:
                return reply
        score = exact.score(position)
        if self.seed is not None:
            return random_source(self.seed, position).choice(sorted(exact.best_columns(position, score))), score
        if self.plain_ties:
            return exact.first_best_column(position, score), score
        looked_at = canonical(position)
        if position.disc_count >= LEAST_DISCS_FOR_TRAPS:
            column = exact.best_trap(looked_at, score)
        else:
            column = exact.first_best_column(looked_at, score)
        return column if looked_at is position else position.width - 1 - column, score

    def _solver_for(self, position: Position) -> Solver:
        size = (position.width, position.height)
        if self._solver is None or self._solver_size != size:
            compiled = speed.runs_compiled(*size) if self.compiled is None else self.compiled
            self._solver = speed.new_solver(*size, compiled)
            self._solver_size = size
        return self._solver
