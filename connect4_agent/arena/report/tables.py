"""A report as tables of text, for a terminal, a pipe or a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from connect4_agent.arena.faults import Ending
from connect4_agent.arena.report.model import DID_NOT_PLAY, NOT_READY, AgentReport, MistakeCount, Pairing, Report
from connect4_agent.arena.statistics.ratings import MIN_RESULTS, Estimate, superiority_words
from connect4_agent.arena.statistics.sprt import DECISIVE, sprt_words
from connect4_agent.rules.scores import Mistake
from connect4_agent.text import escaped, short

MISSING = "n/a"

FEW_GAMES = 10
"""Pairings with fewer games say little one by one."""

DETAIL_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Table:
    """A title, a header, rows of cells, and a line that says how to read them."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    left: frozenset[int] = frozenset({0})
    """The columns that hold words; all others hold figures and are aligned right."""
    game_column: int | None = None
    """The column that holds the number of a game, which a page can open."""
    is_detail: bool = False
    """True for a table that is for readers who look for details."""


def headline(report: Report) -> str:
    """Return the run in one line."""
    return f"{escaped(report.run)}: {progress_words(report)}"


def progress_words(report: Report) -> str:
    """Return how far the run is, in words."""
    finished = report.wanted_games - report.to_play
    parts = [
        *([f"{len(taking_part(report))} agents"] if len(report.agents) > 1 else []),
        f"{finished} of {report.wanted_games} games finished",
    ]
    if report.not_played:
        parts.append(f"{report.not_played} lost without being played")
    return ", ".join(parts)


def taking_part(report: Report) -> list[AgentReport]:
    """Return the agents of the run, without the entries that are not ready."""
    return [agent for agent in report.agents if agent.status != NOT_READY]


def make_tables(report: Report) -> Iterator[Table]:
    """Yield the report's tables in reading order; tables without rows are left out."""
    for table in (
        standings(report),
        _not_ready(report),
        _absent(report),
        crosstable(report),
        _sprt_table(report),
        faults_table(report),
        _pairings_table(report),
        _judged_table(report),
        _stats_table(report),
        _endings_table(report),
    ):
        if table.rows:
            yield table


def standings(report: Report) -> Table:
    """Return the standings, from the strongest agent to the weakest."""
    playing = [agent for agent in report.agents if agent.did_play]
    is_judged = any(agent.judged for agent in playing)
    rows = []
    for agent in playing:
        play = agent.judged
        judged = [play.errors.per_100_moves if play else None, play.accuracy if play else None]
        rows.append(
            (
                format_ranks(agent),
                mark_name(agent),
                f"{agent.points:g}/{agent.games}",
                percent(agent.share.value),
                percents(agent.share),
                signed(agent.rating.value),
                margin(agent.rating),
                *(number(figure, ".1f") for figure in judged if is_judged),
                str(agent.faults),
                *([beats_words(agent)] if report.references else []),
            )
        )
    header = ["rank", "agent", "points", "share", "range", "Elo", "±"]
    header += [*(["errors/100", "accuracy"] if is_judged else []), "faults", *(["beats"] if report.references else [])]
    left = {1, len(header) - 1} if report.references else {1}
    return Table("Standings", tuple(header), tuple(rows), _standings_caption(report, is_judged), frozenset(left))


def beats_words(agent: AgentReport) -> str:
    """Return the strongest reference that an agent beats, and the next one of which that is unclear."""
    unclear = agent.undecided
    games = unclear and agent.references[unclear].games_to_decide
    words = [escaped(agent.strongest_beaten)] if agent.strongest_beaten else []
    words += [f"{escaped(unclear)} unclear" + (f" ({games} games)" if games else "")] if unclear else []
    return ", ".join(words) or ("none" if agent.references else "")


