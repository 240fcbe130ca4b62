"""Scores of all positions of one ply, stored without keys, and what follows from them for earlier plies.

A layer holds the scores in up to three parts: the bottom cell of the middle column is the first player's, the
second player's, or empty (of a position and its mirror image, the one with the smaller key counts). Positions that
are settled, won at once or lost at once, are left out; `LayerScores.settled` is the rule for builder and reader.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import fours, geometry, word

if TYPE_CHECKING:
    from .word import Buffer

UNKNOWN = 1 << 20
"""Instead of a score; larger than any."""

MOST_STATES = 1 << 20
"""Boards with more ways to take a part of the discs off than this are not looked into."""

FIRST, SECOND, EMPTY = range(3)
"""The parts of a layer."""

# The hash: the finalizer of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
# 2014), with a multiplier for the pattern from L'Ecuyer and Vigna's tables of generators.
WORD_MASK = (1 << 64) - 1
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB
MIX_3 = 0xD1342543DE82EF95
SEED_STEP = 0x9E3779B97F4A7C15


def mixed(key: int, offset: int) -> int:
    """A key's hash of 64 bits; every offset gives another one."""
    value = key + offset & WORD_MASK
    value = (value ^ value >> 30) * MIX_1 & WORD_MASK
    value = (value ^ value >> 27) * MIX_2 & WORD_MASK
    return value ^ value >> 31


def place_of(value: int, bits: int) -> int:
    """Where the pattern of a key with this hash begins, in an array of this many bits."""
    return (value >> 32) * bits >> 32


def pattern_of(value: int) -> int:
    """Which of 64 bits a key with this hash selects; always the lowest."""
    return (value * MIX_3 & WORD_MASK) >> 1 ^ value | 1


class Retrieval:
    """Small numbers by key, without the keys: the answer for a key that was never stored is arbitrary.

    book/retrieval.py describes the format. `planes` are the first byte, the number of bits and the seed of each plane
    in the buffer, which must not change; `code` has the numbers with the lengths of their code words, the shortest
    first.
    """

    def __init__(self, buffer: Buffer, planes: list[tuple[int, int, int]], code: list[tuple[int, int]]) -> None:
        self.buffer = buffer
        self.data = word.bytes_of(buffer)
        self.plane_count = len(planes)
        self.begins = word.words([begin for begin, _, _ in planes])
        self.sizes = word.words([bits for _, bits, _ in planes])
        self.offsets = word.words([seed * SEED_STEP & WORD_MASK for _, _, seed in planes])
        # A code word of some length is one of `counts` that follow each other from `firsts` on.
        lengths = [length for _, length in code]
        counts = [lengths.count(length) for length in range(self.plane_count + 1)]
        firsts = [0]
        for length in range(self.plane_count):
            firsts.append(firsts[length] + counts[length] << 1)
        self.counts = word.ints(counts)
        self.firsts = word.ints(firsts)
        self.numbers = word.ints([number for number, _ in code])

    def __dealloc__(self) -> None:
        word.release(self.begins)
        word.release(self.sizes)
        word.release(self.offsets)
        word.release_ints(self.counts)
        word.release_ints(self.firsts)
        word.release_ints(self.numbers)

    def find(self, key: int) -> int:
        """The number of a stored key, of at most 64 bits."""
        return self._find(key)

    def _find(self, key: int) -> int:
        code_word = 0
        skipped = 0
        for plane in range(self.plane_count):
            if code_word - self.firsts[plane] < self.counts[plane]:
                return self.numbers[skipped + code_word - self.firsts[plane]]
            skipped += self.counts[plane]
            value = mixed(key, self.offsets[plane])
            place = place_of(value, self.sizes[plane])
            first = self.begins[plane] + (place >> 3)
            found = 0
            for index in range(8):
                byte = self.data[first + index]
                found |= byte << 8 * index
            shift = place & 7
            if shift:
                byte = self.data[first + 8]
                found = found >> shift | (byte << 64 - shift & WORD_MASK)
            code_word = code_word << 1 | word.popcount(found & pattern_of(value)) & 1
        return self.numbers[skipped + code_word - self.firsts[self.plane_count]]


