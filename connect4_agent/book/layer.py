"""A layer: the scores of all positions with one number of plies, without their keys, read directly from the file.

A layer answers for positions with its own number of plies, and by their successors for positions up to MOST_AHEAD
plies earlier. It holds no keys, so it would answer for any position. It is asked only about those that can arise in
play and are not settled: builder and reader share `settled_score`, which knows the scores that are left out.

    magic, width, height, plies a byte each, <I positions, then their scores (retrieval.py), <I CRC-32 of all before
"""

from __future__ import annotations

import mmap
import struct
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.book.lookup import SCORE_OFFSET, fits, score_at_once
from connect4_agent.book.retrieval import Retrieval, encode

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from connect4_agent.book.retrieval import Buffer
    from connect4_agent.position import Position

MAGIC = b"connect4-layer 1\n"
MOST_AHEAD = 2
"""How many plies a layer looks ahead: 49 successors on the usual board."""

_HEADER = struct.Struct("<BBBI")
_CHECKSUM = struct.Struct("<I")


def settled_score(position: Position) -> int | None:
    """The score of a position that a layer leaves out (won at once, lost at once, or over); None for any other."""
    score = score_at_once(position)
    if score is None and len(position.passed().winning_columns()) > 1:
        return -(position.empty_count // 2)  # one of the opponent's two wins can be blocked
    return score


def can_arise(position: Position) -> bool:
    """Whether the two players, taking turns, could have played the discs in some order. Nobody has four."""
    if position.opponent.bit_count() - position.own.bit_count() not in (0, 1):
        return False
    waiting = [position]
    seen = {position.key}
    while waiting:
        each = waiting.pop()
        if each.disc_count == 0:
            return True
        for before in each.predecessors():
            if before.key not in seen:
                seen.add(before.key)
                waiting.append(before)
    return False


@dataclass(frozen=True, slots=True)
class Layer:
    """The scores of all positions of this many plies in which nobody has four; `count` of them are not settled."""

    width: int
    height: int
    plies: int
    count: int
    scores: Retrieval

    def score(self, position: Position) -> int | None:
        """The score of a position in which nobody has four; None if it does not follow from the layer."""
        ahead = self.plies - position.disc_count
        if (position.width, position.height) != (self.width, self.height) or not 0 <= ahead <= MOST_AHEAD:
            return None
        return self._score(position, ahead) if can_arise(position) else None

    def _score(self, position: Position, ahead: int) -> int:
        """The same for a position that can arise; its successors can, too."""
        settled = settled_score(position)
        if settled is not None:
            return settled
        if ahead == 0:
            return self.scores.find(position.canonical().key) - SCORE_OFFSET
        return max(-self._score(position.play(column), ahead - 1) for column in position.legal_columns())


def encode_layer(size: tuple[int, int], plies: int, scores: Mapping[int, int]) -> bytes:
    """The file of a layer, with the scores by key of all positions that are not settled."""
    numbers = {key: score + SCORE_OFFSET for key, score in scores.items()}
    data = MAGIC + _HEADER.pack(*size, plies, len(scores)) + encode(numbers)
    return data + _CHECKSUM.pack(zlib.crc32(data))


def read_layer(path: Path) -> Layer:
    """The layer in a file, which is mapped into memory and read as needed. Raises OSError and BookError."""
    with path.open("rb") as file:
        try:
            buffer: Buffer = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:  # an empty file cannot be mapped
            buffer = b""
    return decode_layer(buffer, str(path))


def decode_layer(buffer: Buffer, name: str) -> Layer:
    """The layer in a buffer. Raises BookError, which names the file."""
    if buffer[: len(MAGIC)] != MAGIC:
        raise errors.BookError(f"{name} is not a layer of a book: it does not begin with {MAGIC.decode().strip()!r}")
    begin = len(MAGIC) + _HEADER.size
    if len(buffer) < begin:
        raise errors.BookError(f"{name} is damaged: it ends within a header")
    width, height, plies, count = _HEADER.unpack_from(buffer, len(MAGIC))
    if not (width and height and fits(width, height) and plies <= width * height):
        raise errors.BookError(f"{name} is damaged: it is for {width} columns, {height} rows and {plies} plies")
    scores = Retrieval(buffer, begin, name)
    if len(buffer) != scores.end + _CHECKSUM.size:
        raise errors.BookError(
            f"{name} is damaged: it has {len(buffer)} bytes, and its headers say {scores.end + _CHECKSUM.size}"
        )
    return Layer(width, height, plies, count, scores)


def check_bytes(path: Path) -> None:
    """Raise BookError if a layer's file has changed since it was written. Lookups skip this check."""
    data = path.read_bytes()
    if data[-_CHECKSUM.size :] != _CHECKSUM.pack(zlib.crc32(data[: -_CHECKSUM.size])):
        raise errors.BookError(f"{path} is damaged: its checksum is wrong")
