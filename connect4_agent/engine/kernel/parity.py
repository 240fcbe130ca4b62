"""Threat parity: who gains from the cells that are left at the end, and who has the better lines.

A threat is an empty cell in which a player's next disc makes four. As columns fill up, somebody has to
play below it. While the second player answers every disc in the same column, the first player gets
the cells of the odd rows, counted from one, and the second those of the even ones: a threat is worth much
more to its owner in such a row than in the others (Allis, "A Knowledge-based Approach of Connect-Four", 1988).

The weights are a logistic regression of the exact results of 19,507 positions on 7x6 with 9 to 28 discs,
from games of a 7-ply player that made random moves as well; a unit is a tenth of the logarithm of the odds.

Stored scores depend on these values (layer.py): a change makes every layer unreadable.
"""

from connect4_agent.rules import geometry

from . import word
from .evaluator import Evaluator

DECIDED = 1000
"""For a four that cannot be prevented: more than all else on an ordinary board, less than a win that was seen."""


class ThreatParity(Evaluator):
    """Threats by whether their row suits their owner, stacked threats, and windows still open, own minus opponent's."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height)
        bottom = geometry.bottom_cells(width, height)
        # The first, the third ... counted from one.
        self.odd_rows = word.from_int(geometry.rows_of_cells(width, height, range(0, height, 2)))
        self.bottom = word.from_int(bottom)
        self.above_top = word.from_int(bottom << height)

    def _value(self, own: int, opponent: int) -> int:
        """DECIDED where the next discs decide; else the difference of the two players' sums, less 15 under a threat."""
        occupied = own | opponent
        empty = self.board & ~occupied
        playable = occupied + self.bottom & self.board
        own_threats = self._fours(own, empty)
        if own_threats & playable:
            return DECIDED
        threats = self._fours(opponent, empty)
        total = 0
        forced = threats & playable
        if forced:
            # Two to block, or one and the next above it.
            if forced & forced - 1 or forced << 1 & threats:
                return -DECIDED
            total = -15
        threats &= ~playable
        # With equal disc counts the player to move began the game, otherwise the other one.
        mover_began = word.popcount(own) == word.popcount(opponent)
        total += self._threats_worth(own_threats, threats, mover_began)
        total -= self._threats_worth(threats, own_threats, not mover_began)
        return total + self._windows_worth(own, opponent) - self._windows_worth(opponent, own)

    def _threats_worth(self, threats: int, others: int, owner_began: bool) -> int:
        """28 for a first player's threat in an odd row, 18 for a second player's in an even one, 8 in other rows.

        A threat right above another of the same player counts 10 more.
        A threat above one of the other player's in its column is worth nothing: the game ends below it.
        """
        # others | above_top - others: in every column the bits from the lowest of them upwards, as in
        # x | -x; no column borrows from the next.
        alive = threats & ~(((others | self.above_top - others) & self.board) << 1)
        total = 8 * word.popcount(alive) + 10 * word.popcount(alive & alive << 1)
        if owner_began:
            return total + 20 * word.popcount(alive & self.odd_rows)
        return total + 10 * word.popcount(alive & ~self.odd_rows)

    def _windows_worth(self, discs: int, others: int) -> int:
        """5 for a window of two discs and two empty cells, 2 for one disc and three empty cells."""
        total = 0
        for direction in range(self.directions):
            step = self.steps[direction]
            next_1 = others >> step
            next_2 = next_1 >> step
            start = self.starts[direction] & ~(others | next_1 | next_2 | next_2 >> step)
            next_1 = discs >> step
            next_2 = next_1 >> step
            next_3 = next_2 >> step
            low_any = discs | next_1
            high_any = next_2 | next_3
            low_one = discs ^ next_1
            high_one = next_2 ^ next_3
            twos = low_one & high_one | low_any & ~low_one & ~high_any | high_any & ~high_one & ~low_any
            ones = low_one & ~high_any | high_one & ~low_any
            total += 5 * word.popcount(start & twos) + 2 * word.popcount(start & ones)
        return total
