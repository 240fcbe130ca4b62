"""What is said while games are played: who leads, and which agents had faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from connect4_agent.arena.faults import Fault
from connect4_agent.arena.record import GameRecord
from connect4_agent.arena.spec import AgentSpec
from connect4_agent.jobs.progress import Progress
from connect4_agent.text import escaped, short

MAX_FAULT_LINES = 20
"""After that many, faults are no longer shown as they happen; the journal holds all of them."""

NO_MORE_FAULTS = "more faults are not shown here; the journal holds them"

LEADERS = 3
"""How many agents are named as leading."""


class GameProgress:
    """Counts finished games, says who leads, and shows faults until there are too many of them."""

    def __init__(self, progress: Progress, agents: Mapping[str, AgentSpec]) -> None:
        self._progress = progress
        self._agents = agents
        self._fault_lines = 0
        self._points: Counter[str] = Counter()
        self._games: Counter[str] = Counter()

    def add(self, record: GameRecord) -> None:
        """Count a finished game."""
        for player, name in enumerate(record.agents, 1):
            self._games[name] += 1
            self._points[name] += 2 if record.winner == player else record.winner is None  # halves

    def show(self, record: GameRecord, finished: int) -> None:
        """Show a finished game; `finished` is the total."""
        if record.fault is not None and self._fault_lines <= MAX_FAULT_LINES:
            self._fault_lines += 1
            self._progress.say(
                self._fault_line(record, record.fault) if self._fault_lines <= MAX_FAULT_LINES else NO_MORE_FAULTS
            )
        self._progress.count(finished, self._leaders())

    def _leaders(self) -> str:
        first = sorted(self._games, key=lambda name: -self._points[name] / self._games[name])[:LEADERS]
        scores = (f"{short(escaped(name), 30)} {self._points[name] / 2:g}/{self._games[name]}" for name in first)
        return f"leading: {', '.join(scores)}" if first else ""

    def _fault_line(self, record: GameRecord, fault: Fault) -> str:
        name = record.agents[fault.player - 1]
        words = escaped(record.fault_words(self._agents[name].command))
        return f"game {record.game}: {name} {_VERBS.get(record.ending, record.ending)}: {words}"


_VERBS = {
    "illegal move": "made an illegal move",
    "malformed reply": "gave a malformed reply",
}
