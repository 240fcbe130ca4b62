"""Puzzles: positions in which exactly one column is right, drawn from a seed, a date, or the mistakes of a game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import islice, pairwise
from random import Random
from typing import Any

from connect4_agent import errors
from connect4_agent.engine.exact import ExactScores, exact_scores
from connect4_agent.engine.judge import scores_backwards
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.engine.limits import NO_LIMITS, Limits
from connect4_agent.engine.reasons import explain
from connect4_agent.rules.position import USUAL_SIZE, Position
from connect4_agent.rules.reasons import Explanation, ReasonKind
from connect4_agent.rules.scores import finished_score, mistake_of, moves_to_end, result_of, verdict

FEWEST_OPEN_COLUMNS = 3
"""The fewest open columns in drawn puzzles; with fewer, a guess is too often right."""

SHALLOWEST_MOVES = 2
"""The least depth of drawn puzzles; a win or loss with the next disc is too easy to see."""

EASY_MOVES, MEDIUM_MOVES = 3, 6
"""The deepest easy and medium puzzles."""

MAX_THEME_TRIES = 100
"""How many puzzles are looked at for one with a theme."""

DAY_FORM = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class PuzzleKind(StrEnum):
    """What to find; a closed set."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"

    @property
    def question(self) -> str:
        """The question as a sentence."""
        return _QUESTIONS[self]


_QUESTIONS = {
    PuzzleKind.WIN: "Find the only winning move.",
    PuzzleKind.DRAW: "Save the draw: every other move loses.",
    PuzzleKind.LOSS: "Which is the only move that loses?",
}


class PuzzleLevel(StrEnum):
    """How far one has to look ahead; a closed set."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class PuzzleTheme(StrEnum):
    """The kind of reason that the answer has; a closed set. A four at once is too easy to be asked."""

    DOUBLE = "double"
    ABOVE = "above"
    FORCED = "forced"
    ZUGZWANG = "zugzwang"
    HOLD = "hold"

    @property
    def reason(self) -> ReasonKind:
        """The kind of reason."""
        return ReasonKind[self.name]

    @property
    def kinds(self) -> list[PuzzleKind]:
        """What can be asked: to hold is to save a draw, the others are about a win or a loss."""
        is_hold = self is PuzzleTheme.HOLD
        return [kind for kind in PuzzleKind if (kind is PuzzleKind.DRAW) == is_hold]

    @property
    def levels(self) -> list[PuzzleLevel]:
        """The levels that have many such puzzles."""
        if self in (PuzzleTheme.DOUBLE, PuzzleTheme.ABOVE):
            return [PuzzleLevel.EASY]
        return [level for level in PuzzleLevel if self is not PuzzleTheme.ZUGZWANG or level is not PuzzleLevel.EASY]


_EARLY, _MIDDLE, _LATE = range(14, 23), range(20, 29), range(26, 35)
DISCS = {
    (PuzzleKind.WIN, PuzzleLevel.EASY): _MIDDLE,
    (PuzzleKind.WIN, PuzzleLevel.MEDIUM): _MIDDLE,
    (PuzzleKind.WIN, PuzzleLevel.HARD): _EARLY,
    (PuzzleKind.DRAW, PuzzleLevel.EASY): _LATE,
    (PuzzleKind.DRAW, PuzzleLevel.MEDIUM): _LATE,
    (PuzzleKind.DRAW, PuzzleLevel.HARD): _MIDDLE,
    (PuzzleKind.LOSS, PuzzleLevel.EASY): _MIDDLE,
    (PuzzleKind.LOSS, PuzzleLevel.MEDIUM): _MIDDLE,
    (PuzzleKind.LOSS, PuzzleLevel.HARD): _EARLY,
}
"""How many discs drawn puzzles may have: where such puzzles are common and quickly solved."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position after these moves from the empty board, and the one column that answers the question."""

    kind: PuzzleKind
    position: Position
    moves: tuple[int, ...]
    scores: tuple[int | None, ...]
    """The exact score of every column, from the side to move; None if it is full."""
    answer: int
    line: tuple[int, ...]
    """Best play by both sides after the answer."""
    origin: int | date | None = None
    """The seed or the day that it was drawn from; None for a position of a game."""

    @property
    def depth(self) -> int:
        """How many moves one has to look ahead.

        Counted to the end of the win or the loss to be found; to save a draw, to the end of the longest of the losses
        that the other columns lead to.
        """
        if self.kind is PuzzleKind.DRAW:
            others = [score for score in self.scores if score is not None and score < 0]
        else:
            others = [score for score in (self.scores[self.answer],) if score is not None]
        return max(moves_to_end(score, self.position.empty_count) or 0 for score in others)

    @property
    def level(self) -> PuzzleLevel:
        """The grade by depth."""
        return level_of(self.depth)

    @property
    def is_worth_asking(self) -> bool:
        """Whether there is a choice, and more to find than a threat that has to be blocked at once."""
        is_forced = bool(self.position.passed().winning_columns())
        has_choice = len(self.position.legal_columns()) >= FEWEST_OPEN_COLUMNS
        return has_choice and not is_forced and self.depth >= SHALLOWEST_MOVES

    def explanation(self) -> str:
        """Why the answer is right, in words; columns are counted from 1."""
        score = self.scores[self.answer]
        assert score is not None
        return f"Column {self.answer + 1} {verdict(score, self.position.empty_count)}; {_OTHERS[self.kind]}."

    def reason(self, limits: Limits = NO_LIMITS) -> Explanation:
        """Why the answer wins, draws or loses, proven and in words."""
        return explain(self.position, self.answer, limits)

    def document(self) -> dict[str, Any]:
        """The puzzle for programs; columns are counted from 0."""
        empty_count = self.position.empty_count
        return {
            "kind": self.kind.value,
            "question": self.kind.question,
            "level": self.level.value,
            "depth": self.depth,
            "seed": self.origin if isinstance(self.origin, int) else None,
            "date": self.origin.isoformat() if isinstance(self.origin, date) else None,
            "width": self.position.width,
            "height": self.position.height,
            "first": self.first,
            "player": self.position.player,
            "columns": list(self.moves),
            "grid": self.position.grid(),
            "answer": self.answer,
            "explanation": self.explanation(),
            "scores": list(self.scores),
            "results": [None if score is None else result_of(score).value for score in self.scores],
            "verdicts": [None if score is None else verdict(score, empty_count) for score in self.scores],
            "line": list(self.line),
        }

    @property
    def first(self) -> int:
        """The player who began."""
        return self.position.player if len(self.moves) % 2 == 0 else 3 - self.position.player


