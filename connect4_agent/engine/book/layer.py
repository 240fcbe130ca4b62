"""A layer: the scores of all positions with one number of plies, without their keys.

A layer answers for positions with its own number of plies, and by their successors for positions up to four plies
earlier. It holds no keys, so it would answer for any position. It is asked only about those that are reachable and not
won or lost at once; the kernel, which looks scores up, has both rules (engine/kernel/layer.py).

    magic, width, height, plies a byte each, <I positions, their scores (retrieval.py); last <I CRC-32 of all before
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.engine.book.lookup import CHECKSUM_BYTES, SCORE_OFFSET, check_bytes, checksum_of, fits
from connect4_agent.engine.book.retrieval import Stored, decode, encode
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.stored import MAX_AHEAD
from connect4_agent.rules.scores import score_at_once

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from connect4_agent.engine.kernel.layer import LayerScores
    from connect4_agent.rules.position import Position

MAGIC = b"connect4-layer 5\n"

_HEADER = struct.Struct("<BBBI")


def immediate_score(position: Position) -> int | None:
    """The score of a position that a layer leaves out (won at once, lost at once, or over); None for any other."""
    if position.is_over:
        return score_at_once(position)
    return rules(position.width, position.height).immediate_score(position.own, position.opponent)


@lru_cache(maxsize=4)
def rules(width: int, height: int) -> LayerScores:
    """The rules that need no stored scores."""
    return new_scores(width, height, 0, b"", Stored([], [1], [0], 0))


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


def encode_layer(size: tuple[int, int], plies: int, scores: Mapping[int, int]) -> bytes:
    """The file of a layer, with the scores by key of all positions that are not won or lost at once."""
    data = MAGIC + _HEADER.pack(*size, plies, len(scores))
    data += encode({key: score + SCORE_OFFSET for key, score in scores.items()})
    return data + checksum_of(data)


def read_layer(path: Path, *, checked: bool = True) -> Layer:
    """The layer in a file. Raises OSError and BookError. `checked=False` skips the checksum."""
    data = path.read_bytes()
    layer = decode_layer(data, str(path))
    if checked:
        check_bytes(data, str(path))
    return layer


def decode_layer(data: bytes, name: str) -> Layer:
    """The layer in a file's bytes. Raises BookError, which names the file."""
    if data[: len(MAGIC)] != MAGIC:
        raise errors.BookError(f"{name} is not a layer of a book: it does not begin with {MAGIC.decode().strip()!r}")
    if len(data) < len(MAGIC) + _HEADER.size:
        raise errors.BookError(f"{name} is damaged: it ends within a header")
    width, height, plies, count = _HEADER.unpack_from(data, len(MAGIC))
    if not (width and height and fits(width, height) and plies < width * height):
        raise errors.BookError(f"{name} is damaged: it is for {width} columns, {height} rows and {plies} plies")
    stored = stored_scores(data, name)
    if len(data) != stored.end + CHECKSUM_BYTES:
        raise errors.BookError(
            f"{name} is damaged: it has {len(data)} bytes, and its headers say {stored.end + CHECKSUM_BYTES}"
        )
    return Layer(width, height, plies, count, new_scores(width, height, plies, data, stored))


def new_scores(
    width: int, height: int, plies: int, data: bytes, stored: Stored, form: str | None = None
) -> LayerScores:
    """What looks the scores up that are stored in these bytes."""
    code = forms.book_module("layer", width, height, form)
    retrieval = code.Retrieval(data, stored.planes, stored.counts, stored.numbers)
    scores: LayerScores = code.LayerScores(width, height, plies, SCORE_OFFSET, retrieval)
    return scores


def stored_scores(data: bytes, name: str) -> Stored:
    """Where the scores are in a layer's bytes. Raises BookError, which names the file."""
    return decode(data, len(MAGIC) + _HEADER.size, name)
