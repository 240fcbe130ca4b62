"""The move server: a request line in, an answer line out.

Standard input and output are read and written as bare descriptors: nothing is held back in a
buffer, and one poll() sees a request's arrival as well as the reader's leaving.
"""

from __future__ import annotations

import os
import select
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from connect4_agent import errors, protocol
from connect4_agent.engine.players import Choice, Limits, Player, obvious_column

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from connect4_agent.position import Position

CHUNK_BYTES = 1 << 16
STDERR_PIECE_BYTES = 512
"""What a pipe that is ready takes without blocking: POSIX's smallest PIPE_BUF."""

SHOWN_LINE_BYTES = 1 << 16

LEAST_SECONDS = 0.001
"""What is left of a time limit for the player, however long the request took to read."""


class ReaderGoneError(Exception):
    """Nobody reads standard output any more."""


class Connection(Protocol):
    """Where the server's lines come from and go to."""

    def read(self) -> bytes:
        """Wait for input; empty at its end."""

    def write(self, data: bytes) -> None:
        """Send all of the data at once. Raises ReaderGoneError."""

    def note(self, message: str) -> None:
        """Tell the person behind the manager, if that is possible without waiting."""

    def check_reader(self) -> None:
        """Raise ReaderGoneError if nobody reads the answers any more."""


class StandardStreams:
    """The connection over descriptors 0, 1 and 2."""

    def __init__(self) -> None:
        # Windows has no poll() for pipes: there a vanished reader shows at the next answer.
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

    def read(self) -> bytes:
        """Wait for input; empty at its end."""
        if self._can_poll:
            for descriptor, _ in self._both.poll():
                if descriptor == 1:
                    raise ReaderGoneError
        try:
            return os.read(0, CHUNK_BYTES)
        except OSError:  # a closed standard input, or a terminal that went away, is the end of input
            return b""

    def write(self, data: bytes) -> None:
        """Send all of the data at once. Raises ReaderGoneError; OSError where there is no room, as on a full disk."""
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


class OverlongLine:
    """Stands for a line that was too long to keep; only whether it was blank is known of it."""


OVERLONG_LINE = OverlongLine()


def read_lines(read: Callable[[], bytes], longest: int = protocol.LONGEST_LINE_BYTES) -> Iterator[bytes | OverlongLine]:
    """The lines that are not blank, without their ends; at most `longest` bytes and one chunk are held."""
    pending = bytearray()
    overlong = False  # the line being read is over the limit, is not blank, and is dropped until its end
    while chunk := read():
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            yield from _finished_line(bytes(pending) + line, overlong, longest)
            pending.clear()
            overlong = False
        pending += rest
        if len(pending) > longest:
            overlong = overlong or not _is_blank(bytes(pending))
            pending.clear()
    yield from _finished_line(bytes(pending), overlong, longest)


def _is_blank(line: bytes) -> bool:
    return not line.removeprefix(protocol.BYTE_ORDER_MARK).strip()


def _finished_line(line: bytes, overlong: bool, longest: int) -> Iterator[bytes | OverlongLine]:
    if overlong or (len(line) > longest and not _is_blank(line)):
        yield OVERLONG_LINE
    elif not _is_blank(line):
        yield line


@dataclass(frozen=True, slots=True)
class Server:
    """Answers requests with one player's moves."""

    player: Player
    stated: protocol.Stated = protocol.NOTHING_STATED
    seconds: float | None = None
    explain: bool = False
    verbose: bool = False

    def run(self, connection: Connection) -> None:
        """Answer every request until the input ends. Raises ReaderGoneError."""
        for line in read_lines(connection.read):
            if self.verbose:
                connection.note(f"in:  {_shown_line(line)}")
            answer, _ = self.answer(line, connection)
            if self.verbose:
                connection.note(f"out: {_shown_line(answer)}")
            connection.write(answer)

    def answer(self, line: bytes | OverlongLine, connection: Connection) -> tuple[bytes, bool]:
        """The one line that answers this one, and whether it holds a move."""
        started = perf_counter()
        try:
            if isinstance(line, OverlongLine):
                raise errors.LineTooLongError(
                    f"the line is longer than {protocol.LONGEST_LINE_BYTES} bytes, the most that is read"
                )
            question = protocol.read_question(line, self.stated)
            for warning in question.warnings:
                connection.note(f"warning: {warning}")
        except errors.RequestError as error:
            return protocol.encode(protocol.error_reply(error)), False
        return self.move(question.position, connection, started), True

    def move(self, position: Position, connection: Connection, started: float) -> bytes:
        """The line with the move in a position in which a column is open; the request came when `started` was."""
        choice = self._choose(position, connection, started)
        if not self.explain:
            return protocol.encode(protocol.MoveReply(move=choice.column))
        reply = protocol.ExplainedReply(
            move=choice.column,
            score=choice.score,
            exact=choice.exact,
            depth=choice.depth,
            nodes=choice.nodes,
            elapsed_ms=round((perf_counter() - started) * 1000, 3),
            line=list(choice.line),
        )
        return protocol.encode(reply)

    def _choose(self, position: Position, connection: Connection, started: float) -> Choice:
        if position.winner is not None:  # no player is made for a game that is over, but managers need a column
            column = obvious_column(position)
            return Choice(column, line=(column,))
        # The time for a move includes that for reading the request.
        seconds = None if self.seconds is None else max(self.seconds - (perf_counter() - started), LEAST_SECONDS)
        try:
            return self.player.choose(position, Limits(seconds, connection.check_reader, self.explain))
        except ReaderGoneError:
            raise
        except Exception as error:  # noqa: BLE001  # a defect must not cost the game: say so and play on
            connection.note(f"error: the player failed, an obvious move is played: {type(error).__name__}: {error}")
            column = obvious_column(position)
            return Choice(column, line=(column,))


def _shown_line(line: bytes | OverlongLine) -> str:
    if isinstance(line, OverlongLine):
        return f"(a line over {protocol.LONGEST_LINE_BYTES} bytes)"
    cut = "" if len(line) <= SHOWN_LINE_BYTES else f"... ({len(line)} bytes)"
    return line[:SHOWN_LINE_BYTES].decode(errors="replace").rstrip() + cut
