"""Small numbers by key and context, stored without the keys; book/retrieval.py writes them and says how."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import word

if TYPE_CHECKING:
    from .word import Buffer

PATTERN_WORDS = 4
"""The more words a key's pattern has, the fewer spare bits a plane needs."""

# The hash: the finalizer of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
# 2014), with a step for the patterns from L'Ecuyer and Vigna's tables of generators.
WORD_MASK = (1 << 64) - 1
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB
PATTERN_STEP = 0xD1342543DE82EF95
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


def pattern_of(value: int, index: int) -> int:
    """A word of the pattern of a key with this hash; bit 0 of the first word is always set."""
    return mixed(value, (index + 1) * PATTERN_STEP) | (1 if index == 0 else 0)


class Retrieval:
    """Small numbers by key and context, without the keys: the answer for a key that was never stored is arbitrary.

    book/retrieval.py describes the format. `planes` are the first byte, the number of bits and the seed of each plane
    in the buffer, which must not change. `numbers` are those that occur; `lengths` has for each context a byte for each
    of them: 1 more than the length of its code word, 0 if it has none.
    """

    def __init__(
        self, buffer: Buffer, planes: list[tuple[int, int, int]], numbers: list[int], lengths: bytes, contexts: int
    ) -> None:
        self.buffer = buffer
        self.data = word.bytes_of(buffer)
        self.lengths_buffer = lengths
        self.lengths = word.bytes_of(lengths)
        self.plane_count = len(planes)
        self.begins = word.words([begin for begin, _, _ in planes])
        self.sizes = word.words([bits for _, bits, _ in planes])
        self.offsets = word.words([seed * SEED_STEP & WORD_MASK for _, _, seed in planes])
        self.number_count = len(numbers)
        self.numbers = word.ints(numbers)
        self.contexts = contexts
        # A context's code is read when it is first needed. Its numbers are then in the order of their code words; a
        # word of some length is one of `counts` that follow each other from `firsts` on.
        self.is_read = word.ints([0] * contexts)
        self.ordered = word.ints([0] * (contexts * len(numbers)))
        self.counts = word.ints([0] * (contexts * (self.plane_count + 1)))
        self.firsts = word.ints([0] * (contexts * (self.plane_count + 1)))

    def __dealloc__(self) -> None:
        word.release(self.begins)
        word.release(self.sizes)
        word.release(self.offsets)
        word.release_ints(self.numbers)
        word.release_ints(self.is_read)
        word.release_ints(self.ordered)
        word.release_ints(self.counts)
        word.release_ints(self.firsts)

    def find(self, key: int, context: int) -> int:
        """The number of a stored key, of at most 64 bits, in its context; 0 if no number has this context."""
        if not 0 <= context < self.contexts:
            raise IndexError(context)
        return self._find(key, context)

    def _find(self, key: int, context: int) -> int:
        if not self.is_read[context]:
            self._read_code(context)
        row = context * (self.plane_count + 1)
        code_word = 0
        skipped = 0
        for plane in range(self.plane_count + 1):
            rank = code_word - self.firsts[row + plane]
            if 0 <= rank < self.counts[row + plane]:
                return self.ordered[context * self.number_count + skipped + rank]
            if plane == self.plane_count:
                break
            skipped += self.counts[row + plane]
            value = mixed(key, self.offsets[plane])
            place = place_of(value, self.sizes[plane])
            first = self.begins[plane] + (place >> 3)
            shift = place & 7
            found = 0
            for index in range(PATTERN_WORDS):
                found ^= self._bits(first + 8 * index, shift) & pattern_of(value, index)
            code_word = code_word << 1 | word.popcount(found) & 1
        return 0

    def _bits(self, first: int, shift: int) -> int:
        """The 64 bits of the buffer from this bit of this byte on."""
        found = 0
        for index in range(8):
            byte = self.data[first + index]
            found |= byte << 8 * index
        if shift:
            byte = self.data[first + 8]
            found = found >> shift | (byte << 64 - shift & WORD_MASK)
        return found

    def _read_code(self, context: int) -> None:
        begin = context * self.number_count
        row = context * (self.plane_count + 1)
        place = begin
        first = 0
        for length in range(self.plane_count + 1):
            self.firsts[row + length] = first
            for index in range(self.number_count):
                if self.lengths[begin + index] == length + 1:
                    self.ordered[place] = self.numbers[index]
                    place += 1
                    first += 1
            self.counts[row + length] = first - self.firsts[row + length]
            first <<= 1
        self.is_read[context] = 1
