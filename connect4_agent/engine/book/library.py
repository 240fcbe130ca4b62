"""Where books are found: one for each board size, in the user's data folder or in this package."""

from __future__ import annotations

import os
import re
import sys
import warnings
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.engine.book.lookup import EMPTY_BOOK, Book, read_book

if TYPE_CHECKING:
    from collections.abc import Iterator

    from connect4_agent.engine.book.layer import Layer
    from connect4_agent.engine.kernel.layer import LayerScores

FOLDER_VARIABLE = "CONNECT4_AGENT_BOOKS"
"""The environment variable that names another folder for the user's books."""

LAYER_SUFFIX = ".layer"
"""The suffix of a book's layer, which is beside it under the same name."""

SHIPPED_FOLDER = Path(__file__).parent


class BookWarning(UserWarning):
    """The user's book cannot be used."""


def file_name(width: int, height: int) -> str:
    """The name of the file that holds the book for boards of this size."""
    return f"{width}x{height}.book"


def shipped_file(width: int, height: int) -> Path:
    """The path of this package's own book for boards of this size, if it has one."""
    return SHIPPED_FOLDER / file_name(width, height)


def user_folder() -> Path:
    """The folder for the user's own books, whether it exists or not."""
    named = os.environ.get(FOLDER_VARIABLE)
    if named:
        return Path(named)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Application Support"
    else:
        base = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(os.path.expanduser(base)) / "connect4-agent" / "books"


def user_file(width: int, height: int) -> Path:
    """The path of the user's own book for boards of this size, for reading and building."""
    return user_folder() / file_name(width, height)


def book_file(width: int, height: int) -> Path | None:
    """The book to use for boards of this size: the user's own, or else the shipped one; None if there is neither."""
    files = user_file(width, height), shipped_file(width, height)
    return next((path for path in files if path.is_file()), None)


def layer_file(width: int, height: int) -> Path | None:
    """The layer to use for boards of this size: the user's own, or else the shipped one; None if there is neither."""
    return next(_layer_files(width, height), None)


def _layer_files(width: int, height: int) -> Iterator[Path]:
    for path in (user_file(width, height), shipped_file(width, height)):
        if path.with_suffix(LAYER_SUFFIX).is_file():
            yield path.with_suffix(LAYER_SUFFIX)


@cache
def book_for(width: int, height: int) -> Book:
    """The book for boards of this size, with its layer; an empty one if there is none.

    If the user's own book or a layer cannot be read, a BookWarning says so, and the shipped one, if any, is used.
    """
    book = _book_without_layer(width, height)
    if layer_file(width, height):
        return replace(book, width=width, height=height, layer=_LazyLayer(width, height))
    return book


@dataclass(frozen=True, slots=True)
class _LazyLayer:
    """The layer for boards of this size, read when it is first asked for: a server's first moves do not need it."""

    width: int
    height: int

    @property
    def scores(self) -> LayerScores | None:
        """Its scores; None if it cannot be read. A book asks once."""
        layer = layer_for(self.width, self.height)
        return None if layer is None else layer.scores


def layer_for(width: int, height: int) -> Layer | None:
    """The layer for boards of this size, if there is one; a BookWarning names one that cannot be read."""
    for path in _layer_files(width, height):
        try:
            return read_sized_layer(path, width, height)
        except (errors.BookError, OSError) as error:
            warnings.warn(f"the layer {path} is not used: {error}", BookWarning, stacklevel=3)
    return None


def _book_without_layer(width: int, height: int) -> Book:
    path = user_file(width, height)
    if path.is_file():
        try:
            return read_sized_book(path, width, height)
        except (errors.BookError, OSError) as error:
            warnings.warn(f"the book {path} is not used: {error}", BookWarning, stacklevel=3)
    path = shipped_file(width, height)
    return read_sized_book(path, width, height) if path.is_file() else EMPTY_BOOK


def read_sized_book(path: Path, width: int, height: int) -> Book:
    """The book in a file. Raises OSError, and BookError if it is not one for boards of this size.

    The package's own files are not checked against their checksums: a server's first answer would wait for that.
    """
    book = read_book(path, checked=path.parent != SHIPPED_FOLDER)
    if (book.width, book.height) != (width, height):
        raise errors.BookError(f"{path} is for {book.width} columns and {book.height} rows, not {width} and {height}")
    return book


def read_sized_layer(path: Path, width: int, height: int) -> Layer:
    """The layer in a file. Raises OSError, and BookError if it is not one for boards of this size."""
    from connect4_agent.engine.book.layer import read_layer  # noqa: PLC0415  # most boards have none

    layer = read_layer(path, checked=path.parent != SHIPPED_FOLDER)
    if (layer.width, layer.height) != (width, height):
        raise errors.BookError(f"{path} is for {layer.width} columns and {layer.height} rows, not {width} and {height}")
    return layer


def files_in(folder: Path) -> list[Path]:
    """The files of a folder that have the name of a book or a layer, sorted."""
    return sorted(path for path in folder.glob("*") if re.fullmatch(r"\d+x\d+\.(book|layer)", path.name))
