"""Fixed-ply negamax with alpha-beta and a transposition table; values.py says what its values mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connect4_agent.rules import geometry

from . import fours, order, tuning, values, word

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .evaluators import Evaluator

WIN = values.WIN

DECIDED_FROM = values.VALUE_LIMIT
"""Values beyond this, in either direction, say who wins."""

LOWER_BOUND = 1
UPPER_BOUND = 2
EXACT = 3
LATEST_GENERATION = 0xFFF
THREATS, CENTRE, OPEN_CHAINS, EVALUATION = range(len(order.ORDERS))
"""By what moves are ordered: their places in `ORDERS`."""

VALUE_OFFSET = 1 << 31
"""Added to a value in the table, where nothing is negative."""


class Search:
    """Searches positions of one board size with one evaluator.

    `poll` is called about every `poll_interval` nodes and may raise to end the search. A table of size 0
    is none; the table and `move_order`, one of `ORDERS`, change the work, never the result. A full board is worth
    0; or, with `rates_full_boards`, what the evaluator says of it for the player to move at the root.

    A compiled search gives other Python threads a chance to run from its first poll on, unless its evaluator is a
    Python function. So a search belongs to one thread at a time: `best_ranks` raises RuntimeError if it is running
    already.
    """

    def __init__(
        self,
        width: int,
        height: int,
        evaluator: Evaluator,
        table_size: int,
        poll_interval: int,
        move_order: str = order.DEFAULT_ORDER,
        rates_full_boards: bool = False,
    ) -> None:
        self.width = width
        self.line_stride = geometry.line_stride(width, height)
        self.evaluator = evaluator
        self.bottom = word.from_int(geometry.bottom_cells(width, height))
        self.board = word.from_int(geometry.board_cells(width, height))
        # A rank is a column's index in the order from the centre outwards.
        ranked = order.middle_first(width)
        self.columns = word.words([geometry.column_cells(height, column) for column in ranked])
        self.urgencies = word.ints([0] * (width * (values.MAX_PLIES + 1)))
        self.table_size = table_size
        # Two words for each position: its key; and value, generation, depth, bound and best rank.
        self.table = word.nothing()
        self.generation = LATEST_GENERATION
        self.nodes = 0
        self.best_value = 0
        self.best_rank = -1
        self.poll: Callable[[], None] = order.do_nothing
        self.poll_interval = poll_interval
        self.next_poll = poll_interval
        self.move_order = order.ORDERS.index(move_order)
        self.rates_full_boards = rates_full_boards
        self.root_fills = False  # whether the player at the root plays the last disc of a full board
        self.error: BaseException | None = None  # what the poll has raised
        self.is_running = False
        self.is_stopped = False
        self.has_yielded = False  # other Python threads may run

    def __dealloc__(self) -> None:
        word.release(self.columns)
        word.release_ints(self.urgencies)
        word.release(self.table)

    def prepare(self, poll: Callable[[], None]) -> None:
        """Start a new request: entries that an earlier one left in the table are ignored from now on."""
        self._check_idle()
        if self.generation >= LATEST_GENERATION:
            word.release(self.table)
            self.table = word.nothing()  # there may be no memory for another one
            self.table = word.zeros(2 * self.table_size)
            self.generation = 0
        self.generation += 1
        self.nodes = 0
        self.next_poll = self.poll_interval
        self.poll = poll

    def best_ranks(
        self, own: int, opponent: int, depth: int, order: Sequence[int], every_tie: bool
    ) -> tuple[int, list[int]]:
        """Return the value of an unfinished position at this depth (1 at least), and ranks of columns that reach it.

        `order` holds the ranks of the open columns in the order to try them; it does not change the
        result. The smallest rank that reaches the value is always among those returned; with
        `every_tie` all of them are. If the poll ends the search, `best_value` and `best_rank` are the
        best of the columns that were finished; without any, `best_rank` is -1.
        """
        self._check_idle()
        self.is_running = True
        try:
            return self._best_ranks(word.from_int(own), word.from_int(opponent), depth, order, every_tie)
        finally:
            self.is_running = False

    def _check_idle(self) -> None:
        if self.is_running:
            raise RuntimeError("this search is running already, in another thread")

    def _best_ranks(
        self, own: int, opponent: int, depth: int, order: Sequence[int], every_tie: bool
    ) -> tuple[int, list[int]]:
        self.nodes += 1
        self.best_value = -tuning.INFINITY
        self.best_rank = -1
        playable = (own | opponent) + self.bottom & self.board
        wins = fours.threats(own, self.line_stride) & playable
        empties = word.popcount(self.board & ~(own | opponent))
        self.root_fills = empties & 1 == 1
        best = -tuning.INFINITY
        ranks: list[int] = []
        for rank in order:
            move = playable & self.columns[rank]
            # A column that ties counts only if it is nearer the centre, unless every tie is wanted.
            alpha = best - 1 if ranks and (every_tie or rank < min(ranks)) else best
            if move & wins:
                value = WIN + empties - 1
            elif empties == 1:
                value = self._filled(own | move, opponent)
            elif not ranks:
                value = -self._searched(opponent, own | move, empties - 1, depth - 1, -tuning.INFINITY, tuning.INFINITY)
            else:
                # Most columns are not better: ask only whether one is, and for its value if so.
                value = -self._searched(opponent, own | move, empties - 1, depth - 1, -alpha - 1, -alpha)
                if value > alpha:
                    value = -self._searched(opponent, own | move, empties - 1, depth - 1, -tuning.INFINITY, -value)
            if value > best:
                best = value
                ranks = [rank]
                self.best_value = value
                self.best_rank = rank
            elif value == best and value > alpha:
                ranks.append(rank)
        return best, ranks

    def _searched(self, own: int, opponent: int, empties: int, depth: int, alpha: int, beta: int) -> int:
        """Return the same as `_negamax`, but it raises what poll or evaluator have raised."""
        self.is_stopped = False
        value = self._negamax(own, opponent, empties, depth, alpha, beta)
        if self.has_yielded:
            word.resume(self.yielded)
            self.has_yielded = False
        if self.error is not None:
            error = self.error
            self.error = None
            self.next_poll = self.nodes + self.poll_interval
            raise error
        self.evaluator.raise_error()
        return value

    # One long function, because every call costs time here.
    def _negamax(  # noqa: C901, PLR0911, PLR0912, PLR0915
        self, own: int, opponent: int, empties: int, depth: int, alpha: int, beta: int
    ) -> int:
        """Return the value if it lies between alpha and beta, otherwise a bound on that side.

        Nobody has four, at least one cell is empty, and `own` is to move. A search that is stopped returns any number.
        """
        self.nodes += 1
        if self.nodes >= self.next_poll and self._stops():
            return 0
        if depth == 0:
            return self.evaluator._value(own, opponent)
        occupied = own | opponent
        playable = occupied + self.bottom & self.board
        if fours.threats(own, self.line_stride) & playable:
            return WIN + empties - 1
        if empties == 1:
            return self._filled(own | playable, opponent)
        best = -tuning.INFINITY
        if depth == 1:
            for turn in range(self.width):
                move = playable & self.columns[turn]
                if move:
                    self.nodes += 1
                    if self.nodes >= self.next_poll and self._stops():
                        return 0
                    value = -self.evaluator._value(opponent, own | move)
                    if value > best:
                        best = value
                        if value >= beta:
                            break
            return best
        depth = min(depth, empties)
        # Every move that lets the opponent win at once is worth the same, and less than any other.
        dangers = fours.threats(opponent, self.line_stride) & self.board & ~occupied
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
        # First the column that was best when the table saw this position, then by threats or what else was chosen.
        row = depth * self.width
        for rank in range(self.width):
            move = playable & self.columns[rank]
            if move == 0:
                self.urgencies[row + rank] = -tuning.INFINITY
            elif self.move_order == THREATS:
                threats = fours.threats(own | move, self.line_stride) & self.board & ~(occupied | move)
                self.urgencies[row + rank] = word.popcount(threats)
            else:
                self.urgencies[row + rank] = self._urgency(own, opponent, move)
        if first >= 0:
            self.urgencies[row + first] = tuning.INFINITY
        best_rank = 0
        floor = alpha
        while True:
            most = -tuning.INFINITY
            rank = 0
            for turn in range(self.width):
                if self.urgencies[row + turn] > most:
                    most = self.urgencies[row + turn]
                    rank = turn
            if most == -tuning.INFINITY:
                break
            self.urgencies[row + rank] = -tuning.INFINITY
            move = playable & self.columns[rank]
            if best == -tuning.INFINITY:
                value = -self._negamax(opponent, own | move, empties - 1, depth - 1, -beta, -floor)
            else:
                # Most moves are not better than the first: ask only whether one is, and for its value if so.
                value = -self._negamax(opponent, own | move, empties - 1, depth - 1, -floor - 1, -floor)
                if floor < value < beta:
                    value = -self._negamax(opponent, own | move, empties - 1, depth - 1, -beta, -value)
            if self.is_stopped:
                return 0
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

    def _filled(self, own: int, opponent: int) -> int:
        """Return the value of a full board for its last mover, who owns `own`."""
        if not self.rates_full_boards:
            return 0
        if self.root_fills:
            return self.evaluator._value(own, opponent)
        return -self.evaluator._value(opponent, own)

    def _urgency(self, own: int, opponent: int, move: int) -> int:
        """Return how early a move is tried if not by threats: the larger, the earlier."""
        if self.move_order == EVALUATION:
            return -self.evaluator._value(opponent, own | move)
        if self.move_order == OPEN_CHAINS:
            return 2 * self._runs_beside(own, move) + self._runs_beside(opponent, move)
        return 0

    def _runs_beside(self, discs: int, cell: int) -> int:
        """Return the sum of n x 10^n over the n-th discs of the runs that begin beside a cell, in every direction.

        Third discs need no look: beside an open cell, they are a win or the only reply, found before moves are ordered.
        """
        total = 0
        for direction in range(self.evaluator.directions):
            step = self.evaluator.steps[direction]
            above_1 = discs >> step & cell
            above_2 = discs >> step >> step & above_1
            below_1 = discs << step & cell
            below_2 = discs << step << step & below_1
            # Each of the four is the cell, or nothing.
            total += 10 * (word.popcount(above_1) + word.popcount(below_1))
            total += 200 * (word.popcount(above_2) + word.popcount(below_2))
        return total

    def _stops(self) -> bool:
        """Call the poll, which is due; whether it ends the search."""
        if not self.is_stopped:
            self.next_poll = self.nodes + self.poll_interval
            self._poll()
            if not self.has_yielded and not self.evaluator.needs_lock:
                self.yielded = word.yield_to_threads()
                self.has_yielded = True
        return self.is_stopped

    def _poll(self) -> None:
        try:
            self.poll()
            self.evaluator.raise_error()
        except BaseException as error:  # noqa: BLE001  # raised again by `_searched`
            self.error = error
            self.is_stopped = True
            self.next_poll = 0  # so that every call returns at once
