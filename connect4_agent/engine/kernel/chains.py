"""Evaluators that look at chains: runs of one player's discs that cannot be extended."""

from connect4_agent.rules import geometry

from . import word
from .evaluator import Evaluator


class LongestRun(Evaluator):
    """The mover's longest run in any direction minus the opponent's."""

    def _value(self, own: int, opponent: int) -> int:
        """The difference of the lengths; on a board where nobody has four, between -3 and 3."""
        return self._longest(own) - self._longest(opponent)

    def _longest(self, discs: int) -> int:
        longest = 1 if discs else 0
        for direction in range(self.directions):
            step = self.steps[direction]
            pairs = discs & discs >> step
            if pairs & pairs >> step:
                return 3
            if pairs:
                longest = 2
        return longest


class OpenChains(Evaluator):
    """Chains that can still become four: n x 10^n summed over n = 1 to the length, own minus the opponent's."""

    def _value(self, own: int, opponent: int) -> int:
        """The difference of the two sums: a chain of one disc is worth 10, of two 210, of three 3210."""
        return self._sum(own, opponent) - self._sum(opponent, own)

    def _sum(self, discs: int, others: int) -> int:
        total = 0
        for direction in range(self.directions):
            step = self.steps[direction]
            alive = self._alive(discs, others, step)
            # A chain is represented by the cell where it starts.
            one = alive & ~(alive << step)
            two = one & alive >> step
            three = two & alive >> step >> step
            total += 10 * word.popcount(one) + 200 * word.popcount(two) + 3000 * word.popcount(three)
        return total


class Positional(Evaluator):
    """Chains of two and three that can still become four, and discs near the centre and the bottom."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height)
        rings = [0, 0, 0]  # the centre column or columns, those one off it, those two off it
        for column in range(width):
            distance = min(abs(column - (width - 1) // 2), abs(column - width // 2))
            if distance < len(rings):
                rings[distance] |= geometry.column_cells(height, column)
        self.rings = word.words(rings)
        # The cells whose row, counted from 0, has bit k set: a row's number is the sum of its bits.
        self.plane_count = height.bit_length()
        self.planes = word.words(
            [
                geometry.rows_of_cells(width, height, [row for row in range(height) if row >> bit & 1])
                for bit in range(self.plane_count)
            ]
        )

    def __dealloc__(self) -> None:
        word.release(self.rings)
        word.release(self.planes)

    def _value(self, own: int, opponent: int) -> int:
        """The difference of the two players' sums."""
        return self._sum(own, opponent) - self._sum(opponent, own)

    def _sum(self, discs: int, others: int) -> int:
        # 30, 15, 5 and 2 for a disc in the centre, one, two and more columns off it.
        total = 2 * word.popcount(discs)
        total += 28 * word.popcount(discs & self.rings[0])
        total += 13 * word.popcount(discs & self.rings[1])
        total += 3 * word.popcount(discs & self.rings[2])
        rows = 0
        for bit in range(self.plane_count):
            rows += word.popcount(discs & self.planes[bit]) << bit
        total -= 5 * rows
        for direction in range(self.directions):
            step = self.steps[direction]
            alive = self._alive(discs, others, step)
            two = alive & alive >> step & ~(alive << step)
            three = two & alive >> step >> step
            # 5 for exactly two, 15 for exactly three; 4 and 12 upwards.
            if direction == 0:
                total += 4 * word.popcount(two) + 8 * word.popcount(three)
            else:
                total += 5 * word.popcount(two) + 10 * word.popcount(three)
        return total
