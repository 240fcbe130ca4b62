"""The perfect player: the book, then the solver; where time runs out, the best move that a search finds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from time import monotonic
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.book.lookup import shipped_book
from connect4_agent.engine import speed
from connect4_agent.engine.exact import ExactScores, canonical, principal_line
from connect4_agent.engine.negamax import NegamaxPlayer
from connect4_agent.engine.player import LARGE_BOARD_SECONDS, Choice, Limits, poll_until, random_source
from connect4_agent.engine.search import middle_first

if TYPE_CHECKING:
    from connect4_agent.book.lookup import Book
    from connect4_agent.engine.solver import Solver
    from connect4_agent.position import Position

LEAST_DISCS_FOR_TRAPS = 14
"""Traps are counted from so many discs on, where it takes some milliseconds; before that, in the book alone."""

SOLVER_SHARE = 0.5
"""The part of a time limit that the solver gets before a search takes over."""

LEAST_SECONDS = 0.001
"""What the search gets however late it is."""


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
        started = monotonic()  # reading the book and making a solver's table take their part of the time
        if self._book is None:
            self._book = shipped_book()
        # The rule for traps looks at one of the two mirror images, so that both are played alike.
        looked_at = position if self.seed is not None or self.plain_ties else canonical(position)
        solver = self._solver_for(position)
        nodes_before = solver.nodes
        seconds = limits.seconds
        if seconds is None and not self._is_quick(position):
            seconds = LARGE_BOARD_SECONDS
        poll = limits.poll if seconds is None else poll_until(started, seconds * SOLVER_SHARE, limits.poll)
        exact = ExactScores(solver, self._book, poll)
        proof = _Proof()
        is_line_wanted = limits.explain
        try:
            column = self._best(exact, looked_at, proof)
        except errors.OutOfTimeError:
            if not proof.keeping:
                left = None if seconds is None else max(seconds - (monotonic() - started), LEAST_SECONDS)
                found = self._fallback.choose(looked_at, replace(limits, seconds=left))
                return _seen_from(position, looked_at, proof.corrected(found, looked_at))
            column = proof.keeping[0]
            is_line_wanted = False
        assert proof.score is not None
        line = principal_line(exact, looked_at, column, proof.score) if is_line_wanted else (column,)
        nodes = solver.nodes - nodes_before
        choice = Choice(column, proof.score, exact=True, depth=position.empty_count, nodes=nodes, line=line)
        return _seen_from(position, looked_at, choice)

    def _is_quick(self, position: Position) -> bool:
        size = (position.width, position.height)
        compiled = speed.runs_compiled(*size) if self.compiled is None else self.compiled
        return size == (7, 6) and compiled

    def _best(self, exact: ExactScores, position: Position, proof: _Proof) -> int:
        """The column to play. What is known on the way is written into the proof."""
        assert self._book is not None
        by_traps = self.seed is None and not self.plain_ties
        if by_traps and not position.winning_columns():
            reply = self._book.reply(position)
            if reply is not None:
                proof.score = reply[1]
                return reply[0]
        proof.score = score = exact.score(position)
        counts_traps = by_traps and score <= 0 and position.disc_count >= LEAST_DISCS_FOR_TRAPS
        for column, keeps in exact.tried_columns(position, score):
            (proof.keeping if keeps else proof.giving_away).append(column)
            if keeps and self.seed is None and not counts_traps:
                return column
        if self.seed is not None:
            return random_source(self.seed, position).choice(sorted(proof.keeping))
        return exact.best_trap_of(proof.keeping, position, score)

    def _solver_for(self, position: Position) -> Solver:
        size = (position.width, position.height)
        if self._solver is None or self._solver_size != size:
            self._solver = speed.new_solver(*size, self.compiled)
            self._solver_size = size
        return self._solver


@dataclass(slots=True)
class _Proof:
    """What has been proved of a position so far."""

    score: int | None = None
    keeping: list[int] = field(default_factory=list)
    giving_away: list[int] = field(default_factory=list)

    def corrected(self, found: Choice, position: Position) -> Choice:
        """What a search found, unless that column is known to give something away."""
        if found.column not in self.giving_away:
            return found
        column = next(
            column
            for column in middle_first(position.width)
            if position.is_open(column) and column not in self.giving_away
        )
        return Choice(column, nodes=found.nodes, line=(column,))


def _seen_from(position: Position, looked_at: Position, choice: Choice) -> Choice:
    """A choice for a position, made for its mirror image if that was looked at."""
    if looked_at is position:
        return choice
    last = position.width - 1
    return replace(choice, column=last - choice.column, line=tuple(last - column for column in choice.line))
