"""Hints: the score of every column, exact if time allows, otherwise an evaluator's value, marked as such."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from time import monotonic
from types import MappingProxyType
from typing import Any

from connect4_agent import errors
from connect4_agent.engine.effort import SOLVER_SHARE, default_seconds, default_share, hint_seconds
from connect4_agent.engine.exact import NotInBookError, book_scores, exact_scores
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.evaluators import DEFAULT_EVALUATOR
from connect4_agent.engine.kernel.order import middle_first
from connect4_agent.engine.kernel.search import Search
from connect4_agent.engine.kernel.values import MAX_PLIES, exact_score, is_decided
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.negamax import NegamaxPlayer
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import finished_score, signed, verdict

OPINION = "~"
"""The prefix of every score that is not proven."""

UNPROVEN = "not proven"
WINS_SOMEHOW = "wins, but how soon is not proven"

LINE_SECONDS = 1.0
"""How long finding the expected line may take, in addition to the scores."""


@dataclass(frozen=True, slots=True)
class ColumnScore:
    """The score of a column from the side to move; if it is not exact, it is an evaluator's value."""

    score: int
    exact: bool

    def sign(self) -> str:
        """The score as text: `+3`, `0`, `-12`, or `~+7` if it is not proven."""
        return signed(self.score) if self.exact else OPINION + signed(self.score)

    def rank(self) -> tuple[int, int]:
        """For sorting: proven wins above draws and unproven scores, and these above proven losses."""
        return (self.score > 0) - (self.score < 0) if self.exact else 0, self.score


@dataclass(frozen=True, slots=True)
class Hints:
    """The hints for every column of a position; None for a full column."""

    position: Position
    columns: tuple[ColumnScore | None, ...]
    line: tuple[int, ...] = ()
    """Best play by both sides; empty if it was not asked for or could not be proven."""
    nodes: int = 0
    """The positions that the solver visited."""
    elapsed_ms: float = 0.0

    @property
    def is_exact(self) -> bool:
        """Whether the score of every open column is proven."""
        return all(column is None or column.exact for column in self.columns)

    @property
    def best_columns(self) -> list[int]:
        """The best columns, nearest to the centre first."""
        ranks = {number: column.rank() for number, column in enumerate(self.columns) if column is not None}
        best = max(ranks.values())
        return [number for number in middle_first(self.position.width) if ranks.get(number) == best]

    @property
    def proven_scores(self) -> list[int | None]:
        """The score of every column; None if it is full or not proven."""
        return [column.score if column is not None and column.exact else None for column in self.columns]

    @property
    def proven_score(self) -> int | None:
        """The score of the position, if it is proven."""
        best = self.proven_scores[self.best_columns[0]]
        # A column that is not proven does not win at once, but perhaps with the disc after that.
        is_highest = best is not None and best >= (self.position.empty_count - 1) // 2
        return best if self.is_exact or is_highest else None

    @property
    def verdict(self) -> str:
        """The result of the position in words, as far as it is proven."""
        if self.proven_score is not None:
            return verdict(self.proven_score, self.position.empty_count)
        best = self.columns[self.best_columns[0]]
        return WINS_SOMEHOW if best is not None and best.exact and best.score > 0 else UNPROVEN

    def document(self) -> dict[str, Any]:
        """The proven scores, for programs, and the best columns, proven or not. Columns are counted from 0."""
        empty_count = self.position.empty_count
        score = self.proven_score
        best = self.best_columns
        return {
            "exact": self.is_exact,
            "score": score,
            "verdict": None if score is None else verdict(score, empty_count),
            "scores": self.proven_scores,
            "verdicts": [None if each is None else verdict(each, empty_count) for each in self.proven_scores],
            "best": best,
            "line": list(self.line) or best[:1],
            "nodes": self.nodes,
            "elapsed_ms": round(self.elapsed_ms, 3),
        }

    def summary(self) -> str:
        """The best columns in words."""
        numbers = sorted(self.best_columns)
        best = self.columns[numbers[0]]
        assert best is not None
        names = ", ".join(str(number + 1) for number in numbers)
        words = verdict(best.score, self.position.empty_count) if best.exact else UNPROVEN
        return f"{'Best' if self.proven_score is not None else 'Best found'}: {names} ({words})"


