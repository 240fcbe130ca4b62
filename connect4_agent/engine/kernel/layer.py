"""Scores of all positions of one ply, stored without keys, and what follows from them for earlier plies.

Positions that are won or lost at once are left out: `Layer.immediate_score` is the rule for builder and reader.
Of a position and its mirror image, the one with the smaller key is stored.
"""

from __future__ import annotations

from connect4_agent.rules import geometry

from . import fours, tuning, word

PATTERN_WORDS = 4
"""The more words a key's pattern has, the fewer spare bits a plane needs."""

# The hash: the finalizer of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
# 2014), with a step for the patterns from L'Ecuyer and Vigna's tables of generators.
WORD_MASK = (1 << 64) - 1
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB
PATTERN_STEP = 0xD1342543DE82EF95

UNKNOWN = 1 << 20
"""Instead of a score; larger than any."""


def mix(key: int) -> int:
    """Return a key's hash of 64 bits; no two keys have the same."""
    value = (key ^ key >> 30) * MIX_1 & WORD_MASK
    value = (value ^ value >> 27) * MIX_2 & WORD_MASK
    return value ^ value >> 31


def pattern_start(value: int, bits: int) -> int:
    """Return where the pattern of a key with this hash begins, in a plane of this many bits."""
    return (value >> 32) * bits >> 32


def pattern_word(value: int, index: int) -> int:
    """Return a word of the pattern of a key with this hash; bit 0 of the first word is always set."""
    return mix(value + (index + 1) * PATTERN_STEP & WORD_MASK) | (1 if index == 0 else 0)


class Retrieval:
    """Small numbers by key, without the keys: the answer for a key that was never stored is arbitrary.

    book/files.py describes the format. `planes` are the first byte and the number of bits of each plane in the
    buffer, which must not change. `counts` says how many code words of each length there are, from length 0 to the
    number of planes; `numbers` has the numbers in the order of their code words. No code word may be missing.
    """

    def __init__(self, buffer: bytes, planes: list[tuple[int, int]], counts: list[int], numbers: list[int]) -> None:
        self.buffer = buffer
        self.data = word.view_bytes(buffer)
        self.plane_count = len(planes)
        self.begins = word.words([begin for begin, _ in planes])
        self.sizes = word.words([bits for _, bits in planes])
        self.counts = word.ints(counts)
        self.numbers = word.ints(numbers)

    def __dealloc__(self) -> None:
        word.release(self.begins)
        word.release(self.sizes)
        word.release_ints(self.counts)
        word.release_ints(self.numbers)

    def find(self, key: int) -> int:
        """Return the number of a stored key of at most 64 bits."""
        return self._find(key)

    def _find(self, key: int) -> int:
        value = mix(key)
        pattern_1 = pattern_word(value, 0)
        pattern_2 = pattern_word(value, 1)
        pattern_3 = pattern_word(value, 2)
        pattern_4 = pattern_word(value, 3)
        # In a canonical code the words of each length are consecutive: `count` of them from `first` on.
        code_word = 0
        first = 0
        shorter = 0
        for plane in range(self.plane_count):
            count = self.counts[plane]
            if code_word - first < count:
                break
            shorter += count
            first = first + count << 1
            start = pattern_start(value, self.sizes[plane])
            byte = self.begins[plane] + (start >> 3)
            shift = start & 7
            bits = self._bits(byte, shift) & pattern_1
            bits ^= self._bits(byte + 8, shift) & pattern_2
            bits ^= self._bits(byte + 16, shift) & pattern_3
            bits ^= self._bits(byte + 24, shift) & pattern_4
            code_word = code_word << 1 | word.popcount(bits) & 1
        return self.numbers[shorter + code_word - first]

    def _bits(self, first: int, shift: int) -> int:
        """Return the 64 bits of the buffer from this bit of this byte on."""
        bits = 0
        for index in range(8):
            byte = self.data[first + index]
            bits |= byte << 8 * index
        if shift:
            byte = self.data[first + 8]
            bits = bits >> shift | (byte << 64 - shift & WORD_MASK)
        return bits


