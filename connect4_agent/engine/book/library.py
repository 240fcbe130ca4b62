"""Where books are found: one for each board size, in the user's data folder or in this package."""

from __future__ import annotations

import os
import re
import sys
import warnings
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from connect4_agent import errors
from connect4_agent.engine.book.lookup import EMPTY_BOOK, Book, read_book

if TYPE_CHECKING:
    from collections.abc import Callable

    from connect4_agent.engine.book.layer import Layer
    from connect4_agent.engine.kernel.layer import LayerScores

    AnyBook = TypeVar("AnyBook", Book, Layer)

FOLDER_VARIABLE = "CONNECT4_AGENT_BOOKS"
"""The environment variable that names another folder for the user's books."""

BOOK_SUFFIX, LAYER_SUFFIX = ".book", ".layer"
"""A book's layer is beside it, under the same name."""

SHIPPED_FOLDER = Path(__file__).parent


class BookWarning(UserWarning):
    """A book or a layer that cannot be used."""


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


def user_file(width: int, height: int, suffix: str = BOOK_SUFFIX) -> Path:
    """The path of the user's own book or layer for boards of this size, for reading and building."""
    return user_folder() / f"{width}x{height}{suffix}"


def files_for(width: int, height: int, suffix: str = BOOK_SUFFIX) -> list[Path]:
    """The books or layers for boards of this size that there are; the user's own comes before the shipped one."""
    own = user_file(width, height, suffix)
    return [path for path in (own, SHIPPED_FOLDER / own.name) if path.is_file()]


@cache
def book_for(width: int, height: int) -> Book:
    """The book for boards of this size, with its layer; an empty one if there is none.

    If a book or a layer cannot be read, a BookWarning says so, and the next one, if any, is used.
    """
    book = _first(files_for(width, height), read_book, width, height) or EMPTY_BOOK
    if files_for(width, height, LAYER_SUFFIX):
        # Read when it is first asked for: a server's first moves do not need it.
        return replace(book, width=width, height=height, read_layer=partial(_layer_scores, width, height))
    return book


def layer_for(width: int, height: int) -> Layer | None:
    """The layer for boards of this size, if there is one; a BookWarning names one that cannot be read."""
    from connect4_agent.engine.book.layer import read_layer  # noqa: PLC0415  # most boards have none

    return _first(files_for(width, height, LAYER_SUFFIX), read_layer, width, height)


def _layer_scores(width: int, height: int) -> LayerScores | None:
    layer = layer_for(width, height)
    return None if layer is None else layer.scores


def _first(paths: list[Path], read: Callable[..., AnyBook], width: int, height: int) -> AnyBook | None:
    """What `read_book` or `read_layer` finds in the first file that it can read and that is for this size.

    The package's own files are not checked against their checksums: a server's first answer would wait for that.
    """
    for path in paths:
        try:
            found = read(path, checked=path.parent != SHIPPED_FOLDER)
        except (errors.BookError, OSError) as error:
            problem = str(error)
        else:
            if (found.width, found.height) == (width, height):
                return found
            problem = f"{path} is for {found.width} columns and {found.height} rows, not {width} and {height}"
        warnings.warn(f"{problem}; it is not used", BookWarning, stacklevel=3)
    return None


def files_in(folder: Path) -> list[Path]:
    """The files of a folder that have the name of a book or a layer, sorted."""
    return sorted(path for path in folder.glob("*") if re.fullmatch(r"\d+x\d+\.(book|layer)", path.name))
