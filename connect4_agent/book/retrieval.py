"""Small numbers by key, without the keys: how they are written, and where a reader finds them.

The kernel looks numbers up (engine/kernel/layer.py). The answer for a key that was never stored is arbitrary.

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
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import count, pairwise
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.engine.kernel.layer import SEED_STEP, WORD_MASK, mixed, pattern_of, place_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from connect4_agent.engine.kernel.word import Buffer

PATTERN_BITS = 64
PAD_BYTES = PATTERN_BITS // 8 + 1
"""Padding, so that a pattern can be read from every place."""

LEAST_SPARE = 0.04
SPARE_STEP = 0.01
"""An array has this share of bits more than keys, and some more for every failed attempt."""

_COUNT = struct.Struct("<H")
_CODE = struct.Struct("<BB")
_PLANES = struct.Struct("<B")
_PLANE = struct.Struct("<II")


@dataclass(frozen=True, slots=True)
class Stored:
    """Where numbers are in a buffer: what the kernel's Retrieval needs to know."""

    planes: list[tuple[int, int, int]]
    """The first byte, the number of bits and the seed of each plane."""
    code: list[tuple[int, int]]
    """The numbers and the lengths of their code words, the shortest first."""
    end: int
    """The byte after the last one."""


def decode(buffer: Buffer, begin: int, name: str) -> Stored:
    """Read the code and find the planes. Raises BookError, which begins with the name."""
    try:
        lengths, begin = _read_lengths(buffer, begin)
        (plane_count,) = _PLANES.unpack_from(buffer, begin)
        begin += _PLANES.size
        headers = [_PLANE.unpack_from(buffer, begin + _PLANE.size * plane) for plane in range(plane_count)]
    except struct.error:
        raise errors.BookError(f"{name} is damaged: it ends within a header") from None
    begin += _PLANE.size * plane_count
    planes = []
    for bits, seed in headers:
        planes.append((begin, bits, seed))
        begin += _plane_bytes(bits)
    code = list(lengths.items())
    is_sorted = all(length <= next_length for (_, length), (_, next_length) in pairwise(code))
    is_whole = sum(1 / (1 << length) for length in lengths.values()) == 1
    if not (is_sorted and is_whole and code[-1][1] == plane_count):
        raise errors.BookError(f"{name} is damaged: its code words do not fit {plane_count} planes")
    if begin > len(buffer):
        raise errors.BookError(f"{name} is damaged or cut off: it has {len(buffer)} bytes, {begin} are needed")
    return Stored(planes, code, begin)


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
    return iter(sorted([place_of(value, size), pattern_of(value), bit] for value, bit in hashes))


def _back_substituted(rows: list[int], sides: bytearray) -> bytes:
    array = bytearray(_plane_bytes(len(rows) - PATTERN_BITS))
    window = 0
    for place in range(len(rows) - 1, -1, -1):
        window = window << 1 & WORD_MASK
        if rows[place]:
            window |= sides[place] ^ (window & rows[place]).bit_count() & 1
        array[place >> 3] |= (window & 1) << (place & 7)
    return bytes(array)
