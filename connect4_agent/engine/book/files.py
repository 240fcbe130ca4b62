"""Reads opening books and their layers: files of this package, one of each for some board sizes.

A section of a book is a sorted list of keys, each with a value: a score and, in the second section, a column.
Keys are stored in blocks of BLOCK_KEYS: the first one in full, in an array that is bisected, the others as differences
of 7 bits a byte, the lowest first, the top bit set if another byte follows. Values are stored as their indices in a
list of those that occur. A position and its mirror image share the smaller of their keys.

    magic, width, height a byte each, for each section a header <IIIII (keys, blocks, bytes of differences, plies,
    values that occur), then for each section: first keys 8 bytes each, where each block's differences begin 4 bytes
    each, differences, values that occur 2 bytes each, for each key the index of its value: a byte, or 2 if more than
    256 values occur; last <I CRC-32 of all before

A layer has the scores of all positions with one number of plies, without their keys (kernel/layer.py says which
positions it can be asked about). The scores are in code words of bits (Huffman). Bit b of the words longer than b is in
a plane of its own: an array of bits of which each key selects some, by a pattern that begins at some bit; their parity
is the key's bit. tools/book/ribbon.py makes the planes.

    magic, width, height, plies a byte each, <I positions
    <B planes; the number of code words of each length, from 0 to the number of planes, a byte each; the scores in the
    order of their code words, a byte each; for each plane <I bits in which a pattern can begin; then the planes, each
    of that many bits and PATTERN_BITS more, rounded down to bytes, and followed by PAD_BYTES bytes
    last <I CRC-32 of all before
"""

from __future__ import annotations

import struct
from array import array
from functools import cache, partial
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from connect4_agent import errors
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.book import BLOCK_KEYS, Book, Section
from connect4_agent.engine.kernel.layer import PATTERN_WORDS
from connect4_agent.rules.geometry import stride_of
from connect4_agent.rules.position import Position

if TYPE_CHECKING:
    from collections.abc import Callable

    from connect4_agent.engine.kernel.layer import Layer, Retrieval

    Size = tuple[int, int]
    """Columns and rows."""

BOOK_SUFFIX, LAYER_SUFFIX = ".book", ".layer"
"""A book's layer is beside it, under the same name."""

FOLDER = Path(__file__).parent

MAX_BITS = 64
"""The largest boards that can have a book: a key has to fit into 8 bytes."""

CHECKSUM_BYTES = 4

BOOK_MAGIC = b"connect4-book 6\n"
SECTIONS = ("scores", "replies")
SECTION_HEADER = struct.Struct("<IIIII")

LAYER_MAGIC = b"connect4-layer 5\n"
LAYER_HEADER = struct.Struct("<BBBI")
PLANE_HEADER = struct.Struct("<I")
PATTERN_BITS = 64 * PATTERN_WORDS
PAD_BYTES = 1
"""Padding, so that a pattern can be read from every bit of a byte."""

MAX_PLANES = 30
"""A code word fits into an int of C."""


def no_layer() -> None:
    """Return None: a book without a layer."""


EMPTY_SECTION = Section(b"", 0, 0, 0, 0, 0, 0, 0, 1)
EMPTY_BOOK = Book(0, 0, EMPTY_SECTION, EMPTY_SECTION, no_layer)
"""The empty book, for boards without one."""


def fits(width: int, height: int) -> bool:
    """Check whether boards of this size can have a book."""
    return stride_of(height) * width <= MAX_BITS


def file_for(width: int, height: int, suffix: str = BOOK_SUFFIX) -> Path:
    """Return the path of the book or layer for boards of this size, even if there is none."""
    return FOLDER / f"{width}x{height}{suffix}"


# The package's own files are not checked against their checksums: a server's first answer would wait for that.
@cache
def book_for(width: int, height: int) -> Book:
    """Return the book for boards of this size, with its layer; an empty one if there is none."""
    path = file_for(width, height)
    has_layer = file_for(width, height, LAYER_SUFFIX).exists()
    # Read when it is first asked for: a server's first moves do not need it.
    read_layer = partial(layer_for, width, height) if has_layer else no_layer
    if path.exists():
        return read_book(path, read_layer)
    return new_book((width, height), EMPTY_SECTION, EMPTY_SECTION, read_layer) if has_layer else EMPTY_BOOK


def layer_for(width: int, height: int) -> Layer | None:
    """Return the layer for boards of this size, if there is one."""
    path = file_for(width, height, LAYER_SUFFIX)
    return read_layer(path) if path.exists() else None


