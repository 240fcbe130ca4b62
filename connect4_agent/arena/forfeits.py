"""Forfeits: which agents have had so many faults that their remaining games are not started."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connect4_agent.arena.record import Ending

if TYPE_CHECKING:
    from connect4_agent.arena.record import GameRecord

FAULTS_IN_A_ROW = 3
"""So many of the same kind, in the order of the schedule, and an agent plays no more."""


class Forfeits:
    """Takes the games in any order and judges them in the order of the schedule."""

    def __init__(self) -> None:
        self._next_game = 0
        self._early: dict[int, tuple[tuple[str, str], Ending, int]] = {}
        self._streaks: dict[str, tuple[Ending, int]] = {}
        self._out: dict[str, str] = {}

    def add(self, record: GameRecord) -> None:
        """Take a finished game into account."""
        at_fault = record.fault.player if record.fault is not None else 0
        self._early[record.game] = (record.agents, record.ending, at_fault)
        while (game := self._early.pop(self._next_game, None)) is not None:
            self._next_game += 1
            self._judge(*game)

    def reason(self, agent: str) -> str | None:
        """Why the agent plays no more; None if it does."""
        return self._out.get(agent)

    def _judge(self, agents: tuple[str, str], ending: Ending, at_fault: int) -> None:
        if ending is Ending.FORFEITED:  # not played: it says nothing about the opponent
            self._out.setdefault(agents[at_fault - 1], "it had forfeited before")
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
