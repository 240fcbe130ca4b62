"""Scores: what an ended game is worth; exact scores, mistakes and grades of moves in words."""

from __future__ import annotations

from dataclasses import dataclass
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
    """What a move gave away; a closed set."""

    WIN_TO_DRAW = "win to draw"
    WIN_TO_LOSS = "win to loss"
    DRAW_TO_LOSS = "draw to loss"
    SLOWER_WIN = "slower win"
    SOONER_LOSS = "sooner loss"

    @property
    def changes_result(self) -> bool:
        """Whether it changes the result of the game under perfect play."""
        return self not in (Mistake.SLOWER_WIN, Mistake.SOONER_LOSS)

    @property
    def explanation(self) -> str:
        """What a move with this mistake does, in words."""
        return _EXPLANATIONS[self]

    @property
    def percent(self) -> int:
        """The percentage that a move with this mistake counts for in an agent's accuracy, which is exact."""
        if not self.changes_result:
            return 75
        return 0 if self is Mistake.WIN_TO_LOSS else 25


_EXPLANATIONS = {
    Mistake.WIN_TO_DRAW: "gives a win away: now a draw",
    Mistake.WIN_TO_LOSS: "turns a win into a loss",
    Mistake.DRAW_TO_LOSS: "turns a draw into a loss",
    Mistake.SLOWER_WIN: "wins more slowly",
    Mistake.SOONER_LOSS: "loses sooner",
}


class Grade(StrEnum):
    """How good a move was for a person, from the best to the worst; a closed set."""

    BEST = "best"
    INACCURACY = "inaccuracy"
    """The result stays, but the win comes later or the loss sooner."""
    MISTAKE = "mistake"
    """Changes the result, but only a deep look shows that."""
    BLUNDER = "blunder"
    """An oversight: a person could have seen it."""

    def counted(self, count: int) -> str:
        """A number of moves of this grade in words: `1 mistake`, `8 best moves`."""
        return f"{count} {_NAMES[self][count != 1]}"


_NAMES = {
    Grade.BEST: ("best move", "best moves"),
    Grade.INACCURACY: ("inaccuracy", "inaccuracies"),
    Grade.MISTAKE: ("mistake", "mistakes"),
    Grade.BLUNDER: ("blunder", "blunders"),
}


def grade_of(mistake: Mistake | None, oversight: Oversight | None = None) -> Grade:
    """The grade of a move with this mistake and this oversight; None is none."""
    if oversight is not None:
        return Grade.BLUNDER
    if mistake is None:
        return Grade.BEST
    return Grade.MISTAKE if mistake.changes_result else Grade.INACCURACY


@dataclass(frozen=True, slots=True)
class GradeCounts:
    """How many of a player's judged moves have each grade."""

    best: int = 0
    inaccuracy: int = 0
    mistake: int = 0
    blunder: int = 0
    seen: int = 0
    """How many moves kept the result where another column would have been an oversight."""

    def count(self, grade: Grade) -> int:
        """How many moves have this grade."""
        counts: int = getattr(self, grade.value)
        return counts

    @property
    def moves(self) -> int:
        """The number of all graded moves."""
        return sum(map(self.count, Grade))

    @property
    def to_see(self) -> int:
        """How many moves could have been an oversight, or were one."""
        return self.seen + self.blunder

    @property
    def accuracy(self) -> float | None:
        """Return the mean percentage of the moves that count, with one decimal; None without one.

        A move counts 100 if something was seen, a mistake 50 and a blunder 0: elsewhere a person had nothing to prove.
        """
        count = self.to_see + self.mistake
        if count == 0:
            return None
        return round((100 * self.seen + 50 * self.mistake) / count, 1)


def finished_score(position: Position) -> int:
    """The score of a game that is over: 0 for a draw, or else a loss to the disc just played."""
    # The winner had half of the cells that were empty before that disc, rounded up.
    return 0 if position.winner is None else -((position.empty_count + 2) // 2)


def score_at_once(position: Position) -> int | None:
    """The score of a game that is over or won by the next disc; None for any other."""
    if position.is_over:
        return finished_score(position)
    winning = position.winning_columns()
    return -finished_score(position.play(winning[0])) if winning else None


def mistake_of(score_before: int, score: int) -> Mistake | None:
    """The mistake of a move that changed the exact score like this, both scores from the mover's side."""
    if score == score_before:
        return None
    if score_before > 0:
        if score > 0:
            return Mistake.SLOWER_WIN
        return Mistake.WIN_TO_DRAW if score == 0 else Mistake.WIN_TO_LOSS
    return Mistake.DRAW_TO_LOSS if score_before == 0 else Mistake.SOONER_LOSS


def result_of(score: int) -> Result:
    """The result that an exact score stands for."""
    if score == 0:
        return Result.DRAW
    return Result.WIN if score > 0 else Result.LOSS


def signed(score: int) -> str:
    """A score with its sign: `+3`, `0`, `-12`."""
    return f"{score:+d}" if score else "0"


def moves_to_end(score: int, empty_count: int) -> int | None:
    """How many discs the winner still plays, including the last one, given a position's score; None for a draw."""
    if score == 0:
        return None
    # The player to move has half of the empty cells left, the odd one included; the other has the rest.
    discs_left = (empty_count + 1) // 2 if score > 0 else empty_count // 2
    return discs_left - abs(score) + 1


def verdict(score: int, empty_count: int) -> str:
    """An exact score of a position in words: `wins in 3 moves`, `draws`, `loses in 5 moves`."""
    count = moves_to_end(score, empty_count)
    if count is None:
        return "draws"
    return f"{'wins' if score > 0 else 'loses'} in {count} move{'s' if count > 1 else ''}"
