"""A report as tables of text, for a terminal, a pipe or a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from connect4_agent.arena.report.model import AgentReport, MistakeCount, Pairing, Report
from connect4_agent.arena.report.ratings import Estimate, SprtState
from connect4_agent.arena.run.record import Ending
from connect4_agent.rules.scores import Mistake
from connect4_agent.text import escaped

MISSING = "n/a"


@dataclass(frozen=True, slots=True)
class Table:
    """A title, a header, rows of cells, and a line that says how to read them."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    left: frozenset[int] = frozenset({0})
    """The columns that hold words; all others hold figures and are aligned right."""


def headline(report: Report) -> str:
    """The run in one line."""
    parts = [f"{report.games} games", f"{report.rated_games} rated", f"{report.distinct_games} distinct"]
    if report.void_games:
        parts.append(f"{report.void_games} void")
    if report.due_games:
        parts.append(f"{report.due_games} to be continued")
    return f"{escaped(report.run)}: {', '.join(parts)}"


def tables_of(report: Report) -> Iterator[Table]:
    """The report's tables in reading order; tables without rows are left out."""
    for table in (
        crosstable(report),
        ratings_table(report),
        _pairings_table(report),
        _pairs_table(report),
        _sprt_table(report),
        _judged_table(report),
        _endings_table(report),
        _faults_table(report),
        _slowest_table(report),
    ):
        if table.rows:
            yield table


def crosstable(report: Report) -> Table:
    """Points and games of every agent against every other."""
    found = {(pairing.a, pairing.b): (pairing.points, pairing.games) for pairing in report.pairings}
    found |= {(p.b, p.a): (p.games - p.points, p.games) for p in report.pairings}
    rows = []
    for number, agent in enumerate(report.agents, 1):
        cells = []
        for other in report.agents:
            points, games = found.get((agent.name, other.name), (0, 0))
            cells.append("·" if agent is other else f"{points:g}/{games}" if games else "-")
        rows.append(
            (f"{number} {escaped(agent.name)}", *cells, f"{agent.points:g}/{agent.games}", percent(agent.score))
        )
    return Table(
        "Crosstable",
        ("agent", *(str(number) for number in range(1, len(report.agents) + 1)), "all", "score"),
        tuple(rows),
        "Points/games of the row's agent against the column's, rated games only; a draw is half a point.",
    )


def ratings_table(report: Report) -> Table:
    """Ratings, from the strongest to the weakest."""
    zero = f"{escaped(report.anchor)} is 0" if report.anchor else "the rated agents' mean is 0"
    unrated = "".join(
        f" {escaped(agent.name)} has no rating: it {agent.rating_note}." for agent in report.agents if agent.rating_note
    )
    return Table(
        "Ratings",
        ("agent", "Elo", "95 % interval", "games", "won", "drawn", "lost", "score"),
        tuple(
            (
                escaped(agent.name),
                signed(agent.rating.value),
                interval(agent.rating),
                str(agent.games),
                str(agent.wins),
                str(agent.draws),
                str(agent.losses),
                percent(agent.score),
            )
            for agent in report.agents
        ),
        f"Bradley-Terry ratings on the Elo scale; {zero}.{unrated}",
    )


def _pairings_table(report: Report) -> Table:
    return Table(
        "Pairings, game by game",
        ("A", "B", "games", "distinct", "won", "drawn", "lost", "score", "Elo", "95 % interval", "LOS"),
        tuple(
            (
                *_names(pairing),
                str(pairing.games),
                str(pairing.distinct_games),
                str(pairing.wins),
                str(pairing.draws),
                str(pairing.losses),
                percent(pairing.score),
                signed(pairing.elo.value),
                interval(pairing.elo),
                percent(pairing.superiority),
            )
            for pairing in report.pairings
        ),
        "All figures from A's side: a positive Elo difference means that A did better; "
        "LOS is the likelihood of superiority, that A is the stronger one.",
        frozenset({0, 1}),
    )


def _pairs_table(report: Report) -> Table:
    """Every pairing, counted in pairs of games with the same opening."""
    return Table(
        "Pairings, by game pairs",
        ("A", "B", "0", "½", "1", "1½", "2", "unpaired", "Elo", "95 % interval", "LOS"),
        tuple(
            (
                *_names(pairing),
                *map(str, pairing.pairs),
                str(pairing.unpaired_games),
                signed(pairing.pair_elo.value),
                interval(pairing.pair_elo),
                percent(pairing.pair_superiority),
            )
            for pairing in report.pairings
            if sum(pairing.pairs)
        ),
        "Pairs of games with the same opening and swapped sides in which A took 0 to 2 points; figures from A's side. "
        "These intervals are the ones to trust: the two games of a pair share the opening's luck.",
        frozenset({0, 1}),
    )


