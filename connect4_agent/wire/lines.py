"""The lines of an input that comes in pieces, of bounded length, in UTF-8 or UTF-16."""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING

from connect4_agent.wire.request import BYTE_ORDER_MARK, LONGEST_LINE_BYTES
from connect4_agent.wire.utf16 import BIG_ENDIAN, LITTLE_ENDIAN, MARKS, as_utf8, utf16_form

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MOST_PIECES = 8
"""The most pieces into which line feed bytes inside characters may cut one UTF-16 line."""


class OverlongLine:
    """Stands for a line that was too long to keep, and not blank."""


OVERLONG_LINE = OverlongLine()


class Lines:
    """The lines without their ends, blank ones only if asked for; at most `longest` bytes and one chunk are held.

    `read` waits for input, at most the given number of seconds: empty at the end, None if nothing came.
    """

    def __init__(
        self,
        read: Callable[[float | None], bytes | None],
        longest: int = LONGEST_LINE_BYTES,
        *,
        keep_blank: bool = False,
    ) -> None:
        self.longest = longest
        self._read = read
        self._keep_blank = keep_blank
        self._ready: deque[bytes | OverlongLine] = deque()
        self._pending = bytearray()
        self._is_overlong = False  # the pending line is over the limit, is not blank, and is dropped until its end
        self._form: str | None = None  # of the line before, if it was UTF-16
        self._has_ended = False
        self._is_idle = False  # nothing has come since the last wait for a limited time

    def __iter__(self) -> Iterator[bytes | OverlongLine]:
        """Every line as soon as it has come."""
        while self._ready or not self._has_ended:
            while self._ready:
                yield self._ready.popleft()
            if not self._has_ended:
                self._take(self._read(None) or b"")

    def next_within(self, seconds: float) -> bytes | OverlongLine | None:
        """The next line; None if the input has ended, or nothing has come for that long."""
        while not self._ready:
            if self._has_ended or self._is_idle:
                return None
            chunk = self._read(seconds)
            if chunk is None:
                self._is_idle = True
            else:
                self._take(chunk)
        return self._ready.popleft()

    def put_back(self, lines: Sequence[bytes | OverlongLine]) -> None:
        """Give these lines again before all others."""
        self._ready.extendleft(reversed(lines))

    @property
    def unfinished(self) -> bytes:
        """The received part of a line whose end has not come yet."""
        return bytes(self._pending)

    def drop_unfinished(self) -> None:
        """Treat the received part of the unfinished line as read."""
        self._pending.clear()

    def _take(self, chunk: bytes) -> None:
        self._is_idle = False
        if chunk:
            *lines, rest = chunk.split(b"\n")
        else:
            self._has_ended = True
            lines, rest = ([b""] if self._pending or self._is_overlong else []), b""
        if lines:
            if self._pending:
                lines[0] = bytes(self._pending) + lines[0]
                self._pending.clear()
            is_wide = b"\0" in lines[0] or b"\0" in chunk or lines[0].startswith(MARKS)
            for line in self._wide_lines(lines) if is_wide else lines:
                self._finish(line)
        self._pending += rest
        if len(self._pending) > self.longest:
            self._is_overlong = self._is_overlong or not _is_blank(bytes(self._pending))
            self._pending.clear()

    def _finish(self, line: bytes) -> None:
        if self._is_overlong or (len(line) > self.longest and not _is_blank(line)):
            self._ready.append(OVERLONG_LINE)
        elif self._keep_blank or not _is_blank(line):
            self._ready.append(line)
        self._is_overlong = False

    def _wide_lines(self, lines: list[bytes]) -> Iterator[bytes]:
        """Lines of which some may be UTF-16; those that were cut inside a character such as U+4E0A are rejoined."""
        start = 0
        while start < len(lines):
            last = start + 1
            line, form = self._whole_line(lines[start])
            if form is not None and not _has_whole_strings(line):
                for end in range(start + 2, min(start + MOST_PIECES, len(lines)) + 1):
                    joined, _ = self._whole_line(b"\n".join(lines[start:end]))
                    if _has_whole_strings(joined):
                        line, last = joined, end
                        break
            self._form = form
            start = last
            yield line

    def _whole_line(self, line: bytes) -> tuple[bytes, str | None]:
        """A line without the zero byte of a UTF-16 line end, its own or that of the line before, and its form."""
        is_big_endian = len(line) % 2 == 0 and line[2:3] == b"\0"
        if self._form == LITTLE_ENDIAN and line[:1] == b"\0" and not is_big_endian:
            line = line[1:]
        if not line or (self._form == BIG_ENDIAN and line == b"\0"):
            return b"", self._form
        form = utf16_form(line)
        has_half_end = form == BIG_ENDIAN and len(line) % 2 == 1 and line[-1] == 0
        return line[:-1] if has_half_end else line, form


def _has_whole_strings(line: bytes) -> bool:
    """Whether every string that begins on a UTF-16 line also ends there."""
    # No group is repeated possessively: with Python 3.11.2, which Debian 12 has, that may not match what it should.
    string = rb'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*"'
    return re.fullmatch(rb'[^"\\]*+(?:' + string + rb'[^"\\]*+)*', as_utf8(line)) is not None


def _is_blank(line: bytes) -> bool:
    if line.strip() and (b"\0" in line or line in MARKS):
        line = as_utf8(line)
    return not line.removeprefix(BYTE_ORDER_MARK).strip()
