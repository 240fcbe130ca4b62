"""The perfect player: the book, then the solver; if time runs out, the best move that a search finds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.engine.engine import engine_for
from connect4_agent.engine.kernel.order import middle_first
from connect4_agent.engine.limits import NO_LIMITS
from connect4_agent.engine.players.negamax import NegamaxPlayer
from connect4_agent.engine.players.player import Choice, random_source

if TYPE_CHECKING:
    from connect4_agent.engine.engine import Engine, Poll
    from connect4_agent.engine.kernel.book import Book
    from connect4_agent.engine.limits import Limits
    from connect4_agent.rules.position import Position

MAX_EMPTY_FOR_TRAPS = 28
"""Traps are counted with this few empty cells, where it takes some milliseconds; before that, from the book alone."""


@dataclass(eq=False)
class PerfectPlayer:
    """Gives nothing away wherever it finds a proof in time: wins as early and loses as late as possible.

    A choice that is not proven says so: `exact` is False.

    Among equally good moves it follows the rule for traps (see engine.py); with `plain_ties` it takes the one
    nearest the centre, then the lower column; with a seed, any of them, but always the same one in the same
    position. `seconds` is a limit of its own, beside the caller's; without any, `Limits.for_proofs` sets one, except on
    the usual board and on small ones. `form` is the form of the solver, None the one that runs here.
    """

    seed: int | None = None
    plain_ties: bool = False
    book: Book | None = None
    form: str | None = None
    seconds: float | None = None

    @cached_property
    def _fallback(self) -> NegamaxPlayer:
        return NegamaxPlayer(None, seed=self.seed, form=self.form)

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
        """Return the best column, or the best one found when time runs out."""
        started = limits.clock()  # reading the book and making a solver's table take their part of the time
        # The rule for traps looks at one of the two mirror images, so that both are played alike.
        examined = position if self.seed is not None or self.plain_ties else position.canonical()
        limits = limits.at_most(self.seconds).for_proofs(position.width, position.height, self.form)
        poll = limits.timed_poll(started, limits.proof_share)
        engine = engine_for(position.width, position.height, self.form, self.book)
        nodes_before = engine.nodes
        proof = _Proof()
        is_line_wanted = limits.explain
        try:
            column = self._best(engine, examined, proof, poll)
        except errors.OutOfTimeError:
            if not proof.keeping:
                choice = self._fallback.choose(examined, limits.since(started))
                return _unmirrored(position, examined, proof.corrected(choice, examined))
            column = proof.keeping[0]
            is_line_wanted = False
        assert proof.score is not None
        line = engine.line(examined, column, proof.score, poll) if is_line_wanted else (column,)
        nodes = engine.nodes - nodes_before
        choice = Choice(column, proof.score, exact=True, depth=position.empty_count, nodes=nodes, line=line)
        return _unmirrored(position, examined, choice)

    def _best(self, engine: Engine, position: Position, proof: _Proof, poll: Poll) -> int:
        """Return the column to play. What is known on the way is written into the proof."""
        by_traps = self.seed is None and not self.plain_ties
        if by_traps and (reply := engine.known_reply(position, poll)):
            column, proof.score = reply
            return column
        proof.score = score = engine.score(position, poll)
        counts_traps = by_traps and score <= 0 and position.empty_count <= MAX_EMPTY_FOR_TRAPS
        for column, keeps in engine.tried_columns(position, score, poll):
            (proof.keeping if keeps else proof.giving_away).append(column)
            if keeps and self.seed is None and not counts_traps:
                return column
        if self.seed is not None:
            return random_source(self.seed, position).choice(sorted(proof.keeping))
        return engine.best_trap_among(proof.keeping, position, score, poll)


@dataclass(slots=True)
class _Proof:
    """The scores of a position that are proven so far."""

    score: int | None = None
    keeping: list[int] = field(default_factory=list)
    giving_away: list[int] = field(default_factory=list)

    def corrected(self, choice: Choice, position: Position) -> Choice:
        """Return what a search chose, unless that column is known to give something away."""
        if choice.column not in self.giving_away:
            return choice
        column = next(
            column
            for column in middle_first(position.width)
            if position.is_open(column) and column not in self.giving_away
        )
        return Choice(column, nodes=choice.nodes)


def _unmirrored(position: Position, examined: Position, choice: Choice) -> Choice:
    """Return a choice for a position, translated back if its mirror image was examined."""
    if examined is position:
        return choice
    last = position.width - 1
    return replace(choice, column=last - choice.column, line=tuple(last - column for column in choice.line))
