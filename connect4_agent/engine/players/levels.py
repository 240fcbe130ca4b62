"""The ladder: ten levels of play, from a beginner who overlooks fours to perfect play."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING

from connect4_agent.engine.kernel.values import exact_score, is_decided
from connect4_agent.engine.limits import NO_LIMITS
from connect4_agent.engine.players.negamax import NegamaxPlayer
from connect4_agent.engine.players.perfect import PerfectPlayer
from connect4_agent.engine.players.player import Choice, random_source

if TYPE_CHECKING:
    from connect4_agent.engine.limits import Limits
    from connect4_agent.rules.position import Position


@dataclass(frozen=True, slots=True)
class Level:
    """The numbers of a level; LevelPlayer says what they do."""

    miss_rate: float
    """The chance that it overlooks a column in which a disc makes or stops a four."""
    plies: int
    """The plies that it looks ahead; 1 is the board after its own disc."""
    temperature: float
    """In the evaluator's points: the higher, the more random is its choice."""
    perfect: float = 0
    """The chance, for each move, that it plays perfectly."""


LADDER = {
    1: Level(0.55, 1, 200),
    2: Level(0.30, 1, 90),
    3: Level(0.13, 1, 36),
    4: Level(0, 1, 23),
    5: Level(0, 2, 19),
    6: Level(0, 2, 8),
    7: Level(0, 4, 4),
    8: Level(0, 7, 3),
    9: Level(0, 8, 2, perfect=0.55),
    10: Level(0, 1, 1, perfect=1),
}
"""The levels; docs/strength.md has the Elo differences between them."""

MAX_DIFFERENCE = 60
"""The most by which a column counts as worse than the best one, in the evaluator's points.

So the lower levels play even a disc that loses at once now and then, as people do.
"""


class LevelPlayer:
    """Plays at a level of the ladder: different in every game; with a seed, always the same in the same position.

    With the chance `perfect` it plays as the perfect player does. Otherwise it completes a four, or else stops one,
    in a column that it does not overlook. If it finds none, a search of `plies` values the columns that it has not
    overlooked, and it plays one of them at random. The weight of a column is its distance from the edge, from 1, times
    e to the power of its value divided by `temperature`: a mistake is a move that looks nearly as good as the best one.

    If time runs out, the search is one of fewer plies. `form` is the form of search and solver; None chooses the
    fastest.
    """

    def __init__(self, level: int, seed: int | None = None, form: str | None = None) -> None:
        self.level = LADDER[level]
        self.seed = seed
        self.form = form
        self._negamax = NegamaxPlayer(self.level.plies, form=form)

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
        """Return a column that a person of this level might play, with what the search thinks of it."""
        started = limits.clock()
        source = random_source(self.seed, position)
        if source.random() < self.level.perfect:
            return PerfectPlayer(source.getrandbits(32), form=self.form).choose(position, limits)
        columns = open_columns = position.legal_columns()
        for urgent in (position.winning_columns(), position.passed().winning_columns()):
            if seen := [column for column in urgent if source.random() >= self.level.miss_rate]:
                return Choice(source.choice(seen))
            columns = [column for column in columns if column not in urgent] or columns
        values, plies, nodes = self._negamax.value_columns(position, columns, limits, started)
        best = max(values)
        weights = [
            (1 + min(column, position.width - 1 - column))
            * exp(max(value - best, -MAX_DIFFERENCE) / self.level.temperature)
            for column, value in zip(columns, values, strict=True)
        ]
        ((column, value),) = source.choices(list(zip(columns, values, strict=True)), weights)
        # A proof of one column says something about the position only if no other column can be better.
        is_best = value == best and len(columns) == len(open_columns)
        score = exact_score(value) if is_decided(value) else value
        return Choice(
            column,
            score=score if plies and (is_best or not is_decided(value)) else None,
            exact=is_best and (is_decided(value) or plies >= position.empty_count),
            depth=plies,
            nodes=nodes,
        )
