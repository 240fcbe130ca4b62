"""Fixed-ply negamax with alpha-beta and a transposition table.

A value is from the side to move. A win by a disc that leaves e cells empty is worth WIN + e, a loss
-(WIN + e): sooner wins are worth more and later losses cost less, whatever the position the search
began with. A draw is worth 0, and everything between is an evaluator's opinion.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from . import bits
from .lines import VALUE_LIMIT, Evaluator

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WIN = 1 << 30
BEYOND = (1 << 31) - 1
"""Larger than every value."""

MOST_PLIES = 200
"""The deepest search, far below the interpreter's own limit of recursion."""

DECIDED_FROM = VALUE_LIMIT
"""Values beyond this, in either direction, say who wins."""

LOWER_BOUND = 1
UPPER_BOUND = 2
EXACT = 3
LATEST_GENERATION = 0xFFF
VALUE_OFFSET = 1 << 31
"""Added to a value in the table, where nothing is negative."""


LEFT_TO_RIGHT = 0
CENTRE_FIRST = 1
CHAINS_FIRST = 2
THREATS_FIRST = 3
ORDERINGS = {
    "left-to-right": LEFT_TO_RIGHT,
    "centre": CENTRE_FIRST,
    "chains": CHAINS_FIRST,
    "threats": THREATS_FIRST,
}
"""The orders in which columns can be tried: from the left; from the centre outwards; by column score; by the number of
threats that the mover has after the move. Equals go from the centre outwards."""


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

    `poll` is called about every `poll_interval` nodes and may raise to end the search. A table of size 0
    is none. The table and the ordering, one of ORDERINGS, change the work, never the result.
    """

    def __init__(
        self,
        width: int,
        height: int,
        evaluator: Evaluator,
        table_size: int,
        poll_interval: int,
        ordering: str,
    ) -> None:
        stride = height + 1
        column_cells = (1 << height) - 1
        self.width = width
        self.stride = stride
        self.evaluator = evaluator
        self.ordering = ORDERINGS[ordering]
        self.bottom = 0
        self.board = 0
        for column in range(width):
            self.bottom |= self._cells(1, column)
            self.board |= self._cells(column_cells, column)
        # A rank is a column's place in the order from the centre outwards.
        ranked = middle_first(width)
        self.columns = bits.words([self._cells(column_cells, column) for column in ranked], stride * width)
        self.column_numbers = array("i", ranked)
        # On the last ply, where nothing pays but to try the columns in a good order.
        last = range(width) if self.ordering == LEFT_TO_RIGHT else ranked
        self.last_columns = bits.words([self._cells(column_cells, column) for column in last], stride * width)
        self.urgencies = array("i", bytes(4 * width * (MOST_PLIES + 1)))
        self.table_size = table_size
        # Two words for each position: its key; and value, generation, depth, bound and best rank.
        self.table = bits.zeros(0, stride * width)
        self.generation = LATEST_GENERATION
        self.nodes = 0
        self.best_value = 0
        self.best_rank = -1
        self.poll: Callable[[], None] = do_nothing
        self.poll_interval = poll_interval
        self.next_poll = poll_interval

    def _cells(self, column_bits: int, column: int) -> int:
        return column_bits << column * self.stride

    def prepare(self, poll: Callable[[], None]) -> None:
        """Begin a new request: nothing that an earlier one left in the table is seen from here on."""
        if self.generation >= LATEST_GENERATION:
            self.table = bits.zeros(2 * self.table_size, self.stride * self.width)
            self.generation = 0
        self.generation += 1
        self.nodes = 0
        self.next_poll = self.poll_interval
        self.poll = poll

    def best_ranks(
        self, own: int, opponent: int, depth: int, order: Sequence[int], every_tie: bool
    ) -> tuple[int, list[int]]:
        """The value of an unfinished position at this depth (1 at least), and ranks of columns that reach it.

        `order` holds the ranks of the open columns in the order to try them; it does not change the
        result. The smallest rank that reaches the value is always among those returned; with
        `every_tie` all of them are. Where the poll ends the search, `best_value` and `best_rank` tell the
        best of the columns that were finished; without any, `best_rank` is -1.
        """
        self.nodes += 1
        self.best_value = -BEYOND
        self.best_rank = -1
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
            elif not ranks:
                value = -self._negamax(opponent, own | move, empties - 1, depth - 1, -BEYOND, BEYOND)
            else:
                # Most columns are no better: ask only that, and for the value where one is.
                value = -self._negamax(opponent, own | move, empties - 1, depth - 1, -alpha - 1, -alpha)
                if value > alpha:
                    value = -self._negamax(opponent, own | move, empties - 1, depth - 1, -BEYOND, -value)
            if value > best:
                best = value
                ranks = [rank]
                self.best_value = value
                self.best_rank = rank
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
        if self.nodes >= self.next_poll:
            self._call_poll()
        if depth == 0:
            return self.evaluator.value(own, opponent)
        occupied = own | opponent
        playable = occupied + self.bottom & self.board
        if self._threats(own, occupied) & playable:
            return WIN + empties - 1
        if empties == 1:
            return 0
        best = -BEYOND
        if depth == 1:
            for turn in range(self.width):
                move = playable & self.last_columns[turn]
                if move:
                    self.nodes += 1
                    if self.nodes >= self.next_poll:
                        self._call_poll()
                    value = -self.evaluator.value(opponent, own | move)
                    if value > best:
                        best = value
                        if value >= beta:
                            break
            return best
        depth = min(depth, empties)
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
        alpha = max(alpha, -(WIN + empties - 4))
        if alpha >= beta:
            return alpha
        key = own + occupied
        slot = 0
        first = -1
        if self.table_size:
            slot = 2 * (key % self.table_size)
            entry = self.table[slot + 1]
            if self.table[slot] == key and entry >> 20 & LATEST_GENERATION == self.generation:
                stored = (entry >> 32) - VALUE_OFFSET
                bound = entry >> 8 & 3
                # A win or loss that fewer plies have proved stays one; everything else changes with the depth.
                same_depth = entry >> 10 & 0x3FF == depth
                is_low = bound & LOWER_BOUND and (same_depth or stored > DECIDED_FROM)
                is_high = bound & UPPER_BOUND and (same_depth or stored < -DECIDED_FROM)
                if (is_low and stored >= beta) or (is_high and stored <= alpha):
                    return stored
                if bound == EXACT and (is_low or is_high):
                    return stored
                first = entry & 0xFF
        # The most urgent columns first, above all the one that was best when the table saw this position.
        row = depth * self.width
        for rank in range(self.width):
            move = playable & self.columns[rank]
            self.urgencies[row + rank] = self._urgency(own, opponent, move, rank) if move else -1
        if first >= 0:
            self.urgencies[row + first] = BEYOND
        best_rank = 0
        floor = alpha
        while True:
            most = -1
            rank = 0
            for turn in range(self.width):
                if self.urgencies[row + turn] > most:
                    most = self.urgencies[row + turn]
                    rank = turn
            if most < 0:
                break
            self.urgencies[row + rank] = -1
            move = playable & self.columns[rank]
            if best == -BEYOND:
                value = -self._negamax(opponent, own | move, empties - 1, depth - 1, -beta, -floor)
            else:
                # Most moves are no better than the first: ask only that, and for the value where one is.
                value = -self._negamax(opponent, own | move, empties - 1, depth - 1, -floor - 1, -floor)
                if floor < value < beta:
                    value = -self._negamax(opponent, own | move, empties - 1, depth - 1, -beta, -value)
            if value > best:
                best = value
                best_rank = rank
                if value > floor:
                    floor = value
                    if value >= beta:
                        break
        if self.table_size:
            bound = EXACT
            if best >= beta:
                bound = LOWER_BOUND
            elif best <= alpha:
                bound = UPPER_BOUND
            entry = best + VALUE_OFFSET
            self.table[slot] = key
            self.table[slot + 1] = entry << 32 | self.generation << 20 | depth << 10 | bound << 8 | best_rank
        return best

    def _call_poll(self) -> None:
        self.next_poll = self.nodes + self.poll_interval
        self.poll()

    def _urgency(self, own: int, opponent: int, move: int, rank: int) -> int:
        """How early the move should be tried: 0 or more, the larger the earlier."""
        if self.ordering == THREATS_FIRST:
            return bits.popcount(self._threats(own | move, own | opponent | move))
        if self.ordering == CHAINS_FIRST:
            return self.column_score(own, opponent, move)
        if self.ordering == LEFT_TO_RIGHT:
            return self.width - self.column_numbers[rank]
        return 0

    def column_score(self, own: int, opponent: int, move: int) -> int:
        """The chains that start beside the cell of a move, in the seven directions that are not up.

        A chain of n discs is worth 1 x 10 + 2 x 100 + ... + n x 10^n, the mover's own twice that.
        """
        total = 2 * self._chain_score(own, move, 1, 1) + self._chain_score(opponent, move, 1, 1)
        if self.width > 1:
            for step in range(self.stride - 1, self.stride + 2):
                total += 2 * self._chain_score(own, move, step, 2) + self._chain_score(opponent, move, step, 2)
        return total

    def _chain_score(self, discs: int, move: int, step: int, ways: int) -> int:
        """The chains of these discs beside the cell, downwards by the step; with 2 ways upwards as well."""
        total = 0
        for way in range(ways):
            worth = 10
            length = 1
            cell = move << step if way else move >> step
            while cell & discs:
                total += length * worth
                length += 1
                worth *= 10
                cell = cell << step if way else cell >> step
        return total

    def _threats(self, discs: int, occupied: int) -> int:
        """The empty cells that complete a four with three of these discs."""
        cells = discs << 1 & discs << 2 & discs << 3
        # Where there is no room for four sideways, a machine word may have none for the steps either.
        if self.width >= 4:
            for step in range(self.stride - 1, self.stride + 2):
                # Two neighbouring discs below the cell, with one more on either side; then above it.
                pair = discs << step & discs << 2 * step
                cells |= pair & discs << 3 * step
                cells |= pair & discs >> step
                pair = discs >> step & discs >> 2 * step
                cells |= pair & discs << step
                cells |= pair & discs >> 3 * step
        return cells & (self.board ^ occupied)
