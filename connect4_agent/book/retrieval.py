"""Small numbers by key, without the keys: the answer for a key that was never stored is arbitrary.

The numbers are coded by frequency, in code words of bits (Huffman). Bit b of the words longer than b is in a
plane of its own: an array of bits of which each key selects some, by a pattern of PATTERN_BITS bits starting at a
place; their parity is the key's bit. A hash of the key gives place and pattern; the array is a solution of the linear
equations, one for each key (Dillinger and Walzer, "Ribbon filter: practically smaller than Bloom and Xor", 2021). It
has few more bits than there are keys, so a number takes little more space than its share of the entropy.

    <H numbers; for each, the most frequent first: number a byte, length of its code word a byte
    <B planes; for each: <II bits of its array, seed of its hash; then the arrays, each followed by PAD_BYTES bytes
"""

from __future__ import annotations

import struct
from collections import Counter
from heapq import heapify, heappop, heappush
from itertools import count
from typing import TYPE_CHECKING

from connect4_agent import errors

if TYPE_CHECKING:
    import mmap
    from collections.abc import Iterator, Mapping

    Buffer = bytes | mmap.mmap
    """Anything that a file's bytes can be read from."""

PATTERN_BITS = 64
PAD_BYTES = PATTERN_BITS // 8 + 1
"""Padding, so that a pattern can be read from every place."""

LEAST_SPARE = 0.04
SPARE_STEP = 0.01
"""An array has this share of bits more than keys, and some more for every failed attempt."""

_WORD = (1 << 64) - 1
_COUNT = struct.Struct("<H")
_CODE = struct.Struct("<BB")
_PLANES = struct.Struct("<B")
_PLANE = struct.Struct("<II")


class Retrieval:
    """Numbers by key, read from a place in a buffer."""

    def __init__(self, buffer: Buffer, begin: int, name: str) -> None:
        """Read the code and find the planes. Raises BookError, which begins with the name."""
        self._buffer = buffer
        try:
            lengths, begin = _read_lengths(buffer, begin)
            (plane_count,) = _PLANES.unpack_from(buffer, begin)
            begin += _PLANES.size
            headers = [_PLANE.unpack_from(buffer, begin + _PLANE.size * plane) for plane in range(plane_count)]
        except struct.error:
            raise errors.BookError(f"{name} is damaged: it ends within a header") from None
        begin += _PLANE.size * plane_count
        self._planes = []
        for bits, seed in headers:
            self._planes.append((begin, bits, seed))
            begin += _plane_bytes(bits)
        self.end = begin
        self._numbers = {word: number for number, word in _words(lengths).items()}
        if sum(1 / (1 << length) for length in lengths.values()) != 1 or max(lengths.values()) != plane_count:
            raise errors.BookError(f"{name} is damaged: its code words do not fit {plane_count} planes")
        if begin > len(buffer):
            raise errors.BookError(f"{name} is damaged or cut off: it has {len(buffer)} bytes, {begin} are needed")

    def find(self, key: int) -> int:
        """The number of a stored key."""
        word = 1
        number = self._numbers.get(word)
        for begin, bits, seed in self._planes:
            if number is not None:
                break
            place, pattern = _hashed(key, bits, seed)
            first = begin + (place >> 3)
            found = int.from_bytes(self._buffer[first : first + PAD_BYTES], "little") >> (place & 7)
            word = word << 1 | (found & pattern).bit_count() & 1
            number = self._numbers.get(word)
        assert number is not None  # the code words leave no gap, and the longest has a bit in every plane
        return number


def encode(numbers: Mapping[int, int]) -> bytes:
    """The bytes that hold the numbers, 0 to 255, of these keys, of at most 64 bits."""
    lengths = _lengths(Counter(numbers.values()))
    words = _words(lengths)
    headers, arrays = [], []
    for plane in range(max(lengths.values())):
        bits = {}
        for key, number in numbers.items():
            if lengths[number] > plane:
                bits[key] = words[number] >> lengths[number] - 1 - plane & 1
        size, seed, array = _solved(bits)
        headers.append(_PLANE.pack(size, seed))
        arrays.append(array)
    code = [_CODE.pack(number, length) for number, length in lengths.items()]
    return b"".join([_COUNT.pack(len(lengths)), *code, _PLANES.pack(len(headers)), *headers, *arrays])


