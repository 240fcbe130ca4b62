"""The connection of a server: standard input, output and error, used as bare descriptors.

Nothing is held back in a buffer, and one poll() notices both a new request and a closed output.
"""

from __future__ import annotations

import io
import os
import select
from typing import TYPE_CHECKING

from connect4_agent.errors import ReaderGoneError
from connect4_agent.server.lines import MAX_LINE_BYTES, read_joined
from connect4_agent.text import short, short_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from connect4_agent.server.lines import Read
    from connect4_agent.server.request import RequestWarning

    Split = Callable[[Read], Iterable[bytes]]

CHUNK_BYTES = 1 << 16
STDERR_PIECE_BYTES = 512
"""The bytes that a ready pipe takes without blocking: POSIX's smallest PIPE_BUF."""

SHOWN_LINE_BYTES = 1 << 16

LOST_INPUT = b"(input lost: out of memory)"
"""The line in the place of input that was received but could not be stored."""

MAX_MESSAGE_CHARACTERS = 500
"""The longest message: managers that never read standard error must not be flooded."""


class Connection:
    """Lines over descriptors 0, 1 and 2: requests, answers, and messages for people, each kind of warning once."""

    def __init__(self, split: Split = read_joined, *, is_verbose: bool = False) -> None:
        self._split = split
        self._is_verbose = is_verbose
        self._warned: set[str] = set()
        # Windows has no poll() for pipes. There a closed output is noticed at the next answer only, and an incomplete
        # document waits for the next line, however late it comes.
        self._can_poll = hasattr(select, "poll")
        if self._can_poll:
            self._both = select.poll()
            self._both.register(0, select.POLLIN)
            self._both.register(1, 0)
            self._output = select.poll()
            self._output.register(1, 0)
            self._room = select.poll()
            self._room.register(1, select.POLLOUT)
            self._messages = select.poll()
            self._messages.register(2, select.POLLOUT)

    def lines(self) -> Iterator[bytes]:
        """Yield every line as soon as it has come; LOST_INPUT if memory runs out while lines are received."""
        has_ended = False
        while not has_ended:
            try:
                for line in self._split(self.read):
                    self._echo("in: ", line)
                    yield line
                has_ended = True
            except MemoryError:
                yield LOST_INPUT

    def write(self, line: bytes) -> None:
        """Send a line. Raise ReaderGoneError."""
        self._echo("out:", line)
        self.send(line)

    def warn(self, text: str) -> None:
        """Give a warning."""
        self.note(f"warning: {short(text, MAX_MESSAGE_CHARACTERS)}")

    def warn_once(self, warnings: Iterable[RequestWarning]) -> None:
        """Give the warnings of kinds that were not given before."""
        for kind, text in warnings:
            if kind not in self._warned:
                self._warned.add(kind)
                self.warn(text)

    def report_failure(self, error: Exception) -> None:
        """Say that the player failed; a defect must not cost the game."""
        message = f"error: the player failed, falling back to a simple legal move: {type(error).__name__}: {error}"
        self.note(short(message, MAX_MESSAGE_CHARACTERS))

    def _echo(self, direction: str, line: bytes) -> None:
        if self._is_verbose:
            try:
                self.note(f"{direction} {_shown(line)}")
            except MemoryError:
                return

    def read(self, seconds: float | None = None, /) -> bytes | None:
        """Wait for input, at most that many seconds if there is poll(); empty at its end, None if nothing came."""
        if self._can_poll:
            events = self._both.poll(None if seconds is None else seconds * 1000)
            if not events:
                return None
            for descriptor, _ in events:
                if descriptor == 1:
                    raise ReaderGoneError
        try:
            return os.read(0, CHUNK_BYTES)
        except OSError:  # a closed standard input, or a closed terminal, is the end of input
            return b""

    def send(self, data: bytes) -> None:
        """Send all of the data at once. Raise ReaderGoneError, or OSError if there is no room, as on a full disk."""
        while data:
            try:
                data = data[os.write(1, data) :]
            except BlockingIOError:  # the manager made it non-blocking, and it is full
                self._room.poll()
            except (BrokenPipeError, ConnectionResetError):
                raise ReaderGoneError from None

    def note(self, message: str) -> None:
        """Write to standard error what it takes without blocking; drop the rest."""
        data = f"connect4-agent: {message}\n".encode(errors="replace")
        try:
            while data:
                if self._can_poll and not any(event & select.POLLOUT for _, event in self._messages.poll(0)):
                    return
                data = data[os.write(2, data[:STDERR_PIECE_BYTES]) :]
        except OSError:
            return

    def check_reader(self) -> None:
        """Raise ReaderGoneError if nobody reads the answers any more."""
        if self._can_poll and self._output.poll(0):
            raise ReaderGoneError


class Notes(io.TextIOBase):
    """A standard error for everything else in the process, such as Python's own warnings: it never blocks."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def write(self, text: str, /) -> int:
        """Pass the text on as a message; blank texts, such as a line's end alone, are dropped."""
        if text.strip():
            self._connection.note(short(text.strip(), MAX_MESSAGE_CHARACTERS))
        return len(text)


def _shown(line: bytes) -> str:
    if len(line) > MAX_LINE_BYTES:
        return f"(a line over {MAX_LINE_BYTES} bytes)"
    return short_line(line, SHOWN_LINE_BYTES)
