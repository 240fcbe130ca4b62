"""The summary: what a finished run says in a few plain lines."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from connect4_agent.arena.record import Ending

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from connect4_agent.arena.record import GameRecord
    from connect4_agent.arena.report import AgentReport


@dataclass(slots=True)
class Pairing:
    """The games of two agents, counted from the side of the one that is named first."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0
    distinct: set[int] = field(default_factory=set)

    @property
    def played(self) -> int:
        """The games that were started."""
        return self.wins + self.draws + self.losses


@dataclass(frozen=True, slots=True)
class Summary:
    """The counts of a run."""

    pairings: dict[tuple[str, str], Pairing]
    faults: dict[tuple[str, Ending], int]
    """By agent and kind."""
    overruns: dict[str, int]

    @property
    def has_faults(self) -> bool:
        """Whether any agent broke the protocol or its time limit, or forfeited."""
        return bool(self.faults) or any(pairing.forfeits for pairing in self.pairings.values())

    def lines(self) -> list[str]:
        """The counts as text."""
        lines = []
        for (one, two), pairing in self.pairings.items():
            forfeits = f", {pairing.forfeits} forfeited" if pairing.forfeits else ""
            lines.append(
                f"{one} - {two}: {pairing.wins} won, {pairing.draws} drawn, {pairing.losses} lost by {one}; "
                f"{_count(pairing.played, 'game')}, {len(pairing.distinct)} distinct{forfeits}"
            )
        lines += [f"{agent}: {_count(count, 'fault')}, {kind}" for (agent, kind), count in self.faults.items()]
        lines += [f"{agent}: {_count(count, 'move')} over the time limit" for agent, count in self.overruns.items()]
        return lines


def judged_lines(agents: Iterable[AgentReport]) -> list[str]:
    """What the solver says of the agents' moves, as text."""
    lines = []
    for agent in agents:
        if agent.judged is not None:
            kinds = ", ".join(f"{name} {count.count}" for name, count in agent.judged.mistakes.items())
            lines.append(
                f"{agent.name}: {agent.judged.errors.per_100_moves:.2f} errors per 100 moves; "
                f"of {_count(agent.judged.moves, 'move')}: {kinds}"
            )
    return lines


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def summarize(records: Iterable[GameRecord], order: Sequence[str]) -> Summary:
    """Count games; of a pairing, the agent that comes first in `order` is named first.

    Two games are the same if the same agents make the same moves, whatever their player numbers.
    """
    places = {name: place for place, name in enumerate(order)}
    pairings: dict[tuple[str, str], Pairing] = {}
    faults: Counter[tuple[str, Ending]] = Counter()
    overruns: Counter[str] = Counter()
    for record in records:
        one, two = record.agents
        names = (one, two) if places[one] < places[two] else (two, one)
        pairing = pairings.setdefault(names, Pairing())
        if record.ending is Ending.FORFEITED:
            pairing.forfeits += 1
            continue
        if record.ending is Ending.STOPPED:
            continue
        if record.winner is None:
            pairing.draws += 1
        elif record.agents[record.winner - 1] == names[0]:
            pairing.wins += 1
        else:
            pairing.losses += 1
        pairing.distinct.add(hash((record.agents[record.first - 1], record.columns)))
        if record.fault is not None:
            faults[record.agents[record.fault.player - 1], record.ending] += 1
        for overrun in record.overruns:
            overruns[record.agents[overrun.player - 1]] += 1
    ordered = sorted(pairings, key=lambda names: (places[names[0]], places[names[1]]))
    return Summary({names: pairings[names] for names in ordered}, dict(faults), dict(overruns))
