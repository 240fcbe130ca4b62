"""Evaluator: what every static evaluator shares, the lines of one board size.

A line's direction is a step between the bits of neighbouring cells (rules/position.py draws the layout): up,
down to the right, to the right, up to the right. Shifts are never longer than one step, because a machine
word cannot be shifted by its own width, and left shifts are cut to the board, because Python's integers
have no width.
"""

from connect4_agent.rules import geometry

from . import word


class Evaluator:
    """Values positions of one board size; the larger, the better for the player to move.

    The search asks only about positions in which nobody has four and a cell is empty. It calls `_value`,
    which takes words; `value` is for callers outside the kernel.
    """

    def __init__(self, width: int, height: int) -> None:
        stride = height + 1
        self.board = word.from_int(geometry.board_cells(width, height))
        # A single column has upright lines only, and its steps may be as long as a machine word.
        steps = [1, stride - 1, stride, stride + 1] if width > 1 else [1]
        self.directions = len(steps)
        self.steps = word.ints(steps)
        self.starts = word.words([word.to_int(self._windows_in(self.board, step)) for step in steps])

    def __dealloc__(self) -> None:
        word.release_ints(self.steps)
        word.release(self.starts)

    def value(self, own: int, opponent: int) -> int:
        """How good the position is for the player who owns `own` and is to move."""
        return self._value(word.from_int(own), word.from_int(opponent))

    def _value(self, own: int, opponent: int) -> int:
        raise NotImplementedError

    def _windows_in(self, cells: int, step: int) -> int:
        """The first cell of every window, four cells in a line, that lies within these cells."""
        pairs = cells & cells >> step
        return pairs & pairs >> step >> step

    def _alive(self, discs: int, opponent: int, step: int) -> int:
        """The discs that can still become part of four: they are in a window without an opposing disc."""
        cells = self._windows_in(self.board & ~opponent, step)
        cells |= cells << step
        cells |= cells << step << step
        return discs & cells

    def _fours(self, discs: int, empty: int) -> int:
        """The empty cells in which one more of these discs makes four."""
        fours = 0
        for direction in range(self.directions):
            step = self.steps[direction]
            below_1 = discs << step & self.board
            below_2 = below_1 & below_1 << step
            above_1 = discs >> step
            above_2 = above_1 & above_1 >> step
            fours |= below_2 & (below_2 << step | above_1)
            fours |= above_2 & (above_2 >> step | below_1)
        return fours & empty
