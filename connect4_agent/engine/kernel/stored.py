"""What a book knows, looked up by the discs of both players: sections of scores by key, and a layer behind them.

engine/book/lookup.py describes the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .layer import LayerScores

BLOCK_KEYS = 64

MAX_AHEAD = 4
"""How many plies a layer looks ahead: up to 2,401 successors on the usual board, a fraction of a millisecond."""


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
        self.data = word.bytes_of(data)
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
        """How many keys there are."""
        return self.key_count

    def find(self, key: int) -> int | None:
        """The value of a key; None if it is not in the section."""
        value = self._find(word.from_int(key))
        return None if value < 0 else value

    def items(self) -> Iterator[tuple[int, int]]:
        """All keys with their values, in order."""
        for block in range(self.block_count):
            yield from self.block_items(block)

    def block_items(self, block: int) -> list[tuple[int, int]]:
        """The keys of a block with their values, in order."""
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
        """The value of a key; -1 if it is not there."""
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
        """The number of bytes of the difference that begins here."""
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


class BookScores:
    """The scores that the sections of a book and its layer have; stored are the scores plus `score_offset`.

    `read_layer` is called when the layer is first needed; it returns None if there is none.
    """

    def __init__(
        self,
        width: int,
        height: int,
        scores: Section,
        replies: Section,
        score_offset: int,
        read_layer: Callable[[], LayerScores | None],
    ) -> None:
        self.width = width
        self.stride = height + 1
        self.column_mask = word.from_int((1 << height + 1) - 1)
        self.scores = scores
        self.replies = replies
        self.score_plies = scores.plies
        self.reply_plies = replies.plies
        self.score_offset = score_offset
        self.read_layer: Callable[[], LayerScores | None] | None = read_layer
        self.layer: LayerScores | None = None

    def may_know(self, discs: int) -> bool:
        """Whether a position with this many discs can be in the book."""
        if discs <= max(self.score_plies, self.reply_plies):
            return True
        layer = self._layer()
        return layer is not None and discs <= layer.plies

    def known(self, own: int, opponent: int) -> int | None:
        """The score of a position in which nobody has four and `own`, to move, cannot win at once; None if unknown."""
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
            return (value & 0xFF) - self.score_offset
        layer = self._layer()
        return None if layer is None else layer.score(own, opponent, MAX_AHEAD)

    def _layer(self) -> LayerScores | None:
        if self.read_layer is not None:
            self.layer = self.read_layer()
            self.read_layer = None
        return self.layer

    def _canonical(self, key: int) -> int:
        """The key of a position or of its mirror image, whichever is smaller."""
        mirrored = 0
        rest = key
        for _ in range(self.width):
            mirrored = mirrored << self.stride | rest & self.column_mask
            rest >>= self.stride
        return min(key, mirrored)
