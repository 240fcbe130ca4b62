"""Fixed-ply negamax with alpha-beta and a transposition table.

A value is from the side to move. A win by a disc that leaves e cells empty is worth WIN + e, a loss
-(WIN + e): sooner wins are worth more and later losses cost less, whatever the position the search
began with. A draw is worth 0, and everything between is an evaluator's opinion.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from . import bits
from .evaluate import VALUE_LIMIT, Evaluator

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WIN = 1 << 30
BEYOND = (1 << 31) - 1
"""Larger than every value."""

MOST_PLIES = 200
"""The deepest search, far below the interpreter's own limit of recursion."""

LOWER_BOUND = 1
UPPER_BOUND = 2
EXACT = 3


def do_nothing() -> None:
    """The poll of a search that nothing can stop."""


def middle_first(width: int) -> list[int]:
    """The columns from the centre outwards, the left one of two first: 3, 2, 4, 1, 5, 0, 6 on width 7."""
    return sorted(range(width), key=lambda column: (abs(2 * column - (width - 1)), column))


def is_decided(value: int) -> bool:
    """Whether a value says who wins, rather than an evaluator's opinion or a draw."""
    return abs(value) > VALUE_LIMIT


def exact_score(value: int) -> int:
    """A decided value as the public solvers count: +k wins with the winner's k-th last disc, -k loses likewise."""
    empties = abs(value) - WIN
    discs_left = empties // 2 + 1
    return discs_left if value > 0 else -discs_left


