"""The opening books in this package, one for each of some board sizes."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from connect4_agent.engine.book.lookup import EMPTY_BOOK, Book, read_book

if TYPE_CHECKING:
    from connect4_agent.engine.book.layer import Layer
    from connect4_agent.engine.kernel.layer import LayerScores

BOOK_SUFFIX, LAYER_SUFFIX = ".book", ".layer"
"""A book's layer is beside it, under the same name."""

FOLDER = Path(__file__).parent


def file_for(width: int, height: int, suffix: str = BOOK_SUFFIX) -> Path:
    """Return the path of the book or layer for boards of this size, even if there is none."""
    return FOLDER / f"{width}x{height}{suffix}"


# The package's own files are not checked against their checksums: a server's first answer would wait for that.
@cache
def book_for(width: int, height: int) -> Book:
    """Return the book for boards of this size, with its layer; an empty one if there is none."""
    path = file_for(width, height)
    book = read_book(path) if path.exists() else EMPTY_BOOK
    if file_for(width, height, LAYER_SUFFIX).exists():
        # Read when it is first asked for: a server's first moves do not need it.
        return replace(book, width=width, height=height, read_layer=partial(_layer_scores, width, height))
    return book


def layer_for(width: int, height: int) -> Layer | None:
    """Return the layer for boards of this size, if there is one."""
    from connect4_agent.engine.book.layer import read_layer  # noqa: PLC0415  # most boards have none

    path = file_for(width, height, LAYER_SUFFIX)
    return read_layer(path) if path.exists() else None


def _layer_scores(width: int, height: int) -> LayerScores | None:
    layer = layer_for(width, height)
    return None if layer is None else layer.scores
