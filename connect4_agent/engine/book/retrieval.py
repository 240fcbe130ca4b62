"""Small numbers by key and context, without the keys: how they are written, and where a reader finds them.

The kernel looks numbers up (engine/kernel/retrieval.py). The answer for a key that was never stored is arbitrary.

The numbers are coded by frequency, in code words of bits (Huffman). A key comes with a context, which the reader
knows, too, and each context has its own code. Bit b of the words longer than b is in a plane of its own: an array of
bits of which each key selects some, by a pattern of PATTERN_BITS bits starting at a place; their parity is the key's
bit. A hash of the key gives place and pattern; the array is a solution of the linear equations, one for each key
(Dillinger and Walzer, "Ribbon filter: practically smaller than Bloom and Xor", 2021). It has few more bits than there
are keys, so a number takes little more space than its share of the entropy.

    <H contexts, <H numbers, <H bytes of the packed codes; the numbers a byte each; the codes, packed with zlib: for
    each context, for each number a byte, 1 more than the length of its code word, 0 if it has none
    <B planes; for each: <II places where a pattern can begin, seed of its hash; then the arrays, each of that many bits
    and PATTERN_BITS more, rounded down to bytes, and followed by PAD_BYTES bytes
"""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import count
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.engine.kernel.retrieval import PATTERN_WORDS, SEED_STEP, WORD_MASK, mixed, pattern_of, place_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from connect4_agent.engine.kernel.word import Buffer

PATTERN_BITS = 64 * PATTERN_WORDS
PATTERN_MASK = (1 << PATTERN_BITS) - 1
PAD_BYTES = 1
"""Padding, so that a pattern can be read from every place and every bit of a byte."""

LEAST_SPARE = 0.01
SPARE_STEP = 0.0025
"""An array has this share of bits more than keys, and some more for every failed attempt."""

MOST_PLANES = 30
"""A code word fits into an int of C."""

_COUNTS = struct.Struct("<HHH")
_PLANES = struct.Struct("<B")
_PLANE = struct.Struct("<II")


Value = tuple[int, int]
"""A number with its context."""


@dataclass(frozen=True, slots=True)
class Stored:
    """Where numbers are in a buffer: what the kernel's Retrieval needs to know."""

    planes: list[tuple[int, int, int]]
    """The first byte, the number of bits and the seed of each plane."""
    numbers: list[int]
    """The numbers that occur."""
    lengths: bytes
    """Those of their code words in each context, plus 1."""
    contexts: int
    end: int
    """The byte after the last one."""


def decode(buffer: Buffer, begin: int, name: str) -> Stored:
    """Find numbers, codes and planes. Raises BookError, which begins with the name."""
    try:
        contexts, number_count, packed_count = _COUNTS.unpack_from(buffer, begin)
        begin += _COUNTS.size
        numbers = list(buffer[begin : begin + number_count])
        begin += number_count
        packed = buffer[begin : begin + packed_count]
        begin += packed_count
        (plane_count,) = _PLANES.unpack_from(buffer, begin)
        begin += _PLANES.size
        headers = [_PLANE.unpack_from(buffer, begin + _PLANE.size * plane) for plane in range(plane_count)]
    except struct.error:
        raise errors.BookError(f"{name} is damaged: it ends within a header") from None
    if number_count > 1 << 8:
        raise errors.BookError(f"{name} is damaged: it has {number_count} numbers")
    lengths = _unpacked(packed, contexts * number_count, name)
    longest = max(lengths, default=1) - 1
    if not longest <= plane_count <= MOST_PLANES:
        raise errors.BookError(f"{name} is damaged: it has code words of {longest} bits and {plane_count} planes")
    begin += _PLANE.size * plane_count
    planes = []
    for bits, seed in headers:
        planes.append((begin, bits, seed))
        begin += _plane_bytes(bits)
    if begin > len(buffer):
        raise errors.BookError(f"{name} is damaged or cut off: it has {len(buffer)} bytes, {begin} are needed")
    return Stored(planes, numbers, lengths, contexts, begin)


def _unpacked(packed: bytes, size: int, name: str) -> bytes:
    """The bytes of packed codes, which must be this many. Raises BookError."""
    try:
        found = zlib.decompressobj().decompress(packed, size + 1)
    except zlib.error as error:
        raise errors.BookError(f"{name} is damaged: its codes cannot be unpacked ({error})") from None
    if len(found) != size:
        raise errors.BookError(f"{name} is damaged: its codes have {len(found)} bytes or more, not {size}")
    return found


def encode(values: Mapping[int, Value], contexts: int) -> bytes:
    """The bytes that hold these values: the numbers, 0 to 255, of keys of at most 64 bits, with their contexts."""
    counts: list[Counter[int]] = [Counter() for _ in range(contexts)]
    for (number, context), amount in Counter(values.values()).items():
        counts[context][number] += amount
    numbers = sorted(set().union(*counts))
    lengths = list(map(_lengths, counts))
    bits = {
        (number, context): f"{word:0{lengths[context][number]}b}" if lengths[context][number] else ""
        for context in range(contexts)
        for number, word in _words(lengths[context]).items()
    }
    code = bytes(each.get(number, -1) + 1 for each in lengths for number in numbers)
    headers, arrays = [], []
    for plane in range(max((len(word) for word in bits.values()), default=0)):
        size, seed, array = _solved(
            {key: int(bits[value][plane]) for key, value in values.items() if len(bits[value]) > plane}
        )
        headers.append(_PLANE.pack(size, seed))
        arrays.append(array)
    packed = zlib.compress(code, 9)
    start = [_COUNTS.pack(contexts, len(numbers), len(packed)), bytes(numbers), packed, _PLANES.pack(len(headers))]
    return b"".join([*start, *headers, *arrays])


def _lengths(counts: Counter[int]) -> dict[int, int]:
    """The lengths of the numbers' code words, the shortest first."""
    ties = count()
    heap = [(amount, next(ties), {number: 0}) for number, amount in sorted(counts.items())]
    heapify(heap)
    while len(heap) > 1:
        (few, _, left), (more, _, right) = heappop(heap), heappop(heap)
        both = {number: length + 1 for number, length in (*left.items(), *right.items())}
        heappush(heap, (few + more, next(ties), both))
    return dict(sorted(heap[0][2].items(), key=lambda item: item[::-1])) if heap else {}


def _words(lengths: Mapping[int, int]) -> dict[int, int]:
    """The canonical code words."""
    words = {}
    word = previous = 0
    for number, length in lengths.items():
        word <<= length - previous
        words[number] = word
        word += 1
        previous = length
    return words


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
    offset = seed * SEED_STEP & WORD_MASK
    hashes = ((mixed(key, offset), bit) for key, bit in bits.items())
    return iter(sorted([place_of(value, size), _pattern(value), bit] for value, bit in hashes))


def _pattern(value: int) -> int:
    return sum(pattern_of(value, index) << 64 * index for index in range(PATTERN_WORDS))


def _back_substituted(rows: list[int], sides: bytearray) -> bytes:
    array = bytearray(_plane_bytes(len(rows) - PATTERN_BITS))
    window = 0
    for place in range(len(rows) - 1, -1, -1):
        window = window << 1 & PATTERN_MASK
        if rows[place]:
            window |= sides[place] ^ (window & rows[place]).bit_count() & 1
        array[place >> 3] |= (window & 1) << (place & 7)
    return bytes(array)
