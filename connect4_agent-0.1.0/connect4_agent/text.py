"""Foreign text made safe to show: short, on one line, harmless to a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

MESSAGE_CHARACTERS = 60
"""The longest quotation of a value in a message."""


def short(text: str, most: int = MESSAGE_CHARACTERS, mark: str = "...") -> str:
    """Return the text, cut to its beginning and a mark if it is too long."""
    return text if len(text) <= most else text[: most - len(mark)] + mark


def did_you_mean(word: str, names: Iterable[str], before: str = "") -> str:
    """Return the end of a message about a word that is not known: the name that it resembles, if there is one."""
    from difflib import get_close_matches  # noqa: PLC0415  # only needed for mistyped words

    close = get_close_matches(word, [*names], 1)
    return f" (did you mean {before}{close[0]}?)" if close else ""


def short_json(value: object, most: int = MESSAGE_CHARACTERS) -> str:
    """Return a JSON value as text, escaped and cut to a length that fits into a message."""
    import json  # noqa: PLC0415  # most servers quote nothing

    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except (RecursionError, ValueError):  # nested too deeply, or a number with too many digits
        return "a value that cannot be quoted"
    return short(escaped(text[: most + 1]), most)


def short_line(line: bytes, most_bytes: int) -> str:
    """Return a line of bytes without its line end; if it is too long, its beginning and its length."""
    cut = "" if len(line) <= most_bytes else f"... ({len(line)} bytes)"
    return line[:most_bytes].decode(errors="replace").rstrip() + cut


def counted(count: int, one: str, many: str = "") -> str:
    """Return a number with its noun, the plural being the singular with an s unless it is given."""
    return f"{count} {one if count == 1 else many or f'{one}s'}"


def escaped(text: str) -> str:
    """Return the text on one line, with everything that could change a terminal's state written out."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape", "replace").decode() for sign in text)


def in_spreadsheet(text: str) -> str:
    """Foreign text for a cell, which no spreadsheet takes for a formula."""
    text = escaped(text)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def printable(text: str) -> str:
    """Return the text on one line, with a question mark for everything that could change a terminal's state."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)


_BIDI_MARKS = dict.fromkeys((0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))


def without_bidi_marks(text: str) -> str:
    """Return the text without the marks that would reorder the text beside it."""
    return text.translate(_BIDI_MARKS)


def aligned(rows: Sequence[Sequence[str]], left: Container[int] = frozenset({0})) -> list[str]:
    """Return the rows of a table as lines; columns in `left` hold words, all others figures, aligned right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if index in left else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
