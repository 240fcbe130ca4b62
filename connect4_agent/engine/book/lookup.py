"""Reads an opening book: scores and moves of positions of one size, read from the file as it is.

A section of the file is a sorted list of keys, each with a value: a score and, in the second section, a column.
Keys are stored in blocks of BLOCK_KEYS: the first one in full, in an array that is bisected, the others as differences
of 7 bits a byte, the lowest first, the top bit set if another byte follows. Values are stored as their indices in a
list of those that occur. A position and its mirror image share the smaller of their keys.

    magic, width, height a byte each, for each section a header <IIIII (keys, blocks, bytes of differences, plies,
    values that occur), then for each section: first keys 8 bytes each, where each block's differences begin 4 bytes
    each, differences, values that occur 2 bytes each, for each key the index of its value: a byte, or 2 if more than
    256 values occur; last <I CRC-32 of all before
"""

from __future__ import annotations

import struct
from array import array
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Literal

from connect4_agent import errors
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.stored import BLOCK_KEYS, Section
from connect4_agent.rules.geometry import stride_of
from connect4_agent.rules.position import Position

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from connect4_agent.engine.kernel.layer import LayerScores
    from connect4_agent.engine.kernel.stored import BookScores

    Size = tuple[int, int]
    """Columns and rows."""

MAGIC = b"connect4-book 6\n"
MAX_BITS = 64
"""The largest boards that can have a book: a key has to fit into 8 bytes."""

SCORE_OFFSET = 32
"""Added to a score to make it a byte; no board of 64 bits has a score below -32."""

SECTIONS = ("scores", "replies")
CHECKSUM_BYTES = 4
HEADER = struct.Struct("<IIIII")


def no_layer() -> None:
    """For a book without a layer."""


@dataclass(frozen=True)
class Book:
    """Scores and moves of positions of one size in which nobody can win at once.

    A value of a section is a score plus SCORE_OFFSET; among the replies, with the column in the bits above 8.
    """

    width: int
    height: int
    scores: Section
    """The scores of every position up to a number of plies."""
    replies: Section
    """The moves of a side that plays by the book, against any opponent."""
    read_layer: Callable[[], LayerScores | None] = no_layer
    """Reads the scores of all positions at a later ply, once they are needed."""

    @cached_property
    def lookup(self) -> BookScores:
        """Finds scores by the discs of both players."""
        lookup: BookScores = forms.book_module("stored", self.width, self.height).BookScores(
            self.width, self.height, self.scores, self.replies, SCORE_OFFSET, self.read_layer
        )
        return lookup

    def score(self, position: Position) -> int | None:
        """The score of a position, if it is known."""
        if (position.width, position.height) != (self.width, self.height):
            return None
        return self.lookup.known(position.own, position.opponent)

    def reply(self, position: Position) -> tuple[int, int] | None:
        """The column to play by the rule for traps and the score, if the position is among the replies."""
        discs = position.disc_count
        if (position.width, position.height) != (self.width, self.height) or discs > self.replies.plies:
            return None
        if position.own.bit_count() != discs // 2:  # it is not this player's turn
            return None
        key, mirrored_key = position.key, position.mirrored().key
        value = self.replies.find(min(key, mirrored_key))
        if value is None:
            return None
        column, score = move_of(value)
        return self.width - 1 - column if mirrored_key < key else column, score


EMPTY_SECTION = Section(b"", 0, 0, 0, 0, 0, 0, 0, 1)
EMPTY_BOOK = Book(0, 0, EMPTY_SECTION, EMPTY_SECTION)
"""The empty book, for boards without one."""


def fits(width: int, height: int) -> bool:
    """Whether boards of this size can have a book."""
    return stride_of(height) * width <= MAX_BITS


def read_book(path: Path) -> Book:
    """Read the book in a file, without checking its checksum. Raises OSError and BookError."""
    return decode_book(path.read_bytes(), str(path))


def decode_book(data: bytes, name: str) -> Book:
    """The book in a file's bytes. Raises BookError, which names the file."""
    begin = len(MAGIC)
    if data[:begin] != MAGIC:
        raise errors.BookError(f"{name} is not an opening book: it does not begin with {MAGIC.decode().strip()!r}")
    width, height = (*data[begin : begin + 2], 0, 0)[:2]
    if not (width and height and fits(width, height)):
        raise errors.BookError(f"{name} is damaged: it is for {width} columns and {height} rows")
    offset = begin + 2 + len(SECTIONS) * HEADER.size
    if len(data) < offset:
        raise errors.BookError(f"{name} is damaged: it has no headers")
    sections = []
    for number, section_name in enumerate(SECTIONS):
        header = HEADER.unpack_from(data, begin + 2 + number * HEADER.size)
        if header[3] > width * height:
            raise errors.BookError(f"{name} is damaged: {section_name} has {header[3]} plies")
        section, offset = _decode_section(data, offset, header, (width, height), f"{name} is damaged: {section_name}")
        sections.append(section)
    if len(data) != offset + CHECKSUM_BYTES:
        raise errors.BookError(
            f"{name} is damaged: it has {len(data)} bytes, and its headers say {offset + CHECKSUM_BYTES}"
        )
    scores, replies = sections
    return Book(width, height, scores, replies)


def _decode_section(
    data: bytes, begin: int, header: tuple[int, ...], size: Size, complaint: str
) -> tuple[Section, int]:
    """The section that begins here, and where it ends; a BookError's message begins with the complaint."""
    keys, blocks, difference_bytes, plies, value_count = header
    if blocks != -(-keys // BLOCK_KEYS):
        raise errors.BookError(f"{complaint} has {keys} keys in {blocks} blocks")
    index_bytes = array(index_code(value_count)).itemsize
    lengths = (8 * blocks, 4 * blocks, difference_bytes, 2 * value_count, keys * index_bytes)
    *begins, end = accumulate(lengths, initial=begin)
    if len(data) < end:
        raise errors.BookError(f"{complaint} ends at {end}, and there are {len(data)} bytes")
    return forms.book_module("stored", *size).Section(data, keys, plies, *begins, index_bytes), end


def index_code(value_count: int) -> Literal["B", "H"]:
    """The type code of an array of indices among this many values."""
    return "B" if value_count <= 1 << 8 else "H"


def position_with_key(key: int, width: int, height: int) -> Position:
    """The position with this key: in each column, the top one-bit of own + all discs is above the discs.

    The first player of a position with an even number of discs is player 1.
    """
    stride = stride_of(height)
    own = occupied = 0
    for column in range(width):
        cells = key >> column * stride & (1 << stride) - 1
        # k discs: all of them are 2^k - 1, and own + all is at least that and at most twice that.
        count = (cells + 1).bit_length() - 1
        occupied |= (1 << count) - 1 << column * stride
        own |= cells - ((1 << count) - 1) << column * stride
    player = 1 + occupied.bit_count() % 2
    discs = (own, occupied ^ own) if player == 1 else (occupied ^ own, own)
    return Position(width, height, player, *discs)


def move_of(value: int) -> tuple[int, int]:
    """The column and the score of a stored move."""
    return value >> 8, (value & 0xFF) - SCORE_OFFSET
