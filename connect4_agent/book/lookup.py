"""The opening book as it is read: scores and moves of 7x6 positions, found without unpacking their keys.

A section of the file is a sorted list of keys, each with one byte. Keys stand in blocks of BLOCK_KEYS: the
first one in full, in an array that is bisected, the others as differences of 7 bits a byte, the lowest first,
the top bit set where another byte follows. A position and its mirror image share the smaller of their keys.

    magic, then in one zlib stream: for each section a header <IIII (keys, blocks, bytes of differences, plies),
    then for each section: first keys 8 bytes each, where each block's differences begin 4 bytes each,
    differences, values
"""

from __future__ import annotations

import struct
import sys
import zlib
from array import array
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.position import Position, stride_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Entries = tuple[Mapping[int, int], int]
    """Keys with their bytes, and the most discs that a position of the section has."""

MAGIC = b"connect4-book 2\n"
BLOCK_KEYS = 32
WIDTH, HEIGHT = 7, 6

# A score's byte is the score + SCORE_OFFSET; a move's is column * MOVE_SCORES + score + MOVE_OFFSET.
SCORE_OFFSET = 32
MOVE_SCORES = 36
MOVE_OFFSET = 17

SECTIONS = ("scores", "replies", "moves")
_HEADER = struct.Struct("<IIII")

NO_ENTRIES: Entries = ({}, 0)

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
    """Every position of up to so many plies."""
    replies: Section
    """The moves of a side that plays by the book, against any opponent."""
    moves: Section
    """The moves of every position of one ply more than the scores have, but for those among the replies."""

    def score(self, position: Position) -> int | None:
        """The score of a position, if it is known."""
        if not self._may_hold(position):
            return None
        key = min(position.key, position.mirrored().key)
        if position.disc_count <= self.scores.plies:
            value = self.scores.find(key)
            if value is not None:
                return value - SCORE_OFFSET
        value = self._move_byte(key, position.disc_count)
        return None if value is None else move_of(value)[1]

    def reply(self, position: Position) -> tuple[int, int] | None:
        """The column to play by the default rule and the score, if they are known."""
        if not self._may_hold(position):
            return None
        key, mirrored_key = position.key, position.mirrored().key
        value = self._move_byte(min(key, mirrored_key), position.disc_count)
        if value is None:
            return None
        column, score = move_of(value)
        return WIDTH - 1 - column if mirrored_key < key else column, score

    def _move_byte(self, key: int, disc_count: int) -> int | None:
        value = self.replies.find(key)
        return self.moves.find(key) if value is None and disc_count == self.moves.plies else value

    def _may_hold(self, position: Position) -> bool:
        return (
            (position.width, position.height) == (WIDTH, HEIGHT)
            and position.disc_count <= max(self.scores.plies, self.replies.plies, self.moves.plies)
            and position.own.bit_count() in (position.opponent.bit_count(), position.opponent.bit_count() - 1)
        )


EMPTY_SECTION = Section((), (), b"", b"", 0)
EMPTY_BOOK = Book(EMPTY_SECTION, EMPTY_SECTION, EMPTY_SECTION)


@cache
def shipped_book() -> Book:
    """The book of this package; an empty one where the file is missing."""
    return read_book(SHIPPED_FILE) if SHIPPED_FILE.exists() else EMPTY_BOOK


def read_book(path: Path) -> Book:
    """The book in a file. Raises BookError where it is none."""
    return decode_book(path.read_bytes(), str(path))