_OTHERS = {
    PuzzleKind.WIN: "no other column wins",
    PuzzleKind.DRAW: "every other column loses",
    PuzzleKind.LOSS: "no other column does",
}


def level_of(depth: int) -> PuzzleLevel:
    """The level of puzzles in which one has to look this many moves ahead."""
    if depth <= EASY_MOVES:
        return PuzzleLevel.EASY
    return PuzzleLevel.MEDIUM if depth <= MEDIUM_MOVES else PuzzleLevel.HARD


def read_day(text: str) -> date:
    """The date written as 2027-01-31. Raises ValueError."""
    if not DAY_FORM.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is not a date such as 2027-01-31")
    return date.fromisoformat(text)


def draw_puzzle(
    origin: int | date,
    kind: PuzzleKind | None = None,
    level: PuzzleLevel | None = None,
    theme: PuzzleTheme | None = None,
    *,
    poll: Callable[[], None] = do_nothing,
) -> Puzzle:
    """The puzzle of a seed or a day, on the usual board; None is any kind, any level, any theme.

    The same arguments give the same puzzle on every machine. `poll` is called often and may raise.
    Raises BadValueError for a theme that does not go with the kind, NoPuzzleError if none of the first MAX_THEME_TRIES
    puzzles has the theme.
    """
    if theme is not None and kind is not None and kind not in theme.kinds:
        allowed = " or ".join(theme.kinds)
        raise errors.BadValueError(f"theme {theme} does not go with kind {kind}; allowed is {allowed}")
    words = [str(origin), kind or "any", level or "any", *([theme] if theme else [])]
    source = Random(f"puzzle {' '.join(words)}")
    kind = kind or source.choice(theme.kinds if theme else list(PuzzleKind))
    level = level or source.choice(theme.levels if theme else list(PuzzleLevel))
    puzzles = _drawn(source, origin, kind, level, poll)
    if theme is None:
        return next(puzzles)
    for puzzle in islice(puzzles, MAX_THEME_TRIES):
        poll()
        if puzzle.reason(Limits(poll=poll)).kind is theme.reason:
            return puzzle
    raise NoPuzzleError(
        f"none of {MAX_THEME_TRIES} puzzles drawn from {origin} has the theme {theme} (kind {kind}, level {level}); "
        f"try another seed, kind or level"
    )


