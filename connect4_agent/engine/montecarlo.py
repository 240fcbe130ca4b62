"""The Monte Carlo player: random games from each column."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.engine import speed
from connect4_agent.engine.player import Choice, Limits, obvious_column, poll_until, random_source, seconds_for
from connect4_agent.engine.search import middle_first

if TYPE_CHECKING:
    from connect4_agent.position import Position

DEFAULT_PLAYOUTS = 1000
"""The random games from each column where neither their number nor a time is set."""


class MonteCarloPlayer:
    """Plays the column from which random games end best.

    It plays `playouts` games from each column, or as many as `seconds` allow; with both, whichever is
    reached first. With a seed and no time limit its choice is always the same in the same position.
    """

    def __init__(
        self,
        playouts: int | None = None,
        seconds: float | None = None,
        seed: int | None = None,
        compiled: bool | None = None,
    ) -> None:
        self.playouts = playouts
        self.seconds = seconds
        self.seed = seed
        self.compiled = compiled

    def choose(self, position: Position, limits: Limits) -> Choice:
        """The column with most points; of several the one nearest the centre.

        The score goes from -1000, every game lost, to 1000, every game won.
        """
        started = monotonic()
        wins = position.winning_columns()
        if wins or len(position.legal_columns()) == 1:
            column = obvious_column(position)
            return Choice(column, line=(column,))
        seconds = seconds_for(position, limits, self.seconds)
        poll = limits.poll if seconds is None else poll_until(started, seconds, limits.poll)
        rounds = self.playouts
        if rounds is None and seconds is None:
            rounds = DEFAULT_PLAYOUTS
        size = (position.width, position.height)
        compiled = speed.runs_compiled(*size) if self.compiled is None else self.compiled
        playouts = speed.new_playouts(*size, random_source(self.seed, position).getrandbits(64), poll, compiled)
        columns = [column for column in middle_first(position.width) if position.is_open(column)]
        boards = [(after.opponent, after.own) for after in map(position.play, columns)]
        points = [0] * len(columns)
        done = 0
        try:
            while rounds is None or done < rounds:
                # A round that time cuts short counts for no column.
                points = [total + playouts.finish(*board) for total, board in zip(points, boards, strict=True)]
                done += 1
        except errors.OutOfTimeError:
            if not done:
                return Choice(obvious_column(position), nodes=playouts.plies)
        best = max(points)
        column = columns[points.index(best)]
        return Choice(column, score=round(1000 * (best - done) / done), nodes=playouts.plies, line=(column,))
