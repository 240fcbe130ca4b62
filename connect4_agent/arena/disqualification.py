"""Disqualification: which agents play no more because their games killed the processes that ran them."""

from __future__ import annotations

from dataclasses import dataclass, field

from connect4_agent.arena.run.record import Ending, GameRecord

BY_HAND = "by hand"
TWO_PAIRINGS = "its games killed worker processes in two pairings"
TWICE = "its games killed worker processes twice"

Pair = tuple[str, str]


@dataclass(slots=True)
class Disqualified:
    """Who is out, and the deaths that may put others out."""

    reasons: dict[str, str] = field(default_factory=dict)
    """By the names of those who are out."""
    _deaths: dict[frozenset[str], int] = field(default_factory=dict)

    def take_over(self, record: GameRecord) -> None:
        """Remember from the journal of an earlier time who is out."""
        if record.ending is Ending.DISQUALIFIED and record.fault is not None:
            losers = [record.agents[record.fault.player - 1]] if record.winner is not None else record.agents
            for name in losers:
                self.reasons.setdefault(name, record.fault.detail)

    def of(self, agents: Pair) -> tuple[str | None, str | None]:
        """Why the agents of a game are out; None for one that is not."""
        return self.reasons.get(agents[0]), self.reasons.get(agents[1])

    def add_death(self, agents: Pair) -> bool:
        """Count a worker that died over a game of these agents; whether somebody is to blame in this pairing.

        An agent with deaths in two pairings is out; then nobody else is to blame.
        """
        pair = frozenset(agents)
        self._deaths[pair] = self._deaths.get(pair, 0) + 1
        for name in agents:
            if sum(name in other for other in self._deaths) >= 2:
                self.reasons.setdefault(name, TWO_PAIRINGS)
        return self._deaths[pair] >= 2 and self.of(agents) == (None, None)
