"""The summary of a run in a few plain lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from connect4_agent.arena.report.tally import Tally


def result_lines(tally: Tally, order: Sequence[str]) -> Iterator[str]:
    """Results, faults and overruns; a pairing names the agent that comes first in `order` first.

    Two games are the same if the same agents make the same moves, whatever their player numbers.
    """
    for one, two in combinations(order, 2):
        if (pairing := tally.pairing(one, two)) is not None:
            results = pairing.results
            yield (
                f"{one} - {two}: {results.wins} won, {results.draws} drawn, {results.losses} lost by {one}; "
                f"{_count(results.games, 'game')}, {len(pairing.plays)} distinct"
            )
    report = tally.report("")
    for fault in report.faults:
        yield f"{fault.agent}: {_count(fault.count, 'fault')}, {fault.ending}"
    for agent in sorted(report.agents, key=lambda agent: order.index(agent.name)):
        if agent.overruns:
            yield f"{agent.name}: {_count(agent.overruns, 'move')} over the time limit"


def judged_lines(tally: Tally, order: Sequence[str]) -> Iterator[str]:
    """The solver's judgement of the agents' moves."""
    plays = dict(tally.judged_plays())
    for name in order:
        if play := plays.get(name):
            kinds = ", ".join(f"{kind} {count.count}" for kind, count in play.mistakes.items())
            yield (
                f"{name}: {play.errors.per_100_moves:.2f} errors per 100 moves; "
                f"of {_count(play.moves, 'move')}: {kinds}"
            )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
