"""Players of a Python program, in a module of their own so that worker processes can import them."""

from __future__ import annotations

from dataclasses import dataclass

from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.player import Choice
from connect4_agent.rules.position import Position


class Leftmost:
    """Chooses the leftmost open column."""

    def choose(self, position: Position, limits: Limits) -> Choice:  # noqa: ARG002  # the interface of a player
        return Choice(position.legal_columns()[0])


@dataclass
class Answers:
    """Answers always the same, whatever it is."""

    answer: object

    def choose(self, position: Position, limits: Limits) -> int:  # noqa: ARG002  # the interface of a player
        return self.answer  # type: ignore[return-value]  # that is the point


def rightmost(position: Position) -> int:
    """Chooses the rightmost open column."""
    return position.legal_columns()[-1]


def own_discs(position: Position) -> int:
    """An evaluator that counts discs."""
    return position.own.bit_count()
