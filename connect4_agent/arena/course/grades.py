"""Grades: what the roll and the standings are worth, part by part, and as rows of grades.csv."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from connect4_agent.arena.check.result import Verdict
from connect4_agent.arena.course.config import ROSTER_KEYS, CourseConfig
from connect4_agent.arena.course.roll import Entry, EntryVersion, Roll
from connect4_agent.arena.report.model import AgainstReference, AgentReport, Report
from connect4_agent.arena.report.ratings import verdict_on
from connect4_agent.arena.report.tables import ranks_of
from connect4_agent.arena.run.description import write_whole
from connect4_agent.text import in_spreadsheet

GRADES_NAME = "grades.csv"
LATE = "handed in late"


Roster = Mapping[str, Mapping[str, str]]
"""The rows of the roster by the name of their entry."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a grade."""

    name: str
    """`ready`, `beats NAME` or `rank`."""
    points: float
    of: float
    """The points that could be earned."""
    why: str
    """What was earned, or what is missing, for the entry's author."""


@dataclass(frozen=True, slots=True)
class Graded:
    """An entry with its grade."""

    entry: Entry
    version: EntryVersion
    """The one that plays, or else the newest."""
    agent: AgentReport | None
    """Its line of the standings; None if it is not in them."""
    ranked: int
    """How many entries have a rank."""
    parts: tuple[Part, ...]

    @property
    def grade(self) -> float:
        """The points of all parts."""
        return round(sum(part.points for part in self.parts), 6)  # without the dust of binary fractions

    @property
    def best_grade(self) -> float:
        """The points that could be earned."""
        return round(sum(part.of for part in self.parts), 6)

    @property
    def reason(self) -> str:
        """Why it does not play; empty if it does."""
        return self.version.reason if self.version.counts else LATE


def grades(config: CourseConfig, roll: Roll, report: Report) -> list[Graded]:
    """The grade of every entry that was not withdrawn, in the order of the standings."""
    agents = {agent.name: agent for agent in report.agents}
    order = {name: place for place, name in enumerate(agents)}
    staying = [entry for entry in roll.entries if not entry.is_withdrawn]
    taking_part = sorted(staying, key=lambda entry: order.get(entry.name, len(order)))
    found = [agents.get(entry.name) for entry in taking_part]
    ranked = sum(agent is not None and agent.ranks is not None for agent in found)
    return [_graded(config, entry, agent, ranked) for entry, agent in zip(taking_part, found, strict=True)]


def _graded(config: CourseConfig, entry: Entry, agent: AgentReport | None, ranked: int) -> Graded:
    version = entry.present or entry.versions[-1]
    is_ready = version.counts and version.verdict is not Verdict.NOT_READY
    why = "it passes the check" if is_ready else version.reason if version.counts else LATE
    parts = [Part("ready", config.grades.ready * is_ready, config.grades.ready, why)]
    for name, worth in config.worth.items():
        against = None if agent is None else agent.references.get(name)
        is_proven = against is not None and against.beats == "yes"
        parts.append(Part(f"beats {name}", worth * is_proven, worth, _proof(against, config.confidence)))
    worth = config.grades.rank
    rank = min(worth, round(worth * _share_beaten(agent, ranked), 1))
    parts.append(Part("rank", rank, worth, _rank_words(agent, ranked)))
    return Graded(entry, version, agent, ranked, tuple(parts))


def rows_of(config: CourseConfig, roll: Roll, graded: Sequence[Graded], roster: Roster) -> list[dict[str, Any]]:
    """The rows of grades.csv: the entries in the order of the standings, then everybody else on the roster."""
    rows = [_row_of(config, each, roster) for each in graded]
    best = config.grades.ready + sum(config.worth.values()) + config.grades.rank
    known, playing = {entry.name for entry in roll.entries}, {each.entry.name for each in graded}
    for name, columns in roster.items():
        if name not in playing:
            verdict = "withdrawn" if name in known else "nothing handed in"
            entry = in_spreadsheet(name)
            rows.append({**columns, "entry": entry, "verdict": verdict, "grade": 0.0, "of": round(best, 6)})
    return rows


def _row_of(config: CourseConfig, graded: Graded, roster: Roster) -> dict[str, Any]:
    entry, version, agent = graded.entry, graded.version, graded.agent
    return {
        **{key: roster.get(entry.name, {}).get(key, "") for key in ROSTER_KEYS[1:] if roster},
        "entry": in_spreadsheet(entry.name),
        **({"alias": entry.alias} if config.names == "alias" else {}),
        "version": version.number,
        "verdict": version.verdict.value,
        "reason": in_spreadsheet(graded.reason),
        "rank": ranks_of(agent) if agent and agent.ranks else "",
        "points": agent and agent.points,
        "games": agent and agent.games,
        "rating": None if agent is None or agent.rating.value is None else round(agent.rating.value),
        "errors per 100 moves": agent and agent.judged and round(agent.judged.errors.per_100_moves, 1),
        **{f"beats {name}": _beats(agent, name) for name in config.references},
        "faults": agent and agent.faults,
        "grade": graded.grade,
        "of": graded.best_grade,
    }


def write_grades(folder: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write grades.csv into a folder. Raises RunFolderError."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, rows[0] if rows else ["entry"])
    writer.writeheader()
    writer.writerows(rows)
    write_whole(folder / GRADES_NAME, text.getvalue().encode())


def _beats(agent: AgentReport | None, name: str) -> str:
    if agent is None or name not in agent.references:
        return "no"
    return agent.references[name].beats


def _proof(against: AgainstReference | None, confidence: float) -> str:
    """How the games against a reference ended, and what that proves."""
    if against is None or not against.games:
        return "not played"
    points, games = against.points, against.games
    words = f"{points:g} : {games - points:g}"
    if against.beats == "yes":
        return f"{words}, proven at {100 * confidence:g} %"
    needed = _points_needed(games, confidence)
    enough = "too few games to prove it" if needed is None else f"{needed:g} of {games} would prove it"
    return f"{words}; {enough}"


@cache
def _points_needed(games: int, confidence: float) -> float | None:
    """The fewest points that prove to be stronger; None if not even all of them do."""
    points = (half / 2 for half in range(2 * games + 1))
    return next((each for each in points if verdict_on(each, games, confidence) == "yes"), None)


def _share_beaten(agent: AgentReport | None, ranked: int) -> float:
    """Where the middle of the agent's range of ranks lies between the last rank, 0, and the first, 1.

    Of a paused agent, the end of its range counts: having played little makes it wide, and must not pay.
    """
    if agent is None or agent.ranks is None:
        return 0.0
    if ranked < 2:
        return 0.0 if agent.status else 1.0
    rank = agent.ranks[1] if agent.status else sum(agent.ranks) / 2
    return max(0.0, (ranked - rank) / (ranked - 1))


def _rank_words(agent: AgentReport | None, ranked: int) -> str:
    if agent is None or agent.ranks is None:
        return "no rank yet" if agent is None or agent.did_play else "no rank: it did not play"
    if ranked < 2:
        return "the only entry with a rank"
    low, high = agent.ranks
    counts = f"the {'end' if agent.status else 'middle'} of that range counts"
    return f"rank {low} to {high} of {ranked}; {counts}" if low < high else f"rank {low} of {ranked}"
