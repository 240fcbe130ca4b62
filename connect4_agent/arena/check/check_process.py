"""One agent process under test, spoken to with time limits and bounded memory."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from time import perf_counter

from connect4_agent.arena.agents.process import AgentProcess, Watch, end_programs
from connect4_agent.arena.agents.spec import AgentSpec

MAX_OUTPUT_BYTES = 1 << 16
"""What is kept of an agent's output; what goes beyond is read and dropped."""

CHUNK_BYTES = 1 << 14


class CheckProcess:
    """An agent in a worker; leaving the `with` block ends it with all that it has started.

    `sent` and `received` hold the bytes so far. Without `awaits_end`, what comes after the end of input is
    looked at once and not waited for.
    """

    def __init__(
        self, spec: AgentSpec, command: Sequence[str], limit_seconds: float, watch: Watch, *, awaits_end: bool = True
    ) -> None:
        self.limit_seconds = limit_seconds
        self.awaits_end = awaits_end
        self.sent = b""
        self.received = b""
        self.output_ended = False
        self.last_line = b""
        self._taken = 0
        self._watch = watch
        # A missing flush must show here as it shows in a manager.
        self.process = AgentProcess(spec, command, {"PYTHONUNBUFFERED": None}, watch)

    def __enter__(self) -> CheckProcess:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the agent and everything that it has started."""
        self.process.is_broken = True  # no farewell: it had its time
        end_programs([self.process], (), self._watch)

    def send(self, data: bytes) -> bool:
        """Write all of it; False if the agent does not take it, or has gone."""
        self.sent += data
        deadline = perf_counter() + self.limit_seconds
        with suppress(BrokenPipeError):
            while data := self.process.write(data):
                if not self._wait(deadline, for_room=True):
                    return False
            return True
        return False

    def read_line(self) -> bytes | None:
        """The next line with its end; at the end of output the rest, perhaps empty; None if none came in time."""
        deadline = perf_counter() + self.limit_seconds
        while True:
            end = self.received.find(b"\n", self._taken)
            if end >= 0 or self.output_ended:
                start = self._taken
                self._taken = end + 1 if end >= 0 else len(self.received)
                self.last_line = self.received[start : self._taken]
                return self.last_line
            if len(self.received) >= MAX_OUTPUT_BYTES or not self._wait(deadline):
                return None

    def close_input(self) -> None:
        """The end of input."""
        self.process.end_input()

    def read_rest(self) -> bytes:
        """What comes until the end of output, as far as it comes in time."""
        deadline = perf_counter() + self.limit_seconds
        if not self.awaits_end:
            self._take_in()
        else:
            while not self.output_ended and len(self.received) < MAX_OUTPUT_BYTES and self._wait(deadline):
                pass
        rest = self.received[self._taken :]
        self._taken = len(self.received)
        return rest

    def exit_status(self) -> int | None:
        """The exit status as subprocess gives it; None if the process does not end in time."""
        deadline = perf_counter() + self.limit_seconds
        while self.process.exit_status is None and self._wait(deadline):
            pass
        return self.process.exit_status

    def _wait(self, deadline: float, *, for_room: bool = False) -> bool:
        """Take in what comes next; False at the deadline."""
        if perf_counter() >= deadline:
            return False
        has_ended = self.process.exit_status is not None
        if not has_ended:
            self.process.wait(deadline, for_output=not self.output_ended, for_room=for_room)
        self._take_in()
        # The output of an agent that has ended is there, unless a child of it holds the pipe.
        return not has_ended or not self.output_ended

    def _take_in(self) -> None:
        if not self.output_ended:
            chunk = self.process.read(CHUNK_BYTES)
            self.output_ended = chunk is None
            self.received += (chunk or b"")[: MAX_OUTPUT_BYTES - len(self.received)]
