"""Static evaluators by name, and those that look at cells and windows."""

from . import bits
from .chains import LongestRun, OpenChains, Positional
from .lines import VALUE_LIMIT, Evaluator
from .parity import ThreatParity

__all__ = ["DEFAULT_EVALUATOR", "EVALUATORS", "VALUE_LIMIT", "Evaluator"]


class Potential(Evaluator):
    """Empty cells where one more disc makes runs of 4, 3 or 2: 10, 5 and 2 for each, own minus the opponent's."""

    def value(self, own: int, opponent: int) -> int:
        """The difference of the two sums; a cell counts once for each of the three, whatever its directions."""
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
        total = 10 * bits.popcount(self._fours(discs, empty))
        total += 5 * bits.popcount(threes & empty)
        total += 2 * bits.popcount(twos & empty)
        return total


class Windows(Evaluator):
    """Windows of four cells: three own and an empty one 10, two own and two empty 2, three opposing and an empty -5."""

    def value(self, own: int, opponent: int) -> int:
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
            total += 10 * bits.popcount(threes & no_other)
            total += 2 * bits.popcount(twos & no_other)
            total -= 5 * bits.popcount(other_threes & no_own)
        return total


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
