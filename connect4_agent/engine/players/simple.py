"""Players that look at most one ply ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connect4_agent.engine.kernel import forms
from connect4_agent.engine.limits import NO_LIMITS
from connect4_agent.engine.players.player import Choice, random_source

if TYPE_CHECKING:
    from connect4_agent.engine.limits import Limits
    from connect4_agent.rules.position import Position


class RandomPlayer:
    """Plays a random open column; with a seed, always the same one in the same position."""

    def __init__(self, seed: int | None = None) -> None:
        self.seed = seed

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:  # noqa: ARG002  # one interface for all players
        """Return a random one of the columns that this player likes equally well."""
        return Choice(random_source(self.seed, position).choice(self.equal_columns(position)))

    def equal_columns(self, position: Position) -> list[int]:
        """Return the columns among which the player chooses at random."""
        return position.legal_columns()


class FirstOpenPlayer:
    """Plays the leftmost open column."""

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:  # noqa: ARG002  # one interface for all players
        """Return the leftmost open column."""
        return Choice(position.legal_columns()[0])


class OnePlyPlayer(RandomPlayer):
    """Plays the leftmost column that completes or blocks a four, otherwise a random open one."""

    def equal_columns(self, position: Position) -> list[int]:
        """Return that column, or all open ones."""
        urgent = [*position.winning_columns(), *position.passed().winning_columns()]
        return [min(urgent)] if urgent else position.legal_columns()


class GreedyPlayer(RandomPlayer):
    """Wins if it can, otherwise blocks, otherwise makes the best windows; ties are broken at random."""

    def equal_columns(self, position: Position) -> list[int]:
        """Return the columns that win, else those that block, else those with the best windows after the move."""
        if urgent := position.winning_columns() or position.passed().winning_columns():
            return urgent
        windows = forms.new_evaluator("windows", position.width, position.height)
        scores = {}
        for column in position.legal_columns():
            after = position.play(column)
            scores[column] = windows.value(after.opponent, after.own)
        best = max(scores.values())
        return [column for column, score in scores.items() if score == best]
