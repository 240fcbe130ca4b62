"""The requests of an input: usually one per line, but also several on one line, or one on several lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from connect4_agent.wire.lines import Lines, OverlongLine
from connect4_agent.wire.outline import Outline
from connect4_agent.wire.request import BYTE_ORDER_MARK, Oddity
from connect4_agent.wire.utf16 import as_utf8

if TYPE_CHECKING:
    from collections.abc import Iterator

WAIT_SECONDS = 0.25
"""How long to wait for the rest of a line that could be the beginning of a document."""


class PartialDocument(bytes):
    """A request that is not exactly one line."""

    oddity: Oddity


def read_documents(lines: Lines) -> Iterator[bytes | OverlongLine]:
    """Every line; a line with several objects is split, and lines that form one object together are joined."""
    for line in lines:
        if isinstance(line, OverlongLine) or _is_alone(line):
            yield line
        else:
            yield from _objects(line, lines)


def _is_alone(line: bytes) -> bool:
    """Whether a line can only be read by itself: it has no brace, or one that is closed at its end."""
    braces = line.count(b"{")
    return braces == 0 or (braces == 1 and line[0] == ord("{") and line.rstrip()[-1:] == b"}")


def _objects(line: bytes, lines: Lines) -> Iterator[bytes]:
    """The objects that begin on a line; the line itself if it holds nothing but one, or something else."""
    text = as_utf8(line).removeprefix(BYTE_ORDER_MARK)
    if not text.lstrip().startswith(b"{") or _is_json(text):
        yield line
        return
    outline = Outline(text)
    following = _complete(outline, lines) if outline.is_open else []
    if not outline.is_whole:
        lines.put_back(following)
        yield line
    elif len(outline.ends) == 1 and outline.line_count == 1:
        yield line
    else:
        is_split = outline.line_count == 1
        kind = "several requests" if is_split else "several lines"
        said = f"a line holds {len(outline.ends)} requests" if is_split else "a request spans several lines"
        for document in outline.documents():
            found = PartialDocument(document)
            found.oddity = Oddity(kind, f"{said}; expected is one request per line")
            yield found


def _complete(outline: Outline, lines: Lines) -> list[bytes | OverlongLine]:
    """Add lines until the outline is no longer open or none comes; returns the lines that were added."""
    taken: list[bytes | OverlongLine] = []
    while outline.is_open:
        line = lines.next_within(WAIT_SECONDS)
        if line is None:
            if lines.unfinished:
                outline.add(as_utf8(lines.unfinished))
            if outline.is_whole:
                lines.drop_unfinished()
            break
        taken.append(line)
        if isinstance(line, OverlongLine) or len(outline.text) + len(line) > lines.longest:
            break
        outline.add(as_utf8(line))
    return taken


def _is_json(text: bytes) -> bool:
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return True
