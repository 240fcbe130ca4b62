"""The folder of a course that was played, made up: no program runs, and no solver looks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from connect4_agent.arena.agents.spec import Isolation
from connect4_agent.arena.check.result import Verdict
from connect4_agent.arena.course.config import CourseConfig
from connect4_agent.arena.course.course import run_config_of
from connect4_agent.arena.course.intake import Workplace
from connect4_agent.arena.course.roll import EntryVersion, Roll, write_roll
from connect4_agent.arena.entries.unpacking import Origin
from connect4_agent.arena.run.record import Ending, Fault, GameKey, GameRecord, Overrun
from connect4_agent.engine.judge import JudgedGame
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import finished_score
from tests.sample_runs import describe, played_game, write_run

SECRET = "xyzzy-secret"
"""In everything that is private."""

PRIVATE = f"/home/{SECRET}/agent.py"

NOT_READY = "not-ready"
CRASHES = "crashes"

VERSION: dict[str, Any] = {
    "number": 1,
    "files": {f"{SECRET}.py": SECRET},
    "handed_in": "2026-11-18T08:00:00Z",
    "is_tried": True,
    "verdict": Verdict.READY,
    "remarks": [PRIVATE],
    "command": ("python3", PRIVATE),
}


def write_course(
    folder: Path, entries: Sequence[str], *, share: float = 1.0, is_judged: bool = True, **changes: Any
) -> Path:
    """The folder of a course with these entries, of which this share of the games was played.

    The later an entry, the weaker. `not-ready` is not ready, and `crashes` crashes in one of three games.
    """
    config = CourseConfig(**{"references": ("random", "hard"), "reference_games": 2, "roster": PRIVATE, **changes})
    roll = Roll(config=config)
    for entry in roll.entries_of([Origin(name=name) for name in entries]):
        version = EntryVersion.model_validate(VERSION)
        if entry.name == NOT_READY:
            version.verdict, version.reason = Verdict.NOT_READY, PRIVATE
        entry.versions = [version]
    folder.mkdir(parents=True, exist_ok=True)
    write_roll(folder, roll)
    run_config = run_config_of(Workplace(folder / SECRET, config, Isolation.NONE, (PRIVATE,), print), roll)
    schedule = describe(folder, run_config, version="1")
    weakness = {name: 0.05 + 0.5 * place / len(entries) for place, name in enumerate(entries)}
    weakness |= {name: 0.7 / (place + 1) ** 2 for place, name in enumerate(config.references)}
    keys = [key for key in schedule if NOT_READY not in key.agents]
    keys = keys[: round(share * len(keys))]
    return write_run(folder, _games(keys, weakness, is_judged))


def _games(keys: Sequence[GameKey], weakness: dict[str, float], is_judged: bool) -> Iterator[GameRecord]:
    for number, key in enumerate(keys, 1):
        source = Random(key.model_dump_json())
        record = _play(source, number, key, weakness)
        if CRASHES in key.agents and number % 3 == 0:
            record = _crashed(record, key.agents.index(CRASHES) + 1)
        yield _judged(source, record) if is_judged else record


def _play(source: Random, number: int, key: GameKey, weakness: dict[str, float]) -> GameRecord:
    """A game in which the weak often overlook what wins or loses at once."""

    def column_in(position: Position) -> int:
        wins, threats = position.winning_columns(), position.passed().winning_columns()
        is_awake = source.random() > weakness[key.agents[position.player - 1]]
        if is_awake and (wins or threats):
            return (wins or threats)[0]
        legal = position.legal_columns()
        return min(legal, key=lambda column: abs(column - 3)) if is_awake else source.choice(legal)

    record = played_game(source, key, number, 1, column_in)
    return record.model_copy(update={"started": f"2026-11-18T08:{number // 60 % 60:02}:{number % 60:02}+00:00"})


def _crashed(record: GameRecord, player: int) -> GameRecord:
    plies = len(record.opening) + (record.first != player)
    return record.model_copy(
        update={
            "columns": record.columns[:plies],
            "times_ms": record.times_ms[: plies - len(record.opening)],
            "ending": Ending.CRASHED,
            "winner": 3 - player,
            "fault": Fault(player=player, detail=PRIVATE, reply=SECRET, stderr_tail=SECRET, exit_status=1),
            "overruns": (Overrun(ply=plies, player=player, elapsed_ms=1100.5, limit_ms=1000),),
        }
    )


def _judged(source: Random, record: GameRecord) -> GameRecord:
    """The game as a solver might have judged it: drawn until one of the loser's moves, which has a reason."""
    plies = len(record.columns)
    lost = [ply for ply in range(len(record.opening), plies) if record.mover_of(ply) != record.winner]
    losing = source.choice(lost) if record.ending is Ending.FOUR and lost else plies
    last = finished_score(record.position) if record.ending is Ending.FOUR else 0
    scores = [0 if ply <= losing else last * (-1) ** (plies - ply) for ply in range(plies + 1)]
    reasons = {losing: "Player 1 now has a threat above player 2's."} if losing < plies else {}
    judged = JudgedGame(Position(player=record.first), record.columns, tuple(scores), len(record.opening), reasons)
    return record.model_copy(update={"judged": judged})
