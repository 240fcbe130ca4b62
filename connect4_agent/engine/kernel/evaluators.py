"""Static evaluators: what each of them looks at, those by name, and any function of the discs.

A line's direction is a step between the bits of neighbouring cells (rules/position.py draws the layout): up,
down to the right, to the right, up to the right. Shifts are never longer than one step, because a machine
word cannot be shifted by its own width, and left shifts are cut to the board, because Python's integers
have no width.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from connect4_agent.rules import geometry

from . import fours, word

if TYPE_CHECKING:
    from collections.abc import Callable

DECIDED = 1000
"""For a four that cannot be prevented: more than all else on an ordinary board, less than a win that was seen."""


class Evaluator:
    """Values positions of one board size; the larger, the better for the player to move.

    The search asks only about positions in which nobody has four and a cell is empty. It calls `_value`,
    which takes words; `value` is for callers outside the kernel.
    """

    def __init__(self, width: int, height: int) -> None:
        stride = height + 1
        self.line_stride = geometry.line_stride(width, height)
        self.board = word.from_int(geometry.board_cells(width, height))
        # A single column has upright lines only, and its steps may be as long as a machine word.
        steps = [1, stride - 1, stride, stride + 1] if width > 1 else [1]
        self.directions = len(steps)
        self.steps = word.ints(steps)
        self.error: BaseException | None = None
        self.needs_lock = False  # whether `_value` runs Python code
        self.starts = word.words([word.to_int(self._windows_in(self.board, step)) for step in steps])

    def __dealloc__(self) -> None:
        word.release_ints(self.steps)
        word.release(self.starts)

    def value(self, own: int, opponent: int) -> int:
        """Return how good the position is for the player who owns `own` and is to move."""
        value = self._value(word.from_int(own), word.from_int(opponent))
        self.raise_error()
        return value

    def _value(self, own: int, opponent: int) -> int:  # noqa: ARG002  # every evaluator has its own
        return 0

    def raise_error(self) -> None:
        """Raise what a Python function has raised since the last call: `_value` itself cannot raise."""
        if self.error is not None:
            error = self.error
            self.error = None
            raise error

    def _windows_in(self, cells: int, step: int) -> int:
        """Return the first cell of every window, four cells in a line, that lies within these cells."""
        pairs = cells & cells >> step
        return pairs & pairs >> step >> step

    def _alive(self, discs: int, opponent: int, step: int) -> int:
        """Return the discs that can still become part of four: they are in a window without an opposing disc."""
        cells = self._windows_in(self.board & ~opponent, step)
        cells |= cells << step
        cells |= cells << step << step
        return discs & cells


class ThreatParity(Evaluator):
    """Threats by whether their row suits their owner, stacked threats, and windows still open, own minus opponent's.

    A threat is an empty cell in which a player's next disc makes four. As columns fill up, somebody has to
    play below it. While the second player answers every disc in the same column, the first player gets
    the cells of the odd rows, counted from one, and the second those of the even ones: a threat is worth much
    more to its owner in such a row than in the others (Allis, "A Knowledge-based Approach of Connect-Four", 1988).

    The weights are a logistic regression of the exact results of 19,507 positions on 7x6 with 9 to 28 discs,
    from games of a 7-ply player that made random moves as well; a unit is a tenth of the logarithm of the odds.
    """

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height)
        bottom = geometry.bottom_cells(width, height)
        # The first, the third ... counted from one.
        self.odd_rows = word.from_int(geometry.rows_of_cells(width, height, range(0, height, 2)))
        self.bottom = word.from_int(bottom)
        self.above_top = word.from_int(bottom << height)

    def _value(self, own: int, opponent: int) -> int:
        """Return DECIDED where the next discs decide; else own sum minus the opponent's, less 15 under a threat."""
        occupied = own | opponent
        empty = self.board & ~occupied
        playable = occupied + self.bottom & self.board
        own_threats = fours.threats(own, self.line_stride) & empty
        if own_threats & playable:
            return DECIDED
        threats = fours.threats(opponent, self.line_stride) & empty
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
        """Return 28 for a first player's threat in an odd row, 18 for a second player's in an even one, 8 elsewhere.

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
        """Return 5 for a window of two discs and two empty cells, 2 for one disc and three empty cells."""
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


class Potential(Evaluator):
    """Empty cells where one more disc makes runs of 4, 3 or 2: 10, 5 and 2 for each, own minus the opponent's."""

    def _value(self, own: int, opponent: int) -> int:
        """Return the difference of the two sums; a cell counts at most once in each of the three."""
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
        total = 10 * word.popcount(fours.threats(discs, self.line_stride) & empty)
        total += 5 * word.popcount(threes & empty)
        total += 2 * word.popcount(twos & empty)
        return total


class Windows(Evaluator):
    """Windows of four cells: three own and an empty one 10, two own and two empty 2, three opposing and an empty -5."""

    def _value(self, own: int, opponent: int) -> int:
        """Return the sum over all windows of the board."""
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


class LongestRun(Evaluator):
    """The length of the mover's longest run in any direction."""

    def _value(self, own: int, opponent: int) -> int:  # noqa: ARG002  # the opponent's runs do not count
        """Return the length: 0 to 3, as long as nobody has four."""
        longest = 1 if own else 0
        for direction in range(self.directions):
            step = self.steps[direction]
            pairs = own & own >> step
            if pairs & pairs >> step:
                return 3
            if pairs:
                longest = 2
        return longest


class OpenChains(Evaluator):
    """Chains that can still become four: n x 10^n summed over n = 1 to the length, own minus the opponent's."""

    def _value(self, own: int, opponent: int) -> int:
        """Return the difference of the two sums: a chain of one disc is worth 10, of two 210, of three 3210."""
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
        """Return the difference of the two players' sums."""
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


class FunctionEvaluator(Evaluator):
    """Values positions by a Python function of the mover's and the opponent's discs, whose values are in range."""

    def __init__(self, width: int, height: int, function: Callable[[int, int], int]) -> None:
        super().__init__(width, height)
        self.function = function
        self.needs_lock = True

    def _value(self, own: int, opponent: int) -> int:
        return self._called(own, opponent)

    def _called(self, own: int, opponent: int) -> int:
        """Return the function's value; 0 once it has raised an error, which is kept for `raise_error`."""
        if self.error is not None:
            return 0
        try:
            return self.function(word.to_int(own), word.to_int(opponent))
        except BaseException as error:  # noqa: BLE001  # raised again by `raise_error`
            self.error = error
            return 0


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
