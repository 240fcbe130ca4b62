"""Exact search: the score of a position under perfect play by both sides.

Scores are from the side to move, counted as other solvers do: 0 is a draw, +k a win with the winner's
k-th last disc, -k a loss to it. A search answers one question, "is the score above this floor?";
`score` asks as often as it needs.

The code counts empty cells, not discs. With e empty cells, a win d discs after the next one is
worth (e - d + 1) // 2 to the winner: a win with the next disc is (e + 1) // 2, with the one after it e // 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import fours, order, tuning, word
from .evaluators import ThreatParity
from .followup import FollowUp

if TYPE_CHECKING:
    from collections.abc import Callable

SMALL_INDEX_BITS = 14  # 512 KB: stays in the second-level cache
WORK_BITS = 6
MULTIPLIER = 0x1D5A3C9B7F4A7C15  # large and odd


class Solver(FollowUp):
    """Finds scores on boards of one size. Its table stays filled between positions.

    The table has 2**index_bits buckets of 32 bytes, and a separate small part for the many positions
    near the end. `poll` is called every `poll_interval` nodes (a power of two) and may raise to end the
    search. `with_rules=False` switches the follow-up rules off; on boards with an odd number of rows they
    do not hold, and are off in any case.

    A compiled search gives other Python threads a chance to run from its first poll on. So a solver belongs to one
    thread at a time: `score` raises RuntimeError if it is running already.
    """

    def __init__(
        self,
        width: int,
        height: int,
        index_bits: int,
        poll_interval: int,
        with_rules: bool = True,
    ) -> None:
        super().__init__(width, height)
        stride = height + 1
        key_bits = stride * width
        ranks = {column: rank for rank, column in enumerate(order.middle_first(width))}
        self.ranks = word.ints([tuning.RANK_VALUE * ranks[bit // stride] for bit in range(key_bits)])
        self.order = word.ints([0] * ((self.cells + 1) * self.node_size))
        # How often a disc in a cell recently caused a cutoff, and the last move that did, by number of empty cells;
        # separate for each player, and for questions about wins and about losses.
        self.key_bits = key_bits
        self.history = word.ints([0] * (4 * key_bits))
        self.killers = word.zeros(2 * (self.cells + 1))
        self.evaluator = ThreatParity(width, height)
        self.with_rules = with_rules and height % 2 == 0
        # An entry holds, from its lowest bit: tag, upper bound, lower bound, work. Bounds are stored with an
        # offset that keeps them above 0: an entry of 0 is empty. A key is mixed by a bijection and cut into
        # index and tag, so that no position can be mistaken for another.
        offset = width * height // 2 + 1
        bound_bits = (2 * offset).bit_length()
        entry_bits = next((bits for bits in (64, 128) if key_bits <= bits), 2 * key_bits)
        max_tag_bits = entry_bits - 2 * bound_bits - WORK_BITS
        small_index_bits = min(max(SMALL_INDEX_BITS, key_bits - max_tag_bits), key_bits)
        big_index_bits = min(max(index_bits, small_index_bits), key_bits)
        key_mask = (1 << key_bits) - 1
        self.offset = offset
        self.bound_bits = bound_bits
        self.bound_mask = word.from_int((1 << bound_bits) - 1)
        self.tag_bits = key_bits - small_index_bits
        self.small_shift = key_bits - small_index_bits
        self.big_shift = key_bits - big_index_bits
        self.small_tags = word.from_int(key_mask >> small_index_bits)
        self.big_tags = word.from_int(key_mask >> big_index_bits)
        self.small_size = tuning.WAYS << small_index_bits
        self.big_size = tuning.WAYS << big_index_bits
        self.has_table = False
        self.small_table = word.nothing()
        self.big_table = word.nothing()
        self.key_mask = word.from_int(key_mask)
        self.key_half = (key_bits + 1) // 2
        self.multiplier = word.from_int(MULTIPLIER & key_mask | 1)
        self.column_mask = word.from_int(key_mask >> key_bits - stride)
        self.mirrored_cells = word.words(
            [1 << (width - 1 - bit // stride) * stride + bit % stride for bit in range(key_bits)]
        )
        self.hashes = word.zeros((self.cells + 1) * self.node_size)
        self.max_empties = 0  # of the positions solved since the table was empty
        self.low = 0
        self.high = 0
        self.nodes = 0
        self.poll: Callable[[], None] = order.do_nothing
        self.poll_mask = poll_interval - 1
        self.error: BaseException | None = None  # what the poll has raised
        self.is_running = False
        self.has_yielded = False  # other Python threads may run
        self._forget_order()

    def __dealloc__(self) -> None:
        word.release_ints(self.order)
        word.release_ints(self.history)
        word.release_ints(self.ranks)
        word.release(self.killers)
        word.release(self.hashes)
        word.release(self.mirrored_cells)
        word.release(self.small_table)
        word.release(self.big_table)

    def clear(self) -> None:
        """Forget every position."""
        if self.max_empties > tuning.MAX_EMPTY_SMALL:
            for index in range(self.big_size):
                self.big_table[index] = 0
        if self.max_empties:
            for index in range(self.small_size):
                self.small_table[index] = 0
        self.max_empties = 0
        self._forget_order()

    def _forget_order(self) -> None:
        """Forget which moves were good."""
        for index in range(4 * self.key_bits):
            self.history[index] = 1 << tuning.HISTORY_BITS - 1
        for index in range(2 * (self.cells + 1)):
            self.killers[index] = 0

    def score(
        self,
        own: int,
        opponent: int,
        poll: Callable[[], None],
        lowest: int = -tuning.INFINITY,
        highest: int = tuning.INFINITY,
    ) -> int:
        """Return the score of a position in which nobody has four, `own` to move.

        A result of `lowest` or less only says that the score is not above it, and a result of `highest` or
        more that the score is not below it.
        """
        mine = word.from_int(own)
        others = word.from_int(opponent)
        if self._wins_at_once(mine, others):
            return (word.popcount(self.board & ~(mine | others)) + 1) >> 1
        self.begin(poll)
        score = self._score(mine, others, lowest, highest)
        self.end()
        return score

    def begin(self, poll: Callable[[], None]) -> None:
        """Prepare for searches of this thread."""
        if self.is_running:
            raise RuntimeError("this solver is searching already; each thread needs an engine of its own")
        self._take_table()
        self.poll = poll
        self.is_running = True
        self.has_failed = False  # the poll has raised

    def yield_to_threads(self) -> None:
        """Let other Python threads run until `end`."""
        self.yielded = word.yield_to_threads()
        self.has_yielded = True

    def end(self) -> None:
        """Finish what `begin` began. Raises what the poll has raised."""
        if self.has_yielded:
            word.resume(self.yielded)
            self.has_yielded = False
        self.is_running = False
        if self.error is not None:
            error = self.error
            self.error = None
            raise error

    def _wins_at_once(self, own: int, opponent: int) -> bool:
        return fours.threats(own, self.stride) & ((own | opponent) + self.bottom) & self.board != 0

    def _take_table(self) -> None:
        """Take memory for the table, unless it has been taken before."""
        if not self.has_table:
            word.release(self.small_table)
            self.small_table = word.nothing()  # there may be no memory for another one
            self.small_table = word.zeros(self.small_size)
            self.big_table = word.zeros(self.big_size)
            self.has_table = True

    def _poll(self) -> None:
        """Call the poll, and stop if it raises."""
        try:
            self.poll()
        except BaseException as error:  # noqa: BLE001  # raised again by `score`
            self.error = error
            self.has_failed = True

    def _score(self, own: int, opponent: int, lowest: int, highest: int) -> int:
        """Return the score of a position that cannot be won at once; any number if the poll raises."""
        empties = word.popcount(self.board & ~(own | opponent))
        win_at_once = (empties + 1) >> 1
        loss_at_once = -(empties >> 1)
        self.max_empties = max(self.max_empties, empties)
        self.low = max(loss_at_once, lowest)
        self.high = min((empties - 1) >> 1, highest)
        if empties:
            self._narrow(own, opponent, empties, win_at_once, loss_at_once)
        return self.high if self.high <= lowest else self.low

    def _narrow(self, own: int, opponent: int, empties: int, win_at_once: int, loss_at_once: int) -> None:
        """Ask questions until low and high meet."""
        # Quick ends are cheap to find or to rule out, and every later question benefits from that.
        for discs in range(5, 9, 3):  # 5, then 8
            if win_at_once - discs <= 1:
                break
            if self._is_above(own, opponent, empties, win_at_once - discs):
                break
            if not self._is_above(own, opponent, empties, loss_at_once + discs - 1):
                break
        # Then ask who wins, and from there away from 0 in steps that double; the last step is bisected.
        start = max(self.low, min(0, self.high))
        step = 3
        if self._is_above(own, opponent, empties, start):
            while self.low < self.high and self._is_above(
                own, opponent, empties, min(self.low + step - 1, self.high - 1)
            ):
                step *= 2
        elif not self._is_above(own, opponent, empties, start - 1):
            while self.low < self.high and not self._is_above(own, opponent, empties, max(self.high - step, self.low)):
                step *= 2
        while self.low < self.high:
            self._is_above(own, opponent, empties, self.low + ((self.high - self.low) >> 1))

    def _is_above(self, own: int, opponent: int, empties: int, floor: int) -> bool:
        """Check if the score is above the floor; narrow low and high by what the search proves beyond that."""
        if not self.low <= floor < self.high:
            return floor < self.low
        empty = self.board & ~(own | opponent)
        chances = fours.threats(own, self.stride) & empty
        dangers = fours.threats(opponent, self.stride) & empty
        bound = self._search(own, opponent, chances, dangers, empties, floor, checked=False)
        if self.has_failed:
            self.high = self.low  # no more questions
        elif bound > floor:
            self.low = max(self.low, bound)
        else:
            self.high = min(self.high, bound)
        return bound > floor

    # One long function, because every call costs time here.
    def _search(  # noqa: C901, PLR0911, PLR0912, PLR0915
        self, own: int, opponent: int, chances: int, dangers: int, empties: int, floor: int, checked: bool
    ) -> int:
        """Return a lower bound above the floor if the score is above the floor; otherwise an upper bound of the score.

        Once the poll has raised, the search returns early, with any number.

        Nobody has four, `own` is to move and cannot win at once; `chances` are its own threats, `dangers` the
        opponent's. `checked`: the rules that bound the score from above have been tried one ply before, without result.
        """
        self.nodes += 1
        if self.nodes & self.poll_mask == 0:
            self._poll()
            if not self.has_yielded:
                self.yield_to_threads()
        # Forced replies are followed here, without a call for each.
        sign = 1
        while True:
            occupied = own | opponent
            playable = occupied + self.bottom & self.board
            forced = playable & dangers
            if forced:
                if forced & forced - 1:
                    return -sign * (empties >> 1)
                playable = forced
            playable &= ~(dangers >> 1)  # no disc goes below a winning cell of the opponent
            if playable == 0:
                return -sign * (empties >> 1)
            if empties <= 2:
                return 0
            low = -((empties - 2) >> 1)
            high = (empties - 1) >> 1
            if floor < low:
                return sign * low
            if floor >= high:
                return sign * high
            if playable & playable - 1:
                break
            own |= playable
            chances = dangers & ~playable
            dangers = fours.threats(own, self.stride) & self.board & ~(occupied | playable)
            own, opponent = opponent, own
            checked = False
            empties -= 1
            sign = -sign
            floor = -floor - 1

        slot = 0
        tag = 0
        table = self.small_table if empties <= tuning.MAX_EMPTY_SMALL else self.big_table
        if empties >= tuning.MIN_EMPTY_TABLE:
            tag = self._hash(own + occupied, empties)
            slot = self._slot(tag, empties)
            tag = self._tag(tag, empties)
            word.prefetch(table, slot)
            if empties <= tuning.MAX_EMPTY_SMALL:
                entry = self._find(table, slot, tag)
                if entry:
                    low = max(low, self._lower(entry))
                    high = min(high, self._upper(entry))
                    if floor < low:
                        return sign * low
                    if floor >= high:
                        return sign * high

        begin = empties * self.node_size
        end = fours.moves_with_threats(own, playable, self.moves, self.threats, begin, self.stride)
        for index in range(begin, end):
            after = occupied | self.moves[index]
            wins = self.threats[index] & self.board & ~after
            if fours.are_decisive(wins, after + self.bottom & self.board):
                return sign * ((empties - 1) >> 1)
            self.threats[index] = wins
        high = min(high, (empties - 3) >> 1)
        if floor >= high:
            return sign * high

        is_second = empties & 1
        if self.with_rules and not checked:
            if is_second:
                high = min(high, self.most_for_second(own, dangers, occupied))
            else:
                high = min(high, self.most_for_first(own, opponent, dangers, occupied))
            if floor >= high:
                return sign * high
            discs = ((empties + 1) >> 1) - floor
            if (
                floor >= 1 - is_second
                and empties >= tuning.MIN_EMPTY_HELD
                and discs <= tuning.MAX_DISCS_HELD
                and self.is_held(own, chances, dangers, occupied, discs)
            ):
                return sign * floor
        if empties > tuning.MAX_EMPTY_SMALL:
            entry = self._find(table, slot, tag)
            if entry:
                low = max(low, self._lower(entry))
                high = min(high, self._upper(entry))
                if floor < low:
                    return sign * low
                if floor >= high:
                    return sign * high
        checked = self.with_rules and empties >= tuning.MIN_EMPTY_CHILD_RULES
        if checked:
            if is_second:
                low = max(low, self.least_for_second(own, opponent, occupied, playable, begin, end))
            else:
                low = max(low, self.least_for_first(opponent, occupied, begin, end))
            if low > floor:
                return sign * low
            discs = (empties >> 1) + floor + 1
            if (
                floor < -is_second
                and discs <= tuning.MAX_DISCS_HELD
                and self.holds(opponent, dangers, occupied, discs, begin, end)
            ):
                return sign * (floor + 1)

        best = -tuning.INFINITY
        if empties >= tuning.MIN_EMPTY_CHILD_PROBES:
            self._prefetch(opponent, occupied, empties - 1, begin, end)
        self._rate(own, opponent, chances, empties, floor, begin, end)
        if empties >= tuning.MIN_EMPTY_CHILD_PROBES:
            best = self._best_known(empties - 1, floor, begin, end)
            if best > floor:
                return sign * best
        nodes_before = self.nodes
        attacks = 1 if floor >= 0 else 0
        history = (2 * is_second + attacks) * self.key_bits
        while True:
            rank = tuning.TRIED
            for index in range(begin, end):
                rank = max(rank, self.order[index])
            if rank == tuning.TRIED:
                break
            pick = end - 1 - (rank & tuning.INDEX_MASK)
            self.order[pick] = tuning.TRIED
            move = self.moves[pick]
            bound = -self._search(
                opponent, own | move, dangers & ~move, self.threats[pick], empties - 1, -floor - 1, checked
            )
            if self.has_failed:
                return 0
            best = max(best, bound)
            cell = history + word.lowest_index(move)
            if best > floor:
                self.history[cell] += (1 << tuning.HISTORY_BITS) - self.history[cell] >> tuning.HISTORY_MEMORY
                self.killers[2 * empties + attacks] = move
                break
            self.history[cell] -= self.history[cell] >> tuning.HISTORY_MEMORY
        if best > floor:
            low = max(low, best)
        else:
            high = min(high, best)
        if empties >= tuning.MIN_EMPTY_TABLE:
            self._store(table, slot, tag, low, high, self.nodes - nodes_before)
        return sign * best

    def _rate(self, own: int, opponent: int, chances: int, empties: int, floor: int, begin: int, end: int) -> None:
        """Rank the moves, which come nearest to the centre first; the highest rank is tried first."""
        attacks = 1 if floor >= 0 else 0
        history = (2 * (empties & 1) + attacks) * self.key_bits
        killer = self.killers[2 * empties + attacks]
        # If a wrong guess is expensive, open windows count as well.
        evaluated = empties >= tuning.MIN_EMPTY_EVALUATED and abs(floor) <= tuning.MAX_FLOOR_EVALUATED
        for index in range(begin, end):
            move = self.moves[index]
            cell = word.lowest_index(move)
            value = tuning.THREAT_VALUE * word.popcount(self.threats[index]) - self.ranks[cell]
            value += self.history[history + cell] * tuning.HISTORY_VALUE >> tuning.HISTORY_SCALE
            if move == killer:
                value += tuning.KILLER_VALUE
            if chances & move << 1:
                value += tuning.BELOW_THREAT_VALUE
            if evaluated:
                after = own | move
                value += tuning.WINDOW_VALUE * self.evaluator._windows_worth(after, opponent)
                value -= tuning.WINDOW_VALUE * self.evaluator._windows_worth(opponent, after)
            # The index makes ranks different, and says whose the highest is without a branch that is hard to predict.
            self.order[index] = value * (tuning.INDEX_MASK + 1) + end - 1 - index

    def _prefetch(self, opponent: int, occupied: int, empties: int, begin: int, end: int) -> None:
        """Hash the positions after the moves, and prefetch their entries."""
        table = self.small_table if empties <= tuning.MAX_EMPTY_SMALL else self.big_table
        key = opponent + occupied  # no disc of the mover is in it yet, so a move only adds its own bit
        if empties < tuning.MIN_EMPTY_MIRROR:
            for index in range(begin, end):
                self.hashes[index] = self._mixed(key + self.moves[index])
                word.prefetch(table, self._slot(self.hashes[index], empties))
            return
        mirrored = self._mirrored(key)
        for index in range(begin, end):
            move = self.moves[index]
            after = min(key + move, mirrored + self.mirrored_cells[word.lowest_index(move)])
            self.hashes[index] = self._mixed(after)
            word.prefetch(table, self._slot(self.hashes[index], empties))

    def _best_known(self, empties: int, floor: int, begin: int, end: int) -> int:
        """Return the best bound that the table has for the moves: a lower bound above the floor, if one move has it.

        Otherwise the upper bound of those that cannot be above the floor, which then count as tried.
        """
        best = -tuning.INFINITY
        table = self.small_table if empties <= tuning.MAX_EMPTY_SMALL else self.big_table
        for index in range(begin, end):
            tag = self.hashes[index]
            entry = self._find(table, self._slot(tag, empties), self._tag(tag, empties))
            if entry:
                if -self._upper(entry) > floor:
                    return -self._upper(entry)
                if -self._lower(entry) <= floor:
                    best = max(best, -self._lower(entry))
                    self.order[index] = tuning.TRIED
        return best

    def _hash(self, key: int, empties: int) -> int:
        """Return a key as it is looked up: mixed, and with many empty cells the same for mirror images."""
        if empties >= tuning.MIN_EMPTY_MIRROR:
            key = min(key, self._mirrored(key))
        return self._mixed(key)

    def _mirrored(self, key: int) -> int:
        mirrored = 0
        for _ in range(self.width):
            mirrored = mirrored << self.stride & self.key_mask | key & self.column_mask
            key >>= self.stride
        return mirrored

    def _mixed(self, key: int) -> int:
        """Return a key, changed so that each of its bits affects all; no two keys become the same."""
        key ^= key >> self.key_half
        key = key * self.multiplier & self.key_mask
        key ^= key >> self.key_half
        return key

    def _slot(self, hashed: int, empties: int) -> int:
        """Return where a position's bucket begins."""
        if empties <= tuning.MAX_EMPTY_SMALL:
            return (hashed >> self.small_shift) * tuning.WAYS
        return (hashed >> self.big_shift) * tuning.WAYS

    def _tag(self, hashed: int, empties: int) -> int:
        """Return the part of the hash that distinguishes positions in the same bucket."""
        return hashed & (self.small_tags if empties <= tuning.MAX_EMPTY_SMALL else self.big_tags)

    def _find(self, table: list[int], slot: int, tag: int) -> int:
        """Return the entry of a position, 0 if there is none."""
        for index in range(slot, slot + tuning.WAYS):
            entry = table[index]
            if entry & self.small_tags == tag and entry != 0:
                return entry
        return 0

    def _upper(self, entry: int) -> int:
        return (entry >> self.tag_bits & self.bound_mask) - self.offset

    def _lower(self, entry: int) -> int:
        return (entry >> self.tag_bits + self.bound_bits & self.bound_mask) - self.offset

    def _store(self, table: list[int], slot: int, tag: int, low: int, high: int, work: int) -> None:
        """Store the bounds of a position, replacing the entry in its bucket that cost the least work."""
        work_shift = self.tag_bits + 2 * self.bound_bits
        chosen = slot
        least = -1
        for index in range(slot, slot + tuning.WAYS):
            entry = table[index]
            if entry & self.small_tags == tag or entry == 0:
                chosen = index
                break
            effort = entry >> work_shift
            if least < 0 or effort < least:
                least = effort
                chosen = index
        new_effort = word.bit_length(work)
        bounds = low + self.offset << self.bound_bits | high + self.offset
        table[chosen] = new_effort << work_shift | bounds << self.tag_bits | tag
