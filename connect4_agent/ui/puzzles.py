"""Puzzles: positions in which exactly one column is right, drawn from a number or a date, or found in a game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import pairwise
from random import Random
from typing import Any

from connect4_agent import errors
from connect4_agent.engine.engine import Engine, engine_for
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.engine.limits import Limits
from connect4_agent.reasons.explain import explain
from connect4_agent.reasons.explanation import Explanation, ReasonKind
from connect4_agent.reasons.judge import scores_backwards
from connect4_agent.reasons.words import add_words
from connect4_agent.rules.position import USUAL_SIZE, Position
from connect4_agent.rules.scores import finished_score, mistake_of, moves_to_end, result_of, verdict
from connect4_agent.text import counted

FEWEST_OPEN_COLUMNS = 3
"""The fewest open columns in drawn puzzles; with fewer, a guess is too often right."""

SHALLOWEST_MOVES = 2
"""The least depth of drawn puzzles; a win or loss with the next disc is too easy to see."""

EASY_MOVES, MEDIUM_MOVES, HARD_MOVES = 3, 6, 9
"""The deepest puzzles of each level that are drawn. Deeper than medium, nothing is asked without a known reason."""

DISCS, DISCS_OF_DRAWS = range(18, 28), range(22, 33)
"""The numbers of discs of drawn puzzles, with which such puzzles are common and quickly solved."""

FIRST_DAY = date(2026, 1, 1)
"""The day of the daily puzzle with the number 1."""

LAST_NUMBER = 999_999_999
"""The highest number of a puzzle that people may ask for; the lowest is 1."""

DAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
DAY_FORM = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class PuzzleKind(StrEnum):
    """The task of a puzzle; a closed set."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


