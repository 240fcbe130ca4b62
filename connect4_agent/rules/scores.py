"""Scores: what an ended game is worth, exact scores in words, and the mistakes and grades of moves."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from connect4_agent.rules.oversights import Oversight
    from connect4_agent.rules.position import Position


class Result(StrEnum):
    """The result of a game under perfect play by both sides, from one side's view."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


class Mistake(StrEnum):
    """The loss by a move that was not the best; a closed set."""

    WIN_TO_DRAW = "win to draw"
    WIN_TO_LOSS = "win to loss"
    DRAW_TO_LOSS = "draw to loss"
    SLOWER_WIN = "slower win"
    SOONER_LOSS = "sooner loss"

    @property
    def changes_result(self) -> bool:
        """Check whether the mistake changes the result of the game under perfect play."""
        return self not in (Mistake.SLOWER_WIN, Mistake.SOONER_LOSS)

    @property
    def percent(self) -> int:
        """The percentage that a move with this mistake counts for in a player's accuracy."""
        if not self.changes_result:
            return 75
        return 0 if self is Mistake.WIN_TO_LOSS else 25


class Grade(StrEnum):
    """The grade of a move, from the best to the worst; a closed set."""

    BEST = "best"
    INACCURACY = "inaccuracy"
    """The result stays, but the win comes later or the loss sooner."""
    MISTAKE = "mistake"
    """Changes the result, but only a deep look shows that."""
    BLUNDER = "blunder"
    """An oversight: a person could have seen it."""

    @property
    def mark(self) -> str:
        """The mark beside a move, as in chess notation."""
        return {Grade.BEST: "", Grade.INACCURACY: "?!", Grade.MISTAKE: "?", Grade.BLUNDER: "??"}[self]

    @property
    def plural(self) -> str:
        """The name of several moves."""
        return {Grade.BEST: "best", Grade.INACCURACY: "inaccuracies"}.get(self, f"{self}s")


def grade_of(mistake: Mistake | None, oversight: Oversight | None = None) -> Grade:
    """Return the grade of a move with this mistake and this oversight; None is none."""
    if oversight is not None:
        return Grade.BLUNDER
    if mistake is None:
        return Grade.BEST
    return Grade.MISTAKE if mistake.changes_result else Grade.INACCURACY


def accuracy(mistakes: Iterable[Mistake | None]) -> float | None:
    """Return the accuracy of moves with these mistakes: their mean percentage, with one decimal; None without a move.

    A move counts 100, a slower win or a sooner loss 75, half a point given away 25, and a whole point 0.
    """
    percents = [100 if mistake is None else mistake.percent for mistake in mistakes]
    return round(sum(percents) / len(percents), 1) if percents else None


def finished_score(position: Position) -> int:
    """Return the score of a game that is over: 0 for a draw, or else a loss to the disc just played."""
    # The winner had half of the cells that were empty before that disc, rounded up.
    return 0 if position.winner is None else -((position.empty_count + 2) // 2)


def mistake_of(score_before: int, score: int) -> Mistake | None:
    """Return the mistake of a move that changed the exact score like this, both scores from the mover's side."""
    if score == score_before:
        return None
    if score_before > 0:
        if score > 0:
            return Mistake.SLOWER_WIN
        return Mistake.WIN_TO_DRAW if score == 0 else Mistake.WIN_TO_LOSS
    return Mistake.DRAW_TO_LOSS if score_before == 0 else Mistake.SOONER_LOSS


def result_of(score: int) -> Result:
    """Return the result of an exact score."""
    if score == 0:
        return Result.DRAW
    return Result.WIN if score > 0 else Result.LOSS


def signed(score: int) -> str:
    """Return a score with its sign: `+3`, `0`, `-12`."""
    return f"{score:+d}" if score else "0"


def moves_to_end(score: int, empty_count: int) -> int | None:
    """Return how many discs the winner still plays, the last one included, given a score; None for a draw."""
    if score == 0:
        return None
    # The player to move has half of the empty cells left, the odd one included; the other has the rest.
    discs_left = (empty_count + 1) // 2 if score > 0 else empty_count // 2
    return discs_left - abs(score) + 1


def verdict(score: int, empty_count: int) -> str:
    """Return an exact score of a position in words: `wins in 3 moves`, `draws`, `loses in 5 moves`."""
    count = moves_to_end(score, empty_count)
    if count is None:
        return "draws"
    return f"{'wins' if score > 0 else 'loses'} in {count} move{'s' if count > 1 else ''}"