def new_book(size: Size, scores: Section, replies: Section, read_layer: Callable[[], Layer | None] = no_layer) -> Book:
    """Return a book of these sections, looked up by the fastest form of the kernel."""
    book: Book = forms.book_module("book", *size).Book(*size, scores, replies, read_layer)
    return book


def read_book(path: Path, read_layer: Callable[[], Layer | None] = no_layer) -> Book:
    """Read the book in a file, without checking its checksum. Raises OSError and BookError."""
    return decode_book(path.read_bytes(), str(path), read_layer)


def decode_book(data: bytes, name: str, read_layer: Callable[[], Layer | None] = no_layer) -> Book:
    """Return the book in a file's bytes. Raises BookError, which names the file."""
    begin = len(BOOK_MAGIC)
    if data[:begin] != BOOK_MAGIC:
        expected = BOOK_MAGIC.decode().strip()
        raise errors.BookError(f"{name} is not an opening book: it does not begin with {expected!r}")
    width, height = (*data[begin : begin + 2], 0, 0)[:2]
    if not (width and height and fits(width, height)):
        raise errors.BookError(f"{name} is damaged: it is for {width} columns and {height} rows")
    offset = begin + 2 + len(SECTIONS) * SECTION_HEADER.size
    if len(data) < offset:
        raise errors.BookError(f"{name} is damaged: it has no headers")
    sections = []
    for number, section_name in enumerate(SECTIONS):
        header = SECTION_HEADER.unpack_from(data, begin + 2 + number * SECTION_HEADER.size)
        if header[3] > width * height:
            raise errors.BookError(f"{name} is damaged: {section_name} has {header[3]} plies")
        section, offset = _decode_section(data, offset, header, (width, height), f"{name} is damaged: {section_name}")
        sections.append(section)
    _check_length(data, offset, name)
    scores, replies = sections
    return new_book((width, height), scores, replies, read_layer)


def _check_length(data: bytes, end: int, name: str) -> None:
    if len(data) != end + CHECKSUM_BYTES:
        raise errors.BookError(
            f"{name} is damaged: it has {len(data)} bytes, and its headers say {end + CHECKSUM_BYTES}"
        )


def _decode_section(
    data: bytes, begin: int, header: tuple[int, ...], size: Size, complaint: str
) -> tuple[Section, int]:
    """Return the section that begins here, and where it ends; a BookError's message begins with the complaint."""
    keys, blocks, difference_bytes, plies, value_count = header
    if blocks != -(-keys // BLOCK_KEYS):
        raise errors.BookError(f"{complaint} has {keys} keys in {blocks} blocks")
    index_bytes = array(index_code(value_count)).itemsize
    lengths = (8 * blocks, 4 * blocks, difference_bytes, 2 * value_count, keys * index_bytes)
    *begins, end = accumulate(lengths, initial=begin)
    if len(data) < end:
        raise errors.BookError(f"{complaint} ends at {end}, and there are {len(data)} bytes")
    return forms.book_module("book", *size).Section(data, keys, plies, *begins, index_bytes), end


def index_code(value_count: int) -> Literal["B", "H"]:
    """Return the type code of an array of indices among this many values."""
    return "B" if value_count <= 1 << 8 else "H"


def position_with_key(key: int, width: int, height: int) -> Position:
    """Return the position with this key: in each column, the top one-bit of own + all discs is above the discs.

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


def read_layer(path: Path) -> Layer:
    """Read the layer in a file, without checking its checksum. Raises OSError and BookError."""
    return decode_layer(path.read_bytes(), str(path))


def decode_layer(data: bytes, name: str, form: str | None = None) -> Layer:
    """Return the layer in a file's bytes, looked up by a form of the kernel. Raises BookError, which names the file."""
    begin = len(LAYER_MAGIC)
    if data[:begin] != LAYER_MAGIC:
        expected = LAYER_MAGIC.decode().strip()
        raise errors.BookError(f"{name} is not a layer of a book: it does not begin with {expected!r}")
    if len(data) < begin + LAYER_HEADER.size:
        raise errors.BookError(f"{name} is damaged: it ends within a header")
    width, height, plies, count = LAYER_HEADER.unpack_from(data, begin)
    if not (width and height and fits(width, height) and plies < width * height):
        raise errors.BookError(f"{name} is damaged: it is for {width} columns, {height} rows and {plies} plies")
    code = forms.book_module("layer", width, height, form)
    numbers, end = decode_numbers(data, begin + LAYER_HEADER.size, name, code)
    _check_length(data, end, name)
    layer: Layer = code.Layer(width, height, plies, count, numbers)
    return layer


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
