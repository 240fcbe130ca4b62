"""UTF-16, which some systems write to pipes: recognising it, and converting it to UTF-8."""

from __future__ import annotations

import codecs

LITTLE_ENDIAN = "utf-16-le"
BIG_ENDIAN = "utf-16-be"


MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def utf16_form(data: bytes) -> str | None:
    """How the data is encoded if it is UTF-16 text that begins with a mark or an ASCII character; None if it is not."""
    if data.startswith(codecs.BOM_UTF16_LE):
        return LITTLE_ENDIAN
    if data.startswith(codecs.BOM_UTF16_BE):
        return BIG_ENDIAN
    if len(data) < 2 or (data[0] == 0) == (data[1] == 0):
        return None
    return BIG_ENDIAN if data[0] == 0 else LITTLE_ENDIAN


def as_utf8(data: bytes) -> bytes:
    """UTF-16 text as UTF-8 without a mark; the data itself if it is anything else."""
    form = utf16_form(data)
    return data if form is None else data.decode(form, "replace").removeprefix("\ufeff").encode()
