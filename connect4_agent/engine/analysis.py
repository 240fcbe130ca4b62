"""Analysis: the scores of all columns of a position, each proven or an evaluator's value that is marked as such."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from connect4_agent import errors
from connect4_agent.engine.engine import NotInBookError, engine_for
from connect4_agent.engine.kernel.order import middle_first
from connect4_agent.engine.kernel.values import exact_score, is_decided
from connect4_agent.engine.limits import NO_LIMITS, Limits, check_question
from connect4_agent.engine.players.negamax import NegamaxPlayer
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import finished_score, moves_to_end, result_of, signed, verdict

ESTIMATE_MARK = "~"
"""The prefix of every score that is not proven."""

UNPROVEN = "not proven"
WINS_SOMEHOW = "wins, but how soon is not proven"

LINE_SECONDS = 1.0
"""The most time for finding the expected line if there is a time limit at all."""


class ColumnScore(NamedTuple):
    """The score of a column from the side to move; if it is not proven, it is an evaluator's value."""

    score: int
    proven: bool

    def sign(self) -> str:
        """Return the score as text: `+3`, `0`, `-12`, or `~+7` if it is not proven."""
        return signed(self.score) if self.proven else ESTIMATE_MARK + signed(self.score)

    def rank(self) -> tuple[int, int]:
        """Return a key for sorting: proven wins above draws and unproven scores, these above proven losses."""
        return (self.score > 0) - (self.score < 0) if self.proven else 0, self.score


@dataclass(frozen=True)
class Analysis:
    """The scores of a position that is not over, which `print` shows below the board.

    Scores are from the side to move: 0 is a draw, +k a win with the winner's k-th last disc, -k a loss.
    """

    position: Position
    """The position that was analyzed."""
    columns: tuple[ColumnScore | None, ...]
    """The columns from left to right, each with its `score` and whether that is `proven`; None for a full one."""
    nodes: int = 0
    """The number of positions that the solver visited."""
    elapsed_ms: float = 0.0
    """The time it took, in milliseconds."""

    @property
    def is_exact(self) -> bool:
        """Check whether the score of every open column is proven. It always is, unless the time was limited."""
        return all(column is None or column.proven for column in self.columns)

    @cached_property
    def scores(self) -> tuple[int | None, ...]:
        """The proven score of each column from left to right; None if it is full or not proven."""
        return tuple(column.score if column is not None and column.proven else None for column in self.columns)

    @cached_property
    def best_columns(self) -> tuple[int, ...]:
        """The best columns, nearest to the centre first."""
        ranks = {number: column.rank() for number, column in enumerate(self.columns) if column is not None}
        best = max(ranks.values())
        return tuple(number for number in middle_first(self.position.width) if ranks.get(number) == best)

    @property
    def score(self) -> int | None:
        """The score of the position; None if it is not proven."""
        best = self.scores[self.best_columns[0]]
        # A column that is not proven does not win at once, but perhaps with the disc after that.
        is_highest = best is not None and best >= (self.position.empty_count - 1) // 2
        return best if self.is_exact or is_highest else None

    @property
    def verdict(self) -> str:
        """The result of the position in words, such as `wins in 3 moves` or `draws`, as far as it is proven."""
        if self.score is not None:
            return verdict(self.score, self.position.empty_count)
        best = self.columns[self.best_columns[0]]
        return WINS_SOMEHOW if best is not None and best.proven and best.score > 0 else UNPROVEN

    @property
    def verdicts(self) -> tuple[str | None, ...]:
        """The result of each column in words; None if it is full or not proven."""
        empty_count = self.position.empty_count
        return tuple(None if score is None else verdict(score, empty_count) for score in self.scores)

    @cached_property
    def line(self) -> tuple[int, ...]:
        """The best play of both sides to the end of the game, found when it is first asked for.

        Empty if not all scores are proven. On boards where that may take long, it ends early after a second.
        """
        return self.find_line(Limits().for_proofs(self.position.width, self.position.height))

    def find_line(self, limits: Limits) -> tuple[int, ...]:
        """Return `line` within these limits, and within LINE_SECONDS if they limit the time: then it may end early."""
        if not self.is_exact:
            return ()
        poll = limits.at_most(None if limits.seconds is None else LINE_SECONDS).timed_poll()
        first = self.best_columns[0]
        score = self.scores[first]
        assert score is not None
        return engine_for(self.position.width, self.position.height).line(self.position, first, score, poll)

    def to_dict(self, line: tuple[int, ...] | None = None) -> dict[str, Any]:
        """Return the analysis for programs, as `connect4-agent analyze --json` prints it. Columns are counted from 0.

        What is not proven is None, but `best` always has a column. `line` replaces the expected line.
        """
        empty_count, scores, best = self.position.empty_count, self.scores, list(self.best_columns)
        return {
            "exact": self.is_exact,
            "score": self.score,
            "verdict": None if self.score is None else self.verdict,
            "scores": list(scores),
            "verdicts": list(self.verdicts),
            "results": [None if score is None else result_of(score).value for score in scores],
            "moves_to_end": [None if score is None else moves_to_end(score, empty_count) for score in scores],
            "best": best,
            "line": list(self.line if line is None else line) or best[:1],
            "nodes": self.nodes,
            "elapsed_ms": round(self.elapsed_ms, 3),
        }

    def table(self, mover: str) -> list[str]:
        """Return the lines for people: the board above the scores, the result for the mover, and every column's."""
        rows = [row.split() for row in self.position.drawing().splitlines()]
        signs = ["" if column is None else column.sign() for column in self.columns]
        width = max(4, *(len(sign) + 1 for sign in signs))
        lines = ["".join(f"{cell:>{width}}" for cell in row).rstrip() for row in [*rows, signs]]
        lines += ["", f"{mover} to move: {self.verdict}.", ""]
        for number, column in enumerate(self.columns):
            if column is not None:
                words = verdict(column.score, self.position.empty_count) if column.proven else UNPROVEN
                mark = "*" if number in self.best_columns else " "
                lines.append(f"{mark} column {number + 1:<2} {column.sign():>3}  {words}")
        return lines

    def __str__(self) -> str:
        return "\n".join(self.table(f"Player {self.position.player} ({'XO'[self.position.player - 1]})"))

    def summary(self) -> str:
        """Return the best columns in words, counted from 1."""
        numbers = sorted(self.best_columns)
        best = self.columns[numbers[0]]
        assert best is not None
        names = ", ".join(str(number + 1) for number in numbers)
        words = verdict(best.score, self.position.empty_count) if best.proven else UNPROVEN
        return f"{'Best' if self.score is not None else 'Best found'}: {names} ({words})"


