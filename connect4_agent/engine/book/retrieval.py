"""Small numbers by key, without the keys: how they are written, and where a reader finds them.

The kernel looks numbers up (engine/kernel/layer.py). The answer for a key that was never stored is arbitrary.

The numbers are coded by frequency, in code words of bits (Huffman). Bit b of the words longer than b is in a plane of
its own: an array of bits of which each key selects some, by a pattern of PATTERN_BITS bits that begins at some bit;
their parity is the key's bit. A hash of the key gives the beginning and the pattern; the array is a solution of the
linear equations, one for each key (Dillinger and Walzer, "Ribbon filter: practically smaller than Bloom and Xor",
2021). It has few more bits than there are keys, so a number takes little more space than its share of the entropy.

    <B planes; the number of code words of each length, from 0 to the number of planes, a byte each; the numbers in the
    order of their code words, a byte each; for each plane <I bits in which a pattern can begin; then the planes, each
    of that many bits and PATTERN_BITS more, rounded down to bytes, and followed by PAD_BYTES bytes
"""

from __future__ import annotations

import struct
from collections import Counter
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import count
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.engine.kernel.layer import PATTERN_WORDS, mixed, pattern_of, start_of

if TYPE_CHECKING:
    from collections.abc import Mapping

PATTERN_BITS = 64 * PATTERN_WORDS
PATTERN_MASK = (1 << PATTERN_BITS) - 1
PAD_BYTES = 1
"""Padding, so that a pattern can be read from every bit of a byte."""

MIN_SPARE = 0.01
SPARE_STEP = 0.0025
"""A plane has this share of bits more than keys, and some more for every failed attempt."""

MAX_PLANES = 30
"""A code word fits into an int of C."""

_PLANE = struct.Struct("<I")


@dataclass(frozen=True, slots=True)
class Stored:
    """Where numbers are in a buffer: what the kernel's Retrieval needs to know."""

    planes: list[tuple[int, int]]
    """The first byte and the number of bits of each plane."""
    counts: list[int]
    """How many code words of each length there are, from length 0 on."""
    numbers: list[int]
    """The numbers that occur, in the order of their code words."""
    end: int
    """The byte after the last one."""


def decode(buffer: bytes, begin: int, name: str) -> Stored:
    """Find code and planes. Raises BookError, which begins with the name."""
    header = buffer[begin : begin + 1]
    plane_count = header[0] if header else MAX_PLANES + 1
    counts = list(buffer[begin + 1 : begin + 2 + plane_count])
    begin += 2 + plane_count
    numbers = list(buffer[begin : begin + sum(counts)])
    begin += len(numbers)
    sizes = buffer[begin : begin + _PLANE.size * plane_count]
    if plane_count > MAX_PLANES or len(sizes) < _PLANE.size * plane_count:
        raise errors.BookError(f"{name} is damaged: it ends within a header")
    # Every word of as many bits as there are planes begins with exactly one code word.
    if sum(amount << plane_count - length for length, amount in enumerate(counts)) != 1 << plane_count:
        raise errors.BookError(f"{name} is damaged: it has {counts} code words of 0 to {plane_count} bits")
    begin += len(sizes)
    planes = []
    for (bits,) in _PLANE.iter_unpack(sizes):
        planes.append((begin, bits))
        begin += _plane_bytes(bits)
    if begin > len(buffer):
        raise errors.BookError(f"{name} is damaged or cut off: it has {len(buffer)} bytes, {begin} are needed")
    return Stored(planes, counts, numbers, begin)


def encode(values: Mapping[int, int]) -> bytes:
    """The bytes that hold these values: the numbers, 0 to 255, of keys of at most 64 bits."""
    lengths = _lengths(Counter(values.values()) or Counter({0: 1}))
    words = _words(lengths)
    plane_count = max(lengths.values())
    hashes = sorted((mixed(key), number) for key, number in values.items())
    sizes, planes = b"", b""
    for plane in range(plane_count):
        bits = [
            (value, words[number] >> lengths[number] - plane - 1 & 1)
            for value, number in hashes
            if lengths[number] > plane
        ]
        size, solution = _solved(bits)
        sizes += _PLANE.pack(size)
        planes += solution
    counts = Counter(lengths.values())
    code = bytes([plane_count, *(counts[length] for length in range(plane_count + 1)), *lengths])
    return code + sizes + planes


def _lengths(counts: Counter[int]) -> dict[int, int]:
    """The lengths of the numbers' code words, the shortest first."""
    ties = count()
    heap = [(amount, next(ties), {number: 0}) for number, amount in sorted(counts.items())]
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


def _solved(bits: list[tuple[int, int]]) -> tuple[int, bytes]:
    """The size and the array of a plane, from the hashes of its keys in order; repeated until there is a solution."""
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
        start = start_of(value, size)
        pattern = sum(pattern_of(value, index) << 64 * index for index in range(PATTERN_WORDS))
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
    array = bytearray(_plane_bytes(len(rows) - PATTERN_BITS))
    window = 0
    for start in range(len(rows) - 1, -1, -1):
        window = window << 1 & PATTERN_MASK
        if rows[start]:
            window |= sides[start] ^ (window & rows[start]).bit_count() & 1
        array[start >> 3] |= (window & 1) << (start & 7)
    return bytes(array)
