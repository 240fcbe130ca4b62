"""Evaluators that look at chains: runs of one player's discs that are as long as they can be taken."""

from . import bits
from .lines import Evaluator


class LongestRun(Evaluator):
    """The mover's longest run in any direction minus the opponent's."""

    def value(self, own: int, opponent: int) -> int:
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

    def value(self, own: int, opponent: int) -> int:
        """The difference of the two sums: a chain of one disc is worth 10, of two 210, of three 3210."""
        return self._sum(own, opponent) - self._sum(opponent, own)

    def _sum(self, discs: int, others: int) -> int:
        total = 0
        for direction in range(self.directions):
            step = self.steps[direction]
            alive = self._alive(discs, others, step)
            # The cell where a chain starts stands for the chain.
            one = alive & ~(alive << step)
            two = one & alive >> step
            three = two & alive >> step >> step
            total += 10 * bits.popcount(one) + 200 * bits.popcount(two) + 3000 * bits.popcount(three)
        return total


class Positional(Evaluator):
    """Chains of two and three that can still become four, and discs near the centre and the bottom."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height)
        stride = height + 1
        column_cells = (1 << height) - 1
        rings = [0, 0, 0]  # the centre column or columns, those one off it, those two off it
        for column in range(width):
            distance = min(abs(column - (width - 1) // 2), abs(column - width // 2))
            if distance < len(rings):
                rings[distance] |= column_cells << column * stride
        self.rings = bits.words(rings, stride * width)
        # The cells whose row, counted from 0, has bit k set: a row's number is the sum of its bits.
        planes = []
        for bit in range(height.bit_length()):
            plane = sum(1 << row for row in range(height) if row >> bit & 1)
            planes.append(sum(plane << column * stride for column in range(width)))
        self.plane_count = len(planes)
        self.planes = bits.words(planes, stride * width)

    def value(self, own: int, opponent: int) -> int:
        """The difference of the two players' sums."""
        return self._sum(own, opponent) - self._sum(opponent, own)

    def _sum(self, discs: int, others: int) -> int:
        # 30, 15, 5 and 2 for a disc in the centre, one, two and more columns off it.
        total = 2 * bits.popcount(discs)
        total += 28 * bits.popcount(discs & self.rings[0])
        total += 13 * bits.popcount(discs & self.rings[1])
        total += 3 * bits.popcount(discs & self.rings[2])
        rows = 0
        for bit in range(self.plane_count):
            rows += bits.popcount(discs & self.planes[bit]) << bit
        total -= 5 * rows
        for direction in range(self.directions):
            step = self.steps[direction]
            alive = self._alive(discs, others, step)
            two = alive & alive >> step & ~(alive << step)
            three = two & alive >> step >> step
            # 5 for exactly two, 15 for exactly three; 4 and 12 upwards.
            if direction == 0:
                total += 4 * bits.popcount(two) + 8 * bits.popcount(three)
            else:
                total += 5 * bits.popcount(two) + 10 * bits.popcount(three)
        return total
