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
from connect4_agent.engine.players import Choice, Limits, Player, choose_anyway, obvious_column

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from connect4_agent.position import Position

CHUNK_BYTES = 1 << 16
STDERR_PIECE_BYTES = 512
"""What a pipe that is ready takes without blocking: POSIX's smallest PIPE_BUF."""

SHOWN_LINE_BYTES = 1 << 16

MOST_WARNING_CHARACTERS = 500
"""Of a warning, however long what it quotes: managers that never read standard error must not be flooded."""

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


def read_lines(
    read: Callable[[], bytes], longest: int = protocol.LONGEST_LINE_BYTES, *, keep_blank: bool = False
) -> Iterator[bytes | OverlongLine]:
    """The lines without their ends, blank ones only if asked for; at most `longest` bytes and one chunk are held."""
    pending = bytearray()
    overlong = False  # the line being read is over the limit, is not blank, and is dropped until its end
    while chunk := read():
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            yield from _finished_line(bytes(pending) + line, overlong, longest, keep_blank)
            pending.clear()
            overlong = False
        pending += rest
        if len(pending) > longest:
            overlong = overlong or not _is_blank(bytes(pending))
            pending.clear()
    yield from _finished_line(bytes(pending), overlong, longest, keep_blank and len(pending) > 0)


def _is_blank(line: bytes) -> bool:
    return not line.removeprefix(protocol.BYTE_ORDER_MARK).strip()


def _finished_line(line: bytes, overlong: bool, longest: int, keep_blank: bool) -> Iterator[bytes | OverlongLine]:
    if overlong or (len(line) > longest and not _is_blank(line)):
        yield OVERLONG_LINE
    elif keep_blank or not _is_blank(line):
        yield line


class Codec(Protocol):
    """What lines mean in one protocol, and how answers are worded."""

    takes_blank_lines: bool

    def answer(self, line: bytes | OverlongLine, turn: Turn) -> bytes | None:
        """The line that answers this one, its end included; None where this one asks for nothing."""


def cut(message: str) -> str:
    """A message for standard error, no longer than it may be."""
    return message if len(message) <= MOST_WARNING_CHARACTERS else message[: MOST_WARNING_CHARACTERS - 3] + "..."


@dataclass(frozen=True, slots=True)
class Turn:
    """A line that is being answered: what a codec may ask of the server."""

    server: Server
    connection: Connection
    started: float

    def warn(self, warning: str) -> None:
        """Tell the person behind the manager what is odd."""
        self.connection.note(f"warning: {cut(warning)}")

    def choose(self, position: Position, seconds: float | None = None) -> Choice:
        """A legal move, within the shorter of the manager's limit and the server's own."""
        given = [limit for limit in (seconds, self.server.seconds) if limit is not None]
        left = None
        if given:  # the time for a move includes that for reading the request
            left = max(min(given) - (perf_counter() - self.started), LEAST_SECONDS)
        limits = Limits(left, self.connection.check_reader, self.server.explain)
        try:
            return choose_anyway(self.server.player, position, limits)
        except ReaderGoneError:
            raise
        except Exception as error:  # noqa: BLE001  # a defect must not cost the game: say so and play on
            message = f"error: the player failed, an obvious move is played: {type(error).__name__}: {error}"
            self.connection.note(cut(message))
            column = obvious_column(position)
            return Choice(column, line=(column,))


@dataclass(frozen=True, slots=True)
class JsonCodec:
    """The protocol of this package: a request as an object, a move or an error as an object."""

    stated: protocol.Stated = protocol.NOTHING_STATED
    explain: bool = False
    takes_blank_lines = False

    def answer(self, line: bytes | OverlongLine, turn: Turn) -> bytes:
        """The one line that answers this one."""
        try:
            if isinstance(line, OverlongLine):
                raise errors.LineTooLongError(
                    f"the line is longer than {protocol.LONGEST_LINE_BYTES} bytes, the most that is read"
                )
            question = protocol.read_question(line, self.stated)
            for warning in question.warnings:
                turn.warn(warning)
        except errors.RequestError as error:
            return protocol.encode(protocol.error_reply(error))
        return self.move(question.position, turn)

    def move(self, position: Position, turn: Turn) -> bytes:
        """The line with the move in a position in which a column is open."""
        choice = turn.choose(position)
        if not self.explain:
            return protocol.encode(protocol.MoveReply(move=choice.column))
        reply = protocol.ExplainedReply(
            move=choice.column,
            score=choice.score,
            exact=choice.exact,
            depth=choice.depth,
            nodes=choice.nodes,
            elapsed_ms=round((perf_counter() - turn.started) * 1000, 3),
            line=list(choice.line),
        )
        return protocol.encode(reply)


@dataclass(frozen=True, slots=True)
class Server:
    """Answers requests with one player's moves; without a codec, as JsonCodec words them."""

    player: Player
    stated: protocol.Stated = protocol.NOTHING_STATED
    seconds: float | None = None
    explain: bool = False
    verbose: bool = False
    codec: Codec | None = None

    def run(self, connection: Connection) -> None:
        """Answer every request until the input ends. Raises ReaderGoneError."""
        codec = self.codec or JsonCodec(self.stated, self.explain)
        for line in read_lines(connection.read, keep_blank=codec.takes_blank_lines):
            if self.verbose:
                connection.note(f"in:  {_shown_line(line)}")
            answer = codec.answer(line, Turn(self, connection, perf_counter()))
            if answer is None:
                continue
            if self.verbose:
                connection.note(f"out: {_shown_line(answer)}")
            connection.write(answer)

    def answer(self, line: bytes | OverlongLine, connection: Connection) -> bytes:
        """The one line that answers a line of JSON."""
        return JsonCodec(self.stated, self.explain).answer(line, Turn(self, connection, perf_counter()))

    def move(self, position: Position, connection: Connection, started: float) -> bytes:
        """The line of JSON with the move in a position; the request came when `started` was."""
        return JsonCodec(self.stated, self.explain).move(position, Turn(self, connection, started))


def _shown_line(line: bytes | OverlongLine) -> str:
    if isinstance(line, OverlongLine):
        return f"(a line over {protocol.LONGEST_LINE_BYTES} bytes)"
    cut = "" if len(line) <= SHOWN_LINE_BYTES else f"... ({len(line)} bytes)"
    return line[:SHOWN_LINE_BYTES].decode(errors="replace").rstrip() + cut
