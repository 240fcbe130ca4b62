"""One agent process: asked line by line, never trusted, stopped with all that it started."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

from connect4_agent.agents.confinement import DEFAULT_CONFINEMENT, MEGABYTE, Confinement, default_memory_mb
from connect4_agent.agents.core_times import CoreTimes, Lateness, own_wait_seconds
from connect4_agent.agents.faults import FaultError, FaultKind
from connect4_agent.agents.guarded_process import SEES_READS, Excess, GuardedProcess

LONGEST_REPLY_BYTES = 1 << 16
"""The longest line that is read; what is longer is a malformed reply."""

FAREWELL_SECONDS = 0.25
"""How long an agent may keep running after the end of its input before it is killed."""

CLOSING_SECONDS = 0.5
"""How long the exit status is waited for after an agent has closed one of its pipes."""

POLL_SECONDS = 0.05
"""How often somebody who may lose patience is asked."""

STARTING_STEP_SECONDS = 0.002
"""How often a starting agent is looked at, to see when it takes its first request."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A line of an agent, without its end, and the time it took."""

    line: bytes
    elapsed_seconds: float


class AgentProcess:
    """One running agent. Raises FaultError if it cannot be started; after a fault it is not asked again."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        directory: str | None,
        startup_seconds: float,
        confinement: Confinement = DEFAULT_CONFINEMENT,
    ) -> None:
        self._confinement = confinement
        self._startup_seconds = startup_seconds
        self._started_at = perf_counter()
        self._pending = bytearray()
        self._answers = 0
        self._is_broken = False
        self._is_paused = False
        try:
            self._process = GuardedProcess(command, environment, directory, confinement)
        except (FileNotFoundError, NotADirectoryError, PermissionError, ValueError) as error:
            # A working directory that is not there, a zero byte in a word. Other errors are the system's, not its own.
            raise FaultError(FaultKind.WOULD_NOT_START, str(error)) from None

    @property
    def is_usable(self) -> bool:
        """Whether the agent can be asked again: nothing was wrong, it still runs, and has printed nothing more."""
        if self._is_broken or not self._process.read_news() or self._process.has_ended:
            return False
        return self._read_output() is not None and not self._pending

    @property
    def has_answered(self) -> bool:
        """Whether the agent has been of use: in this game or, if it was kept, in an earlier one."""
        return self._answers > 0

    def ask(
        self,
        request: bytes,
        limit_seconds: float | None,
        grace_seconds: float,
        poll: Callable[[], None] | None = None,
        *,
        forgives_waiting: bool = False,
    ) -> Reply:
        """Send one line and wait for one. Raises FaultError. `poll` is called now and then, and may raise to end it.

        The clock starts when the request has been written. That of the first answer starts when the agent takes the
        request, where the system tells; before that it has its start-up allowance. Elsewhere the first answer may
        take what is left of the allowance as well. An answer that is there when the runner looks at the end of the
        time counts: a runner that was kept from looking earlier must not cost an agent the game. An agent that is
        late and had to wait for a core is waited for a little longer, to see whether that was the reason; only if
        waiting is forgiven does its answer count.
        """
        assert not self._is_broken, "an agent was asked again after a fault"
        line_out = request + b"\n"
        is_first = self._answers == 0
        allowed_seconds = float("inf") if limit_seconds is None else limit_seconds + grace_seconds
        lateness = Lateness(self._process.core_clock, allowed_seconds, forgives_waiting=forgives_waiting)
        if lateness.is_precise:
            lateness.begin()
        self._send(line_out)
        taken_at = perf_counter()
        self.resume()  # only now: an agent that finds its request does not sleep before it takes it
        if is_first:
            taken_at = self._wait_until_taken(len(line_out), lateness, poll)
        began_at = taken_at if SEES_READS or not is_first else max(taken_at, self._started_at + self._startup_seconds)
        try:
            line, unseen_seconds = self._wait_for_line(taken_at, began_at + allowed_seconds, lateness, poll)
        except FaultError:
            if not lateness.is_late:  # whatever it does after its time, it is too late
                raise
            line, unseen_seconds = None, 0.0
        elapsed_seconds = perf_counter() - taken_at
        if line is not None and lateness.is_late:
            lateness.end(elapsed_seconds - unseen_seconds)
        if line is None or (lateness.is_late and not (forgives_waiting and lateness.is_machine_busy)):
            raise self._timed_out(lateness, limit_seconds, taken_at if is_first else None)
        if self._process.unread_bytes() >= len(line_out):
            raise self._fault(FaultKind.MALFORMED_REPLY, "it printed a line before it read the request", reply=line)
        self._answers += 1
        return Reply(line, elapsed_seconds)

    def _wait_until_taken(self, length: int, lateness: Lateness, poll: Callable[[], None] | None) -> float:
        """Wait until a starting agent takes a request of this length, if the system tells.

        The time is the last one at which the request still lay there; waits for a core count from there.
        """
        started_by = self._started_at + self._startup_seconds
        seen_at = perf_counter()
        while self._process.unread_bytes() >= length and not self._has_line:
            if lateness.is_precise:
                lateness.begin()
            seen_at = perf_counter()
            if seen_at >= started_by and not self._process.wait(0):
                detail = f"its first request was unread after its start-up allowance of {self._startup_seconds:g} s"
                raise self._fault(FaultKind.WOULD_NOT_START, detail)
            self._wait(STARTING_STEP_SECONDS, poll)
        return seen_at

    def _wait_for_line(
        self, taken_at: float, deadline: float, lateness: Lateness, poll: Callable[[], None] | None
    ) -> tuple[bytes | None, float]:
        """The next line; None if it does not come in time, nor shortly after if the agent had to wait for a core.

        With a late line, for how long it lay there unseen, since this process waited for a core itself.
        """
        unseen_seconds = 0.0
        while (line := self._next_line()) is None:
            now = perf_counter()
            waited_before = own_wait_seconds() if lateness.is_late else 0.0
            self._wait(min(lateness.watch(now - taken_at), deadline - now), poll)
            unseen_seconds = own_wait_seconds() - waited_before if lateness.is_late else 0.0
            if now >= deadline and not self._has_line:
                if self._process.input_is_closed:
                    raise self._ended()
                more_seconds = lateness.more_seconds(perf_counter() - taken_at)
                if more_seconds <= 0:
                    return None, 0.0
                deadline = perf_counter() + more_seconds
        return line, unseen_seconds

    def _wait(self, seconds: float, poll: Callable[[], None] | None) -> None:
        """Wait for what the agent or its guard sends, and take it in; with `poll`, for a moment at most."""
        if poll is not None:
            poll()
            seconds = min(seconds, POLL_SECONDS)
        if self._process.wait(seconds):
            self._take_in()

    def refused(self, kind: FaultKind, detail: str, reply: Reply) -> FaultError:
        """The fault for an answer that came, but is of no use."""
        return self._fault(kind, detail, reply=reply.line, elapsed_seconds=reply.elapsed_seconds)

    def core_times(self) -> CoreTimes | None:
        """What the agent has had of the machine's cores since its start; None if the system does not tell."""
        return self._process.core_clock.look()

    def pause(self) -> None:
        """Stop the agent with all its processes until `resume`."""
        self._is_paused = True
        self._process.pause()

    def resume(self) -> None:
        """Let a paused agent go on."""
        if self._is_paused:
            self._is_paused = False
            self._process.resume()

    def end_input(self) -> None:
        """Tell the agent that no request will follow."""
        self.resume()
        self._process.end_input()

    def stop(self) -> list[bytes]:
        """End the agent with all that it has started: kindly for a moment, then by force.

        The lines that it printed beyond its answers are given back, as far as they are worth keeping.
        """
        process = self._process
        self.end_input()
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
        """Write a request, after a look at what has come already: it is not an answer to this one."""
        process = self._process
        if self._pending or process.has_ended or process.wait(0):
            if self._read_output() is not None and self._pending:
                when = "more than one line for one request" if self._answers else "a line before its first request"
                raise self._fault(
                    FaultKind.MALFORMED_REPLY, f"it printed {when}", reply=bytes(self._pending).split(b"\n", 1)[0]
                )
            if not process.read_news() or process.has_ended:
                raise self._ended()  # though a child of it may still hold its pipes
        try:
            unsent = process.write(data)
        except OSError:
            raise self._ended() from None
        if unsent:
            raise self._fault(FaultKind.MALFORMED_REPLY, "it does not read its requests")

    @property
    def _has_line(self) -> bool:
        """Whether a line has come, or more than one may have."""
        return b"\n" in self._pending or len(self._pending) >= LONGEST_REPLY_BYTES

    def _next_line(self) -> bytes | None:
        """The first complete line that has come."""
        end = self._pending.find(b"\n")
        if end >= 0:
            line = bytes(self._pending[:end])
            del self._pending[: end + 1]
            return line
        if len(self._pending) >= LONGEST_REPLY_BYTES:
            detail = f"its line is longer than {LONGEST_REPLY_BYTES} bytes"
            raise self._fault(FaultKind.MALFORMED_REPLY, detail, reply=bytes(self._pending))
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
        can_answer = (not process.has_news or process.read_news()) and not process.has_ended
        chunk = self._read_output()
        if self._has_line:
            return
        is_deaf = process.input_is_closed and process.unread_bytes() > 0
        if chunk is None or not can_answer or is_deaf:
            raise self._ended()

    def _ended(self) -> FaultError:
        """The fault of an agent that can answer no more."""
        process = self._process
        process.wait_for_end(CLOSING_SECONDS)
        if process.excess is not None:
            return self._excessive(process.excess)
        if process.start_error is not None:
            detail = process.start_error
        elif process.exit_status is None and not process.read_news():
            detail = "its guard was killed"
        elif process.exit_status is None:
            closed = "input" if process.input_is_closed else "output"
            detail = f"it closed its standard {closed} while it was running"
        elif process.exit_status < 0:
            detail = f"it was ended by signal {-process.exit_status}"
        else:
            detail = f"it ended with exit status {process.exit_status} when an answer was due"
        kind = FaultKind.CRASHED if self._answers else FaultKind.WOULD_NOT_START
        return self._fault(kind, detail, reply=bytes(self._pending) or None)

    def _excessive(self, excess: Excess) -> FaultError:
        """The fault of an agent that was killed for what it used."""
        if excess.what == "memory":
            most_mb = self._confinement.memory_mb or default_memory_mb()
            detail = f"it used {excess.amount / MEGABYTE:.0f} MB of memory; its limit is {most_mb} MB"
            return self._fault(FaultKind.OUT_OF_MEMORY, detail)
        detail = f"it had {excess.amount} processes; its limit is {self._confinement.processes}"
        return self._fault(FaultKind.TOO_MANY_PROCESSES, detail)

    def _timed_out(self, lateness: Lateness, limit_seconds: float | None, taken_first_at: float | None) -> FaultError:
        """The fault of an agent that did not answer in time; a first request may have been taken late."""
        elapsed_seconds = lateness.elapsed_seconds
        starting = "" if taken_first_at is None else f", after {taken_first_at - self._started_at:.3f} s of starting up"
        detail = f"no answer after {elapsed_seconds:.3f} s of thinking{starting}; its limit is {limit_seconds:g} s"
        if lateness.is_machine_busy:
            detail += f"; it waited {lateness.waited_seconds:.3f} s for a core"
            if lateness.is_answered:
                detail += ", and answered in time without that"
        fault = self._fault(
            FaultKind.TIMED_OUT, detail, reply=bytes(self._pending) or None, elapsed_seconds=elapsed_seconds
        )
        fault.is_machine_busy = lateness.is_machine_busy
        return fault

    def _fault(
        self, kind: FaultKind, detail: str, *, reply: bytes | None = None, elapsed_seconds: float | None = None
    ) -> FaultError:
        self._is_broken = True
        stderr_tail = self._process.standard_error().tail
        return FaultError(
            kind,
            detail,
            reply=reply,
            stderr_tail=stderr_tail,
            exit_status=self._process.exit_status,
            elapsed_seconds=elapsed_seconds,
        )