def _sprt_table(report: Report) -> Table:
    bounds = report.sprt_bounds
    if bounds is None:
        return Table("Sequential test", (), ())
    rows = []
    for pairing in report.pairings:
        for unit, state in (("games", pairing.sprt), ("pairs", pairing.pair_sprt)):
            if state is not None:
                rows.append((*_names(pairing), unit, number(state.llr, "+.2f"), _range(state), state.verdict))
    return Table(
        "Sequential test",
        ("A", "B", "counted in", "LLR", "bounds", "verdict"),
        tuple(rows),
        f"SPRT of Elo {bounds.elo0:+g} (elo0) against {bounds.elo1:+g} (elo1) from A's side, "
        f"alpha {bounds.alpha:g}, beta {bounds.beta:g}.",
        frozenset({0, 1, 2, 5}),
    )


def _judged_table(report: Report) -> Table:
    rows = []
    for agent in report.agents:
        if agent.judged is not None:
            counts = (agent.judged.errors, *(agent.judged.mistakes[mistake.value] for mistake in Mistake))
            accuracy = f"{agent.judged.accuracy:.1f}"
            rows.append((escaped(agent.name), str(agent.judged.moves), accuracy, *map(_per_100, counts)))
    return Table(
        "Judged moves",
        ("agent", "moves", "accuracy", "errors", *(mistake.value for mistake in Mistake)),
        tuple(rows),
        f"Per 100 moves, with the count in brackets, in {report.judged_games} games; openings are left out. An error "
        "changes the result under perfect play. Slower wins and sooner losses do not, and are counted separately. "
        "Accuracy is the mean of 100 for a best move, 75 for a slower win or a sooner loss, 25 for half a point "
        "given away, 0 for a whole point.",
    )


def _endings_table(report: Report) -> Table:
    endings = [ending for ending in Ending if any(ending.value in agent.endings for agent in report.agents)]
    return Table(
        "Endings",
        ("agent", *(ending.value for ending in endings), "overruns", "start-up ms"),
        tuple(
            (
                escaped(agent.name),
                *(_outcomes(agent, ending) for ending in endings),
                str(agent.overruns),
                number(agent.startup_ms, ".0f"),
            )
            for agent in report.agents
        ),
        "From the agent's side: + won, = drawn, - lost. A fault (illegal move, malformed reply, "
        "timed out, crashed, would not start, out of memory, too many processes) loses the game; void "
        "games are not rated. Start-up is the most of its allowance that a program used before its "
        "first move, beyond the limit for that move.",
    )


def _faults_table(report: Report) -> Table:
    return Table(
        "Faults",
        ("agent", "fault", "times", "first in game", "what happened"),
        tuple(
            (escaped(fault.agent), fault.ending, str(fault.count), str(fault.game), escaped(fault.detail)[:200])
            for fault in report.faults
        ),
        left=frozenset({0, 1, 4}),
    )


def _slowest_table(report: Report) -> Table:
    return Table(
        "Slowest moves",
        ("agent", "game", "move", "ms", "answered"),
        tuple(
            (
                escaped(move.agent),
                str(move.game),
                str(move.ply + 1),
                f"{move.elapsed_ms:.1f}",
                "yes" if move.answered else "no",
            )
            for move in report.slowest
        ),
        "Moves are counted from 1, including the opening's.",
    )


def number(value: float | None, form: str) -> str:
    """A figure, or n/a."""
    return MISSING if value is None else format(value, form)


def signed(value: float | None) -> str:
    """An Elo figure."""
    return number(value, "+.0f")


def percent(value: float | None) -> str:
    """A share."""
    return MISSING if value is None else f"{100 * value:.1f} %"


def interval(estimate: Estimate) -> str:
    """The interval of an Elo figure."""
    if estimate.low is None and estimate.high is None:
        return MISSING
    return f"{signed(estimate.low)} to {signed(estimate.high)}"


def _names(pairing: Pairing) -> tuple[str, str]:
    return escaped(pairing.a), escaped(pairing.b)


def _per_100(count: MistakeCount) -> str:
    return f"{count.per_100_moves:.2f} ({count.count})"


def _range(state: SprtState) -> str:
    return f"{state.lower:.2f} to {state.upper:.2f}"


def _outcomes(agent: AgentReport, ending: Ending) -> str:
    outcomes = agent.endings.get(ending.value)
    if outcomes is None:
        return "-"
    counts = (("+", outcomes.won), ("=", outcomes.drawn), ("-", outcomes.lost))
    return " ".join(f"{sign}{count}" for sign, count in counts if count)
