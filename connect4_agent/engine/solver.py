"""Exact search: the score of a position under perfect play by both sides.

Scores are from the side to move, as the public solvers count: 0 is a draw, +k a win with the winner's
k-th last disc, -k a loss likewise. A search answers one question, "is the score above this floor?";
`score` asks as many as it needs.

Not the discs but the empty cells are counted. A win with the next disc but d, at e empty cells, is
worth (e - d + 1) // 2 to the winner, so d = 0 is (e + 1) // 2 and the reply to that loses e // 2.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from . import bits, fours
from .followup import FollowUp
from .parity import ThreatParity
from .search import do_nothing, middle_first

if TYPE_CHECKING:
    from collections.abc import Callable

BEYOND = 1 << 20
"""Larger than every score."""

# Numbers of empty cells, found by measuring on 7x6.
LEAST_EMPTY_TABLE = 7  # smaller positions are searched faster than looked up
MOST_EMPTY_SMALL = 16  # the positions of the small part of the table
LEAST_EMPTY_CHILD_RULES = 9
LEAST_EMPTY_CHILD_PROBES = 15
LEAST_EMPTY_MIRROR = 27
LEAST_EMPTY_EVALUATED = 27
MOST_FLOOR_EVALUATED = 5  # beyond that, quick ends are asked for, which threats lead to

THREAT_VALUE = 10  # what a threat adds to the evaluation of a move; 20 is about as good
TRIED = -(1 << 30)  # less than any move's place in the order

WAYS = 4  # the entries of a bucket
SMALL_INDEX_BITS = 14  # 512 KB: stays in the second-level cache
WORK_BITS = 6
MULTIPLIER = 0x1D5A3C9B7F4A7C15  # large and odd


class Solver(FollowUp):
    """Finds scores on boards of one size. Its table stays filled from one position to the next.

    The table has 2**index_bits buckets of 32 bytes, and a small part of its own for the many positions
    near the end. `poll` is called every `poll_interval` nodes (a power of two) and may raise to end the
    search. `with_rules=False` switches the follow-up rules off; on boards with an odd number of rows they
    do not hold, and are off in any case.
    """

    def __init__(self, width: int, height: int, index_bits: int, poll_interval: int, with_rules: bool = True) -> None:
        super().__init__(width, height)
        stride = height + 1
        key_bits = stride * width
        column_cells = (1 << height) - 1
        self.columns = bits.words([column_cells << column * stride for column in middle_first(width)], key_bits)
        self.order = array("i", bytes(4 * (width * height + 1) * width))
        self.evaluator = ThreatParity(width, height)
        self.with_rules = with_rules and height % 2 == 0
        # An entry holds, from its lowest bit: tag, upper bound, lower bound, work. Bounds are stored with an
        # offset that keeps them above 0: an entry of 0 is empty. A key is mixed by a bijection and cut into
        # index and tag, so that a position can never be taken for another one.
        offset = width * height // 2 + 1
        bound_bits = (2 * offset).bit_length()
        entry_bits = bits.MACHINE_BITS if key_bits <= bits.MACHINE_BITS else 2 * key_bits
        most_tag_bits = entry_bits - 2 * bound_bits - WORK_BITS
        small_index_bits = min(max(SMALL_INDEX_BITS, key_bits - most_tag_bits), key_bits)
        big_index_bits = min(max(index_bits, small_index_bits), key_bits)
        key_mask = (1 << key_bits) - 1
        self.offset = offset
        self.bound_bits = bound_bits
        self.bound_mask = (1 << bound_bits) - 1
        self.tag_bits = key_bits - small_index_bits
        self.small_shift = key_bits - small_index_bits
        self.big_shift = key_bits - big_index_bits
        self.small_tags = key_mask >> small_index_bits
        self.big_tags = key_mask >> big_index_bits
        self.small_size = WAYS << small_index_bits
        self.table_size = self.small_size + (WAYS << big_index_bits)
        self.entry_bits = entry_bits
        self.table = bits.zeros(0, entry_bits)
        self.key_mask = key_mask
        self.key_half = (key_bits + 1) // 2
        self.multiplier = MULTIPLIER & key_mask | 1
        self.column_mask = key_mask >> key_bits - height - 1
        self.hashes = bits.zeros((width * height + 1) * width, key_bits)
        self.most_empties = 0  # of the positions solved since the table was empty
        self.low = 0
        self.high = 0
        self.nodes = 0
        self.poll: Callable[[], None] = do_nothing
        self.poll_mask = poll_interval - 1

    def clear(self) -> None:
        """Forget every position."""
        if self.most_empties > MOST_EMPTY_SMALL:
            for place in range(self.small_size, self.table_size):
                self.table[place] = 0
        if self.most_empties:
            for place in range(self.small_size):
                self.table[place] = 0
        self.most_empties = 0

    def score(
        self, own: int, opponent: int, poll: Callable[[], None], lowest: int = -BEYOND, highest: int = BEYOND
    ) -> int:
        """The score of a position in which nobody has four, `own` to move.

        A result of `lowest` or less only says that the score is not above it, and a result of `highest` or
        more that the score is not below it.
        """
        self.poll = poll
        occupied = own | opponent
        empties = bits.popcount(self.board & ~occupied)
        win_at_once = (empties + 1) >> 1
        loss_at_once = -(empties >> 1)
        if fours.threats(own, self.stride) & (occupied + self.bottom) & self.board:
            return win_at_once
        if len(self.table) == 0:
            self.table = bits.zeros(self.table_size, self.entry_bits)
        self.most_empties = max(self.most_empties, empties)
        self.low = max(loss_at_once, lowest)
        self.high = min((empties - 1) >> 1, highest)
        if empties:
            self._narrow(own, opponent, empties, win_at_once, loss_at_once)
        return self.high if self.high <= lowest else self.low

    def _narrow(self, own: int, opponent: int, empties: int, win_at_once: int, loss_at_once: int) -> None:
        """Ask questions until low and high meet."""
        # Quick ends are cheap to find or to rule out, and every later question gains from it.
        for discs in (5, 8):
            if win_at_once - discs <= 1:
                break
            if self._is_above(own, opponent, empties, win_at_once - discs):
                break
            if not self._is_above(own, opponent, empties, loss_at_once + discs - 1):
                break
        # Then who wins, and from there away from 0 in steps that double; the last step is halved down.
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
        """Whether the score is above the floor; low and high learn what the search says beyond that."""
        if not self.low <= floor < self.high:
            return floor < self.low
        dangers = fours.threats(opponent, self.stride) & self.board & ~(own | opponent)
        bound = self._search(own, opponent, dangers, empties, floor)
        if bound > floor:
            self.low = max(self.low, bound)
        else:
            self.high = min(self.high, bound)
        return bound > floor

    # One long function, since here every call costs.
    def _search(  # noqa: C901, PLR0911, PLR0912, PLR0915
        self, own: int, opponent: int, dangers: int, empties: int, floor: int
    ) -> int:
        """A bound of the score: a lower one, above the floor, if the score is above it; else an upper one.

        Nobody has four, `own` is to move and cannot win at once; `dangers` are the opponent's threats.
        """
        self.nodes += 1
        if self.nodes & self.poll_mask == 0:
            self.poll()
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
            playable &= ~(dangers >> 1)  # below a winning cell of the opponent's no disc is played
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
            dangers = fours.threats(own, self.stride) & self.board & ~(occupied | playable)
            own, opponent = opponent, own
            empties -= 1
            sign = -sign
            floor = -floor - 1

        slot = 0
        tag = 0
        if empties >= LEAST_EMPTY_TABLE:
            tag = self._hash(own + occupied, empties)
            slot = self._slot(tag, empties)
            tag = self._tag(tag, empties)
            bits.prefetch(self.table, slot)
            if empties <= MOST_EMPTY_SMALL:
                entry = self._find(slot, tag)
                if entry:
                    low = max(low, self._lower(entry))
                    high = min(high, self._upper(entry))
                    if floor < low:
                        return sign * low
                    if floor >= high:
                        return sign * high

        begin = empties * self.width
        end = begin
        for rank in range(self.width):
            move = playable & self.columns[rank]
            if move:
                self.moves[end] = move
                self.threats[end] = fours.threats(own | move, self.stride) & self.board & ~(occupied | move)
                end += 1
        # A win with the disc after the next: two threats at once, or one above every reply.
        for index in range(begin, end):
            wins = self.threats[index]
            replies = (occupied | self.moves[index]) + self.bottom & self.board
            forced = replies & wins
            if forced:
                if forced & forced - 1:
                    return sign * ((empties - 1) >> 1)
                replies = forced
            if replies & ~(wins >> 1) == 0:
                return sign * ((empties - 1) >> 1)
        high = min(high, (empties - 3) >> 1)
        if floor >= high:
            return sign * high

        is_second = empties & 1
        if self.with_rules:
            if is_second:
                if floor >= -2:
                    high = min(high, self.most_for_second(own, dangers, occupied))
                    if floor >= high:
                        return sign * high
                if floor >= 0 and self.second_is_held(own, dangers, occupied, empties - 2 * floor):
                    return sign * floor
            elif floor >= -3:
                high = min(high, self.most_for_first(own, opponent, dangers, occupied))
                if floor >= high:
                    return sign * high
        if empties > MOST_EMPTY_SMALL:
            entry = self._find(slot, tag)
            if entry:
                low = max(low, self._lower(entry))
                high = min(high, self._upper(entry))
                if floor < low:
                    return sign * low
                if floor >= high:
                    return sign * high
        if self.with_rules and empties >= LEAST_EMPTY_CHILD_RULES:
            if is_second:
                if floor <= 2:
                    low = max(low, self.least_for_second(own, opponent, occupied, playable, begin, end))
            elif floor <= 1:
                low = max(low, self.least_for_first(opponent, occupied, begin, end))
            if low > floor:
                return sign * low
            if (
                not is_second
                and floor < 0
                and self.first_holds(opponent, occupied, empties + 2 * floor + 1, begin, end)
            ):
                return sign * (floor + 1)
        if empties >= LEAST_EMPTY_CHILD_PROBES:
            low = max(low, self._best_known(opponent, occupied, empties - 1, floor, begin, end))
            if low > floor:
                return sign * low

        # Most threats first, then the nearest to the centre, which is the first of equals. Where a wrong guess costs
        # much, what a static evaluation says comes before that.
        for index in range(begin, end):
            self.order[index] = bits.popcount(self.threats[index])
            if empties >= LEAST_EMPTY_EVALUATED and -MOST_FLOOR_EVALUATED <= floor <= MOST_FLOOR_EVALUATED:
                value = self.evaluator.value(opponent, own | self.moves[index])
                self.order[index] = THREAT_VALUE * self.order[index] - value
        nodes_before = self.nodes
        best = -BEYOND
        for _ in range(begin, end):
            pick = begin
            for index in range(begin + 1, end):
                if self.order[index] > self.order[pick]:
                    pick = index
            self.order[pick] = TRIED
            bound = -self._search(opponent, own | self.moves[pick], self.threats[pick], empties - 1, -floor - 1)
            best = max(best, bound)
            if best > floor:
                break
        if best > floor:
            low = max(low, best)
        else:
            high = min(high, best)
        if empties >= LEAST_EMPTY_TABLE:
            self._store(slot, tag, low, high, self.nodes - nodes_before)
        return sign * best

    def _best_known(self, opponent: int, occupied: int, empties: int, floor: int, begin: int, end: int) -> int:
        """The most that the table knows after one of the moves; the first that is above the floor will do."""
        best = -BEYOND
        for index in range(begin, end):
            self.hashes[index] = self._hash(opponent + (occupied | self.moves[index]), empties)
            bits.prefetch(self.table, self._slot(self.hashes[index], empties))
        for index in range(begin, end):
            tag = self.hashes[index]
            entry = self._find(self._slot(tag, empties), self._tag(tag, empties))
            if entry:
                best = max(best, -self._upper(entry))
                if best > floor:
                    break
        return best

    def _hash(self, key: int, empties: int) -> int:
        """A key, with many empty cells the same for mirror images, mixed so that all of its bits count everywhere."""
        if empties >= LEAST_EMPTY_MIRROR:
            mirrored = 0
            rest = key
            for _ in range(self.width):
                mirrored = mirrored << self.stride & self.key_mask | rest & self.column_mask
                rest >>= self.stride
            key = min(key, mirrored)
        key ^= key >> self.key_half
        key = key * self.multiplier & self.key_mask
        key ^= key >> self.key_half
        return key

    def _slot(self, hashed: int, empties: int) -> int:
        """Where a position's bucket begins."""
        if empties <= MOST_EMPTY_SMALL:
            return (hashed >> self.small_shift) * WAYS
        return self.small_size + (hashed >> self.big_shift) * WAYS

    def _tag(self, hashed: int, empties: int) -> int:
        """What tells a position from the others of its bucket."""
        return hashed & (self.small_tags if empties <= MOST_EMPTY_SMALL else self.big_tags)

    def _find(self, slot: int, tag: int) -> int:
        """The entry of a position, 0 if there is none."""
        for place in range(slot, slot + WAYS):
            entry = self.table[place]
            if entry & self.small_tags == tag and entry != 0:
                return entry
        return 0

    def _upper(self, entry: int) -> int:
        return (entry >> self.tag_bits & self.bound_mask) - self.offset

    def _lower(self, entry: int) -> int:
        return (entry >> self.tag_bits + self.bound_bits & self.bound_mask) - self.offset

    def _store(self, slot: int, tag: int, low: int, high: int, work: int) -> None:
        """Keep the bounds of a position, in place of what cost the least work of its bucket."""
        work_shift = self.tag_bits + 2 * self.bound_bits
        chosen = slot
        least = -1
        for place in range(slot, slot + WAYS):
            entry = self.table[place]
            if entry & self.small_tags == tag or entry == 0:
                chosen = place
                break
            found = entry >> work_shift
            if least < 0 or found < least:
                least = found
                chosen = place
        effort = bits.bit_length(work)
        bounds = low + self.offset << self.bound_bits | high + self.offset
        self.table[chosen] = effort << work_shift | bounds << self.tag_bits | tag
