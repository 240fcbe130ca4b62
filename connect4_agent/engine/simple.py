"""Players that look one ply ahead at the most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from connect4_agent.engine import speed
from connect4_agent.engine.player import Choice, Limits, random_source

if TYPE_CHECKING:
    from connect4_agent.position import Position


@dataclass(frozen=True, slots=True)
class RandomPlayer:
    """Plays any open column; with a seed, always the same one in the same position."""

    seed: int | None = None

    def choose(self, position: Position, limits: Limits) -> Choice:  # noqa: ARG002  # one interface for all players
        """A random open column."""
        column = random_source(self.seed, position).choice(position.legal_columns())
        return Choice(column, line=(column,))


@dataclass(frozen=True, slots=True)
class FirstOpenPlayer:
    """Plays the leftmost open column."""

    def choose(self, position: Position, limits: Limits) -> Choice:  # noqa: ARG002  # one interface for all players
        """The leftmost open column."""
        column = position.legal_columns()[0]
        return Choice(column, line=(column,))


@dataclass(frozen=True, slots=True)
class GreedyPlayer:
    """Wins where it can, else blocks, else makes the best windows; any one of columns that are as good."""

    seed: int | None = None

    def choose(self, position: Position, limits: Limits) -> Choice:  # noqa: ARG002  # one interface for all players
        """A column that wins, else one that blocks, else one of those with the best window score after the move."""
        columns = position.winning_columns() or position.passed().winning_columns() or self._best_columns(position)
        column = random_source(self.seed, position).choice(columns)
        return Choice(column, line=(column,))

    def _best_columns(self, position: Position) -> list[int]:
        size = (position.width, position.height)
        windows = speed.new_evaluator("windows", *size, speed.runs_compiled(*size))
        scores = {}
        for column in position.legal_columns():
            after = position.play(column)
            scores[column] = windows.value(after.opponent, after.own)
        best = max(scores.values())
        return [column for column, score in scores.items() if score == best]