class PuzzleLevel(StrEnum):
    """The distance that one has to look ahead; a closed set."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class PuzzleTheme(StrEnum):
    """Why the answer is right; a closed set. To spot the trap is a game of its own: its answer loses."""

    DOUBLE = "double"
    ABOVE = "above"
    FORCED = "forced"
    ZUGZWANG = "zugzwang"
    HOLD = "hold"
    TRAP = "trap"

    @property
    def label(self) -> str:
        """Return what people call it."""
        return _LABELS[self]

    @property
    def kind(self) -> PuzzleKind:
        """Return what is asked."""
        return {PuzzleTheme.HOLD: PuzzleKind.DRAW, PuzzleTheme.TRAP: PuzzleKind.LOSS}.get(self, PuzzleKind.WIN)

    @property
    def levels(self) -> tuple[PuzzleLevel, ...]:
        """The levels that have many such puzzles."""
        return _LEVELS[self]

    def explains(self, reason: ReasonKind) -> bool:
        """Check whether an answer with this kind of reason has the theme."""
        return reason is not ReasonKind.NONE if self is PuzzleTheme.TRAP else reason is ReasonKind[self.name]


_LABELS = {
    PuzzleTheme.DOUBLE: "Double threat",
    PuzzleTheme.ABOVE: "The square above",
    PuzzleTheme.FORCED: "Forced moves",
    PuzzleTheme.ZUGZWANG: "Zugzwang",
    PuzzleTheme.HOLD: "Save yourself",
    PuzzleTheme.TRAP: "Spot the trap",
}

_LEVELS = {
    PuzzleTheme.DOUBLE: (PuzzleLevel.EASY,),
    PuzzleTheme.ABOVE: (PuzzleLevel.EASY,),
    PuzzleTheme.FORCED: (PuzzleLevel.EASY, PuzzleLevel.MEDIUM),
    PuzzleTheme.ZUGZWANG: (PuzzleLevel.MEDIUM, PuzzleLevel.HARD),
    PuzzleTheme.HOLD: tuple(PuzzleLevel),
    PuzzleTheme.TRAP: (PuzzleLevel.EASY, PuzzleLevel.MEDIUM),
}

WEEK = (
    (PuzzleTheme.DOUBLE, PuzzleLevel.EASY),
    (PuzzleTheme.ABOVE, PuzzleLevel.EASY),
    (PuzzleTheme.FORCED, PuzzleLevel.EASY),
    (PuzzleTheme.FORCED, PuzzleLevel.MEDIUM),
    (PuzzleTheme.ZUGZWANG, PuzzleLevel.MEDIUM),
    (PuzzleTheme.ZUGZWANG, PuzzleLevel.MEDIUM),
    (PuzzleTheme.ZUGZWANG, PuzzleLevel.HARD),
)
"""The daily puzzles from Monday on."""


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
    reason: Explanation
    """Why the answer wins, draws or loses."""
    theme: PuzzleTheme | None = None
    """The theme that it was drawn for; None for a position of a game."""
    origin: int | date | None = None
    """The number or the day that it was drawn from; None for a position of a game."""

    @property
    def name(self) -> str:
        """Return what people call it: `Tuesday, #321` is that of a day, `Zugzwang, hard #17` one of a theme."""
        if isinstance(self.origin, date):
            return f"{DAY_NAMES[self.origin.weekday()]}, #{(self.origin - FIRST_DAY).days + 1}"
        if self.theme is None:
            return f"After move {len(self.moves)}"
        level = f", {self.level}" if len(self.theme.levels) > 1 else ""
        return f"{self.theme.label}{level} #{self.origin}"

    @property
    def question(self) -> str:
        """Return what is asked, as a sentence."""
        if self.kind is PuzzleKind.WIN:
            return f"Win in {counted(self.depth, 'move')}."
        return "Save the draw." if self.kind is PuzzleKind.DRAW else "Which column loses?"

    @property
    def depth(self) -> int:
        """Return how many moves one has to look ahead, which are discs of the winner, the last one included.

        Counted to the end of the win or the loss to be found; to save a draw, to the end of the longest of the losses
        that the other columns lead to.
        """
        return _depth(self.kind, self.scores, self.answer, self.position.empty_count)

    @property
    def level(self) -> PuzzleLevel:
        """The grade by depth."""
        return level_of(self.depth)

    def explanation(self) -> str:
        """Return why the answer is right, in words; columns are counted from 1."""
        score = self.scores[self.answer]
        assert score is not None
        return f"Column {self.answer + 1} {verdict(score, self.position.empty_count)}; {_OTHERS[self.kind]}."

    def to_dict(self) -> dict[str, Any]:
        """Return the puzzle for programs; columns are counted from 0."""
        empty_count = self.position.empty_count
        return {
            "name": self.name,
            "kind": self.kind.value,
            "theme": self.theme and self.theme.value,
            "question": self.question,
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
            "reason": add_words(self.reason),
            "scores": list(self.scores),
            "results": [None if score is None else result_of(score).value for score in self.scores],
            "verdicts": [None if score is None else verdict(score, empty_count) for score in self.scores],
            "moves_to_end": [None if score is None else moves_to_end(score, empty_count) for score in self.scores],
            "line": list(self.line),
        }

    @property
    def first(self) -> int:
        """The player who began."""
        return self.position.player if len(self.moves) % 2 == 0 else 3 - self.position.player


class PuzzleLine:
    """A puzzle as it is played: the other side answers every right move with its best defence."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.moves: list[int] = []
        """The columns played since, of both sides."""
        self.moves_left = puzzle.depth
        """In how many moves it has to be solved."""
        self.scores = puzzle.scores
        """Of the columns of the position."""

    @property
    def position(self) -> Position:
        """The position to move in."""
        return self.puzzle.position.after(self.moves)

    @property
    def is_solved(self) -> bool:
        """Check whether the line has come to its end: the four, the draw that lasted long enough, or the trap."""
        return bool(self.moves) and (
            self.puzzle.kind is PuzzleKind.LOSS or self.moves_left == 0 or self.position.is_over
        )

    def verdict(self, column: int) -> str:
        """Return what an open column leads to, in words."""
        score = self.scores[column]
        assert score is not None
        return verdict(score, self.position.empty_count)

    def accepts(self, column: int) -> bool:
        """Check whether an open column is right: it keeps the draw, or the win in the number of moves that are left."""
        score = self.scores[column]
        if score is None or self.puzzle.kind is PuzzleKind.LOSS:
            return column == self.puzzle.answer
        if self.puzzle.kind is PuzzleKind.DRAW:
            return score >= 0
        return score > 0 and (moves_to_end(score, self.position.empty_count) or 0) <= self.moves_left

    def play(self, column: int) -> int | None:
        """Play a right column; the answer of the other side, or None if the line has come to its end."""
        self.moves.append(column)
        self.moves_left -= 1
        if self.is_solved:
            return None
        scores = self._scores()
        best = max(score for score in scores if score is not None)
        whole = (self.puzzle.answer, *self.puzzle.line)
        expected = whole[len(self.moves)] if list(whole[: len(self.moves)]) == self.moves else None
        reply = expected if expected is not None and scores[expected] == best else scores.index(best)
        self.moves.append(reply)
        if not self.is_solved:
            self.scores = self._scores()
        return reply

    def _scores(self) -> tuple[int | None, ...]:
        size = self.puzzle.position.width, self.puzzle.position.height
        return tuple(engine_for(*size).column_scores(self.position))