def _standings_caption(report: Report, is_judged: bool) -> str:
    zero = f"{escaped(report.anchor)} is 0" if report.anchor else "the mean is 0"
    unrated: dict[str, list[str]] = {}
    for agent in report.agents:
        if agent.did_play:
            unrated.setdefault(agent.rating_note, []).append(agent.name)
    parts = [
        f"Rank, range and ± are at 95 %. Elo is a Bradley-Terry rating; {zero}, with one imagined draw each against "
        "the middle.",
        "Points count games that were not played as lost by the excluded agent." if report.not_played else "",
        "Errors per 100 moves change the result under perfect play." if is_judged else "",
        f"Beats: the strongest reference of which the 95 % interval lies above one half, from {MIN_RESULTS} pairs of "
        "games on; where that is unclear, about how many games would decide it."
        if report.references
        else "",
        *(f"No rating for {', '.join(map(escaped, names))}: {note}." for note, names in unrated.items() if note),
    ]
    return " ".join(filter(None, parts))


def _not_ready(report: Report) -> Table:
    agents = [agent for agent in report.agents if agent.ready == "no"]
    rows = [(escaped(agent.name), escaped(agent.status_reason)) for agent in agents]
    return Table("Not ready", ("entry", "problem"), tuple(rows), "They play nothing.", frozenset({0, 1}))


def _absent(report: Report) -> Table:
    return Table(
        "Did not play",
        ("agent", "points", "reason"),
        tuple(
            (
                escaped(agent.name),
                f"{agent.points:g}/{agent.games}",
                short(escaped(agent.status_reason), DETAIL_CHARACTERS),
            )
            for agent in report.agents
            if agent.status == DID_NOT_PLAY
        ),
        "They never made a move; their games give points to their opponents, but no rating.",
        frozenset({0, 2}),
    )


def collect_results(report: Report) -> dict[tuple[str, str], tuple[float, int]]:
    """Return the points and games of every agent against every other that it was to meet."""
    found = {(pairing.a, pairing.b): (pairing.points, pairing.games) for pairing in report.pairings}
    return found | {(pairing.b, pairing.a): (pairing.points_b, pairing.games) for pairing in report.pairings}


def crosstable(report: Report) -> Table:
    """Return a table of the points and games of every agent against every other."""
    found, agents = collect_results(report), taking_part(report)
    rows = []
    if len(agents) == 1:
        return Table("Crosstable", (), ())
    for place, agent in enumerate(agents, 1):
        cells = []
        for other in agents:
            points, games = found.get((agent.name, other.name), (0, 0))
            cells.append("·" if agent is other else f"{points:g}/{games}" if games else "-")
        rows.append((f"{place} {escaped(agent.name)}", *cells))
    return Table(
        "Crosstable",
        ("agent", *(str(place) for place in range(1, len(agents) + 1))),
        tuple(rows),
        "Points/games of the row's agent against the column's.",
    )


def _pairings_table(report: Report) -> Table:
    return Table(
        "Pairings",
        ("A", "B", "won", "drawn", "lost", "distinct", "Elo", "95 % interval", "who is stronger"),
        tuple(
            (
                *_names(pairing),
                str(pairing.wins),
                str(pairing.draws),
                str(pairing.losses),
                str(pairing.distinct_games),
                signed(pairing.elo.value),
                interval(pairing.elo),
                who_is_stronger(pairing),
            )
            for pairing in report.pairings
        ),
        "From A's side. Elo, interval and likelihood are from pairs of games with the same opening and swapped sides, "
        "which share the opening's luck.",
        frozenset({0, 1, 8}),
        is_detail=len(report.agents) > 1 and all(pairing.games < FEW_GAMES for pairing in report.pairings),
    )


def who_is_stronger(pairing: Pairing) -> str:
    """Return which of two agents is the stronger one, in words."""
    return superiority_words(*_names(pairing), pairing.superiority)


def _sprt_table(report: Report) -> Table:
    bounds = report.sprt_bounds
    if bounds is None:
        return Table("Sequential test", (), ())
    rows = []
    for pairing in report.pairings:
        if (state := pairing.sprt) is not None:
            words = sprt_words(escaped(pairing.a), bounds, state.verdict)
            rows.append((*_names(pairing), number(state.llr, "+.2f"), words))
    return Table(
        "Sequential test",
        ("A", "B", "LLR", "verdict"),
        tuple(rows),
        f"SPRT of Elo {bounds.elo0:+g} (elo0) against {bounds.elo1:+g} (elo1) from A's side, "
        f"counted in pairs of games; decided at an LLR of ±{DECISIVE:.2f}.",
        frozenset({0, 1, 3}),
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
        is_detail=True,
    )


