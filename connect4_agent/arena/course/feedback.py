"""Feedback: what the author of one entry learns about it, as a value; feedback_page.py shows it."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice, zip_longest
from math import ceil
from statistics import median
from typing import NamedTuple

from connect4_agent.arena.agents.spec import AgentSpec, RequestForm
from connect4_agent.arena.check.result import CheckResult, Problem, Verdict
from connect4_agent.arena.check.text import fed
from connect4_agent.arena.course.grades import Graded
from connect4_agent.arena.course.intake import remarks_of
from connect4_agent.arena.judging import short_explanation
from connect4_agent.arena.report.model import Report
from connect4_agent.arena.run.record import Ending, Fault, GameRecord
from connect4_agent.engine.judge import JudgedMove
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.puzzles import Puzzle, PuzzleLevel, level_of, puzzle_of_mistake
from connect4_agent.rules.oversights import Oversight
from connect4_agent.rules.position import Position
from connect4_agent.rules.reasons import Explanation, Mark, Meaning, cell_name, cell_played
from connect4_agent.rules.scores import moves_to_end, verdict_noun
from connect4_agent.server.request import request_of
from connect4_agent.text import short

MAX_WORST = 3
MAX_PUZZLES = 6
MAX_PUZZLE_TRIES = 15
"""How many mistakes are looked at for puzzles of a level."""

MAX_LOG_LINES = 40
MAX_LINE = 400

MIN_CLASS = 3
"""With fewer entries, the median of the class would give somebody's figure away."""

Seated = tuple[GameRecord, int]
"""A game, and which player the entry was in it."""


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

    record: GameRecord
    fault: Fault
    opponent: str
    request: str | None
    """The one that it did not answer as it should; None if none was sent."""
    repeat: str
    """For a shell in the author's own folder."""
    repeat_all: str | None
    """The same with all requests of the game, if there were more."""


@dataclass(frozen=True)
class Evidence:
    """What is known about an entry beside its grade; no path of this machine is in it."""

    spec: AgentSpec | None
    """As it plays; None if it does not take part."""
    games: Sequence[Seated]
    """Those of its present version."""
    scores: Mapping[int, tuple[float, int]]
    """The points and games of every version."""
    check: CheckResult | None = None
    build_log: str = ""
    source: str = ""
    """The lines of the program around the place at which its files are wrong."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """All that a page shows to the author of an entry."""

    title: str
    """Of the course."""
    written: datetime
    graded: Graded
    evidence: Evidence
    public_name: str
    open_games: int
    """Of the whole course, still to be played."""
    class_errors: float | None
    """The median of the errors per 100 moves in the class."""
    errors: Mapping[Oversight | None, int]
    """How many moves changed the result, by what a person could have seen; None for the others."""
    lessons: tuple[Lesson, ...]
    puzzles: tuple[OwnPuzzle, ...]
    faults: tuple[FaultReport, ...]

    @property
    def is_paused(self) -> bool:
        """Whether it was stopped after some faults in a row."""
        return self.graded.agent is not None and self.graded.agent.status == "paused"

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What the check has found."""
        return () if self.evidence.check is None else self.evidence.check.problems

    @property
    def remarks(self) -> list[str]:
        """What its files show."""
        said = [] if self.evidence.check is None else remarks_of(self.evidence.check)
        return [remark for remark in self.graded.version.remarks if remark not in said]

    @property
    def build_log(self) -> str:
        """The last lines of a build that failed."""
        is_built = self.evidence.check is not None or self.graded.version.verdict is not Verdict.NOT_READY
        return "" if is_built else tail_of(self.evidence.build_log, MAX_LOG_LINES)


def feedback_of(
    graded: Graded, evidence: Evidence, report: Report, title: str, written: datetime, public_name: str
) -> Feedback:
    """The feedback for one entry."""
    mistakes = sorted((each for game in evidence.games for each in _mistakes(*game)), key=lambda each: each.badness)
    lessons = tuple(map(_lesson, _chosen(mistakes)))
    return Feedback(
        title=title,
        written=written,
        graded=graded,
        evidence=evidence,
        public_name=public_name,
        open_games=report.to_play,
        class_errors=class_errors(report),
        errors=Counter(mistake.oversight for mistake in mistakes if mistake.move.changes_result),
        lessons=lessons,
        puzzles=tuple(_puzzles(mistakes, (lesson.position.canonical() for lesson in lessons))),
        faults=tuple(_faults(evidence)),
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


def _lesson(mistake: _Mistake) -> Lesson:
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
        opponent=mistake.opponent,
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


def _puzzles(mistakes: Sequence[_Mistake], shown: Iterable[Position]) -> list[OwnPuzzle]:
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
                yield OwnPuzzle(mistake.record.game, mistake.opponent, mistake.move.column, puzzle)

    candidates = sorted((each for each in mistakes if each.oversight not in SHOWN_AT_ONCE), key=depth)
    in_turn = (each for row in zip_longest(*map(of_level, PuzzleLevel)) for each in row if each is not None)
    return sorted(islice(in_turn, MAX_PUZZLES), key=lambda own: own.puzzle.depth)


# ---- faults ---------------------------------------------------------------------------------------------------------


def _faults(evidence: Evidence) -> Iterator[FaultReport]:
    for record, seat in evidence.games:
        fault = record.fault
        if fault is None or fault.player != seat or evidence.spec is None:
            continue
        requests = list(requests_to(record, seat, evidence.spec))
        command = shlex.join(evidence.spec.command_for(seat, record.width, record.height))
        yield FaultReport(
            record,
            fault,
            opponent=record.agents[2 - seat],
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


def tail_of(text: str, most: int) -> str:
    """The last lines of a text, none of them long."""
    return "\n".join(short(line.rstrip(), MAX_LINE) for line in text.splitlines()[-most:]).strip("\n")
