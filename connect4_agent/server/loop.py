"""The move server: a request line in, an answer line out.

Standard input and output are used as bare descriptors: nothing is held back in a buffer, and one poll() notices
both a new request and a closed output.
"""

from __future__ import annotations

import os
import select
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from connect4_agent import errors
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.player import Choice, Player, choose, obvious_column
from connect4_agent.server.codecs import JsonCodec, SolverCodec, encode_error
from connect4_agent.server.lines import MAX_LINE_BYTES, Lines, joined_lines
from connect4_agent.text import short, short_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from connect4_agent.rules.position import Position
    from connect4_agent.server.request import Request

CHUNK_BYTES = 1 << 16
STDERR_PIECE_BYTES = 512
"""What a pipe that is ready takes without blocking: POSIX's smallest PIPE_BUF."""

SHOWN_LINE_BYTES = 1 << 16

MAX_MESSAGE_CHARACTERS = 500
"""The longest message: managers that never read standard error must not be flooded."""


class Connection(Protocol):
    """Where the server's lines come from and go to."""

    def read(self, seconds: float | None = None, /) -> bytes | None:
        """Wait for input, at most that many seconds; empty at its end, None if nothing came in time."""

    def write(self, data: bytes) -> None:
        """Send all of the data at once. Raises ReaderGoneError."""

    def note(self, message: str) -> None:
        """Write a message for people, if that is possible without waiting."""

    def check_reader(self) -> None:
        """Raise ReaderGoneError if nobody reads the answers any more."""


class StandardStreams:
    """The connection over descriptors 0, 1 and 2."""

    def __init__(self) -> None:
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

    def read(self, seconds: float | None = None, /) -> bytes | None:
        """Wait for input, at most that many seconds if there is poll(); empty at its end, None if nothing came."""
        if self._can_poll:
            events = self._both.poll(None if seconds is None else seconds * 1000)
            if not events:
                return None
            for descriptor, _ in events:
                if descriptor == 1:
                    raise errors.ReaderGoneError
        try:
            return os.read(0, CHUNK_BYTES)
        except OSError:  # a closed standard input, or a closed terminal, is the end of input
            return b""

    def write(self, data: bytes) -> None:
        """Send all of the data at once. Raises ReaderGoneError, or OSError if there is no room, as on a full disk."""
        while data:
            try:
                data = data[os.write(1, data) :]
            except BlockingIOError:  # the manager made it non-blocking, and it is full
                self._room.poll()
            except (BrokenPipeError, ConnectionResetError):
                raise errors.ReaderGoneError from None

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
            raise errors.ReaderGoneError


class Server:
    """Answers requests with one player's moves, each within `seconds` if that is given."""

    def __init__(
        self,
        player: Player,
        codec: JsonCodec | None = None,
        seconds: float | None = None,
        verbose: bool = False,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.player = player
        self.codec = codec or JsonCodec()
        self.seconds = seconds
        self.verbose = verbose
        self.clock = clock

    def run(self, connection: Connection) -> int:
        """Answer every request until the input ends; returns the number of lines. Raises ReaderGoneError."""

        def answers(line: bytes) -> Iterator[bytes]:
            started = self.clock()
            for request in self.codec.read(line):
                yield self.answer(request, started, connection)
                started = self.clock()

        return _answer_lines(connection, joined_lines(Lines(connection.read)), answers, self.verbose)

    def answer(self, request: Request | errors.RequestError, started: float, connection: Connection) -> bytes:
        """The answer, with its newline, to a request that came at `started`."""
        if isinstance(request, errors.RequestError):
            return encode_error(request)
        for text in self.codec.new_warnings(request):
            _warn(connection, text)

        def say(error: Exception) -> None:  # a defect must not cost the game
            message = f"error: the player failed, falling back to a simple legal move: {type(error).__name__}: {error}"
            connection.note(short(message, MAX_MESSAGE_CHARACTERS))

        limits = Limits(self.seconds, connection.check_reader, self.codec.explain, self.clock)
        if self.seconds is not None:  # reading the request is part of the time for a move
            limits = limits.within(self.seconds, started)
        choice = choose(self.player, request.position, limits, say)
        if request.columns is not None and choice.column not in request.columns:
            column = obvious_column(request.position, request.columns)
            choice = Choice(column, line=(column,))
        reason = self._reason(request.position, choice.column, limits, started) if self.codec.why else None
        return self.codec.write(choice, (self.clock() - started) * 1000, reason)

    def _reason(self, position: Position, column: int, limits: Limits, started: float) -> dict[str, Any] | None:
        """Why the column is worth what it is, found in what is left of the time."""
        from connect4_agent.engine.effort import default_seconds  # noqa: PLC0415  # most servers never need it

        if self.seconds is not None:
            limits = limits.within(self.seconds, started)
        limits = limits.within(default_seconds(position.width, position.height), self.clock())
        return self.codec.reason(position, column, limits)


def serve_solver(codec: SolverCodec, connection: Connection, *, verbose: bool = False) -> int:
    """Answer every line of columns until the input ends; returns their number. Raises ReaderGoneError.

    A line that is not a game in progress gets a warning and no answer.
    """

    def answers(line: bytes) -> Iterator[bytes]:
        try:
            yield codec.answer(line)
        except errors.NotationError as error:
            _warn(connection, str(error))

    return _answer_lines(connection, Lines(connection.read, keep_blank=True), answers, verbose)


def _answer_lines(
    connection: Connection, lines: Iterable[bytes], answers: Callable[[bytes], Iterable[bytes]], verbose: bool
) -> int:
    count = 0
    for line in lines:
        count += 1
        if verbose:
            connection.note(f"in:  {_shown_line(line)}")
        for answer in answers(line):
            if verbose:
                connection.note(f"out: {_shown_line(answer)}")
            connection.write(answer)
    return count


def _warn(connection: Connection, text: str) -> None:
    connection.note(f"warning: {short(text, MAX_MESSAGE_CHARACTERS)}")


def _shown_line(line: bytes) -> str:
    if len(line) > MAX_LINE_BYTES:
        return f"(a line over {MAX_LINE_BYTES} bytes)"
    return short_line(line, SHOWN_LINE_BYTES)
