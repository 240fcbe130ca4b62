"""Feedback: what the author of one entry learns about it, as a value; feedback_page.py shows it."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice, zip_longest
from math import ceil
from statistics import median
from typing import NamedTuple

from connect4_agent.arena.agents.spec import AgentSpec, RequestForm
from connect4_agent.arena.check.result import CheckResult, Problem, Tier, Verdict
from connect4_agent.arena.check.text import fed, repeat_line
from connect4_agent.arena.course.grades import Graded
from connect4_agent.arena.course.intake import remarks_of
from connect4_agent.arena.judging import short_explanation
from connect4_agent.arena.report.model import Report
from connect4_agent.arena.run.record import Ending, Fault, GameRecord
from connect4_agent.engine.judge import JudgedMove
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.puzzles import Puzzle, PuzzleLevel, level_of, puzzle_of_mistake
from connect4_agent.rules.notation import moves_of
from connect4_agent.rules.oversights import Oversight
from connect4_agent.rules.position import Position
from connect4_agent.rules.reasons import Explanation, Mark, Meaning, cell_name, cell_played
from connect4_agent.rules.scores import moves_to_end, verdict_noun
from connect4_agent.text import short
from connect4_agent.wire.request import request_of

MAX_WORST = 3
MAX_PUZZLES = 6
MAX_PUZZLE_TRIES = 15
"""How many mistakes are looked at for puzzles of a level."""

MAX_STDERR_LINES = 15
MAX_LOG_LINES = 40
MAX_LINE = 400

MIN_CLASS = 3
"""With fewer entries, the median of the class would give somebody's figure away."""

Naming = Callable[[str], str]
"""The name under which other people's entries are shown."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A bad move as a board, with the reason in words."""

    game: int
    opponent: str
    move: int
    """Counted from 1, as the moves of the whole game are."""
    position: Position
    marks: tuple[Mark, ...]
    headline: str
    cost: str
    """What it turned into what."""
    reason: str
    """Why, proven; empty if that cannot be said shortly."""


@dataclass(frozen=True, slots=True)
class OwnPuzzle:
    """A position of one of the entry's games, in which only one column was right."""

    game: int
    opponent: str
    played: int
    """The column that it played, counted from 0."""
    puzzle: Puzzle


@dataclass(frozen=True, slots=True)
class FaultReport:
    """A game that was lost by a fault, with all that helps to repeat it."""

    game: int
    opponent: str
    move: int
    ending: str
    detail: str
    reply: str | None
    stderr: str
    """Its last lines."""
    request: str | None
    """The one that it did not answer as it should; None if none was sent."""
    repeat: str
    """For a shell in the author's own folder."""
    repeat_all: str | None
    """The same with all requests of the game, if there were more."""


@dataclass(frozen=True, slots=True)
class Repair:
    """A problem or a remark of the check, with its fix."""

    text: str
    fix: str
    is_required: bool
    printed: str
    stderr: str
    repeat: str


@dataclass(frozen=True, slots=True)
class VersionLine:
    """A version of the entry, with the points of its own games."""

    name: str
    handed_in: datetime
    verdict: Verdict
    reason: str
    is_late: bool
    plays: bool
    points: float
    games: int


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game of the entry, from its side."""

    game: int
    opponent: str
    begins: bool
    result: str
    ending: str
    errors: int | None
    moves: str


@dataclass(frozen=True, slots=True)
class Feedback:
    """All that a page shows to the author of an entry."""

    title: str
    """Of the course."""
    written: datetime
    graded: Graded
    reason: str
    """Why it does not play; empty if it does."""
    alias: str | None
    limit_seconds: float | None
    open_games: int
    """Of the whole course, still to be played."""
    class_errors: float | None
    """The median of the errors per 100 moves in the class."""
    errors: Mapping[Oversight | None, int]
    """How many moves changed the result, by what a person could have seen; None for the others."""
    lessons: tuple[Lesson, ...]
    puzzles: tuple[OwnPuzzle, ...]
    faults: tuple[FaultReport, ...]
    repairs: tuple[Repair, ...]
    remarks: tuple[str, ...]
    build_log: str
    """The last lines of a build that failed."""
    source: str
    """The lines around the place that the reason names."""
    versions: tuple[VersionLine, ...]
    games: tuple[GameLine, ...]

    @property
    def is_paused(self) -> bool:
        """Whether it was stopped after some faults in a row."""
        return self.graded.agent is not None and self.graded.agent.status == "paused"


@dataclass(frozen=True)
class Evidence:
    """What is known about an entry beside its grade."""

    spec: AgentSpec | None
    """As it plays; None if it does not take part."""
    records: Sequence[GameRecord]
    """The games of its present version."""
    scores: Mapping[int, tuple[float, int]]
    """The points and games of every version."""
    check: CheckResult | None = None
    build_log: str = ""
    source: str = ""
    """The lines of the program around the place at which its files are wrong."""
    hide: Callable[[str], str] = str
    """Takes the paths of the organiser's machine out of a text."""


