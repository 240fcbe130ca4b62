"""Analysis: the exact score of every column of a position, and the play that both sides' best moves lead to."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from connect4_agent import errors
from connect4_agent.book.lookup import shipped_book
from connect4_agent.engine import speed
from connect4_agent.engine.exact import ExactScores, principal_line
from connect4_agent.engine.search import do_nothing, middle_first

if TYPE_CHECKING:
    from collections.abc import Callable

    from connect4_agent.engine.solver import Solver
    from connect4_agent.position import Position


@dataclass(frozen=True, slots=True)
class Analysis:
    """What perfect play makes of a position that is not over.

    Scores are from the side to move: 0 is a draw, +k a win with the winner's k-th last disc, -k a loss likewise.
    """

    position: Position
    scores: tuple[int | None, ...]
    """The score of the position if this column is played, from left to right; None where it is full."""
    line: tuple[int, ...]
    """The columns that both sides' best moves lead through, to the end of the game."""
    nodes: int
    """The positions visited to find this out."""
    elapsed_ms: float

    @property
    def score(self) -> int:
        """The score of the position."""
        return max(score for score in self.scores if score is not None)

    @property
    def best_columns(self) -> tuple[int, ...]:
        """The columns that keep the score, the nearest to the centre first."""
        return tuple(column for column in middle_first(self.position.width) if self.scores[column] == self.score)

    def verdict(self, score: int) -> str:
        """A score of this position in words: `wins in 3 moves`, `draws`, `loses in 5 moves`."""
        return verdict(score, self.position.empty_count)

    def document(self) -> dict[str, Any]:
        """The analysis for programs; columns count from 0."""
        return {
            "score": self.score,
            "verdict": self.verdict(self.score),
            "scores": list(self.scores),
            "verdicts": [None if score is None else self.verdict(score) for score in self.scores],
            "best": list(self.best_columns),
            "line": list(self.line),
            "nodes": self.nodes,
            "elapsed_ms": round(self.elapsed_ms, 3),
        }


def verdict(score: int, empty_count: int) -> str:
    """An exact score of a position in words: `wins in 3 moves`, `draws`, `loses in 5 moves`."""
    count = moves_to_end(score, empty_count)
    if count is None:
        return "draws"
    return f"{'wins' if score > 0 else 'loses'} in {count} move{'s' if count > 1 else ''}"


def moves_to_end(score: int, empty_count: int) -> int | None:
    """How many discs the winner still plays, the last one included, by the score of a position; None for a draw."""
    if score == 0:
        return None
    # The player to move has half of the empty cells left, the odd one included; the other has the rest.
    discs_left = (empty_count + 1) // 2 if score > 0 else empty_count // 2
    return discs_left - abs(score) + 1


def analyze(position: Position, *, poll: Callable[[], None] = do_nothing, solver: Solver | None = None) -> Analysis:
    """Score every column of a position, however long it takes.

    On the usual board that is a second at the most for nearly every position of 8 discs or more, and for most
    of the others; on larger ones it may be days. `poll` is called all the time and may raise to end it. A
    `solver` for boards of this size can be passed to keep its table from one position to the next.
    Raises GameOverError where somebody has four or the board is full.
    """
    if position.is_over:
        reason = "the board is full" if position.winner is None else f"player {position.winner} has four in a row"
        raise errors.GameOverError(f"there is nothing to analyze: {reason}")
    began = perf_counter()
    solver = solver or speed.new_solver(position.width, position.height)
    nodes_before = solver.nodes
    exact = ExactScores(solver, shipped_book(), poll)
    scores = _scores_of_columns(exact, position)
    best = max(score for score in scores if score is not None)
    first = next(column for column in middle_first(position.width) if scores[column] == best)
    line = principal_line(exact, position, first, best)
    return Analysis(position, tuple(scores), line, solver.nodes - nodes_before, (perf_counter() - began) * 1000)


def column_scores(position: Position, *, poll: Callable[[], None], solver: Solver) -> list[int | None]:
    """The score of every column of a position in which nobody has four, as in Analysis."""
    return _scores_of_columns(ExactScores(solver, shipped_book(), poll), position)


def exact_score(position: Position, *, poll: Callable[[], None], solver: Solver) -> int:
    """The score of a position in which nobody has four; 0 where the board is full."""
    return 0 if position.is_full else ExactScores(solver, shipped_book(), poll).score(position)


def _scores_of_columns(exact: ExactScores, position: Position) -> list[int | None]:
    scores: list[int | None] = [None] * position.width
    for column in middle_first(position.width):
        if position.is_open(column):
            scores[column] = _score_of_column(exact, position, column)
    return scores


def _score_of_column(exact: ExactScores, position: Position, column: int) -> int:
    after = position.play(column)
    if after.winner is not None:
        return (position.empty_count + 1) // 2
    return 0 if after.is_full else -exact.score(after)
