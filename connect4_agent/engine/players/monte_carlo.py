"""The Monte Carlo player: random games from each column."""

from __future__ import annotations

from dataclasses import dataclass

from connect4_agent import errors
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.order import middle_first
from connect4_agent.engine.limits import NO_LIMITS, Limits
from connect4_agent.engine.players.player import Choice, obvious_column, random_source
from connect4_agent.rules.position import Position

DEFAULT_PLAYOUTS = 1000
"""The default number of random games from each column."""


@dataclass(frozen=True, slots=True)
class MonteCarloPlayer:
    """Plays the column from which random games end best.

    It plays `playouts` games from each column, or fewer if time runs out. With a seed and enough time its choice is
    always the same in the same position.
    """

    playouts: int = DEFAULT_PLAYOUTS
    seconds: float | None = None
    seed: int | None = None
    form: str | None = None

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
        """Return the column with the most points; among equals, the one nearest the centre.

        The score goes from -1000, every game lost, to 1000, every game won.
        """
        started = limits.clock()
        wins = position.winning_columns()
        if wins or len(position.legal_columns()) == 1:
            return Choice(obvious_column(position))
        size = (position.width, position.height)
        poll = limits.at_most(self.seconds).for_search(*size).timed_poll(started)
        playouts = forms.new_playouts(*size, random_source(self.seed, position).getrandbits(64), poll, self.form)
        columns = [column for column in middle_first(position.width) if position.is_open(column)]
        boards = [(after.opponent, after.own) for after in map(position.play, columns)]
        points = [0] * len(columns)
        done = 0
        try:
            while done < self.playouts:
                # An unfinished round counts for no column.
                points = [total + playouts.finish(*board) for total, board in zip(points, boards, strict=True)]
                done += 1
        except errors.OutOfTimeError:
            if not done:
                return Choice(obvious_column(position), nodes=playouts.plies)
        best = max(points)
        score = round(1000 * (best - done) / done)
        return Choice(columns[points.index(best)], score=score, nodes=playouts.plies)