def feedback_of(
    graded: Graded, evidence: Evidence, report: Report, title: str, written: datetime, naming: Naming
) -> Feedback:
    """The feedback for one entry."""
    name, version, hide = graded.entry.name, graded.version, evidence.hide
    graded = replace(graded, parts=tuple(replace(part, why=hide(part.why)) for part in graded.parts))
    games = [(record, record.agents.index(name) + 1) for record in evidence.records]
    mistakes = sorted((each for game in games for each in _mistakes(*game)), key=lambda mistake: mistake.badness)
    lessons = tuple(_lesson(mistake, naming) for mistake in _chosen(mistakes))
    check = evidence.check
    if check is not None:
        check = check.model_copy(update={"directory": None})
    said = remarks_of(check) if check is not None else []
    is_built = check is not None or version.verdict is not Verdict.NOT_READY
    alias = naming(name)
    return Feedback(
        title=title,
        written=written,
        graded=graded,
        reason=hide(graded.reason),
        alias=None if alias == name else alias,
        limit_seconds=None if evidence.spec is None else evidence.spec.limit_seconds,
        open_games=report.to_play,
        class_errors=class_errors(report),
        errors=Counter(mistake.oversight for mistake in mistakes if mistake.move.changes_result),
        lessons=lessons,
        puzzles=tuple(_puzzles(mistakes, (lesson.position.canonical() for lesson in lessons), naming)),
        faults=tuple(_faults(games, evidence, naming)),
        repairs=tuple(_repair(problem, check, hide) for problem in check.problems) if check is not None else (),
        remarks=tuple(hide(remark) for remark in version.remarks if remark not in said),
        build_log="" if is_built else hide(_tail(evidence.build_log, MAX_LOG_LINES)),
        source=evidence.source,
        versions=tuple(_version_lines(graded, evidence)),
        games=tuple(_game_line(record, seat, naming) for record, seat in games),
    )


def class_errors(report: Report) -> float | None:
    """The median of the errors per 100 moves of all entries that were judged."""
    entries = [agent for agent in report.agents if agent.name not in report.references]
    errors = [agent.judged.errors.per_100_moves for agent in entries if agent.judged is not None]
    return median(errors) if len(errors) >= MIN_CLASS else None


# ---- mistakes -------------------------------------------------------------------------------------------------------


KINDS = (*Oversight, None)
"""The plainest first; None is what a person could hardly see."""

SHOWN_AT_ONCE = (Oversight.MISSED_FOUR, Oversight.UNBLOCKED_FOUR)
"""What needs no explanation, and is too easy for a puzzle."""


class _Mistake(NamedTuple):
    record: GameRecord
    ply: int
    move: JudgedMove
    oversight: Oversight | None

    @property
    def position(self) -> Position:
        return self.move.position

    @property
    def opponent(self) -> str:
        return self.record.agents[2 - self.move.player]

    @property
    def badness(self) -> tuple[int, ...]:
        """For sorting, the worst first: what cost most, is plainest, and shows soonest."""
        assert self.move.mistake is not None
        assert self.move.score is not None
        empty_count = self.position.empty_count
        soon = moves_to_end(self.move.score, empty_count) or empty_count
        return self.move.mistake.percent, KINDS.index(self.oversight), soon, self.record.game, self.ply


def _mistakes(record: GameRecord, seat: int) -> Iterator[_Mistake]:
    """The moves of a player that changed the result, and fours that it did not see."""
    for ply, move in enumerate(record.judged.moves if record.judged is not None else ()):
        if move.player != seat or move.mistake is None or move.score is None:
            continue
        has_four = bool(move.position.winning_columns())
        if move.changes_result or has_four:
            # All else that a person could have seen loses within two moves; looking for it takes its time.
            ends = moves_to_end(move.score, move.position.empty_count) if move.score < 0 else None
            oversight = move.oversight if has_four or (ends is not None and ends <= 2) else None
            yield _Mistake(record, ply, move, oversight)