class NoPuzzleError(errors.Connect4Error):
    """No puzzle with the theme was found."""


def _drawn(
    source: Random, origin: int | date, kind: PuzzleKind, level: PuzzleLevel, poll: Callable[[], None]
) -> Iterator[Puzzle]:
    """The puzzles that come of a source, one after the other."""
    exact = exact_scores(*USUAL_SIZE, poll)
    while True:
        moves = _sensible_moves(source)
        for count in DISCS[kind, level]:
            if count > len(moves):
                break
            puzzle = _puzzle_after(Position(*USUAL_SIZE), moves[:count], exact, kind, origin)
            if puzzle is not None and puzzle.level is level and puzzle.is_worth_asking:
                yield puzzle
                break  # the next positions of the same game are much alike


def puzzle_of_the_day(day: date, *, poll: Callable[[], None] = do_nothing) -> Puzzle:
    """The puzzle of a date: the kinds take turns, and the week begins easy and ends hard."""
    kinds = list(PuzzleKind)
    weekday = day.weekday()
    level = PuzzleLevel.EASY if weekday < 2 else PuzzleLevel.MEDIUM if weekday < 5 else PuzzleLevel.HARD
    return draw_puzzle(day, kinds[day.toordinal() % len(kinds)], level, poll=poll)


def puzzles_of_game(
    position: Position, columns: Iterable[int], *, poll: Callable[[], None] = do_nothing
) -> Iterator[Puzzle]:
    """The positions of a game in which a mistake changed the result and only one column would have kept it.

    The last one first, each as soon as it is known; `position` is the empty board. Raises as `judge` does.
    """
    columns = tuple(columns)
    exact = exact_scores(position.width, position.height, poll)
    for behind, (left, before) in enumerate(pairwise(scores_backwards(position, columns, poll=poll)), 1):
        mistake = mistake_of(before, -left)
        if mistake is not None and mistake.changes_result:
            kind = PuzzleKind.WIN if before > 0 else PuzzleKind.DRAW
            puzzle = _puzzle_after(position, columns[: len(columns) - behind], exact, kind)
            if puzzle is not None:
                yield puzzle


def _puzzle_after(
    start: Position,
    moves: tuple[int, ...],
    exact: ExactScores,
    kind: PuzzleKind,
    origin: int | date | None = None,
) -> Puzzle | None:
    """The position after the moves as a puzzle of this kind, if it is one."""
    position = start.after(moves)
    answer = _only_answer(position, exact, kind)
    if answer is None:
        return None
    scores = exact.column_scores(position)
    score = scores[answer]
    assert score is not None
    line = exact.principal_line(position, answer, score)
    return Puzzle(kind, position, moves, tuple(scores), answer, line[1:], origin)


def _only_answer(position: Position, exact: ExactScores, kind: PuzzleKind) -> int | None:
    """The column that answers the question, if there is exactly one; testing that is cheaper than its score."""
    floor = -1 if kind is PuzzleKind.WIN else 0  # of the opponent's score: a column wins if that is not above -1
    right = None
    for column in position.legal_columns():
        after = position.play(column)
        is_right = _is_above(exact, after, floor) == (kind is PuzzleKind.LOSS)
        if is_right and right is not None:
            return None
        right = column if is_right else right
    if kind is PuzzleKind.DRAW and right is not None and not _is_above(exact, position.play(right), -1):
        return None
    return right


def _is_above(exact: ExactScores, position: Position, floor: int) -> bool:
    """Whether the score of any position, finished ones included, is above this."""
    return finished_score(position) > floor if position.is_over else exact.is_above(position, floor)


def _sensible_moves(source: Random) -> tuple[int, ...]:
    """Random moves of two sides that look one move ahead, until one of them has to let the other win at once."""
    position, moves = Position(*USUAL_SIZE), []
    while not position.is_over:
        column = source.choice(_sensible_columns(position))
        position = position.play(column)
        if position.winning_columns():
            break
        moves.append(column)
    return tuple(moves)


def _sensible_columns(position: Position) -> list[int]:
    """The columns after which the opponent cannot win at once; all open ones if there is no such column."""
    columns = position.legal_columns()
    return [column for column in columns if not position.play(column).winning_columns()] or columns
