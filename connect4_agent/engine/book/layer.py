"""A layer: the scores of all positions with one number of plies, without their keys, read directly from the file.

A layer answers for positions with its own number of plies, and by their successors for positions up to four plies
earlier. It holds no keys, so it would answer for any position. It is asked only about those that can arise in play
and are not settled; the kernel, which looks scores up, has both rules, and the contexts in which scores are coded
(engine/kernel/layer.py).

The positions are divided into three parts by who holds the bottom cell of the middle column. A layer may lack some of
them: computing all takes long, and most games begin in the middle.

    magic, width, height, plies, parts a byte each (bit n is set if part n is there), then for each part: <I positions,
    their scores (retrieval.py); last <I CRC-32 of all before
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.engine.book.files import CHECKSUM_BYTES, checksum_of, mapped
from connect4_agent.engine.book.lookup import SCORE_OFFSET, fits, position_with_key
from connect4_agent.engine.book.retrieval import decode, encode
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.layer import CONTEXTS, EMPTY, FIRST, SECOND
from connect4_agent.rules.scores import score_at_once

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from connect4_agent.engine.kernel.forms import StoredNumbers
    from connect4_agent.engine.kernel.layer import LayerScores
    from connect4_agent.engine.kernel.word import Buffer
    from connect4_agent.rules.position import Position

MAGIC = b"connect4-layer 4\n"
"""Whoever changes the contexts, or the evaluator that they are made from, must change the number."""

PARTS = {"first": FIRST, "second": SECOND, "empty": EMPTY}
"""The parts by who holds the bottom cell of the middle column: the player who began, the other one, or nobody."""

MOST_AHEAD = 4
"""How many plies a layer looks ahead: up to 2,401 successors on the usual board, a fraction of a millisecond."""

_HEADER = struct.Struct("<BBBB")
_COUNT = struct.Struct("<I")


def settled_score(position: Position) -> int | None:
    """The score of a position that a layer leaves out (won at once, lost at once, or over); None for any other."""
    if position.is_over:
        return score_at_once(position)
    return _rules(position.width, position.height).settled(position.own, position.opponent)


def can_arise(position: Position) -> bool:
    """Whether the two players, taking turns, could have played the discs in some order. Nobody has four."""
    return _rules(position.width, position.height).can_arise(position.own, position.opponent)


def part_of(position: Position) -> int:
    """The part that a position belongs to."""
    return _rules(position.width, position.height).part(position.own, position.opponent)


def context_of(position: Position) -> int:
    """What a glance at a position shows that is not settled; its score is coded accordingly."""
    return _rules(position.width, position.height).context(position.own, position.opponent)


@lru_cache(maxsize=4)
def _rules(width: int, height: int) -> LayerScores:
    """The rules that need no stored scores."""
    return forms.new_layer_scores(width, height, 0, SCORE_OFFSET, {})


@dataclass(frozen=True, slots=True)
class Layer:
    """The scores of all positions of this many plies in which nobody has four.

    `counts` are the stored positions, those that are not settled, of each part that the layer has.
    """

    width: int
    height: int
    plies: int
    counts: dict[int, int]
    scores: LayerScores

    def score(self, position: Position, most_ahead: int = MOST_AHEAD) -> int | None:
        """The score of a position in which nobody has four; None if it does not follow from the layer.

        Nor if it has more than `most_ahead` discs fewer.
        """
        if (position.width, position.height) != (self.width, self.height):
            return None
        return self.scores.score(position.own, position.opponent, most_ahead)

    def holds(self, position: Position) -> bool:
        """Whether the score of a position of this many plies that can arise is there, settled or not."""
        return settled_score(position) is not None or part_of(position) in self.counts


def encode_layer(size: tuple[int, int], plies: int, scores: Mapping[int, Mapping[int, int]]) -> bytes:
    """The file of a layer, with the scores by key of all positions of each part that are not settled."""
    data = MAGIC + _HEADER.pack(*size, plies, sum(1 << part for part in scores))
    for part in sorted(scores):
        values = {}
        for key, score in scores[part].items():
            values[key] = score + SCORE_OFFSET, context_of(position_with_key(key, *size))
        data += _COUNT.pack(len(values)) + encode(values, CONTEXTS)
    return data + checksum_of(data)


def read_layer(path: Path) -> Layer:
    """The layer in a file, which is mapped into memory. Raises OSError and BookError."""
    return decode_layer(mapped(path), str(path))


def decode_layer(buffer: Buffer, name: str) -> Layer:
    """The layer in a buffer. Raises BookError, which names the file."""
    if buffer[: len(MAGIC)] != MAGIC:
        raise errors.BookError(f"{name} is not a layer of a book: it does not begin with {MAGIC.decode().strip()!r}")
    begin = len(MAGIC) + _HEADER.size
    if len(buffer) < begin:
        raise errors.BookError(f"{name} is damaged: it ends within a header")
    width, height, plies, _ = _HEADER.unpack_from(buffer, len(MAGIC))
    if not (width and height and fits(width, height) and plies < width * height):
        raise errors.BookError(f"{name} is damaged: it is for {width} columns, {height} rows and {plies} plies")
    counts, stored = stored_parts(buffer, name)
    return Layer(width, height, plies, counts, forms.new_layer_scores(width, height, plies, SCORE_OFFSET, stored))


def stored_parts(buffer: Buffer, name: str) -> tuple[dict[int, int], dict[int, StoredNumbers]]:
    """How many positions each part of a layer stores, and where they are. Raises BookError, which names the file."""
    begin = len(MAGIC) + _HEADER.size
    parts = buffer[begin - 1]
    if not 0 < parts < 1 << len(PARTS):
        raise errors.BookError(f"{name} is damaged: its parts are {parts:b}")
    counts, stored = {}, {}
    for part in sorted(PARTS.values()):
        if parts >> part & 1:
            if len(buffer) < begin + _COUNT.size:
                raise errors.BookError(f"{name} is damaged: it ends within a header")
            (counts[part],) = _COUNT.unpack_from(buffer, begin)
            found = decode(buffer, begin + _COUNT.size, name)
            if found.contexts != CONTEXTS:
                raise errors.BookError(f"{name} is damaged: it has {found.contexts} contexts, not {CONTEXTS}")
            stored[part] = (buffer, found.planes, found.numbers, found.lengths, found.contexts)
            begin = found.end
    if len(buffer) != begin + CHECKSUM_BYTES:
        raise errors.BookError(
            f"{name} is damaged: it has {len(buffer)} bytes, and its headers say {begin + CHECKSUM_BYTES}"
        )
    return counts, stored
