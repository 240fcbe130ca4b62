"""Exclusions: the agents whose remaining games are not played, and why."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Literal

from connect4_agent.arena.faults import Ending
from connect4_agent.arena.record import GameRecord

FAULTS_IN_A_ROW = 3
"""After that many games in a row that it lost by a fault, in the order of the schedule, an agent is paused."""


@dataclass(frozen=True, slots=True)
class Out:
    """Why an agent plays no more."""

    kind: Literal["paused", "disqualified"]
    reason: str


class Exclusions:
    """Takes finished games in any order, and looks at them in the order of the schedule."""

    def __init__(self, disqualified: Iterable[str], retries: Mapping[str, int]) -> None:
        self.out = {name: Out("disqualified", "by hand") for name in disqualified}
        self._retries = retries
        self._games: dict[str, list[tuple[int, Ending | None]]] = {}
        """Of each agent: the places of its games in the schedule, and the faults by which it lost them."""

    def add(self, place: int, record: GameRecord) -> None:
        """Take a game into account that is finished."""
        for player, name in enumerate(record.agents, 1):
            if record.game <= self._retries.get(name, 0):
                continue
            is_at_fault = record.fault is not None and record.fault.player == player
            games = self._games.setdefault(name, [])
            at = bisect(games, place, key=itemgetter(0))
            games.insert(at, (place, record.ending if is_at_fault else None))
            if name in self.out:
                self._judge(name, games)
            elif is_at_fault:
                self._judge(name, games[max(0, at - FAULTS_IN_A_ROW + 1) : at + FAULTS_IN_A_ROW])

    def _judge(self, name: str, games: list[tuple[int, Ending | None]]) -> None:
        """A game that ends late may come between others, so that they were not in a row after all."""
        if name in self.out and self.out[name].kind != "paused":
            return
        faults: list[Ending] = []
        for _, ending in games:
            faults = [*faults, ending] if ending is not None else []
            if len(faults) == FAULTS_IN_A_ROW:
                kinds = ", ".join(dict.fromkeys(faults))
                self.out[name] = Out("paused", f"{FAULTS_IN_A_ROW} faults in a row ({kinds})")
                return
        self.out.pop(name, None)
