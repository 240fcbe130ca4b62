"""One agent process: asked line by line, never trusted, stopped with all that it started."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from connect4_agent.arena.guarded import Guarded
from connect4_agent.arena.record import EXCERPT_BYTES, Ending

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

LONGEST_REPLY_BYTES = 1 << 16
"""The longest line that is read; what is longer is a malformed reply."""

FAREWELL_SECONDS = 0.25
"""How long an agent may go on after the end of its input before it is killed."""

CLOSING_SECONDS = 0.5
"""How long the exit status is waited for after an agent has closed one of its pipes."""

POLL_SECONDS = 0.05
"""How often somebody who may lose patience is asked."""

STARTING_STEP_SECONDS = 0.002
"""How often a starting agent is looked at, to see when it takes its first request."""


class FaultError(Exception):
    """An agent broke the protocol or its time limit; with the evidence that the record keeps."""

    def __init__(
        self,
        ending: Ending,
        detail: str,
        *,
        reply: bytes | None = None,
        stderr_tail: bytes = b"",
        exit_status: int | None = None,
        elapsed_seconds: float | None = None,
    ) -> None:
        super().__init__(f"{ending}: {detail}")
        self.ending = ending
        self.detail = detail
        self.reply = None if reply is None else reply[:EXCERPT_BYTES]
        self.stderr_tail = stderr_tail
        self.exit_status = exit_status
        self.elapsed_seconds = elapsed_seconds


@dataclass(frozen=True, slots=True)
class Reply:
    """A line of an agent, without its end, and the time it took."""

    line: bytes
    elapsed_seconds: float


class Child:
    """One running agent. Raises FaultError where it cannot be started; after a fault it is not asked again."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], directory: str | None, startup_seconds: float
    ) -> None:
        self._startup_seconds = startup_seconds
        self._started_at = perf_counter()
        self._pending = bytearray()
        self._answers = 0
        self._is_broken = False
        try:
            self._process = Guarded(command, environment, directory)
        except (FileNotFoundError, NotADirectoryError, PermissionError, ValueError) as error:
            # A working directory that is not there, a zero byte in a word. Other errors are the system's, not its own.
            raise FaultError(Ending.WOULD_NOT_START, str(error)) from None

    @property
    def is_usable(self) -> bool:
        """Whether the agent can be asked again: nothing was wrong, it still runs, and has printed nothing more."""
        if self._is_broken or not self._process.read_news() or self._process.has_ended:
            return False
        return self._read_output() is not None and not self._pending

    def ask(
        self,
        request: bytes,
        limit_seconds: float | None,
        grace_seconds: float,
        poll: Callable[[], None] | None = None,
    ) -> Reply:
        """Send one line and wait for one. Raises FaultError. `poll` is called now and then, and may raise to end it.

        The clock starts when the request has been written. The first answer of a process may take what is
        left of its start-up allowance as well; its time is counted from the moment at which the agent took
        the request, where the system tells. An answer that is there when the runner looks at the end of the
        time counts: a runner that was kept from looking earlier must not cost an agent the game.
        """
        assert not self._is_broken, "an agent was asked again after a fault"
        line_out = request + b"\n"
        self._send(line_out)
        taken_at = perf_counter()
        is_starting = self._answers == 0
        ready_at = max(taken_at, self._started_at + self._startup_seconds) if is_starting else taken_at
        deadline = float("inf") if limit_seconds is None else ready_at + limit_seconds + grace_seconds
        while (line := self._next_line()) is None:
            now = perf_counter()
            wait_seconds = deadline - now
            if poll is not None:
                poll()
                wait_seconds = min(wait_seconds, POLL_SECONDS)
            if is_starting and self._process.unread_bytes() >= len(line_out):
                taken_at = now
                wait_seconds = min(wait_seconds, STARTING_STEP_SECONDS)
                if now >= self._started_at + self._startup_seconds and not self._process.wait(0):
                    detail = f"its first request was unread after its start-up allowance of {self._startup_seconds:g} s"
                    raise self._fault(Ending.WOULD_NOT_START, detail)
            else:
                is_starting = False
            if self._process.wait(wait_seconds):
                self._take_in()
            if now >= deadline and b"\n" not in self._pending:
                elapsed_seconds = perf_counter() - taken_at
                detail = f"no answer after {elapsed_seconds:.3f} s; its limit is {limit_seconds:g} s"
                raise self._fault(
                    Ending.TIMED_OUT, detail, reply=bytes(self._pending) or None, elapsed_seconds=elapsed_seconds
                )
        elapsed_seconds = perf_counter() - taken_at
        if self._process.unread_bytes() >= len(line_out):
            raise self._fault(Ending.MALFORMED_REPLY, "it printed a line before it read the request", reply=line)
        self._answers += 1
        return Reply(line, elapsed_seconds)

    def refused(self, ending: Ending, detail: str, reply: Reply) -> FaultError:
        """The fault for an answer that came, but is of no use."""
        return self._fault(ending, detail, reply=reply.line, elapsed_seconds=reply.elapsed_seconds)

    def end_input(self) -> None:
        """Tell the agent that no request will follow."""
        self._process.end_input()

    def stop(self) -> list[bytes]:
        """End the agent with all that it has started: kindly for a moment, then by force.

        The lines that it printed beyond its answers are given back, as far as they are worth keeping.
        """
        process = self._process
        process.end_input()
        if not self._is_broken:
            deadline = perf_counter() + FAREWELL_SECONDS
            while process.read_news() and not process.has_ended and process.wait(deadline - perf_counter()):
                if self._read_output() is None:
                    process.wait_for_end(deadline - perf_counter())
                    break
                if len(self._pending) >= LONGEST_REPLY_BYTES:
                    break
            self._read_output()
        self._is_broken = True
        process.kill()
        return bytes(self._pending).splitlines()

    def _send(self, data: bytes) -> None:
        """Write a request, after a look at what lies there already: it is no answer to this one."""
        if self._read_output() is not None and self._pending:
            when = "more than one line for one request" if self._answers else "a line before its first request"
            raise self._fault(
                Ending.MALFORMED_REPLY, f"it printed {when}", reply=bytes(self._pending).split(b"\n", 1)[0]
            )
        try:
            unsent = self._process.write(data)
        except OSError:
            raise self._ended() from None
        if unsent:
            raise self._fault(Ending.MALFORMED_REPLY, "it does not read its requests")

    def _next_line(self) -> bytes | None:
        """The first complete line that has come."""
        end = self._pending.find(b"\n")
        if end >= 0:
            line = bytes(self._pending[:end])
            del self._pending[: end + 1]
            return line
        if len(self._pending) >= LONGEST_REPLY_BYTES:
            detail = f"its line is longer than {LONGEST_REPLY_BYTES} bytes"
            raise self._fault(Ending.MALFORMED_REPLY, detail, reply=bytes(self._pending))
        return None

    def _read_output(self) -> bytes | None:
        """Add what has come to what is pending, up to the longest line; None at the end of the agent's output."""
        chunk = self._process.read(LONGEST_REPLY_BYTES - len(self._pending))
        self._pending += chunk or b""
        return chunk

    def _take_in(self) -> None:
        """Read what the agent or its guard has sent. Raises FaultError if no answer can come any more."""
        process = self._process
        # The end is looked for first: whatever the agent printed before it is then there to be read.
        can_answer = process.read_news() and not process.has_ended
        chunk = self._read_output()
        if b"\n" in self._pending or len(self._pending) >= LONGEST_REPLY_BYTES:
            return
        if chunk is None or not can_answer:
            raise self._ended()

    def _ended(self) -> FaultError:
        """The fault of an agent that can answer no more."""
        process = self._process
        process.wait_for_end(CLOSING_SECONDS)
        if process.start_error is not None:
            detail = process.start_error
        elif process.exit_status is None and not process.read_news():
            detail = "its guard was killed"
        elif process.exit_status is None:
            detail = "it closed its standard input or output, though it runs"
        elif process.exit_status < 0:
            detail = f"it was ended by signal {-process.exit_status}"
        else:
            detail = f"it ended with exit status {process.exit_status} where an answer was due"
        ending = Ending.CRASHED if self._answers else Ending.WOULD_NOT_START
        return self._fault(ending, detail, reply=bytes(self._pending) or None)

    def _fault(
        self, ending: Ending, detail: str, *, reply: bytes | None = None, elapsed_seconds: float | None = None
    ) -> FaultError:
        self._is_broken = True
        stderr_tail = self._process.standard_error().tail
        return FaultError(
            ending,
            detail,
            reply=reply,
            stderr_tail=stderr_tail,
            exit_status=self._process.exit_status,
            elapsed_seconds=elapsed_seconds,
        )