def _chosen(mistakes: Sequence[_Mistake]) -> list[_Mistake]:
    """The worst of each kind, the plainest kinds first; then further ones; other games and positions if possible."""
    by_kind = [[mistake for mistake in mistakes if mistake.oversight is kind] for kind in KINDS]
    plainest_first = [mistake for found in by_kind for mistake in found]
    chosen: list[_Mistake] = []
    for may_repeat in (False, True):  # a game
        for candidates in (*by_kind, *[plainest_first] * MAX_WORST):
            games = set() if may_repeat else {each.record.game for each in chosen}
            boards = {each.position.canonical() for each in chosen}
            new = (each for each in candidates if each.record.game not in games)
            chosen += islice((each for each in new if each.position.canonical() not in boards), 1)
    return chosen[:MAX_WORST]


def _lesson(mistake: _Mistake, naming: Naming) -> Lesson:
    position, move = mistake.position, mistake.move
    explanation = None if mistake.oversight in SHOWN_AT_ONCE else _explained(position, move.column)
    headline, better = _headline(mistake, explanation)
    marks = {mark.cell: mark for mark in _own_marks(position, move.column, better)}
    for mark in explanation.marks if explanation is not None else ():
        if mark.meaning is not Meaning.PAIR:  # the cells of a long plan would cover the board
            marks.setdefault(mark.cell, mark)
    assert move.score_before is not None
    assert move.score is not None
    before, after = (verdict_noun(score, position.empty_count) for score in (move.score_before, move.score))
    return Lesson(
        game=mistake.record.game,
        opponent=naming(mistake.opponent),
        move=mistake.ply + 1,
        position=position,
        marks=tuple(marks.values()),
        headline=headline,
        cost=f"It turned {before} into {after}.",
        reason=explanation.summary if explanation is not None and explanation.reasons else "",
    )


def _headline(mistake: _Mistake, explanation: Explanation | None) -> tuple[str, tuple[int, ...]]:
    """What happened, and the columns that were right."""
    position, played = mistake.position, f"You played column {mistake.move.column + 1}"
    if mistake.oversight is Oversight.MISSED_FOUR:
        wins = tuple(position.winning_columns())
        return f"{played}; {_columns(wins)} made four in a row at once.", wins
    if mistake.oversight is Oversight.UNBLOCKED_FOUR:
        blocks = tuple(position.passed().winning_columns())
        return f"{played}; your opponent could make four in {_columns(blocks)}, and you had to block it.", blocks
    better = () if explanation is None else explanation.best_columns
    right = f"; {_columns(better)} {'was' if len(better) == 1 else 'were'} right" if better else ""
    how = {
        Oversight.ALLOWED_DOUBLE: ", which let your opponent make two fours at once",
        Oversight.GAVE_ABOVE: ", which let your opponent make four right above your disc",
        None: "",
    }
    return f"{played}{how[mistake.oversight]}{right}.", better


def _columns(columns: Sequence[int]) -> str:
    numbers = [str(column + 1) for column in sorted(columns)]
    return f"column {numbers[0]}" if len(numbers) == 1 else f"columns {', '.join(numbers[:-1])} and {numbers[-1]}"


def _own_marks(position: Position, column: int, better: Iterable[int]) -> Iterator[Mark]:
    """The disc that was played, and where it should have gone."""
    played = cell_played(position, column)
    yield Mark(cell_name(played), *played, position.player, Meaning.MOVE)
    for right in better:
        cell = cell_played(position, right)
        yield Mark(cell_name(cell), *cell, None, Meaning.KEY)


def _explained(position: Position, column: int) -> Explanation | None:
    """Why, if the solver is compiled: plain Python takes a hundred times as long."""
    is_quick = forms.form_for(position.width, position.height) != forms.PLAIN
    return short_explanation(position, column) if is_quick else None


