"""Reasons: how many positions and mistakes have one, how soon it applies, and how long finding it takes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from random import Random
from time import process_time
from typing import NamedTuple

from connect4_agent.engine.engine import engine_for
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.reasons.explain import Explainer, Replies
from connect4_agent.reasons.explanation import Explanation
from connect4_agent.reasons.judge import judge
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import Result
from tools.benchmarks.tables import Figures

GAMES = 400
QUICK_GAMES = 60
POSITIONS = 400
QUICK_POSITIONS = 40
PAIRINGS = (("hard", "medium"), ("medium", "hard"), ("medium", "easy"), ("easy", "medium"))
MOST_RANDOM_PLIES = 7
DISCS = {
    "8-12": range(8, 13),
    "13-18": range(13, 19),
    "19-24": range(19, 25),
    "25-30": range(25, 31),
    "31+": range(31, 42),
}

COVERED_GOALS = {"8-12": 35, "13-18": 75, "19-24": 94, "25-30": 98, "31+": 98}
MISTAKE_GOALS = {"8-12": 62, "13-18": 87, "19-24": 98, "25-30": 100, "31+": 100}
"""In percent: positions with every reply covered, and mistakes with a reason, the best defence included."""


class Case(NamedTuple):
    """A position of a game, with the column that lost something there, if that was the next move."""

    position: Position
    mistake: int | None


def run(*, quick: bool = True) -> Figures:
    """All figures of this part."""
    cases = list(played_cases(QUICK_GAMES if quick else GAMES))
    random = Random(29)
    rows: list[dict[str, object]] = []
    for name, discs in DISCS.items():
        here = [case for case in cases if case.position.disc_count in discs]
        sample = random.sample(here, min(len(here), QUICK_POSITIONS if quick else POSITIONS))
        rows.append(positions_row(name, [case.position for case in sample]))
        wrong = [case for case in here if case.mistake is not None]
        rows.append(mistakes_row(name, wrong[: QUICK_POSITIONS if quick else POSITIONS]))
    return rows


def played_cases(count: int) -> Iterable[Case]:
    """The positions of games between the levels, each after some random plies."""
    random = Random(2029)
    for number in range(count):
        names = PAIRINGS[number % len(PAIRINGS)]
        players = {player: parse_player(name) for player, name in enumerate(names, 1)}
        position = start = Position()
        columns = []
        for _ in range(1 + number // len(PAIRINGS) % MOST_RANDOM_PLIES):
            columns.append(random.choice(position.legal_columns()))
            position = position.play(columns[-1])
        while not position.is_over:
            columns.append(players[position.player].choose(position, Limits()).column)
            position = position.play(columns[-1])
        position = start
        for move in judge(start, columns).moves:
            yield Case(position, move.column if move.changes_result else None)
            position = position.play(move.column)


def positions_row(name: str, positions: list[Position]) -> dict[str, object]:
    """How many of the positions have a reason, at once, with every reply covered, and for the best defence."""
    searches = {
        "at once": partial(Explainer, max_lead=0, replies=["every"], follow_best_play=False),
        "covered": partial(Explainer, replies=["every"], follow_best_play=False),
        "best defence": partial(Explainer, replies=["best"], follow_best_play=False),
    }
    row: dict[str, object] = {"what": f"positions, {name} discs", "number": len(positions)}
    for title, make in searches.items():
        found = [timed(make, position, None) for position in positions]
        row |= _figures(title, found)
        if title == "covered":
            row["goal %"] = COVERED_GOALS[name]
            for result in Result:
                these = [bool(each.reasons) for each, _ in found if each.result is result]
                row[f"{result.value} %"] = 100 * sum(these) / len(these) if these else None
    return row


def mistakes_row(name: str, cases: list[Case]) -> dict[str, object]:
    """How many of the mistakes that were played have a reason."""
    row: dict[str, object] = {"what": f"mistakes, {name} discs", "number": len(cases)}
    choices: dict[str, list[Replies]] = {"covered": ["every"], "best defence": ["every", "best"]}
    for title, replies in choices.items():
        found = [
            timed(partial(Explainer, replies=replies, follow_best_play=False), case.position, case.mistake)
            for case in cases
        ]
        row |= _figures(title, found)
    return {**row, "goal best defence %": MISTAKE_GOALS[name]}


def timed(make: partial[Explainer], position: Position, column: int | None) -> tuple[Explanation, float]:
    """The explanation, and the processor time that it took beyond the scores, in milliseconds."""
    engine_for(position.width, position.height).column_scores(position)
    began = process_time()
    explanation = make(position).explain(column)
    return explanation, (process_time() - began) * 1000


def _figures(title: str, found: list[tuple[Explanation, float]]) -> dict[str, object]:
    if not found:
        return {}
    times = sorted(milliseconds for _, milliseconds in found)
    return {
        f"{title} %": 100 * sum(bool(each.reasons) for each, _ in found) / len(found),
        f"{title} ms": sum(times) / len(times),
        f"{title} 95 % ms": times[(len(times) * 95 - 1) // 100],
    }
