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
        """Return a random open column."""
        column = random_source(self.seed, position).choice(position.legal_columns())
        return Choice(column, line=(column,))


class FirstOpenPlayer:
    """Plays the leftmost open column."""

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:  # noqa: ARG002  # one interface for all players
        """Return the leftmost open column."""
        column = position.legal_columns()[0]
        return Choice(column, line=(column,))


class OnePlyPlayer:
    """Plays the leftmost column that completes or blocks a four, otherwise a random open one."""

    def __init__(self, seed: int | None = None) -> None:
        self.seed = seed

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:  # noqa: ARG002  # one interface for all players
        """Return such a column."""
        urgent = [*position.winning_columns(), *position.passed().winning_columns()]
        column = min(urgent, default=None)
        if column is None:
            column = random_source(self.seed, position).choice(position.legal_columns())
        return Choice(column, line=(column,))


class GreedyPlayer:
    """Wins if it can, otherwise blocks, otherwise makes the best windows; ties are broken at random."""

    def __init__(self, seed: int | None = None) -> None:
        self.seed = seed

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:  # noqa: ARG002  # one interface for all players
        """Return a column that wins, else one that blocks, else one with the best window score after the move."""
        columns = position.winning_columns() or position.passed().winning_columns() or self._best_columns(position)
        column = random_source(self.seed, position).choice(columns)
        return Choice(column, line=(column,))

    def _best_columns(self, position: Position) -> list[int]:
        size = (position.width, position.height)
        windows = forms.new_evaluator("windows", *size)
        scores = {}
        for column in position.legal_columns():
            after = position.play(column)
            scores[column] = windows.value(after.opponent, after.own)
        best = max(scores.values())
        return [column for column, score in scores.items() if score == best]
