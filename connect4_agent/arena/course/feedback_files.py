"""The files of feedback/: for each entry a private page, and its grade for Gradescope."""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import orjson
from pydantic import BaseModel

from connect4_agent.arena.agents.spec import AgentSpec
from connect4_agent.arena.check.result import CheckResult, Tier, Verdict
from connect4_agent.arena.course.feedback import MAX_LINE, Evidence, Feedback, Seated, feedback_of
from connect4_agent.arena.course.feedback_page import page_of
from connect4_agent.arena.course.grades import Graded
from connect4_agent.arena.course.intake import copy_path, log_path, read_check, words_of
from connect4_agent.arena.course.roll import Roll
from connect4_agent.arena.course.site import numbered, renamed
from connect4_agent.arena.report.model import Report
from connect4_agent.arena.report.tables import ranks_of
from connect4_agent.arena.run.description import write_json, write_whole
from connect4_agent.arena.run.journal import read_games
from connect4_agent.arena.run.line_file import cannot_write
from connect4_agent.arena.run.record import Ending, GameRecord
from connect4_agent.arena.run.state import RunState
from connect4_agent.text import short

FEEDBACK_FOLDER = "feedback"
RESULTS_ENDING = ".results.json"

UNSAFE = re.compile(r'[/\\:*?"<>|\x00-\x1f\x7f]|^[.\s]+|[.\s]+$')
"""What some system refuses in the name of a file."""

NAMED_LINE = re.compile(r"(?P<file>[^/,]+), line (?P<line>\d+): ")
"""How a reason begins that is about a line of the program."""

CONTEXT_LINES = 2
MAX_NAME_BYTES = 200
HASH_CHARACTERS = 8

Hide = Callable[[str], str]
"""Takes the paths of this machine out of a text."""

Model = TypeVar("Model", bound=BaseModel)

Scores = dict[tuple[str, str], tuple[float, int]]
"""The points and games of entries, by name and version."""


def file_stem(name: str) -> str:
    """An entry's name as the name of a file: as it is, if every system takes it; else mended, with a hash."""
    safe = UNSAFE.sub("_", name)
    if safe == name and len(name.encode()) <= MAX_NAME_BYTES:
        return name
    cut = safe.encode()[: MAX_NAME_BYTES - HASH_CHARACTERS - 1].decode(errors="ignore")
    return f"{cut}-{sha256(name.encode()).hexdigest()[:HASH_CHARACTERS]}"


def write_feedback(
    folder: Path,
    roll: Roll,
    state: RunState,
    report: Report,
    graded: Sequence[Graded],
    roster: Mapping[str, Mapping[str, str]],
) -> None:
    """Write the files of all entries into the folder of a course, and remove those of withdrawn ones.

    Raises RunFolderError.
    """
    place = folder / FEEDBACK_FOLDER
    games: dict[str, list[Seated]] = defaultdict(list)
    shown = {spec.name: roll.public_name(spec.name) for spec in state.config.agents}
    for record in numbered(state.records, roll):
        public = renamed(record, shown)
        for seat, name in enumerate(record.agents, 1):
            games[name].append((public, seat))
    specs = {spec.name: spec.granted(state.config) for spec in state.config.agents}
    scores = _scores(read_games(folder, lambda _: None, lambda _: None))  # read_run has said what is wrong with them
    written = datetime.now().astimezone()
    try:
        place.mkdir(exist_ok=True)
        for each in graded:
            name = each.entry.name
            copy = copy_path(folder, each.entry, each.version)
            evidence = _evidence(copy, each, specs.get(name), games[name], scores)
            known = without_paths(each, evidence, hider(folder, copy))
            feedback = feedback_of(*known, report, roll.config.title, written, roll.public_name(name))
            results = gradescope_of(feedback) | {"extra_data": {"entry": name, **roster.get(name, {})}}
            write_whole(place / f"{file_stem(name)}.html", page_of(feedback).encode(errors="replace"))
            write_json(place / f"{file_stem(name)}{RESULTS_ENDING}", results, orjson.OPT_INDENT_2)
        for name in [entry.name for entry in roll.entries if entry.is_withdrawn]:
            for ending in (".html", RESULTS_ENDING):
                (place / f"{file_stem(name)}{ending}").unlink(missing_ok=True)
    except OSError as error:
        raise cannot_write(place, error) from None


def _evidence(copy: Path, graded: Graded, spec: AgentSpec | None, games: Sequence[Seated], scores: Scores) -> Evidence:
    entry, log = graded.entry, log_path(copy)
    return Evidence(
        spec=spec,
        games=games,
        scores={known.number: scores.get((entry.name, str(known.number)), (0.0, 0)) for known in entry.versions},
        check=_check_of(copy, graded),
        build_log=log.read_text("utf-8", "replace") if log.exists() else "",
        source=source_around(copy, graded.version.reason),
    )


