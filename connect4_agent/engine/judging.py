"""Judging: what every move of a game did to the exact score of its position."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.book.lookup import shipped_book
from connect4_agent.engine import speed
from connect4_agent.engine.exact import ExactScores, canonical
from connect4_agent.engine.search import do_nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from connect4_agent.engine.solver import Solver
    from connect4_agent.position import Position


class Mistake(StrEnum):
    """What a move gave away; a closed set."""

    WIN_TO_DRAW = "win to draw"
    WIN_TO_LOSS = "win to loss"
    DRAW_TO_LOSS = "draw to loss"
    SLOWER_WIN = "slower win"
    SOONER_LOSS = "sooner loss"

    @property
    def changes_result(self) -> bool:
        """Whether the game has another result by it, if both sides play on perfectly."""
        return self not in (Mistake.SLOWER_WIN, Mistake.SOONER_LOSS)


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """One move of a game. Scores are from the side that made it: what the position was worth, and what it left."""

    column: int
    score_before: int
    score: int

    @property
    def mistake(self) -> Mistake | None:
        """What the move gave away, if anything."""
        if self.score == self.score_before:
            return None
        if self.score_before > 0:
            if self.score > 0:
                return Mistake.SLOWER_WIN
            return Mistake.WIN_TO_DRAW if self.score == 0 else Mistake.WIN_TO_LOSS
        return Mistake.DRAW_TO_LOSS if self.score_before == 0 else Mistake.SOONER_LOSS


def judge(
    position: Position,
    columns: Iterable[int],
    *,
    poll: Callable[[], None] = do_nothing,
    solver: Solver | None = None,
    known: dict[int, int] | None = None,
) -> tuple[JudgedMove, ...]:
    """Judge moves played one after the other from a position, however long it takes.

    On the usual board that is a second at the most for nearly every game. `poll` is called all the time and
    may raise to end it. A `solver` for boards of this size can be passed to keep its table from one game to
    the next, and so can `known`, the scores found so far, by the key of a position or of its mirror image, the
    smaller one: games that begin alike are then solved once up to where they part.
    Raises IllegalMoveError for a column that is full or not there, GameOverError for a move after the end.
    """
    return tuple(judge_backwards(position, columns, poll=poll, solver=solver, known=known))[::-1]


def judge_backwards(
    position: Position,
    columns: Iterable[int],
    *,
    poll: Callable[[], None] = do_nothing,
    solver: Solver | None = None,
    known: dict[int, int] | None = None,
) -> Iterator[JudgedMove]:
    """The same, the last move first and each as soon as it is known: early moves of large boards may take days."""
    after = [position]
    columns = tuple(columns)
    for ply, column in enumerate(columns):
        poll()  # a large board has thousands of moves, and most of the last ones are known without a search
        if after[-1].is_over:
            raise errors.GameOverError(f"move {ply + 1} is column {column}, but the game was over before it")
        after.append(after[-1].play(column))
    if solver is None:
        solver = speed.new_solver(position.width, position.height)
    exact = ExactScores(solver, shipped_book(), poll)
    known = {} if known is None else known
    # The end of a game first: the table then holds what the positions before lead to.
    left = _score(exact, after.pop(), known)
    for column, each in zip(reversed(columns), reversed(after), strict=True):
        poll()
        before = _score(exact, each, known)
        yield JudgedMove(column, before, -left)
        left = before


def _score(exact: ExactScores, position: Position, known: dict[int, int]) -> int:
    """The score of any position, from the side to move, also of a finished game."""
    if position.winner is not None:
        # The winner has played, so that it has half of what was left before, the odd cell included.
        return -((position.empty_count + 2) // 2)
    if position.is_full:
        return 0
    key = canonical(position).key
    if key not in known:
        known[key] = exact.score(position)
    return known[key]