_OTHERS = {
    PuzzleKind.WIN: "no other column wins",
    PuzzleKind.DRAW: "every other column loses",
    PuzzleKind.LOSS: "no other column does",
}


def _depth(kind: PuzzleKind, scores: Iterable[int | None], answer: int, empty_count: int) -> int:
    ends = {column: moves_to_end(score, empty_count) or 0 for column, score in enumerate(scores) if score is not None}
    return max(ends.values()) if kind is PuzzleKind.DRAW else ends[answer]


def level_of(depth: int) -> PuzzleLevel:
    """Return the level of puzzles in which one has to look this many moves ahead."""
    if depth <= EASY_MOVES:
        return PuzzleLevel.EASY
    return PuzzleLevel.MEDIUM if depth <= MEDIUM_MOVES else PuzzleLevel.HARD


def read_day(text: str) -> date:
    """Return a date with a puzzle, written as 2027-01-31. Raises ValueError."""
    try:
        day = date.fromisoformat(text if DAY_FORM.fullmatch(text) else "")
    except ValueError:
        raise ValueError(f"{text[:40]!r} is not a date such as 2027-01-31") from None
    if day < FIRST_DAY:
        raise ValueError(f"{text} has no puzzle; the first is that of {FIRST_DAY}")
    return day


def draw_puzzle(
    number: int,
    theme: PuzzleTheme | None = None,
    level: PuzzleLevel | None = None,
    *,
    poll: Callable[[], None] = do_nothing,
) -> Puzzle:
    """Return the puzzle of a theme and a level with this number, on the usual board; None is any, but never a trap.

    The same arguments give the same puzzle on every machine. `poll` is called often and may raise.
    Raises BadValueError for a level that the theme does not have.
    """
    if theme is not None and level is not None and level not in theme.levels:
        allowed = " or ".join(theme.levels)
        raise errors.BadValueError(f"theme {theme} has no puzzles of level {level}; allowed is {allowed}")
    source = Random(f"puzzle {number}")
    if theme is None:
        others = [each for each in PuzzleTheme if each is not PuzzleTheme.TRAP]
        theme = source.choice([each for each in others if level is None or level in each.levels])
    return _drawn(number, theme, level or source.choice(theme.levels), poll)


def puzzle_of_the_day(day: date, *, poll: Callable[[], None] = do_nothing) -> Puzzle:
    """Return the puzzle of a date, which asks for a win; the week begins easy and ends hard."""
    return _drawn(day, *WEEK[day.weekday()], poll)


def _drawn(origin: int | date, theme: PuzzleTheme, level: PuzzleLevel, poll: Callable[[], None]) -> Puzzle:
    """Return the first puzzle of a theme and a level in random games."""
    source = Random(f"puzzle {theme} {level} {origin}")
    engine = engine_for(*USUAL_SIZE)
    while True:
        moves = _sensible_moves(source)
        for count in DISCS_OF_DRAWS if theme is PuzzleTheme.HOLD else DISCS:
            if count > len(moves):
                break
            wanted = theme, level, origin
            puzzle = _puzzle_after(Position(*USUAL_SIZE), moves[:count], engine, theme.kind, poll, wanted)
            if puzzle is not None:
                return puzzle


