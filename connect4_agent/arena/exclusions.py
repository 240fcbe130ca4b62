"""Exclusions: the agents whose remaining games are not played, and why."""

from __future__ import annotations

from connect4_agent.arena.run.record import Ending, GameRecord

FAULTS_IN_A_ROW = 3
"""After that many faults of the same kind, in the order of the schedule, an agent plays no more."""

BY_HAND = "by hand"

Pair = tuple[str, str]


class Exclusions:
    """Takes the games in any order and judges them in the order of the schedule."""

    def __init__(self) -> None:
        self._next_game = 0
        self._early: dict[int, tuple[Pair, Ending, int] | None] = {}
        """None is a game that says nothing yet: it was lost on time, and is to be continued."""
        self._streaks: dict[str, tuple[Ending, int]] = {}
        self._forfeited: dict[str, str] = {}
        self._disqualified: dict[str, str] = {}

    def disqualify(self, name: str) -> None:
        """Let an agent play no more, by hand."""
        self._disqualified.setdefault(name, BY_HAND)

    def of(self, agents: Pair) -> tuple[Ending, tuple[str | None, str | None]] | None:
        """How a game ends without being played, and why each of its agents is out; None if both play."""
        for reasons, ending in ((self._disqualified, Ending.DISQUALIFIED), (self._forfeited, Ending.FORFEITED)):
            if agents[0] in reasons or agents[1] in reasons:
                return ending, (reasons.get(agents[0]), reasons.get(agents[1]))
        return None

    def add(self, record: GameRecord) -> None:
        """Take a finished game into account."""
        at_fault = record.fault.player if record.fault is not None else 0
        if record.ending is Ending.DISQUALIFIED:
            for name in record.agents if record.winner is None else (record.agents[at_fault - 1],):
                self.disqualify(name)
        if record.game < self._next_game:  # continued, long after its neighbours
            return
        self._early[record.game] = None if record.is_due else (record.agents, record.ending, at_fault)
        while self._next_game in self._early:
            game = self._early.pop(self._next_game)
            self._next_game += 1
            if game is not None:
                self._judge(*game)

    def _judge(self, agents: Pair, ending: Ending, at_fault: int) -> None:
        if ending is Ending.FORFEITED:  # not played: it says nothing about the opponent
            self._forfeited.setdefault(agents[at_fault - 1], "it had forfeited before")
            return
        if ending is Ending.DISQUALIFIED:
            return
        for player, name in enumerate(agents, 1):
            if player != at_fault or not ending.is_fault:
                self._streaks.pop(name, None)
                continue
            kind, count = self._streaks.get(name, (ending, 0))
            count = count + 1 if kind is ending else 1
            self._streaks[name] = (ending, count)
            if count >= FAULTS_IN_A_ROW:
                self._forfeited.setdefault(name, f"{count} games in a row were lost by a fault: {ending}")
