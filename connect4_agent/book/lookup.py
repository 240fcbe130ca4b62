"""The opening book as it is read: scores and replies of 7x6 positions, found without unpacking the file.

A section of the file is a sorted list of keys, each with one byte. Keys stand in blocks of BLOCK_KEYS: the
first one in full, in an array that is bisected, the others as differences of 7 bits a byte, the lowest first,
the top bit set where another byte follows. A position and its mirror image share the smaller of their keys.

    magic, then for either section a header <IIII (keys, blocks, bytes of differences, plies), then for either
    section: first keys 8 bytes each, where each block's differences begin 4 bytes each, differences, values
"""

from __future__ import annotations

import struct
import sys
from array import array
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.position import Position, stride_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

MAGIC = b"connect4-book 1\n"
BLOCK_KEYS = 32
WIDTH, HEIGHT = 7, 6

# A score's byte is the score + SCORE_OFFSET; a reply's is column * REPLY_SCORES + score + REPLY_OFFSET.
SCORE_OFFSET = 32
REPLY_SCORES = 36
REPLY_OFFSET = 17

_HEADER = struct.Struct("<IIII")

SHIPPED_FILE = Path(__file__).with_name("opening.book")


@dataclass(frozen=True, slots=True)
class Section:
    """Keys and their bytes; `plies` is the largest number of discs of a position."""

    first_keys: Sequence[int]
    begins: Sequence[int]
    differences: bytes
    values: bytes
    plies: int

    def find(self, key: int) -> int | None:
        """The byte of a key; None where it is not in the book."""
        block = bisect_right(self.first_keys, key) - 1
        if block < 0:
            return None
        for number, found in enumerate(self._keys_of(block)):
            if found >= key:
                return self.values[block * BLOCK_KEYS + number] if found == key else None
        return None

    def items(self) -> Iterator[tuple[int, int]]:
        """All keys with their bytes, in order."""
        keys = (key for block in range(len(self.first_keys)) for key in self._keys_of(block))
        return zip(keys, self.values, strict=True)

    def _keys_of(self, block: int) -> Iterator[int]:
        key = self.first_keys[block]
        yield key
        place = self.begins[block]
        for _ in range(min(BLOCK_KEYS, len(self.values) - block * BLOCK_KEYS) - 1):
            shift = 0
            while (byte := self.differences[place]) > 0x7F:
                key += (byte & 0x7F) << shift
                shift += 7
                place += 1
            key += byte << shift
            place += 1
            yield key


@dataclass(frozen=True, slots=True)
class Book:
    """What is known of positions of the usual board in which nobody can win at once."""

    scores: Section
    replies: Section

    def score(self, position: Position) -> int | None:
        """The score of a position, if it is known."""
        if not self._may_hold(position):
            return None
        key = min(position.key, position.mirrored().key)
        if position.disc_count <= self.scores.plies:
            value = self.scores.find(key)
            if value is not None:
                return value - SCORE_OFFSET
        value = self.replies.find(key)
        return None if value is None else value % REPLY_SCORES - REPLY_OFFSET

    def reply(self, position: Position) -> tuple[int, int] | None:
        """The column to play by the default rule and the score, if they are known."""
        if not self._may_hold(position):
            return None
        key, mirrored_key = position.key, position.mirrored().key
        value = self.replies.find(min(key, mirrored_key))
        if value is None:
            return None
        column = value // REPLY_SCORES
        return WIDTH - 1 - column if mirrored_key < key else column, value % REPLY_SCORES - REPLY_OFFSET

    def _may_hold(self, position: Position) -> bool:
        return (
            (position.width, position.height) == (WIDTH, HEIGHT)
            and position.disc_count <= max(self.scores.plies, self.replies.plies)
            and position.own.bit_count() in (position.opponent.bit_count(), position.opponent.bit_count() - 1)
        )


EMPTY_BOOK = Book(Section((), (), b"", b"", 0), Section((), (), b"", b"", 0))


@cache
def shipped_book() -> Book:
    """The book of this package; an empty one where the file is missing."""
    return read_book(SHIPPED_FILE) if SHIPPED_FILE.exists() else EMPTY_BOOK


def read_book(path: Path) -> Book:
    """The book in a file. Raises BookError where it is none."""
    return decode_book(path.read_bytes(), str(path))


