"""The files of books and layers: mapped into memory, and ended by a checksum."""

from __future__ import annotations

import mmap
import zlib
from typing import TYPE_CHECKING

from connect4_agent import errors

if TYPE_CHECKING:
    from pathlib import Path

    from connect4_agent.engine.kernel.word import Buffer

CHECKSUM_BYTES = 4


def mapped(path: Path) -> Buffer:
    """A file's bytes, mapped into memory and read as needed. Raises OSError."""
    with path.open("rb") as file:
        try:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:  # an empty file cannot be mapped
            return b""


def checksum_of(data: bytes) -> bytes:
    """What ends the file of a book or a layer that has these bytes before it."""
    return zlib.crc32(data).to_bytes(CHECKSUM_BYTES, "little")


def check_bytes(path: Path) -> None:
    """Raise BookError if the file of a book or a layer has changed since it was written; reading skips this check."""
    data = path.read_bytes()
    if data[-CHECKSUM_BYTES:] != checksum_of(data[:-CHECKSUM_BYTES]):
        raise errors.BookError(f"{path} is damaged or cut off: its checksum is wrong")
