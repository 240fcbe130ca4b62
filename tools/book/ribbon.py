"""Writes small numbers by key, without the keys; engine/book/files.py has the format, the kernel looks numbers up.

The numbers are coded by frequency, in code words of bits (Huffman). Bit b of the words longer than b is in a plane of
its own: an array of bits of which each key selects some, by a pattern of PATTERN_BITS bits that begins at some bit;
their parity is the key's bit. A hash of the key gives the beginning and the pattern; the array is a solution of the
linear equations, one for each key (Dillinger and Walzer, "Ribbon filter: practically smaller than Bloom and Xor",
2021). It has few more bits than there are keys, so a number takes little more space than its share of the entropy.
"""

from __future__ import annotations

from collections import Counter
from heapq import heapify, heappop, heappush
from itertools import count
from typing import TYPE_CHECKING

from connect4_agent.engine.book.files import PATTERN_BITS, PLANE_HEADER, plane_bytes
from connect4_agent.engine.kernel.layer import PATTERN_WORDS, mix, pattern_start, pattern_word

if TYPE_CHECKING:
    from collections.abc import Mapping

PATTERN_MASK = (1 << PATTERN_BITS) - 1
MIN_SPARE = 0.01
SPARE_STEP = 0.0025
"""A plane has this share of bits more than keys, and some more for every failed attempt."""


def encode(values: Mapping[int, int]) -> bytes:
    """Return the bytes that hold these values: the numbers, 0 to 255, of keys of at most 64 bits."""
    lengths = _lengths(Counter(values.values()) or Counter({0: 1}))
    words = _words(lengths)
    plane_count = max(lengths.values())
    hashes = sorted((mix(key), number) for key, number in values.items())
    sizes, planes = b"", b""
    for plane in range(plane_count):
        bits = [
            (value, words[number] >> lengths[number] - plane - 1 & 1)
            for value, number in hashes
            if lengths[number] > plane
        ]
        size, solution = _solved(bits)
        sizes += PLANE_HEADER.pack(size)
        planes += solution
    counts = Counter(lengths.values())
    code = bytes([plane_count, *(counts[length] for length in range(plane_count + 1)), *lengths])
    return code + sizes + planes


def _lengths(counts: Counter[int]) -> dict[int, int]:
    """Return the lengths of the numbers' code words, the shortest first."""
    ties = count()
    heap = [(amount, next(ties), {number: 0}) for number, amount in sorted(counts.items())]
    heapify(heap)
    while len(heap) > 1:
        (few, _, left), (more, _, right) = heappop(heap), heappop(heap)
        both = {number: length + 1 for number, length in (*left.items(), *right.items())}
        heappush(heap, (few + more, next(ties), both))
    return dict(sorted(heap[0][2].items(), key=lambda item: item[::-1]))


def _words(lengths: Mapping[int, int]) -> dict[int, int]:
    """Return the canonical code words."""
    words = {}
    word = previous = 0
    for number, length in lengths.items():
        word <<= length - previous
        words[number] = word
        word += 1
        previous = length
    return words


def _solved(bits: list[tuple[int, int]]) -> tuple[int, bytes]:
    """Return the size and the array of a plane, from the hashes of its keys in order; try until there is a solution."""
    for attempt in count():
        size = int(len(bits) * (1 + MIN_SPARE + SPARE_STEP * attempt)) + 1
        rows = _echelon(bits, size)
        if rows is not None:
            return size, _back_substituted(*rows)
    raise AssertionError


def _echelon(bits: list[tuple[int, int]], size: int) -> tuple[list[int], bytearray] | None:
    """The equations, reduced so that no two begin at the same bit, with their right sides; None if unsolvable.

    In the order of their hashes the equations are also in the order of their beginnings, so each meets few others.
    """
    rows, sides = [0] * (size + PATTERN_BITS), bytearray(size + PATTERN_BITS)
    for value, bit in bits:
        start = pattern_start(value, size)
        pattern = sum(pattern_word(value, index) << 64 * index for index in range(PATTERN_WORDS))
        side = bit
        while rows[start]:
            pattern ^= rows[start]
            side ^= sides[start]
            if pattern == 0:
                break
            zeros = (pattern & -pattern).bit_length() - 1
            pattern >>= zeros
            start += zeros
        if pattern:
            rows[start] = pattern
            sides[start] = side
        elif side:
            return None
    return rows, sides


def _back_substituted(rows: list[int], sides: bytearray) -> bytes:
    array = bytearray(plane_bytes(len(rows) - PATTERN_BITS))
    window = 0
    for start in range(len(rows) - 1, -1, -1):
        window = window << 1 & PATTERN_MASK
        if rows[start]:
            window |= sides[start] ^ (window & rows[start]).bit_count() & 1
        array[start >> 3] |= (window & 1) << (start & 7)
    return bytes(array)