def _stats_table(report: Report) -> Table:
    names = list(dict.fromkeys(name for agent in report.agents for name in agent.stats))
    rows = [
        (escaped(agent.name), *(_stat(agent.stats.get(name), agent.moves) for name in names))
        for agent in report.agents
        if agent.stats
    ]
    return Table(
        "Figures of the agents",
        ("agent", *map(escaped, names)),
        tuple(rows),
        "From the `stats` of their answers, which are not checked: per 100 moves, with the sum in brackets.",
    )


def _stat(total: float | None, moves: int) -> str:
    if total is None:
        return "-"
    return f"{number(100 * total / moves if moves else None, '.4g')} ({total:.6g})"


def _endings_table(report: Report) -> Table:
    endings = [ending for ending in Ending if any(ending.value in agent.endings for agent in report.agents)]
    return Table(
        "Endings",
        ("agent", *(ending.value for ending in endings), "not played", "overruns", "slowest ms", "start-up ms"),
        tuple(
            (
                escaped(agent.name),
                *(_outcomes(agent, ending) for ending in endings),
                str(agent.not_played),
                str(agent.overruns),
                number(agent.slowest_ms, ".0f"),
                number(agent.startup_ms, ".0f"),
            )
            for agent in taking_part(report)
        ),
        "From the agent's side: + won, = drawn, - lost. A fault (illegal move, malformed reply, timed out, crashed, "
        "would not start) loses the game. Slowest is the longest time for a move. Start-up is the most of its "
        "allowance that a program used before its first move, beyond the limit for that move.",
        is_detail=True,
    )


def faults_table(report: Report) -> Table:
    """Return a table of the faults, with the first game of each kind."""
    return Table(
        "Faults",
        ("agent", "fault", "times", "first in game", "what happened"),
        tuple(
            (
                escaped(fault.agent),
                fault.ending,
                str(fault.count),
                str(fault.game),
                short(escaped(fault.detail), DETAIL_CHARACTERS),
            )
            for fault in report.faults
        ),
        left=frozenset({0, 1, 4}),
        game_column=3,
    )


def format_ranks(agent: AgentReport) -> str:
    """Return the range of an agent's rank: `1-3`."""
    if agent.ranks is None:
        return MISSING if agent.rating.value is None else "-"
    low, high = agent.ranks
    return str(low) if low == high else f"{low}-{high}"


def mark_name(agent: AgentReport) -> str:
    """Return the name of an agent, marked if the agent is excluded or did not play."""
    return f"{escaped(agent.name)} ({agent.status})" if agent.status else escaped(agent.name)


def number(value: float | None, form: str) -> str:
    """Return a figure, or n/a."""
    return MISSING if value is None else format(value, form)


def signed(value: float | None) -> str:
    """Return an Elo figure with its sign."""
    return number(value, "+.0f")


def margin(estimate: Estimate) -> str:
    """Return half the interval of a rating; empty for an anchor."""
    if estimate.value is None:
        return MISSING
    return "" if estimate.high is None else f"{estimate.high - estimate.value:.0f}"


def percent(value: float | None) -> str:
    """Return a share in percent."""
    return MISSING if value is None else f"{100 * value:.1f} %"


def percents(estimate: Estimate) -> str:
    """Return the interval of a share in percent: `19-37 %`."""
    if estimate.low is None or estimate.high is None:
        return MISSING
    return f"{100 * estimate.low:.0f}-{100 * estimate.high:.0f} %"


def interval(estimate: Estimate) -> str:
    """Return the interval of an Elo figure."""
    if estimate.low is None and estimate.high is None:
        return MISSING
    return f"{signed(estimate.low)} to {signed(estimate.high)}"


def _names(pairing: Pairing) -> tuple[str, str]:
    return escaped(pairing.a), escaped(pairing.b)


def _per_100(count: MistakeCount) -> str:
    return f"{count.per_100_moves:.2f} ({count.count})"


def _outcomes(agent: AgentReport, ending: Ending) -> str:
    outcomes = agent.endings.get(ending.value)
    if outcomes is None:
        return "-"
    counts = (("+", outcomes.won), ("=", outcomes.drawn), ("-", outcomes.lost))
    return " ".join(f"{sign}{count}" for sign, count in counts if count)
