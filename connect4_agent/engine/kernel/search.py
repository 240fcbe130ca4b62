"""Fixed-ply negamax with alpha-beta and a transposition table; values.py says what its values mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connect4_agent.rules import geometry

from . import fours, order, values, word

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .evaluator import Evaluator

WIN = values.WIN
BEYOND = (1 << 31) - 1
"""Larger than every value."""

DECIDED_FROM = values.VALUE_LIMIT
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
        self.width = width
        self.stride = height + 1
        self.evaluator = evaluator
        self.ordering = ORDERINGS[ordering]
        self.bottom = word.from_int(geometry.bottom_cells(width, height))
        self.board = word.from_int(geometry.board_cells(width, height))
        # A rank is a column's place in the order from the centre outwards.
        ranked = order.middle_first(width)
        self.columns = word.words([geometry.column_cells(height, column) for column in ranked])
        self.column_numbers = word.ints(ranked)
        # On the last ply nothing pays except trying the columns in a good order.
        last = range(width) if self.ordering == LEFT_TO_RIGHT else ranked
        self.last_columns = word.words([geometry.column_cells(height, column) for column in last])
        self.urgencies = word.ints([0] * (width * (values.MOST_PLIES + 1)))
        self.table_size = table_size
        # Two words for each position: its key; and value, generation, depth, bound and best rank.
        self.table = word.zeros(0)
        self.generation = LATEST_GENERATION
        self.nodes = 0
        self.best_value = 0
        self.best_rank = -1
        self.poll: Callable[[], None] = order.do_nothing
        self.poll_interval = poll_interval
        self.next_poll = poll_interval

    def __dealloc__(self) -> None:
        word.release(self.columns)
        word.release_ints(self.column_numbers)
        word.release(self.last_columns)
        word.release_ints(self.urgencies)
        word.release(self.table)

    def prepare(self, poll: Callable[[], None]) -> None:
        """Start a new request: entries that an earlier one left in the table are ignored from now on."""
        if self.generation >= LATEST_GENERATION:
            word.release(self.table)
            self.table = word.zeros(2 * self.table_size)
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
        return self._best_ranks(word.from_int(own), word.from_int(opponent), depth, order, every_tie)

    def _best_ranks(
        self, own: int, opponent: int, depth: int, order: Sequence[int], every_tie: bool
    ) -> tuple[int, list[int]]:
        self.nodes += 1
        self.best_value = -BEYOND
        self.best_rank = -1
        playable = (own | opponent) + self.bottom & self.board
        wins = self._threats(own, own | opponent) & playable
        empties = word.popcount(self.board & ~(own | opponent))
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
                # Most columns are not better: ask only whether one is, and for its value if so.
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

    # One long function, because every call costs time here.
    def _negamax(  # noqa: C901, PLR0911, PLR0912, PLR0915
        self, own: int, opponent: int, empties: int, depth: int, alpha: int, beta: int
    ) -> int:
        """The value if it lies between alpha and beta, otherwise a bound on that side.

        Nobody has four, at least one cell is empty, and `own` is to move.
        """
        self.nodes += 1
        if self.nodes >= self.next_poll:
            self._call_poll()
        if depth == 0:
            return self.evaluator._value(own, opponent)
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
                    value = -self.evaluator._value(opponent, own | move)
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
                # Most moves are not better than the first: ask only whether one is, and for its value if so.
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
            return word.popcount(self._threats(own | move, own | opponent | move))
        if self.ordering == CHAINS_FIRST:
            return self._column_score(own, opponent, move)
        if self.ordering == LEFT_TO_RIGHT:
            return self.width - self.column_numbers[rank]
        return 0

    def column_score(self, own: int, opponent: int, move: int) -> int:
        """The chains that start beside the cell of a move, in the seven directions that are not up.

        A chain of n discs is worth 1 x 10 + 2 x 100 + ... + n x 10^n, the mover's own twice that.
        """
        return self._column_score(word.from_int(own), word.from_int(opponent), word.from_int(move))

    def _column_score(self, own: int, opponent: int, move: int) -> int:
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
        # If four do not fit sideways, the steps may not fit into a machine word either.
        upright_only = self.width < 4
        cells = discs << 1 & discs << 2 & discs << 3 if upright_only else fours.threats(discs, self.stride)
        return cells & (self.board ^ occupied)