class Search:
    """Searches positions of one board size with one evaluator.

    `poll` is called every `poll_interval` nodes (a power of two) and may raise to end the search.
    """

    def __init__(
        self,
        width: int,
        height: int,
        evaluator: Evaluator,
        table_size: int,
        poll_interval: int,
    ) -> None:
        stride = height + 1
        column_cells = (1 << height) - 1
        self.width = width
        self.stride = stride
        self.evaluator = evaluator
        self.bottom = 0
        self.board = 0
        for column in range(width):
            self.bottom |= self._cells(1, column)
            self.board |= self._cells(column_cells, column)
        # A rank is a column's place in the order from the centre outwards.
        self.columns = bits.words([self._cells(column_cells, column) for column in middle_first(width)], stride * width)
        self.table_size = table_size
        self.keys = bits.zeros(0, stride * width)
        self.values = array("i")
        self.tags = array("I")
        self.generation = 0
        self.nodes = 0
        self.poll: Callable[[], None] = do_nothing
        self.poll_mask = poll_interval - 1

    def _cells(self, column_bits: int, column: int) -> int:
        return column_bits << column * self.stride

    def prepare(self, poll: Callable[[], None]) -> None:
        """Begin a new request: nothing that an earlier one left in the table is seen from here on."""
        self.generation += 1
        if len(self.keys) != self.table_size or self.generation > 0xFFF:
            self.keys = bits.zeros(self.table_size, self.stride * self.width)
            self.values = array("i", bytes(4 * self.table_size))
            self.tags = array("I", bytes(4 * self.table_size))
            self.generation = 1
        self.nodes = 0
        self.poll = poll

    def best_ranks(
        self, own: int, opponent: int, depth: int, order: Sequence[int], every_tie: bool
    ) -> tuple[int, list[int]]:
        """The value of an unfinished position at this depth (1 at least), and ranks of columns that reach it.

        `order` holds the ranks of the open columns in the order to try them; it does not change the
        result. The smallest rank that reaches the value is always among those returned; with
        `every_tie` all of them are.
        """
        self.nodes += 1
        playable = (own | opponent) + self.bottom & self.board
        wins = self._threats(own, own | opponent) & playable
        empties = bits.popcount(self.board & ~(own | opponent))
        best = -BEYOND
        ranks: list[int] = []
        for rank in order:
            move = playable & self.columns[rank]
            # A column that ties counts only if it is nearer the centre, unless every tie is wanted.
            alpha = best - 1 if ranks and (every_tie or rank < min(ranks)) else best
            if move & wins:
                value = WIN + empties - 1
            elif empties == 1:
                value = 0
            else:
                value = -self._negamax(opponent, own | move, empties - 1, depth - 1, -BEYOND, -alpha)
            if value > best:
                best = value
                ranks = [rank]
            elif value == best and value > alpha:
                ranks.append(rank)
        return best, ranks

    # One long function, since here every call costs.
    def _negamax(  # noqa: C901, PLR0911, PLR0912, PLR0915
        self, own: int, opponent: int, empties: int, depth: int, alpha: int, beta: int
    ) -> int:
        """The value where it lies between alpha and beta; elsewhere a bound of it on that side.

        Nobody has four, at least one cell is empty, and `own` is to move.
        """
        self.nodes += 1
        if self.nodes & self.poll_mask == 0:
            self.poll()
        if depth == 0:
            return self.evaluator.value(own, opponent)
        occupied = own | opponent
        playable = occupied + self.bottom & self.board
        if self._threats(own, occupied) & playable:
            return WIN + empties - 1
        if empties == 1:
            return 0
        depth = min(depth, empties)
        if depth > 1:
            # Every move that lets the opponent win at once is worth the same, and less than any other.
            dangers = self._threats(opponent, occupied)
            forced = playable & dangers
            if forced:
                if forced & forced - 1:
                    return -(WIN + empties - 2)
                playable = forced
            playable = playable & ~(dangers >> 1)
            if playable == 0:
                return -(WIN + empties - 2)
        # Neither a win with this disc nor a loss to the next one: the value lies between these.
        beta = min(beta, WIN + empties - 3)
        if depth > 1 and alpha < -(WIN + empties - 4):
            alpha = -(WIN + empties - 4)
        if alpha >= beta:
            return alpha
        key = own + occupied
        slot = 0
        first = -1
        if depth > 1:
            slot = key % self.table_size
            if self.keys[slot] == key and self.tags[slot] >> 20 == self.generation:
                tag = self.tags[slot]
                stored = self.values[slot]
                if tag >> 10 & 0x3FF == depth:
                    bound = tag >> 8 & 3
                    if bound == EXACT or (bound == LOWER_BOUND and stored >= beta):
                        return stored
                    if bound == UPPER_BOUND and stored <= alpha:
                        return stored
                first = tag & 0xFF
        best = -BEYOND
        best_rank = 0
        floor = alpha
        for turn in range(-1, self.width):
            # The move that was best when the table saw this position comes first.
            rank = turn
            if turn < 0:
                if first < 0:
                    continue
                rank = first
            elif turn == first:
                continue
            move = playable & self.columns[rank]
            if move == 0:
                continue
            value = -self._negamax(opponent, own | move, empties - 1, depth - 1, -beta, -floor)
            if value > best:
                best = value
                best_rank = rank
                if value > floor:
                    floor = value
                    if value >= beta:
                        break
        if depth > 1:
            bound = EXACT
            if best >= beta:
                bound = LOWER_BOUND
            elif best <= alpha:
                bound = UPPER_BOUND
            self.keys[slot] = key
            self.values[slot] = best
            self.tags[slot] = self.generation << 20 | depth << 10 | bound << 8 | best_rank
        return best

    def _threats(self, discs: int, occupied: int) -> int:
        """The empty cells that complete a four with three of these discs."""
        cells = discs << 1 & discs << 2 & discs << 3
        # Fewer than four columns hold no other line, and may be so high that the shifts by three columns
        # below would be wider than a machine word.
        if self.width < 4:
            return cells & (self.board ^ occupied)
        for step in range(self.stride - 1, self.stride + 2):
            # Two neighbouring discs below the cell, with one more on either side; then above it.
            pair = discs << step & discs << 2 * step
            cells |= pair & discs << 3 * step
            cells |= pair & discs >> step
            pair = discs >> step & discs >> 2 * step
            cells |= pair & discs << step
            cells |= pair & discs >> 3 * step
        return cells & (self.board ^ occupied)
