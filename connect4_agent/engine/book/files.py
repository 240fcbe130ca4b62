"""The files of books and layers: read whole, and ended by a checksum."""

from __future__ import annotations

import zlib

from connect4_agent import errors

CHECKSUM_BYTES = 4


def checksum_of(data: bytes) -> bytes:
    """What ends the file of a book or a layer that has these bytes before it."""
    return zlib.crc32(data).to_bytes(CHECKSUM_BYTES, "little")


def check_bytes(data: bytes, name: str) -> None:
    """Raise BookError, which names the file, if a book or a layer has changed since it was written."""
    if data[-CHECKSUM_BYTES:] != checksum_of(data[:-CHECKSUM_BYTES]):
        raise errors.BookError(f"{name} is damaged or cut off: its checksum is wrong")