class LayerScores:
    """The scores of positions with this many discs or some fewer; `score_offset` is added to stored scores.

    `first`, `second` and `empty` are the parts, None for those that are missing.
    """

    def __init__(
        self,
        width: int,
        height: int,
        plies: int,
        score_offset: int,
        first: Retrieval | None,
        second: Retrieval | None,
        empty: Retrieval | None,
    ) -> None:
        self.width = width
        self.stride = height + 1
        self.plies = plies
        self.score_offset = score_offset
        self.first = first
        self.second = second
        self.empty = empty
        self.bottom = word.from_int(geometry.bottom_cells(width, height))
        self.board = word.from_int(geometry.board_cells(width, height))
        self.columns = word.words([geometry.column_cells(height, column) for column in range(width)])
        self.dividing_cell = word.from_int(1 << (width - 1) // 2 * (height + 1))
        self.heights = word.ints([0] * width)
        self.steps = word.ints([0] * width)

    def __dealloc__(self) -> None:
        word.release(self.columns)
        word.release_ints(self.heights)
        word.release_ints(self.steps)

    def score(self, own: int, opponent: int, most_ahead: int) -> int | None:
        """The score of a position in which nobody has four, `own` to move; None if it does not follow from the layer.

        Nor if it has more than `most_ahead` discs fewer. A position that cannot arise in play is not looked up: the
        layer does not hold it.
        """
        own_word = word.from_int(own)
        opponent_word = word.from_int(opponent)
        ahead = self.plies - word.popcount(own_word | opponent_word)
        if not 0 <= ahead <= most_ahead or not self._can_arise(own_word, opponent_word):
            return None
        score = self._score(own_word, opponent_word, ahead)
        return None if score == UNKNOWN else score

    def settled(self, own: int, opponent: int) -> int | None:
        """The score of a position that is won or lost at once, `own` to move; None for any other. Nobody has four."""
        score = self._settled(word.from_int(own), word.from_int(opponent))
        return None if score == UNKNOWN else score

    def can_arise(self, own: int, opponent: int) -> bool:
        """Whether the two players, taking turns, could have played the discs in some order; `own` is to move."""
        return self._can_arise(word.from_int(own), word.from_int(opponent))

    def part(self, own: int, opponent: int) -> int:
        """The part of the layer that a position belongs to."""
        own_word = word.from_int(own)
        opponent_word = word.from_int(opponent)
        occupied = own_word | opponent_word
        if self._mirrored(own_word) + self._mirrored(occupied) < own_word + occupied:
            own_word = self._mirrored(own_word)
            occupied = self._mirrored(occupied)
        return self._part(own_word, occupied)

    def _part(self, own: int, occupied: int) -> int:
        if occupied & self.dividing_cell == 0:
            return EMPTY
        # With an even number of discs, the first player is to move.
        is_own = own & self.dividing_cell != 0
        is_first_to_move = word.popcount(occupied) & 1 == 0
        return FIRST if is_own == is_first_to_move else SECOND

    def _mirrored(self, discs: int) -> int:
        found = word.from_int(0)
        for column in range(self.width):
            cells = (discs & self.columns[column]) >> column * self.stride
            found |= cells << (self.width - 1 - column) * self.stride
        return found

    def _settled(self, own: int, opponent: int) -> int:
        occupied = own | opponent
        playable = occupied + self.bottom & self.board
        empties = word.popcount(self.board & ~occupied)
        if fours.threats(own, self.stride) & playable:
            return (empties + 1) >> 1
        dangers = fours.threats(opponent, self.stride) & playable
        if dangers & dangers - 1:
            return -(empties >> 1)  # one of the opponent's two wins can be blocked
        return UNKNOWN

    def _score(self, own: int, opponent: int, ahead: int) -> int:
        """The score of a position that can arise, `ahead` plies before the layer."""
        best = self._settled(own, opponent)
        if best != UNKNOWN:
            return best
        occupied = own | opponent
        if ahead == 0:
            return self._stored(own, occupied)
        best = -UNKNOWN
        playable = occupied + self.bottom & self.board
        while playable:
            move = playable & ~(playable - 1)
            playable ^= move
            score = self._score(opponent, own | move, ahead - 1)
            if score == UNKNOWN:
                return UNKNOWN
            best = max(best, -score)
        return best

    def _stored(self, own: int, occupied: int) -> int:
        mirrored_own = self._mirrored(own)
        mirrored_occupied = self._mirrored(occupied)
        if mirrored_own + mirrored_occupied < own + occupied:
            own = mirrored_own
            occupied = mirrored_occupied
        part = self._part(own, occupied)
        if part == FIRST:
            stored = self.first
        elif part == SECOND:
            stored = self.second
        else:
            stored = self.empty
        return UNKNOWN if stored is None else stored._find(own + occupied) - self.score_offset

    def _can_arise(self, own: int, opponent: int) -> bool:
        """Whether turns lead from the empty board to this one.

        A state says how many discs of each column have been played, the left column in the smallest digit. States are
        visited from the empty board on; a disc can be played if it belongs to the player whose turn it is.
        """
        occupied = own | opponent
        discs = word.popcount(occupied)
        if discs & 1:
            own, opponent = opponent, own  # from here on, own is the first player's
        if word.popcount(own) != (discs + 1) >> 1:
            return False
        states = 1
        for column in range(self.width):
            self.steps[column] = states
            self.heights[column] = word.popcount(occupied & self.columns[column])
            states *= self.heights[column] + 1
            if states > MOST_STATES:
                return False
        reached = word.zeros(states)
        reached[0] = 1
        for state in range(states):
            if reached[state]:
                played = 0
                rest = state
                for column in range(self.width):
                    played += rest % (self.heights[column] + 1)
                    rest //= self.heights[column] + 1
                mover = opponent if played & 1 else own
                rest = state
                for column in range(self.width):
                    height = rest % (self.heights[column] + 1)
                    rest //= self.heights[column] + 1
                    if height < self.heights[column] and mover >> column * self.stride + height & 1:
                        reached[state + self.steps[column]] = 1
        is_reached = reached[states - 1] == 1
        word.release(reached)
        return is_reached
