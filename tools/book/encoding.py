"""Writes the files of books and layers, and checks their checksums; engine/book has the formats."""

from __future__ import annotations

import sys
import zlib
from array import array
from functools import lru_cache
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.engine.book import files
from connect4_agent.engine.book.files import CHECKSUM_BYTES
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.book import BLOCK_KEYS
from connect4_agent.engine.kernel.tuning import SCORE_OFFSET
from connect4_agent.rules.scores import finished_score
from tools.book import ribbon

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from connect4_agent.engine.kernel.layer import Layer
    from connect4_agent.rules.position import Position

    Entries = tuple[Mapping[int, int], int]
    """Keys with their values, and the most discs of any position in the section."""

NO_ENTRIES: Entries = ({}, 0)


def check_file(path: Path) -> None:
    """Raise BookError, which names the file, if a book or a layer has changed since it was written."""
    data = path.read_bytes()
    if data[-CHECKSUM_BYTES:] != _checksum(data[:-CHECKSUM_BYTES]):
        raise errors.BookError(f"{path} is damaged or cut off: its checksum is wrong")


def _checksum(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(CHECKSUM_BYTES, "little")


def encode_book(size: tuple[int, int], *, scores: Entries = NO_ENTRIES, replies: Entries = NO_ENTRIES) -> bytes:
    """Return the file of a book for boards of this size."""
    headers, bodies = [], []
    for values, plies in (scores, replies):
        first_keys, begins, differences = array("Q"), array("I"), bytearray()
        previous = 0
        for number, key in enumerate(sorted(values)):
            if number % BLOCK_KEYS == 0:
                first_keys.append(key)
                begins.append(len(differences))
            else:
                differences += _difference_bytes(key - previous)
            previous = key
        occurring = {value: index for index, value in enumerate(sorted(set(values.values())))}
        indices = array(files.index_code(len(occurring)), [occurring[values[key]] for key in sorted(values)])
        headers.append(files.SECTION_HEADER.pack(len(values), len(first_keys), len(differences), plies, len(occurring)))
        bodies += [_stored(first_keys), _stored(begins), bytes(differences)]
        bodies += [_stored(array("H", occurring)), _stored(indices)]
    data = b"".join([files.BOOK_MAGIC, bytes(size), *headers, *bodies])
    return data + _checksum(data)


def _stored(numbers: array[int]) -> bytes:
    """Return the numbers of an array with the lowest byte first."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def _difference_bytes(difference: int) -> bytes:
    stored = bytearray()
    while difference > 0x7F:
        stored.append(difference & 0x7F | 0x80)
        difference >>= 7
    stored.append(difference)
    return bytes(stored)


def score_value(score: int) -> int:
    """Return a score as the section of scores stores it."""
    return score + SCORE_OFFSET


def move_value(column: int, score: int) -> int:
    """Return a reply and its score as the section of replies stores them."""
    return column << 8 | score_value(score)


def encode_layer(size: tuple[int, int], plies: int, scores: Mapping[int, int]) -> bytes:
    """Return the file of a layer, with the scores by key of all positions that are not won or lost at once."""
    data = files.LAYER_MAGIC + files.LAYER_HEADER.pack(*size, plies, len(scores))
    data += ribbon.encode({key: score + SCORE_OFFSET for key, score in scores.items()})
    return data + _checksum(data)


def score_at_once(position: Position) -> int | None:
    """Return the score of a game that is over or won by the next disc; None for any other."""
    if position.is_over:
        return finished_score(position)
    winning = position.winning_columns()
    return -finished_score(position.play(winning[0])) if winning else None


def immediate_score(position: Position) -> int | None:
    """Return the score of a position that a layer leaves out: won at once, lost at once, or over; else None."""
    if position.is_over:
        return finished_score(position)
    return rules(position.width, position.height).immediate_score(position.own, position.opponent)


@lru_cache(maxsize=4)
def rules(width: int, height: int) -> Layer:
    """Return the rules that need no stored scores."""
    code = forms.book_module("layer", width, height)
    scores: Layer = code.Layer(width, height, 0, 0, code.Retrieval(b"", [], [1], [0]))
    return scores
