"""A layer: the scores of all positions with one number of plies, without their keys.

A layer answers for positions with its own number of plies, and by their successors for positions up to four plies
earlier. It holds no keys, so it would answer for any position. It is asked only about those that are reachable and not
won or lost at once; the kernel, which looks scores up, has both rules (engine/kernel/layer.py).

The scores are in code words of bits (Huffman). Bit b of the words longer than b is in a plane of its own: an array of
bits of which each key selects some, by a pattern that begins at some bit; their parity is the key's bit.
tools/book/ribbon.py makes the planes.

    magic, width, height, plies a byte each, <I positions
    <B planes; the number of code words of each length, from 0 to the number of planes, a byte each; the scores in the
    order of their code words, a byte each; for each plane <I bits in which a pattern can begin; then the planes, each
    of that many bits and PATTERN_BITS more, rounded down to bytes, and followed by PAD_BYTES bytes
    last <I CRC-32 of all before
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from connect4_agent import errors
from connect4_agent.engine.book.lookup import CHECKSUM_BYTES, SCORE_OFFSET, fits
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.layer import PATTERN_WORDS
from connect4_agent.engine.kernel.stored import MAX_AHEAD

if TYPE_CHECKING:
    from pathlib import Path

    from connect4_agent.engine.kernel.layer import LayerScores, Retrieval
    from connect4_agent.rules.position import Position

MAGIC = b"connect4-layer 5\n"
HEADER = struct.Struct("<BBBI")
PLANE_HEADER = struct.Struct("<I")

PATTERN_BITS = 64 * PATTERN_WORDS
PAD_BYTES = 1
"""Padding, so that a pattern can be read from every bit of a byte."""

MAX_PLANES = 30
"""A code word fits into an int of C."""


@dataclass(frozen=True, slots=True)
class Layer:
    """The scores of all positions of this many plies in which nobody has four.

    `count` is the number of stored positions: those that are not won or lost at once.
    """

    width: int
    height: int
    plies: int
    count: int
    scores: LayerScores

    def score(self, position: Position, max_ahead: int = MAX_AHEAD) -> int | None:
        """The score of a position in which nobody has four; None if the layer does not determine it.

        A layer determines the scores of reachable positions with its number of plies, or up to `max_ahead` fewer.
        """
        if (position.width, position.height) != (self.width, self.height):
            return None
        return self.scores.score(position.own, position.opponent, max_ahead)


def read_layer(path: Path) -> Layer:
    """Read the layer in a file, without checking its checksum. Raises OSError and BookError."""
    return decode_layer(path.read_bytes(), str(path))


def decode_layer(data: bytes, name: str, form: str | None = None) -> Layer:
    """Return the layer in a file's bytes, looked up by a form of the kernel. Raises BookError, which names the file."""
    if data[: len(MAGIC)] != MAGIC:
        raise errors.BookError(f"{name} is not a layer of a book: it does not begin with {MAGIC.decode().strip()!r}")
    if len(data) < len(MAGIC) + HEADER.size:
        raise errors.BookError(f"{name} is damaged: it ends within a header")
    width, height, plies, count = HEADER.unpack_from(data, len(MAGIC))
    if not (width and height and fits(width, height) and plies < width * height):
        raise errors.BookError(f"{name} is damaged: it is for {width} columns, {height} rows and {plies} plies")
    code = forms.book_module("layer", width, height, form)
    retrieval, end = decode_numbers(data, len(MAGIC) + HEADER.size, name, code)
    if len(data) != end + CHECKSUM_BYTES:
        raise errors.BookError(
            f"{name} is damaged: it has {len(data)} bytes, and its headers say {end + CHECKSUM_BYTES}"
        )
    return Layer(width, height, plies, count, code.LayerScores(width, height, plies, SCORE_OFFSET, retrieval))


def decode_numbers(buffer: bytes, begin: int, name: str, code: Any) -> tuple[Retrieval, int]:
    """Return the numbers that begin at this byte, looked up by a form of the kernel, and the byte after them.

    Raises BookError, which names the file.
    """
    header = buffer[begin : begin + 1]
    plane_count = header[0] if header else MAX_PLANES + 1
    counts = list(buffer[begin + 1 : begin + 2 + plane_count])
    begin += 2 + plane_count
    numbers = list(buffer[begin : begin + sum(counts)])
    begin += len(numbers)
    sizes = buffer[begin : begin + PLANE_HEADER.size * plane_count]
    if plane_count > MAX_PLANES or len(sizes) < PLANE_HEADER.size * plane_count:
        raise errors.BookError(f"{name} is damaged: it ends within a header")
    # Every word of as many bits as there are planes begins with exactly one code word.
    if sum(amount << plane_count - length for length, amount in enumerate(counts)) != 1 << plane_count:
        raise errors.BookError(f"{name} is damaged: it has {counts} code words of 0 to {plane_count} bits")
    begin += len(sizes)
    planes = []
    for (bits,) in PLANE_HEADER.iter_unpack(sizes):
        planes.append((begin, bits))
        begin += plane_bytes(bits)
    if begin > len(buffer):
        raise errors.BookError(f"{name} is damaged or cut off: it has {len(buffer)} bytes, {begin} are needed")
    return code.Retrieval(buffer, planes, counts, numbers), begin


def plane_bytes(bits: int) -> int:
    """Return the size of a plane in which a pattern can begin at this many bits."""
    return (bits + PATTERN_BITS) // 8 + PAD_BYTES