def _puzzles(mistakes: Sequence[_Mistake], shown: Iterable[Position], naming: Naming) -> list[OwnPuzzle]:
    """Positions with one right column that were not shown as lessons: some of every level, of different games."""
    boards = set(shown)
    games: set[int] = set()

    def depth(mistake: _Mistake) -> int:
        empty_count = mistake.position.empty_count
        return moves_to_end(mistake.move.score_before or 0, empty_count) or empty_count

    def of_level(level: PuzzleLevel) -> Iterator[OwnPuzzle]:
        found = (each for each in candidates if level_of(depth(each)) is level)
        new = (each for each in found if each.record.game not in games and each.position.canonical() not in boards)
        for mistake in islice(new, MAX_PUZZLE_TRIES):
            puzzle = None if mistake.record.judged is None else puzzle_of_mistake(mistake.record.judged, mistake.ply)
            if puzzle is not None:
                boards.add(mistake.position.canonical())
                games.add(mistake.record.game)
                yield OwnPuzzle(mistake.record.game, naming(mistake.opponent), mistake.move.column, puzzle)

    candidates = sorted((each for each in mistakes if each.oversight not in SHOWN_AT_ONCE), key=depth)
    in_turn = (each for row in zip_longest(*map(of_level, PuzzleLevel)) for each in row if each is not None)
    return sorted(islice(in_turn, MAX_PUZZLES), key=lambda own: own.puzzle.depth)


# ---- faults ---------------------------------------------------------------------------------------------------------


def _faults(games: Iterable[tuple[GameRecord, int]], evidence: Evidence, naming: Naming) -> Iterator[FaultReport]:
    for record, seat in games:
        fault = record.fault
        if fault is None or fault.player != seat or evidence.spec is None:
            continue
        requests = list(requests_to(record, seat, evidence.spec))
        words = (evidence.hide(word) for word in evidence.spec.command_for(seat, record.width, record.height))
        command = shlex.join(words)
        yield FaultReport(
            game=record.game,
            opponent=naming(record.agents[2 - seat]),
            move=len(record.columns) + 1,
            ending=record.ending.value,
            detail=evidence.hide(fault.words),
            reply=None if fault.reply is None else evidence.hide(short(fault.reply, MAX_LINE)),
            stderr=evidence.hide(_tail(fault.stderr_tail, MAX_STDERR_LINES)),
            request=requests[-1] if requests else None,
            repeat=_repeat(command, requests[-1:], record, fault),
            repeat_all=_repeat(command, requests, record, fault) if len(requests) > 1 else None,
        )


def requests_to(record: GameRecord, seat: int, spec: AgentSpec) -> Iterator[str]:
    """The requests that a player got in a game, the last one being that of its fault."""
    if record.ending is Ending.WOULD_NOT_START:
        return
    position = Position(record.width, record.height, record.first).after(record.opening)
    for column in (*record.columns[len(record.opening) :], None):
        if position.player == seat and not position.is_over:
            yield request_of(position, grid_only=spec.request is RequestForm.GRID).decode()
        if column is not None:
            position = position.play(column)


def _repeat(command: str, requests: Sequence[str], record: GameRecord, fault: Fault) -> str:
    if not requests:
        return command
    seconds = 0
    if record.ending is Ending.TIMED_OUT:  # the end of the input must not hurry it
        seconds = ceil(record.limits[fault.player - 1].limit_seconds or 1) + 4
    return fed(command, "".join(f"{request}\n" for request in requests), seconds)


# ---- the rest -------------------------------------------------------------------------------------------------------


def _repair(problem: Problem, check: CheckResult, hide: Callable[[str], str]) -> Repair:
    return Repair(
        text=hide(problem.text),
        fix=hide(problem.fix),
        is_required=problem.tier is Tier.REQUIRED,
        printed=hide(short(problem.example.received, MAX_LINE)),
        stderr=hide(_tail(problem.example.stderr, MAX_STDERR_LINES)),
        repeat=hide(repeat_line(problem, check)),
    )


def _version_lines(graded: Graded, evidence: Evidence) -> Iterator[VersionLine]:
    for version in reversed(graded.entry.versions):
        points, games = evidence.scores.get(version.number, (0.0, 0))
        plays = version is graded.entry.present
        reason = evidence.hide(version.reason)
        late = version.is_late and not version.is_accepted
        yield VersionLine(version.name, version.handed_in, version.verdict, reason, late, plays, points, games)


def _game_line(record: GameRecord, seat: int, naming: Naming) -> GameLine:
    result = "drawn" if record.winner is None else "won" if record.winner == seat else "lost"
    errors = None
    if record.judged is not None:
        errors = sum(move.player == seat and move.changes_result for move in record.judged.moves)
    return GameLine(
        game=record.game,
        opponent=naming(record.agents[2 - seat]),
        begins=record.first == seat,
        result="void" if record.ending is Ending.VOID else result,
        ending=record.ending.value,
        errors=errors,
        moves=moves_of(record.columns),
    )


def _tail(text: str, most: int) -> str:
    """The last lines of a text, none of them long."""
    return "\n".join(short(line.rstrip(), MAX_LINE) for line in text.splitlines()[-most:]).strip("\n")