def _read_lengths(buffer: Buffer, begin: int) -> tuple[dict[int, int], int]:
    (number_count,) = _COUNT.unpack_from(buffer, begin)
    begin += _COUNT.size
    pairs = [_CODE.unpack_from(buffer, begin + _CODE.size * place) for place in range(number_count)]
    return dict(pairs) or {0: 0}, begin + _CODE.size * number_count


def _lengths(counts: Counter[int]) -> dict[int, int]:
    """The lengths of the numbers' code words, the shortest first."""
    ties = count()
    heap = [(amount, next(ties), {number: 0}) for number, amount in sorted(counts.items())] or [(0, 0, {0: 0})]
    heapify(heap)
    while len(heap) > 1:
        (few, _, left), (more, _, right) = heappop(heap), heappop(heap)
        both = {number: length + 1 for number, length in (*left.items(), *right.items())}
        heappush(heap, (few + more, next(ties), both))
    return dict(sorted(heap[0][2].items(), key=lambda item: item[::-1]))


def _words(lengths: Mapping[int, int]) -> dict[int, int]:
    """The canonical code words, each with a leading one-bit that marks where it begins."""
    words = {}
    word = previous = 0
    for number, length in lengths.items():
        word <<= length - previous
        words[number] = 1 << length | word
        word += 1
        previous = length
    return words


def _hashed(key: int, bits: int, seed: int) -> tuple[int, int]:
    """A key's place in an array of this many bits, and its pattern, whose lowest bit is set."""
    mixed = key + seed * 0x9E3779B97F4A7C15 & _WORD
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _WORD
    mixed ^= mixed >> 31
    return mixed * bits >> 64, (mixed * 0xD1342543DE82EF95 & _WORD) >> 1 ^ mixed | 1


def _plane_bytes(bits: int) -> int:
    return (bits + PATTERN_BITS) // 8 + PAD_BYTES


def _solved(bits: Mapping[int, int]) -> tuple[int, int, bytes]:
    """The size, the seed and the array of a plane; attempts are repeated until one has a solution."""
    for seed in count(1):
        size = int(len(bits) * (1 + LEAST_SPARE + SPARE_STEP * (seed - 1))) + 1
        rows = _echelon(bits, size, seed)
        if rows is not None:
            return size, seed, _back_substituted(*rows)
    raise AssertionError


def _echelon(bits: Mapping[int, int], size: int, seed: int) -> tuple[list[int], bytearray] | None:
    """The equations, reduced so that no two begin at the same place, with their right sides; None if unsolvable."""
    rows, sides = [0] * (size + PATTERN_BITS), bytearray(size + PATTERN_BITS)
    for equation in _equations(bits, size, seed):
        place, pattern, bit = equation
        while rows[place]:
            pattern ^= rows[place]
            bit ^= sides[place]
            if pattern == 0:
                break
            zeros = (pattern & -pattern).bit_length() - 1
            pattern >>= zeros
            place += zeros
        if pattern:
            rows[place] = pattern
            sides[place] = bit
        elif bit:
            return None
    return rows, sides


def _equations(bits: Mapping[int, int], size: int, seed: int) -> Iterator[list[int]]:
    """Place, pattern and bit of every key, sorted by place, so that an equation meets few others."""
    return iter(sorted([*_hashed(key, size, seed), bit] for key, bit in bits.items()))


def _back_substituted(rows: list[int], sides: bytearray) -> bytes:
    array = bytearray(_plane_bytes(len(rows) - PATTERN_BITS))
    window = 0
    for place in range(len(rows) - 1, -1, -1):
        window = window << 1 & _WORD
        if rows[place]:
            window |= sides[place] ^ (window & rows[place]).bit_count() & 1
        array[place >> 3] |= (window & 1) << (place & 7)
    return bytes(array)