def without_paths(graded: Graded, evidence: Evidence, hide: Hide) -> tuple[Graded, Evidence]:
    """The same for the author's eyes, without the paths of this machine."""
    entry = _without(graded.entry, hide)
    version = next(each for each in entry.versions if each.number == graded.version.number)
    parts = tuple(replace(part, why=hide(part.why)) for part in graded.parts)
    spec, check = evidence.spec, evidence.check
    if check is not None:
        check = _without(check, hide).model_copy(update={"directory": None})
    evidence = replace(
        evidence,
        spec=spec and spec.model_copy(update={"command": tuple(map(hide, spec.command or ()))}),
        games=[
            (record.model_copy(update={"fault": record.fault and _without(record.fault, hide)}), seat)
            for record, seat in evidence.games
        ],
        check=check,
        build_log=hide(evidence.build_log),
    )
    return replace(graded, entry=entry, version=version, parts=parts), evidence


def _without(model: Model, hide: Hide) -> Model:
    def clean(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: clean(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [clean(each) for each in value]
        return hide(value) if isinstance(value, str) else value

    return type(model).model_validate(clean(model.model_dump(round_trip=True)))


def _scores(games: Iterable[GameRecord]) -> Scores:
    """What every version of every agent has scored; of games that were continued or played again, the last counts."""
    last = {record.game: record for record in games if record.ending is not Ending.VOID}
    scores: Scores = {}
    for record in last.values():
        for player, key in enumerate(zip(record.agents, record.key.versions, strict=True), 1):
            points, count = scores.get(key, (0.0, 0))
            won = 0.5 if record.winner is None else float(record.winner == player)
            scores[key] = points + won, count + 1
    return scores


def _check_of(copy: Path, graded: Graded) -> CheckResult | None:
    """What the check of the version has found, unless it was of an earlier try."""
    check, version = read_check(copy), graded.version
    if check is None or version.verdict is not Verdict.NOT_READY or version.reason in map(words_of, check.problems):
        return check
    return None


def source_around(copy: Path, reason: str) -> str:
    """The lines of the program around the one that a reason names first; empty if it names none."""
    found = NAMED_LINE.match(reason)
    path = copy / found["file"] if found is not None else None
    if found is None or path is None or path.is_symlink() or not path.is_file():  # a build may link to any file
        return ""
    number = int(found["line"])
    lines = path.read_text("utf-8", "replace").splitlines()
    shown = range(max(1, number - CONTEXT_LINES), min(len(lines), number + CONTEXT_LINES) + 1)
    return "\n".join(
        f"{'>' if each == number else ' '} {each:>4}  {short(lines[each - 1], MAX_LINE)}" for each in shown
    )


def hider(folder: Path, copy: Path) -> Hide:
    """Takes the paths of this machine out of texts: the entry's copy becomes `.`."""
    places = [(copy, "."), (folder, "..."), (Path.home(), "~")]
    if len(folder.absolute().parent.parts) > 2:
        places.append((folder.absolute().parent, "..."))
    if sys.prefix != sys.base_prefix:
        places.append((Path(sys.prefix), "..."))
    words: dict[str, str] = {}
    for path, instead in places:
        for real in (path.absolute(), path.resolve()):
            text = str(real)
            for form in (text, text.encode("ascii", "backslashreplace").decode(), json.dumps(text)[1:-1]):
                if len(real.parts) > 1:
                    words.setdefault(form, instead)
    pattern = re.compile("|".join(map(re.escape, sorted(words, key=len, reverse=True))))
    return lambda text: pattern.sub(lambda match: words[match[0]], text)


def gradescope_of(feedback: Feedback) -> dict[str, Any]:
    """The grade as the results.json of an autograder of Gradescope, with a test for each part."""
    graded = feedback.graded
    tests = [
        {
            "name": part.name,
            "score": part.points,
            "max_score": part.of,
            "status": "passed" if part.points or not part.of else "failed",
            "output": part.why,
        }
        for part in graded.parts
    ]
    agent = graded.agent
    board: list[dict[str, Any]] = []
    if agent is not None and agent.ranks is not None:
        board.append({"name": "rank", "value": ranks_of(agent), "order": "asc"})
        board.append({"name": "points", "value": agent.points})
        if agent.judged is not None:
            errors = round(agent.judged.errors.per_100_moves, 1)
            board.append({"name": "errors per 100 moves", "value": errors, "order": "asc"})
    return {
        "score": graded.grade,
        "output": "\n".join(_summary(feedback)),
        "visibility": "visible",
        "tests": tests,
        "leaderboard": board,
    }


def _summary(feedback: Feedback) -> list[str]:
    """The feedback in a few lines of plain text."""
    version = feedback.graded.version
    words = f"version {version.number}: {version.verdict.value}"
    lines = [f"{words}: {feedback.graded.reason}" if feedback.graded.reason else words]
    lines += [f"remark: {remark}" for remark in feedback.remarks]
    lines += [f"remark: {each.text}; {each.fix}" for each in feedback.problems if each.tier is not Tier.REQUIRED]
    for each in feedback.faults:
        lines.append(f"fault in game {each.record.game}: {each.record.ending.value}: {each.fault.words}")
    return lines