def analyze(position: Position, limits: Limits = NO_LIMITS) -> Analysis:
    """Score every column of a position that is not over.

    Without a time limit all scores are exact. On the usual board of 7 columns and 6 rows, that takes at most a second
    for nearly every position; on larger boards it may take days. With a time limit, columns that are not proven
    in time get a value from a search, which `Analysis.columns` marks.

    Args:
        position: The position.
        limits: The time that the analysis may take, and what may end it early.

    Raises:
        GameOverError: A player has four in a row, or the board is full.

    Example:
        >>> import connect4_agent as c4
        >>> c4.analyze(c4.Position.from_moves("4455")).scores
        (-4, -3, 18, 2, 2, 18, -3)
    """
    check_question(position, limits, "there is nothing to analyze")
    started = limits.clock()
    poll = limits.timed_poll(started, limits.proof_share)
    engine = engine_for(position.width, position.height)
    nodes_before = engine.nodes
    scores: list[int | None] = [None] * position.width
    try:
        engine.score_columns(position, scores, poll)
        columns = _proven(scores)
    except errors.OutOfTimeError:
        proven = {column: score for column, score in enumerate(scores) if score is not None}
        columns = estimate_columns(position, limits.since(started), proven)
    return Analysis(position, columns, engine.nodes - nodes_before, (limits.clock() - started) * 1000)


def known_analysis(position: Position) -> Analysis | None:
    """Return the analysis of a position that is not over, if the book has all scores: a fraction of a millisecond."""
    started = NO_LIMITS.clock()
    try:
        scores = engine_for(position.width, position.height).book_only.column_scores(position)
    except NotInBookError:
        return None
    return Analysis(position, _proven(scores), elapsed_ms=(NO_LIMITS.clock() - started) * 1000)


def _proven(scores: list[int | None]) -> tuple[ColumnScore | None, ...]:
    return tuple(map(_proven_score, scores))


@cache
def _proven_score(score: int | None) -> ColumnScore | None:
    """Return the one object for a proven score: scores are few, and analyses many."""
    return None if score is None else ColumnScore(score, proven=True)


def estimate_columns(
    position: Position, limits: Limits, proven: Mapping[int, int] = MappingProxyType({})
) -> tuple[ColumnScore | None, ...]:
    """Return the values that a search of all columns finds within the limits, with everything proven so far.

    All columns are searched to the same depth: values of different depths cannot be compared.
    """
    scores = {
        column: ColumnScore(proven[column], proven=True) if column in proven else _at_once(position, column)
        for column in position.legal_columns()
    }
    rest = [column for column, score in scores.items() if not score.proven]
    values, plies, _ = NegamaxPlayer(None).value_columns(position, rest, limits, limits.clock())
    for column, value in zip(rest, values if plies else (), strict=False):
        is_proven = is_decided(value)
        scores[column] = ColumnScore(
            exact_score(value) if is_proven else value, is_proven or plies >= position.empty_count
        )
    return tuple(scores.get(column) for column in range(position.width))


def _at_once(position: Position, column: int) -> ColumnScore:
    """Return what is known of a column without a search."""
    after = position.play(column)
    return ColumnScore(-finished_score(after) if after.is_over else 0, proven=after.is_over)
