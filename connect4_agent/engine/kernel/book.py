"""A book: scores and moves of positions by key, in sections of a file's bytes, and the layer behind them.

engine/book/files.py describes the files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import tuning, word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .layer import Layer

BLOCK_KEYS = 64


class Section:
    """Sorted keys and their values in a file's bytes, which must not change. No damaged file is read beyond its end.

    `plies` is the largest number of discs of a position. The other numbers say where the parts begin: the first keys of
    all blocks, where the differences of each block begin, the differences, the values that occur, and for each key the
    index of its value, of `index_bytes` bytes.
    """

    def __init__(
        self,
        data: bytes,
        key_count: int,
        plies: int,
        first_keys: int,
        begins: int,
        differences: int,
        values: int,
        indices: int,
        index_bytes: int,
    ) -> None:
        self.buffer = data
        self.data = word.view_bytes(data)
        self.key_count = key_count
        self.block_count = -(-key_count // BLOCK_KEYS)
        self.plies = plies
        self.first_keys = first_keys
        self.begins = begins
        self.differences = differences
        self.values = values
        self.indices = indices
        self.index_bytes = index_bytes

    def __len__(self) -> int:
        """Return how many keys there are."""
        return self.key_count

    def find(self, key: int) -> int | None:
        """Return the value of a key; None if it is not in the section."""
        value = self._find(word.from_int(key))
        return None if value < 0 else value

    def items(self) -> Iterator[tuple[int, int]]:
        """Yield all keys with their values, in order."""
        for block in range(self.block_count):
            yield from self.block_items(block)

    def block_items(self, block: int) -> list[tuple[int, int]]:
        """Return the keys of a block with their values, in order."""
        entries = []
        key = word.number(self.data, self.first_keys + 8 * block, 8)
        begin = self.differences + word.number(self.data, self.begins + 4 * block, 4)
        for index in range(block * BLOCK_KEYS, min((block + 1) * BLOCK_KEYS, self.key_count)):
            if index > block * BLOCK_KEYS:
                if begin >= self.values:
                    raise IndexError(index)
                length = self._length(begin)
                key += self._difference(begin, length)
                begin += length
            entries.append((word.to_int(key), self._value(index)))
        return entries

    def _find(self, key: int) -> int:
        """Return the value of a key; -1 if it is not there."""
        low = 0
        high = self.block_count
        while low < high:
            middle = (low + high) >> 1
            if word.number(self.data, self.first_keys + 8 * middle, 8) > key:
                high = middle
            else:
                low = middle + 1
        if low == 0:
            return -1
        block = low - 1
        passed = word.number(self.data, self.first_keys + 8 * block, 8)
        begin = self.differences + word.number(self.data, self.begins + 4 * block, 4)
        index = block * BLOCK_KEYS
        last = min(index + BLOCK_KEYS, self.key_count) - 1
        while passed < key:
            if index == last or begin >= self.values:
                return -1
            length = self._length(begin)
            passed += self._difference(begin, length)
            begin += length
            index += 1
        return self._value(index) if passed == key else -1

    def _length(self, begin: int) -> int:
        """Return the number of bytes of the difference that begins here."""
        length = 1
        while self.data[begin + length - 1] > 0x7F and begin + length < self.values:
            length += 1
        return length

    def _difference(self, begin: int, length: int) -> int:
        difference = 0
        for index in range(begin + length - 1, begin - 1, -1):
            difference = difference << 7 | self.data[index] & 0x7F
        return difference

    def _value(self, index: int) -> int:
        value = self.values + 2 * word.number(self.data, self.indices + self.index_bytes * index, self.index_bytes)
        return word.number(self.data, value, 2) if value < self.indices else -1


class Book:
    """Scores and moves of positions of one size in which nobody can win at once.

    A value of a section is a score plus SCORE_OFFSET; among the replies, which are the moves of a side that plays by
    the book, with the column in the bits above 8. `scores` has every position up to a number of plies. `read_layer` is
    called when the layer is first needed, for positions at a later ply; it returns None if there is none.
    """

    def __init__(
        self, width: int, height: int, scores: Section, replies: Section, read_layer: Callable[[], Layer | None]
    ) -> None:
        self.width = width
        self.height = height
        self.stride = height + 1
        self.column_mask = word.from_int((1 << height + 1) - 1)
        self.scores = scores
        self.replies = replies
        self.score_plies = scores.plies
        self.reply_plies = replies.plies
        self.read_layer: Callable[[], Layer | None] | None = read_layer
        self.layer: Layer | None = None

    def reply(self, own: int, opponent: int) -> tuple[int, int] | None:
        """Return the column to play by the rule for traps and the score, if the position is among the replies."""
        own_word = word.from_int(own)
        occupied = own_word | word.from_int(opponent)
        discs = word.popcount(occupied)
        if discs > self.reply_plies or word.popcount(own_word) != discs >> 1:  # or it is not this player's turn
            return None
        key = own_word + occupied
        canonical = self._canonical(key)
        value = self.replies.find(word.to_int(canonical))
        if value is None:
            return None
        column, score = unpack_reply(value)
        return column if canonical == key else self.width - 1 - column, score

    def may_know(self, discs: int) -> bool:
        """Check whether a position with this many discs can be in the book."""
        if discs <= max(self.score_plies, self.reply_plies):
            return True
        layer = self._layer()
        return layer is not None and discs <= layer.plies

    def score(self, own: int, opponent: int) -> int | None:
        """Return the score of a position, `own` to move, who cannot win at once; None if it is not known."""
        own_word = word.from_int(own)
        occupied = own_word | word.from_int(opponent)
        discs = word.popcount(occupied)
        if word.popcount(own_word) != discs >> 1:
            return None
        key = word.to_int(self._canonical(own_word + occupied))
        value = None
        if discs <= self.score_plies:
            value = self.scores.find(key)
        if value is None and discs <= self.reply_plies:
            value = self.replies.find(key)
        if value is not None:
            return (value & 0xFF) - tuning.SCORE_OFFSET
        layer = self._layer()
        return None if layer is None else layer.score(own, opponent, tuning.MAX_AHEAD)

    def _layer(self) -> Layer | None:
        if self.read_layer is not None:
            self.layer = self.read_layer()
            self.read_layer = None
        return self.layer

    def _canonical(self, key: int) -> int:
        """Return the key of a position or of its mirror image, the smaller one."""
        mirrored = 0
        rest = key
        for _ in range(self.width):
            mirrored = mirrored << self.stride | rest & self.column_mask
            rest >>= self.stride
        return min(key, mirrored)


def unpack_reply(value: int) -> tuple[int, int]:
    """Return the column and the score of a value among the replies."""
    return value >> 8, (value & 0xFF) - tuning.SCORE_OFFSET
