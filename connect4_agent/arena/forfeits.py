"""Forfeits: which agents have had too many faults in a row, so that their remaining games are not started."""

from __future__ import annotations

from connect4_agent.arena.run.record import Ending, GameRecord

FAULTS_IN_A_ROW = 3
"""After that many faults of the same kind, in the order of the schedule, an agent plays no more."""


class Forfeits:
    """Takes the games in any order and judges them in the order of the schedule."""

    def __init__(self) -> None:
        self._next_game = 0
        self._early: dict[int, tuple[tuple[str, str], Ending, int] | None] = {}
        """None is a game that says nothing: the machine was busy."""
        self._streaks: dict[str, tuple[Ending, int]] = {}
        self._out: dict[str, str] = {}

    def add(self, record: GameRecord) -> None:
        """Take a finished game into account."""
        if record.game < self._next_game:  # played again, long after its neighbours
            return
        at_fault = record.fault.player if record.fault is not None else 0
        is_busy = record.machine_busy
        self._early[record.game] = None if is_busy else (record.agents, record.ending, at_fault)
        while self._next_game in self._early:
            game = self._early.pop(self._next_game)
            self._next_game += 1
            if game is not None:
                self._judge(*game)

    def reason(self, agent: str) -> str | None:
        """Why the agent plays no more; None if it does."""
        return self._out.get(agent)

    def _judge(self, agents: tuple[str, str], ending: Ending, at_fault: int) -> None:
        if ending is Ending.FORFEITED:  # not played: it says nothing about the opponent
            self._out.setdefault(agents[at_fault - 1], "it had forfeited before")
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
                self._out.setdefault(name, f"{count} games in a row were lost by a fault: {ending}")
