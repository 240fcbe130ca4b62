"""Static evaluators by name, those that look at cells and windows, and any function of the discs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import word
from .chains import LongestRun, OpenChains, Positional
from .evaluator import Evaluator
from .parity import ThreatParity

if TYPE_CHECKING:
    from collections.abc import Callable


class Potential(Evaluator):
    """Empty cells where one more disc makes runs of 4, 3 or 2: 10, 5 and 2 for each, own minus the opponent's."""

    def _value(self, own: int, opponent: int) -> int:
        """The difference of the two sums; a cell counts at most once in each of the three."""
        empty = self.board & ~(own | opponent)
        return self._sum(own, empty) - self._sum(opponent, empty)

    def _sum(self, discs: int, empty: int) -> int:
        twos = 0
        threes = 0
        for direction in range(self.directions):
            step = self.steps[direction]
            below_1 = discs << step & self.board
            above_1 = discs >> step
            twos |= below_1 | above_1
            threes |= below_1 & above_1 | below_1 & below_1 << step | above_1 & above_1 >> step
        total = 10 * word.popcount(self._fours(discs, empty))
        total += 5 * word.popcount(threes & empty)
        total += 2 * word.popcount(twos & empty)
        return total


class Windows(Evaluator):
    """Windows of four cells: three own and an empty one 10, two own and two empty 2, three opposing and an empty -5."""

    def _value(self, own: int, opponent: int) -> int:
        """The sum over all windows of the board."""
        total = 0
        for direction in range(self.directions):
            step = self.steps[direction]
            start = self.starts[direction]
            # Bit i of cell_k tells of the k-th cell of the window that starts at bit i.
            cell_1 = own >> step
            cell_2 = cell_1 >> step
            cell_3 = cell_2 >> step
            other_1 = opponent >> step
            other_2 = other_1 >> step
            other_3 = other_2 >> step
            no_own = start & ~(own | cell_1 | cell_2 | cell_3)
            no_other = start & ~(opponent | other_1 | other_2 | other_3)
            both_low = own & cell_1
            both_high = cell_2 & cell_3
            one_low = own ^ cell_1
            one_high = cell_2 ^ cell_3
            threes = both_low & one_high | both_high & one_low
            twos = one_low & one_high | both_low & ~(cell_2 | cell_3) | both_high & ~(own | cell_1)
            other_threes = opponent & other_1 & (other_2 ^ other_3) | other_2 & other_3 & (opponent ^ other_1)
            total += 10 * word.popcount(threes & no_other)
            total += 2 * word.popcount(twos & no_other)
            total -= 5 * word.popcount(other_threes & no_own)
        return total


class Called(Evaluator):
    """Values positions by a Python function of the mover's and the opponent's discs, whose values are in range."""

    def __init__(self, width: int, height: int, function: Callable[[int, int], int]) -> None:
        super().__init__(width, height)
        self.function = function

    def _value(self, own: int, opponent: int) -> int:
        return self.function(word.to_int(own), word.to_int(opponent))


EVALUATORS: dict[str, type[Evaluator]] = {
    "threat-parity": ThreatParity,
    "windows": Windows,
    "potential": Potential,
    "positional": Positional,
    "open-chains": OpenChains,
    "longest-run": LongestRun,
}
"""The evaluators by name; the first line of each class's description says what it looks at."""

DEFAULT_EVALUATOR = "threat-parity"
