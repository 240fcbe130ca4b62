"""Analysis: the exact score of every column of a position, and the best play of both sides."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from connect4_agent.engine.exact import exact_scores
from connect4_agent.engine.kernel.order import middle_first
from connect4_agent.engine.limits import NO_LIMITS, Limits
from connect4_agent.rules.checks import require_position
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import verdict


@dataclass(frozen=True, slots=True)
class Analysis:
    """The exact scores of a position that is not over. Notebooks show the position with its scores.

    Scores are from the side to move: 0 is a draw, +k a win with the winner's k-th last disc, -k a loss.
    """

    position: Position
    """The position that was analyzed."""
    scores: tuple[int | None, ...]
    """The score of each column from left to right; None if it is full."""
    line: tuple[int, ...]
    """The best play of both sides, to the end of the game."""
    nodes: int
    """The number of positions visited."""
    elapsed_ms: float
    """The time it took, in milliseconds."""

    @property
    def score(self) -> int:
        """The score of the position."""
        return max(score for score in self.scores if score is not None)

    @property
    def best_columns(self) -> tuple[int, ...]:
        """The columns that keep the score, nearest to the centre first."""
        return tuple(column for column in middle_first(self.position.width) if self.scores[column] == self.score)

    def verdict(self, score: int) -> str:
        """A score of this position in words: `wins in 3 moves`, `draws`, `loses in 5 moves`."""
        return verdict(score, self.position.empty_count)

    def _repr_svg_(self) -> str:
        """The position with its scores, for notebooks."""
        return self.position.svg(self)


def analyze(position: Position, limits: Limits = NO_LIMITS) -> Analysis:
    """Score every column of a position that is not over, exactly.

    On the usual board of 7 columns and 6 rows, that takes at most a second for nearly every position; on larger
    boards it may take days without a limit.

    Args:
        position: The position.
        limits: The time that the analysis may take, and what may end it early.

    Raises:
        GameOverError: A player has four in a row, or the board is full.
        OutOfTimeError: The time limit was too short.

    Example:
        >>> import connect4_agent as c4
        >>> c4.analyze(c4.Position.from_moves("4455")).scores
        (-4, -3, 18, 2, 2, 18, -3)
    """
    require_position(position)
    position.check_unfinished("there is nothing to analyze")
    began = perf_counter()
    exact = exact_scores(position.width, position.height, limits.started_poll())
    nodes_before = exact.nodes
    scores = exact.column_scores(position)
    line = exact.best_line(position, scores)
    return Analysis(position, tuple(scores), line, exact.nodes - nodes_before, (perf_counter() - began) * 1000)