class HintSource:
    """Finds hints and remembers them: stepping through a game asks for the same positions repeatedly."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._known: dict[Position, Hints] = {}

    def known(self, position: Position) -> Hints | None:
        """The hints, if they have been found before."""
        return self._known.get(position)

    def find(self, position: Position, poll: Callable[[], None]) -> Hints:
        """The hints for a position that is not over; exact, however long it takes, on boards where that is quick."""
        if position not in self._known:
            size = position.width, position.height
            limits = Limits(hint_seconds(*size), poll, clock=self._clock)
            self._known[position] = find_hints(position, limits, default_share(*size))
        return self._known[position]


def known_hints(position: Position) -> Hints | None:
    """The hints for a position that is not over, if the book has them: a matter of a millisecond or two."""
    started = monotonic()
    try:
        scores = book_scores(position.width, position.height).column_scores(position)
    except NotInBookError:
        return None
    return Hints(position, _proven(scores), elapsed_ms=(monotonic() - started) * 1000)


def find_hints(position: Position, limits: Limits, share: float | None = None) -> Hints:
    """Work out the hints for a position that is not over; with `explain`, also the expected line, in extra time.

    A share of the time (default: half of it) goes to exact scores; columns not proven by then get a value from a search
    in the rest of the time. Without a time limit the scores are exact, however long it takes.
    """
    share = SOLVER_SHARE if share is None else share
    started = limits.clock()
    seconds = limits.seconds
    poll = limits.poll_until(started, seconds, share)
    exact = exact_scores(position.width, position.height, poll)
    nodes_before = exact.nodes
    line: tuple[int, ...] = ()
    proven: dict[int, int] = {}
    try:
        for column, score in exact.scored_columns(position):
            proven[column] = score
    except errors.OutOfTimeError:
        assert seconds is not None  # nothing else raises it
        columns = opinions(position, replace(limits, seconds=limits.seconds_left(started, seconds)), proven)
    else:
        scores = [proven.get(column) for column in range(position.width)]
        columns = _proven(scores)
        if limits.explain:
            line = _expected_line(position, scores, limits, started)
    return Hints(position, columns, line, exact.nodes - nodes_before, (limits.clock() - started) * 1000)


def _proven(scores: list[int | None]) -> tuple[ColumnScore | None, ...]:
    return tuple(None if score is None else ColumnScore(score, exact=True) for score in scores)


def _expected_line(position: Position, scores: list[int | None], limits: Limits, started: float) -> tuple[int, ...]:
    """Best play by both sides; under a time limit, as far as it is found within LINE_SECONDS."""
    poll = limits.poll
    if limits.seconds is not None:
        left = limits.seconds_left(started, limits.seconds)
        poll = limits.poll_until(limits.clock(), min(left, LINE_SECONDS))
    return exact_scores(position.width, position.height, poll).best_line(position, scores)


def default_hints(position: Position, poll: Callable[[], None]) -> Hints:
    """The hints for a position that is not over, and the expected line, if no limit is set.

    They take as long as they need on the usual board, and `default_seconds` (exact/effort.py) on others.
    """
    size = position.width, position.height
    return find_hints(position, Limits(default_seconds(*size), poll, explain=True), default_share(*size))


def opinions(
    position: Position, limits: Limits, proven: Mapping[int, int] = MappingProxyType({})
) -> tuple[ColumnScore | None, ...]:
    """The values that a search of all columns finds within the limits, with everything proven so far.

    It goes one ply deeper at a time, all columns to the same depth: values of different depths cannot be compared.
    """
    size = (position.width, position.height)
    table_size = NegamaxPlayer.LARGE_BOARD_TABLE_SIZE if forms.is_slow(*size) else NegamaxPlayer.TABLE_SIZE
    search = forms.new_search(*size, DEFAULT_EVALUATOR, table_size)
    search.prepare(limits.started_poll())
    scores = {
        column: ColumnScore(proven[column], exact=True) if column in proven else _at_once(position, column)
        for column in position.legal_columns()
    }
    for plies in range(1, min(position.empty_count, MAX_PLIES)):
        if all(score.exact for score in scores.values()):
            break
        try:
            deeper = {
                column: score if score.exact else _searched(search, position.play(column), plies)
                for column, score in scores.items()
            }
        except errors.OutOfTimeError:
            break
        scores = deeper
    return tuple(scores.get(column) for column in range(position.width))


def _at_once(position: Position, column: int) -> ColumnScore:
    """What is known of a column without a search."""
    after = position.play(column)
    return ColumnScore(-finished_score(after) if after.is_over else 0, exact=after.is_over)


def _searched(search: Search, after: Position, plies: int) -> ColumnScore:
    columns = middle_first(after.width)
    ranks = [rank for rank in range(after.width) if after.is_open(columns[rank])]
    value, _ = search.best_ranks(after.own, after.opponent, plies, ranks, every_tie=False)
    if is_decided(value):
        return ColumnScore(-exact_score(value), exact=True)
    return ColumnScore(-value, exact=plies >= after.empty_count)