def decode_book(data: bytes, name: str) -> Book:
    """The book in a file's bytes. Raises BookError, which names the file, where it is none."""
    place = len(MAGIC) + 2 * _HEADER.size
    if not data.startswith(MAGIC) or len(data) < place:
        raise errors.BookError(f"{name} is no opening book: it does not begin with {MAGIC.decode().strip()!r}")
    sections = []
    for number in range(2):
        keys, blocks, difference_bytes, plies = _HEADER.unpack_from(data, len(MAGIC) + number * _HEADER.size)
        ends = []
        for size in (8 * blocks, 4 * blocks, difference_bytes, keys):
            place += size
            ends.append(place)
        if len(data) < place:
            raise errors.BookError(f"{name} is cut off: it has {len(data)} bytes of {place} or more")
        if blocks != -(-keys // BLOCK_KEYS) or plies > WIDTH * HEIGHT:
            raise errors.BookError(
                f"{name} is damaged: the header of part {number + 1} says {keys} keys in {blocks} blocks, {plies} plies"
            )
        first_keys, begins = array("Q", data[ends[0] - 8 * blocks : ends[0]]), array("I", data[ends[0] : ends[1]])
        if sys.byteorder == "big":
            first_keys.byteswap()
            begins.byteswap()
        if any(begin > end for begin, end in pairwise([*begins, difference_bytes])):
            raise errors.BookError(f"{name} is damaged: the blocks of part {number + 1} do not follow each other")
        sections.append(Section(first_keys, begins, data[ends[1] : ends[2]], data[ends[2] : ends[3]], plies))
    if len(data) != place:
        raise errors.BookError(f"{name} is damaged: it has {len(data)} bytes, and its headers say {place}")
    return Book(*sections)


def check_keys(book: Book, name: str) -> None:
    """Raise BookError, which names the file, where the keys do not rise or one of them is no position.

    Whoever looks a position up does without: that would be as slow as unpacking the file.
    """
    full_column = (1 << stride_of(HEIGHT)) - 1
    for number, section in enumerate((book.scores, book.replies), 1):
        previous = -1
        try:
            for key, _ in section.items():
                columns = [key >> column * stride_of(HEIGHT) & full_column for column in range(WIDTH)]
                if key <= previous or key >> WIDTH * stride_of(HEIGHT) or full_column in columns:
                    raise errors.BookError(f"{name} is damaged: in part {number}, after {previous} comes the key {key}")
                previous = key
        except IndexError:
            raise errors.BookError(f"{name} is damaged: part {number} ends within a key") from None


def position_of(key: int) -> Position:
    """The position with this key: in each column, the top one-bit of own + all discs stands above the discs.

    The first player of a position with an even number of discs is player 1.
    """
    stride = stride_of(HEIGHT)
    own = occupied = 0
    for column in range(WIDTH):
        cells = key >> column * stride & (1 << stride) - 1
        # k discs: all of them are 2^k - 1, and own + all is at least that and at most twice that.
        count = (cells + 1).bit_length() - 1
        occupied |= (1 << count) - 1 << column * stride
        own |= cells - ((1 << count) - 1) << column * stride
    player = 1 + occupied.bit_count() % 2
    discs = (own, occupied ^ own) if player == 1 else (occupied ^ own, own)
    return Position(WIDTH, HEIGHT, player, *discs)


def encode_book(scores: Mapping[int, int], score_plies: int, replies: Mapping[int, int], reply_plies: int) -> bytes:
    """The file of a book: keys with their bytes, and the most discs that a position of either section has."""
    headers, bodies = [], []
    for values, plies in ((scores, score_plies), (replies, reply_plies)):
        first_keys, begins, differences = array("Q"), array("I"), bytearray()
        previous = 0
        for number, key in enumerate(sorted(values)):
            if number % BLOCK_KEYS == 0:
                first_keys.append(key)
                begins.append(len(differences))
            else:
                differences += _difference_bytes(key - previous)
            previous = key
        if sys.byteorder == "big":
            first_keys.byteswap()
            begins.byteswap()
        headers.append(_HEADER.pack(len(values), len(first_keys), len(differences), plies))
        bodies += [first_keys.tobytes(), begins.tobytes(), bytes(differences)]
        bodies.append(bytes(values[key] for key in sorted(values)))
    return b"".join([MAGIC, *headers, *bodies])


def _difference_bytes(difference: int) -> bytes:
    found = bytearray()
    while difference > 0x7F:
        found.append(difference & 0x7F | 0x80)
        difference >>= 7
    found.append(difference)
    return bytes(found)


def score_byte(score: int) -> int:
    """How the first section writes a score."""
    return score + SCORE_OFFSET


def reply_byte(column: int, score: int) -> int:
    """How the second section writes a reply and a score."""
    if not 0 <= score + REPLY_OFFSET < REPLY_SCORES:
        raise errors.BookError(
            f"a reply's score is {score}; the book holds {-REPLY_OFFSET} to {REPLY_SCORES - 1 - REPLY_OFFSET}"
        )
    return column * REPLY_SCORES + score + REPLY_OFFSET
