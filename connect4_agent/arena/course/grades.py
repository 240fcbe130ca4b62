"""Grades: what the roll and the standings are worth, as rows for grades.csv."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from connect4_agent import errors
from connect4_agent.arena.check.result import Verdict
from connect4_agent.arena.course.config import ROSTER_KEYS, CourseConfig, Names
from connect4_agent.arena.course.roll import Roll
from connect4_agent.arena.report.model import AgentReport, Report
from connect4_agent.arena.report.tables import ranks_of

GRADES_NAME = "grades.csv"


def grades(
    config: CourseConfig, roll: Roll, report: Report, roster: Mapping[str, Mapping[str, str]]
) -> list[dict[str, Any]]:
    """A row for every entry that was not withdrawn, in the order of the standings."""
    agents = {agent.name: agent for agent in report.agents}
    order = {name: place for place, name in enumerate(agents)}
    staying = [entry for entry in roll.entries if not entry.is_withdrawn]
    taking_part = sorted(staying, key=lambda entry: order.get(entry.name, len(order)))
    ranked = [agent for entry in taking_part if (agent := agents.get(entry.name)) is not None and agent.ranks]
    rows = []
    for entry in taking_part:
        version, agent = entry.present or entry.versions[-1], agents.get(entry.name)
        is_ready = version.counts and version.verdict is not Verdict.NOT_READY
        beaten = {name: _beats(agent, name) for name in config.references}
        parts = {
            "ready": config.grades.ready * is_ready,
            **{f"beats {name}": worth * (beaten[name] == "yes") for name, worth in config.worth.items()},
            "rank": config.grades.rank * _share_beaten(agent, ranked),
        }
        rows.append(
            {
                **{key: roster.get(entry.name, {}).get(key, "") for key in ROSTER_KEYS[1:] if roster},
                "entry": entry.name,
                **({"alias": entry.alias} if config.names is Names.ALIAS else {}),
                "version": version.number,
                "verdict": version.verdict.value,
                "reason": version.reason if version.counts else "handed in late",
                "rank": _range(agent),
                "points": None if agent is None else agent.points,
                "games": None if agent is None else agent.games,
                "rating": None if agent is None or agent.rating.value is None else round(agent.rating.value),
                "errors per 100 moves": _errors(agent),
                **{f"beats {name}": verdict for name, verdict in beaten.items()},
                "faults": None if agent is None else agent.faults,
                "grade": round(sum(parts.values()), 1),
                "of": config.best_grade,
            }
        )
    return rows


def write_grades(folder: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write grades.csv into a folder. Raises ArenaError."""
    rows = list(rows)
    path = folder / GRADES_NAME
    try:
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0] if rows else ["entry"])
            writer.writeheader()
            writer.writerows(rows)
    except OSError as error:
        raise errors.ArenaError(f"cannot write {path}: {error.strerror}") from None


def _beats(agent: AgentReport | None, name: str) -> str:
    if agent is None or name not in agent.references:
        return "no"
    return agent.references[name].beats


def _share_beaten(agent: AgentReport | None, ranked: list[AgentReport]) -> float:
    """Where the middle of the agent's range of ranks lies between the last rank, 0, and the first, 1."""
    if agent is None or agent.ranks is None or len(ranked) < 2:
        return 0.0
    middle = sum(agent.ranks) / 2
    return max(0.0, (len(ranked) - middle) / (len(ranked) - 1))


def _range(agent: AgentReport | None) -> str:
    return "" if agent is None or agent.ranks is None else ranks_of(agent)


def _errors(agent: AgentReport | None) -> float | None:
    return None if agent is None or agent.judged is None else round(agent.judged.errors.per_100_moves, 1)
