"""The lines of an input that comes in pieces, of bounded length; JSON objects that span several lines are joined."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections import deque
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Read = Callable[[float | None], bytes | None]

MAX_LINE_BYTES = 1 << 18
"""The longest line that is read; the largest board needs a tenth of that."""

GRID_KEYS = ("grid", "board")
"""The keys of which every request has one."""

JOIN_SECONDS = 0.25
"""The longest wait of a line that begins an object for all lines that end it, in seconds."""


class Lines:
    """The lines without their line feeds, blank ones only if asked for.

    `read` waits for input, at most the given number of seconds: empty at the end, None if nothing came. A longer line
    is cut after one byte more than `max_bytes`, so that its length shows what it is.
    """

    def __init__(
        self,
        read: Read,
        max_bytes: int = MAX_LINE_BYTES,
        *,
        keep_blank: bool = False,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.max_bytes = max_bytes
        self.clock = clock
        self._read = read
        self._keep_blank = keep_blank
        self._ready: deque[bytes] = deque()
        self._pending = bytearray()
        self._has_ended = False

    def __iter__(self) -> Iterator[bytes]:
        """Give every line as soon as it has come."""
        while (line := self.next_line()) is not None:
            yield line

    def next_line(self, deadline: float | None = None) -> bytes | None:
        """Return the next line; None if the input has ended, or if no line is complete at the deadline."""
        while not self._ready and not self._has_ended:
            chunk = self._read(None if deadline is None else max(deadline - self.clock(), 0))
            if chunk is None:
                return None
            self._take(chunk)
        return self._ready.popleft() if self._ready else None

    @property
    def unfinished(self) -> bytes:
        """The received part of a line whose end has not come."""
        return bytes(self._pending)

    def drop_unfinished(self) -> None:
        """Treat the received part of the unfinished line as read."""
        self._pending.clear()

    def _take(self, chunk: bytes) -> None:
        self._has_ended = not chunk
        if not chunk and self._pending:
            chunk = b"\n"  # the last line may have no end
        *lines, rest = chunk.split(b"\n")
        if lines and self._pending:
            lines[0] = bytes(self._pending) + lines[0]
            self._pending.clear()
        self._ready.extend(line[: self.max_bytes + 1] for line in lines if self._keep_blank or not _is_blank(line))
        self._pending += rest
        if len(self._pending) > self.max_bytes:
            del self._pending[0 if _is_blank(self._pending) else self.max_bytes + 1 :]


def _is_blank(line: bytes | bytearray) -> bool:
    return not line.removeprefix(BOM_UTF8).strip()


def read_joined(read: Read) -> Iterator[bytes]:
    """Yield every line that is not blank, with objects that span several lines joined."""
    return joined_lines(Lines(read))


def joined_lines(lines: Lines) -> Iterator[bytes]:
    """Yield every line; lines that are a JSON object only together are joined if they come within JOIN_SECONDS.

    A line that is a request by itself is never part of another one.
    """
    for line in lines:
        if _begins_object(line) and _surplus_braces(line) > 0:
            yield from _joined(line, lines)
        else:
            yield line


def _joined(first: bytes, lines: Lines) -> list[bytes]:
    """Return the line and those after it as one text if that is an object once its braces balance, else one by one.

    No line is part of two attempts: braces that are never closed delay the requests after them once.
    """
    taken = [first]
    try:
        return _join(taken, lines)
    except MemoryError:
        return taken


def _join(taken: list[bytes], lines: Lines) -> list[bytes]:
    """Take lines until the object is complete; return it, or the lines that were taken."""
    from connect4_agent.server.loose_json import parse_loosely  # noqa: PLC0415  # most servers never need it

    (first,) = taken
    if parse_loosely(first) is not None:
        return taken
    string = re.compile(rb'"[^"\\]*(?:\\.?[^"\\]*)*(?:"|$)')  # compiled here: most servers never need it

    def count_open_braces(text: bytes) -> int:
        return _surplus_braces(string.sub(b"", text))

    text, open_braces = bytearray(first), count_open_braces(first)
    deadline = lines.clock() + JOIN_SECONDS
    while open_braces > 0 and len(text) < lines.max_bytes:
        line = lines.next_line(deadline)
        if line is None:
            break
        taken.append(line)
        if _begins_object(line) and _is_request(parse_loosely(line)):
            return taken
        text += b"\n" + line
        open_braces += count_open_braces(line)
    rest = lines.unfinished if open_braces > 0 else b""
    text += b"\n" + rest if rest else b""
    is_whole = open_braces + count_open_braces(rest) == 0 and len(text) <= lines.max_bytes
    if not is_whole or parse_loosely(bytes(text)) is None:
        return taken
    if rest:
        lines.drop_unfinished()
    return [bytes(text)]


def _begins_object(line: bytes) -> bool:
    return line.removeprefix(BOM_UTF8).lstrip().startswith(b"{")


def _surplus_braces(text: bytes) -> int:
    return text.count(b"{") - text.count(b"}")


def _is_request(value: dict[str, object] | None) -> bool:
    return value is not None and any(key.casefold() in GRID_KEYS for key in value)