class Layer:
    """The scores of all positions with this many discs, or some fewer, in which nobody has four.

    `count` is the number of the positions that are stored: those that are not won or lost at once.
    """

    def __init__(self, width: int, height: int, plies: int, count: int, stored: Retrieval) -> None:
        self.width = width
        self.height = height
        self.stride = height + 1
        self.plies = plies
        self.count = count
        self.stored = stored
        self.bottom = word.from_int(geometry.bottom_cells(width, height))
        self.board = word.from_int(geometry.board_cells(width, height))
        self.columns = word.words([geometry.column_cells(height, column) for column in range(width)])

    def __dealloc__(self) -> None:
        word.release(self.columns)

    def score(self, own: int, opponent: int, max_ahead: int = tuning.MAX_AHEAD) -> int | None:
        """Return the score of a position without a four, `own` to move; None if the layer does not determine it.

        A layer determines the scores of positions that are reachable and have at most `max_ahead` discs fewer than its
        own positions: they follow from the scores of their successors.
        """
        own_word = word.from_int(own)
        opponent_word = word.from_int(opponent)
        ahead = self.plies - word.popcount(own_word | opponent_word)
        if not 0 <= ahead <= max_ahead or not self._is_reachable(own_word, opponent_word):
            return None
        return self._score(own_word, opponent_word, ahead, -UNKNOWN, UNKNOWN)

    def immediate_score(self, own: int, opponent: int) -> int | None:
        """Return the score of a position, `own` to move, that is won or lost at once; None for any other."""
        score = self._immediate_score(word.from_int(own), word.from_int(opponent))
        return None if score == UNKNOWN else score

    def is_reachable(self, own: int, opponent: int) -> bool:
        """Check whether the two players, taking turns, could have played the discs in some order; `own` is to move."""
        return self._is_reachable(word.from_int(own), word.from_int(opponent))

    def _immediate_score(self, own: int, opponent: int) -> int:
        occupied = own | opponent
        playable = occupied + self.bottom & self.board
        empties = word.popcount(self.board & ~occupied)
        if fours.threats(own, self.stride) & playable:
            return (empties + 1) >> 1
        dangers = fours.threats(opponent, self.stride) & playable
        if dangers & dangers - 1:
            return -(empties >> 1)  # one of the opponent's two wins can be blocked
        return UNKNOWN

    def _score(self, own: int, opponent: int, ahead: int, low: int, high: int) -> int:
        """Return the score of a reachable position, `ahead` plies before the layer.

        A score that is not between low and high may be replaced by another one on the same side.
        """
        best = self._immediate_score(own, opponent)
        if best != UNKNOWN:
            return best
        occupied = own | opponent
        if ahead == 0:
            key = min(own + occupied, self._mirrored(own) + self._mirrored(occupied))
            return self.stored._find(key) - tuning.SCORE_OFFSET
        best = -UNKNOWN
        playable = occupied + self.bottom & self.board
        while playable:
            move = playable & ~(playable - 1)
            playable ^= move
            best = max(best, -self._score(opponent, own | move, ahead - 1, -high, -max(low, best)))
            if best >= high:
                break
        return best

    def _mirrored(self, discs: int) -> int:
        mirrored = 0
        for column in range(self.width):
            cells = (discs & self.columns[column]) >> column * self.stride
            mirrored |= cells << (self.width - 1 - column) * self.stride
        return mirrored

    def _is_reachable(self, own: int, opponent: int) -> bool:
        if word.popcount(own | opponent) & 1:
            own, opponent = opponent, own  # from here on, own is the first player's
        surplus = word.popcount(own) - word.popcount(opponent)
        return 0 <= surplus <= 1 and self._comes_off(own, opponent)

    def _comes_off(self, first: int, second: int) -> bool:
        """Check whether all discs can be taken off the columns' tops in turns; the disc counts are those of a game.

        If each side takes one of its highest discs, they come off in nearly every position.
        """
        if first | second == 0:
            return True
        tops = (first | second) + self.bottom >> 1
        tops &= second if word.popcount(first) == word.popcount(second) else first
        row = self.stride - 2
        while tops:
            cells = tops & self.bottom << row
            tops ^= cells
            while cells:
                cell = cells & ~(cells - 1)
                cells ^= cell
                if self._comes_off(first & ~cell, second & ~cell):
                    return True
            row -= 1
        return False