def puzzles_of_game(
    position: Position, columns: Iterable[int], *, poll: Callable[[], None] = do_nothing
) -> Iterator[Puzzle]:
    """Yield the positions of a game in which a mistake changed the result and only one column would have kept it.

    The last one first, each as soon as it is known; `position` is the empty board. Raises as `judge` does.
    """
    columns = tuple(columns)
    engine = engine_for(position.width, position.height)
    for behind, (left, before) in enumerate(pairwise(scores_backwards(position, columns, poll=poll, engine=engine)), 1):
        mistake = mistake_of(before, -left)
        if mistake is not None and mistake.changes_result:
            kind = PuzzleKind.WIN if before > 0 else PuzzleKind.DRAW
            puzzle = _puzzle_after(position, columns[: len(columns) - behind], engine, kind, poll)
            if puzzle is not None:
                yield puzzle


def _puzzle_after(
    start: Position,
    moves: tuple[int, ...],
    engine: Engine,
    kind: PuzzleKind,
    poll: Callable[[], None] = do_nothing,
    wanted: tuple[PuzzleTheme, PuzzleLevel, int | date] | None = None,
) -> Puzzle | None:
    """Return the position after the moves as a puzzle of this kind; None if it is not one.

    A wanted theme and level leave out other puzzles, and those that are not worth asking.
    """
    position = start.after(moves)
    answer = _only_answer(position, engine, kind, poll)
    if answer is None:
        return None
    scores = tuple(engine.column_scores(position, poll))
    score = scores[answer]
    assert score is not None
    depth = _depth(kind, scores, answer, position.empty_count)
    if wanted and level_of(depth) is not wanted[1]:
        return None
    if wanted and not _is_worth_asking(position, kind, scores, depth):
        return None
    reason = explain(position, answer, Limits(poll=poll))
    if not (wanted[0].explains(reason.kind) if wanted else depth <= MEDIUM_MOVES or reason.kind is not ReasonKind.NONE):
        return None
    line = engine.line(position, answer, score, poll)
    if len(reason.line) == len(line) and reason.reasons and reason.reasons[0].plan is None:
        line = reason.line  # of equally long defences, the one that the reason names
    theme, _, origin = wanted or (None, None, None)
    return Puzzle(kind, position, moves, scores, answer, line[1:], reason, theme, origin)


def _is_worth_asking(position: Position, kind: PuzzleKind, scores: tuple[int | None, ...], depth: int) -> bool:
    """Check whether there is a choice, more to find than a block, and nothing better to do than to look for a trap."""
    if position.passed().winning_columns() or len(position.legal_columns()) < FEWEST_OPEN_COLUMNS:
        return False
    best = max(score for score in scores if score is not None)
    wins_first = kind is PuzzleKind.LOSS and best > 0 and (moves_to_end(best, position.empty_count) or 0) <= depth
    return SHALLOWEST_MOVES <= depth <= HARD_MOVES and not wins_first


def _only_answer(position: Position, engine: Engine, kind: PuzzleKind, poll: Callable[[], None]) -> int | None:
    """Return the column that answers the question, if there is exactly one; testing that is cheaper than its score."""
    floor = -1 if kind is PuzzleKind.WIN else 0  # of the opponent's score: a column wins if that is not above -1
    right = None
    for column in position.legal_columns():
        after = position.play(column)
        is_right = _is_above(engine, after, floor, poll) == (kind is PuzzleKind.LOSS)
        if is_right and right is not None:
            return None
        right = column if is_right else right
    if kind is PuzzleKind.DRAW and right is not None and not _is_above(engine, position.play(right), -1, poll):
        return None
    return right


def _is_above(engine: Engine, position: Position, floor: int, poll: Callable[[], None]) -> bool:
    """Check whether the score of any position, finished ones included, is above this."""
    return finished_score(position) > floor if position.is_over else engine.is_above(position, floor, poll)


def _sensible_moves(source: Random) -> tuple[int, ...]:
    """Return random moves of two sides that look one move ahead, until one of them has to let the other win at once."""
    position, moves = Position(*USUAL_SIZE), []
    while not position.is_over:
        column = source.choice(_sensible_columns(position))
        position = position.play(column)
        if position.winning_columns():
            break
        moves.append(column)
    return tuple(moves)


def _sensible_columns(position: Position) -> list[int]:
    """Return the columns after which the opponent cannot win at once; all open ones if there is no such column."""
    columns = position.legal_columns()
    return [column for column in columns if not position.play(column).winning_columns()] or columns
