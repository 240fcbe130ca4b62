"""Static evaluators: what an unfinished position looks like to the player to move."""

from . import bits


class Evaluator:
    """Values positions of one board size; the larger, the better for the player to move.

    The search asks only about positions in which nobody has four and a cell is empty, and relies on
    every value lying strictly between -VALUE_LIMIT and VALUE_LIMIT.
    """

    def __init__(self, width: int, height: int) -> None:
        stride = height + 1
        column_cells = (1 << height) - 1
        board = 0
        for column in range(width):
            board |= column_cells << column * stride
        steps = [1, stride - 1, stride, stride + 1]
        self.steps = bits.words(steps, 64)
        self.starts = bits.words(
            [board & board >> step & board >> 2 * step & board >> 3 * step for step in steps], stride * width
        )

    def value(self, own: int, opponent: int) -> int:
        """The worth of the position to the player who owns `own` and is to move."""
        raise NotImplementedError


class Windows(Evaluator):
    """Counts windows, the places where four discs could stand in a line, by what they hold.

    Three own discs and an empty cell: 10. Two own discs and two empty cells: 2.
    Three of the opponent's discs and an empty cell: -5.
    """

    def value(self, own: int, opponent: int) -> int:
        """The sum over all windows of the board."""
        total = 0
        for direction in range(4):
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


VALUE_LIMIT = 1 << 29

EVALUATORS: dict[str, type[Evaluator]] = {"windows": Windows}

DEFAULT_EVALUATOR = "windows"
