"""The move server: a request line in, an answer line out.

Standard input and output are used as bare descriptors: nothing is held back in a buffer, and one poll() notices
both a new request and a closed output.
"""

from __future__ import annotations

import os
import select
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, Protocol

from connect4_agent import errors
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.player import Choice, Player, choose
from connect4_agent.text import short, short_line
from connect4_agent.wire import request as protocol
from connect4_agent.wire.documents import PartialDocument, read_documents
from connect4_agent.wire.lines import Lines, OverlongLine

if TYPE_CHECKING:
    from collections.abc import Callable

    from connect4_agent.rules.position import Position
    from connect4_agent.wire.layouts import Layout

CHUNK_BYTES = 1 << 16
STDERR_PIECE_BYTES = 512
"""What a pipe that is ready takes without blocking: POSIX's smallest PIPE_BUF."""

SHOWN_LINE_BYTES = 1 << 16

MOST_WARNING_CHARACTERS = 500
"""The longest warning: managers that never read standard error must not be flooded."""


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


class Reading(NamedTuple):
    """A line as a codec understands it: a position to move in, an answer that needs no move, or neither.

    `seconds` is the time that the line itself allows for the move.
    """

    position: Position | None = None
    seconds: float | None = None
    answer: bytes | None = None
    warnings: tuple[str, ...] = ()


class Codec(Protocol):
    """What lines mean in one protocol, and how moves are worded."""

    @property
    def takes_blank_lines(self) -> bool:
        """Whether a blank line means something."""

    @property
    def takes_documents(self) -> bool:
        """Whether lines are JSON, so that a request may span several lines, or a line hold several requests."""

    @property
    def explain(self) -> bool:
        """Whether answers say what the search found."""

    def read(self, line: bytes | OverlongLine) -> Reading:
        """Understand a line."""

    def write(self, choice: Choice, elapsed_ms: float) -> bytes:
        """The answer, with its newline, to the line that was read last."""


class JsonCodec:
    """The protocol of this package: a request as an object, a move or an error as an object.

    It remembers an unusual layout of the grid that a request needed, and which kinds of warnings it has given.
    """

    takes_blank_lines = False
    takes_documents = True

    def __init__(self, defaults: protocol.CommandLineDefaults = protocol.NO_DEFAULTS, explain: bool = False) -> None:
        self.defaults = defaults
        self.explain = explain
        self._kept: Layout | None = None
        self._warned: set[str] = set()

    def read(self, line: bytes | OverlongLine) -> Reading:
        """The position of a request, or the answer that says why there is none."""
        try:
            if isinstance(line, OverlongLine):
                raise errors.RequestError(
                    "line_too_long",
                    f"the line is longer than {protocol.LONGEST_LINE_BYTES} bytes, the most that is read",
                )
            request = protocol.read_request(line, self.defaults, self._kept)
        except errors.RequestError as error:
            return Reading(answer=protocol.encode_error(str(error), error.code))
        self._kept = request.kept
        if type(line) is PartialDocument:
            return self._reading_of(request, (line.oddity, *request.warnings))
        return self._reading_of(request, request.warnings)

    def read_position(self, position: Position) -> Reading:
        """The same for a position that did not come as a line."""
        try:
            request = protocol.check_position(position)
        except errors.RequestError as error:
            return Reading(answer=protocol.encode_error(str(error), error.code))
        return self._reading_of(request, request.warnings)

    def _reading_of(self, request: protocol.ParsedRequest, oddities: tuple[protocol.Oddity, ...]) -> Reading:
        """The position, with a warning for each kind of oddity that is new."""
        if not oddities:
            return Reading(request.position)
        new = [oddity for oddity in oddities if oddity.kind not in self._warned]
        self._warned.update(oddity.kind for oddity in new)
        return Reading(request.position, warnings=tuple(oddity.text for oddity in new))

    def write(self, choice: Choice, elapsed_ms: float) -> bytes:
        """The column, with what the search found if that is wanted."""
        return encode_choice(choice, elapsed_ms) if self.explain else protocol.encode_move(choice.column)


def encode_choice(choice: Choice, elapsed_ms: float) -> bytes:
    """An explained answer."""
    return protocol.encode_explained_move(
        move=choice.column,
        score=choice.score,
        exact=choice.exact,
        depth=choice.depth,
        nodes=choice.nodes,
        elapsed_ms=elapsed_ms,
        line=choice.line,
    )


class Server:
    """Answers lines with one player's moves, each within `seconds` if that is given."""

    def __init__(
        self,
        player: Player,
        codec: Codec | None = None,
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
        """Answer every request until the input ends; returns their number. Raises ReaderGoneError."""
        count = 0
        lines = Lines(connection.read, keep_blank=self.codec.takes_blank_lines)
        for line in read_documents(lines) if self.codec.takes_documents else lines:
            count += 1
            if self.verbose:
                connection.note(f"in:  {_shown_line(line)}")
            started = self.clock()
            answer = self.answer(self.codec.read(line), started, connection)
            if answer is None:
                continue
            if self.verbose:
                connection.note(f"out: {_shown_line(answer)}")
            connection.write(answer)
        return count

    def answer(self, reading: Reading, started: float, connection: Connection) -> bytes | None:
        """The answer, with its newline, to a line that came at `started`; None if it asks for nothing."""
        for warning in reading.warnings:
            connection.note(f"warning: {cut(warning)}")
        if reading.position is None:
            return reading.answer

        def say(error: Exception) -> None:  # a defect must not cost the game
            message = f"error: the player failed, falling back to a simple legal move: {type(error).__name__}: {error}"
            connection.note(cut(message))

        limits = Limits(self.seconds, connection.check_reader, self.codec.explain, self.clock)
        limits = limits.within(reading.seconds, started)  # reading the request is part of the time for a move
        choice = choose(self.player, reading.position, limits, say)
        return self.codec.write(choice, (self.clock() - started) * 1000)


def cut(message: str) -> str:
    """A message for standard error, cut to the longest allowed."""
    return short(message, MOST_WARNING_CHARACTERS)


def _shown_line(line: bytes | OverlongLine) -> str:
    if isinstance(line, OverlongLine):
        return f"(a line over {protocol.LONGEST_LINE_BYTES} bytes)"
    return short_line(line, SHOWN_LINE_BYTES)