def decode_book(data: bytes, name: str) -> Book:
    """The book in a file's bytes. Raises BookError, which names the file, where it is none."""
    if not data.startswith(MAGIC):
        raise errors.BookError(f"{name} is no opening book: it does not begin with {MAGIC.decode().strip()!r}")
    try:
        data = zlib.decompress(data[len(MAGIC) :])
    except zlib.error as error:
        raise errors.BookError(f"{name} is damaged or cut off: {error}") from None
    place = len(SECTIONS) * _HEADER.size
    if len(data) < place:
        raise errors.BookError(f"{name} is damaged: it has no headers")
    sections = []
    for number, section_name in enumerate(SECTIONS):
        header = _HEADER.unpack_from(data, number * _HEADER.size)
        section, place = _decode_section(data, place, header, f"{name} is damaged: {section_name}")
        sections.append(section)
    if len(data) != place:
        raise errors.BookError(f"{name} is damaged: it has {len(data)} bytes, and its headers say {place}")
    return Book(*sections)


def _decode_section(data: bytes, place: int, header: tuple[int, ...], complaint: str) -> tuple[Section, int]:
    """The section that begins at this place, and where it ends; a BookError begins with the complaint."""
    keys, blocks, difference_bytes, plies = header
    if blocks != -(-keys // BLOCK_KEYS) or plies > WIDTH * HEIGHT:
        raise errors.BookError(f"{complaint} has {keys} keys in {blocks} blocks, {plies} plies")
    ends = list(accumulate((8 * blocks, 4 * blocks, difference_bytes, keys), initial=place))
    if len(data) < ends[-1]:
        raise errors.BookError(f"{complaint} ends at {ends[-1]}, and there are {len(data)} bytes")
    first_keys, begins, differences, values = (data[begin:end] for begin, end in pairwise(ends))
    numbers = array("Q", first_keys), array("I", begins)
    if sys.byteorder == "big":
        for each in numbers:
            each.byteswap()
    if any(begin > end for begin, end in pairwise([*numbers[1], difference_bytes])):
        raise errors.BookError(f"{complaint} has blocks that do not follow each other")
    return Section(*numbers, differences, values, plies), ends[-1]


def check_keys(book: Book, name: str) -> None:
    """Raise BookError, which names the file, where the keys do not rise or one of them is no position.

    Whoever looks a position up does without: that would be as slow as unpacking the file.
    """
    full_column = (1 << stride_of(HEIGHT)) - 1
    for section_name in SECTIONS:
        section: Section = getattr(book, section_name)
        previous = -1
        try:
            for key, _ in section.items():
                columns = [key >> column * stride_of(HEIGHT) & full_column for column in range(WIDTH)]
                if key <= previous or key >> WIDTH * stride_of(HEIGHT) or full_column in columns:
                    raise errors.BookError(
                        f"{name} is damaged: in {section_name}, after {previous} comes the key {key}"
                    )
                previous = key
        except IndexError:
            raise errors.BookError(f"{name} is damaged: {section_name} ends within a key") from None


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


def encode_book(*, scores: Entries = NO_ENTRIES, replies: Entries = NO_ENTRIES, moves: Entries = NO_ENTRIES) -> bytes:
    """The file of a book."""
    headers, bodies = [], []
    for values, plies in (scores, replies, moves):
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
    return MAGIC + zlib.compress(b"".join([*headers, *bodies]), 9)


def _difference_bytes(difference: int) -> bytes:
    found = bytearray()
    while difference > 0x7F:
        found.append(difference & 0x7F | 0x80)
        difference >>= 7
    found.append(difference)
    return bytes(found)


def move_of(byte: int) -> tuple[int, int]:
    """The column and the score of a move's byte."""
    return byte // MOVE_SCORES, byte % MOVE_SCORES - MOVE_OFFSET


def score_byte(score: int) -> int:
    """How the section of scores writes one."""
    return score + SCORE_OFFSET


def move_byte(column: int, score: int) -> int:
    """How the other sections write a move and the score that it keeps."""
    if not 0 <= score + MOVE_OFFSET < MOVE_SCORES:
        raise errors.BookError(
            f"a move's score is {score}; the book holds {-MOVE_OFFSET} to {MOVE_SCORES - 1 - MOVE_OFFSET}"
        )
    return column * MOVE_SCORES + score + MOVE_OFFSET
