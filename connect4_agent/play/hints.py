"""Hints: what every column is worth, exactly where that can be found out, else as an opinion that says so."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.engine import speed
from connect4_agent.engine.analysis import column_scores, verdict
from connect4_agent.engine.evaluate import DEFAULT_EVALUATOR
from connect4_agent.engine.negamax import NegamaxPlayer
from connect4_agent.engine.player import poll_until
from connect4_agent.engine.search import MOST_PLIES, exact_score, is_decided, middle_first

if TYPE_CHECKING:
    from collections.abc import Callable

    from connect4_agent.engine.search import Search
    from connect4_agent.engine.solver import Solver
    from connect4_agent.position import Position

OPINION = "~"
"""Stands before every score that is not proven."""

USUAL_SIZE = (7, 6)

EXACT_SECONDS = 2.0
"""How long exact scores are tried for on boards where they may take for ever."""

OPINION_SECONDS = 2.0
"""How long all columns together are searched where that was not enough."""


@dataclass(frozen=True, slots=True)
class Worth:
    """The score of a column from the side to move; one that is not exact is an evaluator's opinion."""

    score: int
    exact: bool

    def sign(self) -> str:
        """The score for people: `+3`, `0`, `-12`, or `~+7` for an opinion."""
        number = f"{self.score:+d}" if self.score else "0"
        return number if self.exact else f"{OPINION}{number}"

    def rank(self) -> tuple[int, int]:
        """Proven wins before what is open or drawn, that before proven losses."""
        return (self.score > 0) - (self.score < 0) if self.exact else 0, self.score


@dataclass(frozen=True, slots=True)
class Hints:
    """What every column of a position is worth; None where it is full."""

    position: Position
    worths: tuple[Worth | None, ...]

    @property
    def best_columns(self) -> list[int]:
        """The columns worth most, the nearest to the centre first."""
        ranks = {column: worth.rank() for column, worth in enumerate(self.worths) if worth is not None}
        best = max(ranks.values())
        return [column for column in middle_first(self.position.width) if ranks.get(column) == best]

    def summary(self) -> str:
        """The best columns in words."""
        columns = sorted(self.best_columns)
        worth = self.worths[columns[0]]
        assert worth is not None
        names = ", ".join(str(column + 1) for column in columns)
        words = verdict(worth.score, self.position.empty_count) if worth.exact else "not proven"
        return f"Best: {names} ({words})"


class HintSource:
    """Finds hints and remembers them: going through a game asks for the same positions again and again."""

    def __init__(self) -> None:
        self._known: dict[Position, Hints] = {}
        self._solver: Solver | None = None
        self._solver_size = (0, 0)

    def known(self, position: Position) -> Hints | None:
        """The hints, if they were found before."""
        return self._known.get(position)

    def find(self, position: Position, poll: Callable[[], None]) -> Hints:
        """Work out the hints for a position that is not over. `poll` is called all the time and may raise to end it.

        On the usual board, compiled, they are exact however long it takes; elsewhere the exact scores get
        EXACT_SECONDS.
        """
        if position not in self._known:
            try:
                worths = self._exact(position, poll)
            except errors.OutOfTimeError:
                worths = opinions(position, OPINION_SECONDS, poll)
            self._known[position] = Hints(position, worths)
        return self._known[position]

    def _exact(self, position: Position, poll: Callable[[], None]) -> tuple[Worth | None, ...]:
        size = (position.width, position.height)
        if size != USUAL_SIZE or not speed.runs_compiled(*size):
            poll = poll_until(monotonic(), EXACT_SECONDS, poll)
        if self._solver is None or self._solver_size != size:
            self._solver, self._solver_size = speed.new_solver(*size), size
        scores = column_scores(position, poll=poll, solver=self._solver)
        return tuple(None if score is None else Worth(score, exact=True) for score in scores)


def opinions(position: Position, seconds: float, poll: Callable[[], None]) -> tuple[Worth | None, ...]:
    """What a search of all columns finds in this time, with what it can prove.

    It goes one ply deeper at a time, all columns to the same depth: opinions of different depths do not compare.
    """
    size = (position.width, position.height)
    table_size = NegamaxPlayer.TABLE_SIZE if speed.fits_machine_word(*size) else NegamaxPlayer.LARGE_BOARD_TABLE_SIZE
    search = speed.new_search(*size, DEFAULT_EVALUATOR, table_size, speed.runs_compiled(*size))
    search.prepare(poll_until(monotonic(), seconds, poll))
    worths = {column: _at_once(position, column) for column in position.legal_columns()}
    for plies in range(1, min(position.empty_count, MOST_PLIES)):
        if all(worth.exact for worth in worths.values()):
            break
        try:
            deeper = {
                column: worth if worth.exact else _searched(search, position.play(column), plies)
                for column, worth in worths.items()
            }
        except errors.OutOfTimeError:
            break
        worths = deeper
    return tuple(worths.get(column) for column in range(position.width))


def _at_once(position: Position, column: int) -> Worth:
    """What is known of a column without a search."""
    after = position.play(column)
    if after.winner is not None:
        return Worth((position.empty_count + 1) // 2, exact=True)
    return Worth(0, exact=after.is_full)


def _searched(search: Search, after: Position, plies: int) -> Worth:
    columns = middle_first(after.width)
    ranks = [rank for rank in range(after.width) if after.is_open(columns[rank])]
    value, _ = search.best_ranks(after.own, after.opponent, plies, ranks, every_tie=False)
    if is_decided(value):
        return Worth(-exact_score(value), exact=True)
    return Worth(-value, exact=plies >= after.empty_count)
