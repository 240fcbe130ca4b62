"""Judging: how every move of a game changed the exact score of its position."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from connect4_agent import errors
from connect4_agent.engine.exact import ExactScores, exact_scores
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import Mistake, finished_score, mistake_of


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """One move of a game. Scores are from the side that made it: what the position was worth, and what it left."""

    column: int
    score_before: int
    score: int

    @property
    def mistake(self) -> Mistake | None:
        """The mistake that the move made, if any."""
        return mistake_of(self.score_before, self.score)


def judge(
    position: Position,
    columns: Iterable[int],
    *,
    poll: Callable[[], None] = do_nothing,
    known: dict[int, int] | None = None,
) -> tuple[JudgedMove, ...]:
    """Judge moves played one after the other from a position, however long it takes.

    On the usual board that takes at most a second for nearly every game. `poll` is called frequently and
    may raise to end it. `known` can hold the scores found so far, by the key of a position or of its mirror image,
    the smaller one: the common beginning of several games is then solved once.
    Raises IllegalMoveError for a column that is full or does not exist, GameOverError for a move after the end.
    """
    return tuple(judge_backwards(position, columns, poll=poll, known=known))[::-1]


def judge_backwards(
    position: Position,
    columns: Iterable[int],
    *,
    poll: Callable[[], None] = do_nothing,
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
    exact = exact_scores(position.width, position.height, poll)
    known = {} if known is None else known
    # The end of a game first: the table then holds what the positions before lead to.
    left = _score(exact, after.pop(), known)
    for column, each in zip(reversed(columns), reversed(after), strict=True):
        poll()
        before = _score(exact, each, known)
        yield JudgedMove(column, before, -left)
        left = before


def _score(exact: ExactScores, position: Position, known: dict[int, int]) -> int:
    """The score of any position, from the side to move, including finished games."""
    if position.is_over:
        return finished_score(position)
    key = position.canonical().key
    if key not in known:
        known[key] = exact.score(position)
    return known[key]
