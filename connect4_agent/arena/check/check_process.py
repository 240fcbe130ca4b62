"""One agent process under test, spoken to with time limits and bounded memory."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from connect4_agent.agents.confinement import DEFAULT_CONFINEMENT, Confinement
from connect4_agent.agents.guarded_process import Excess, GuardedProcess

MOST_OUTPUT_BYTES = 1 << 16
"""What is kept of an agent's output; what goes beyond is read and dropped."""

CHUNK_BYTES = 1 << 14


class CheckProcess:
    """An agent under guard; leaving the `with` block ends it with all that it has started.

    `sent` and `received` hold the bytes so far. Without `awaits_end`, what comes after the end of input is
    looked at once and not waited for.
    """

    def __init__(
        self,
        command: Sequence[str],
        limit_seconds: float,
        confinement: Confinement = DEFAULT_CONFINEMENT,
        *,
        awaits_end: bool = True,
    ) -> None:
        self.limit_seconds = limit_seconds
        self.awaits_end = awaits_end
        self.sent = b""
        self.received = b""
        self.output_ended = False
        self.last_line = b""
        self._taken = 0
        # A missing flush must show here as it shows in a manager.
        self._process = GuardedProcess(command, {"PYTHONUNBUFFERED": None}, None, confinement)

    def __enter__(self) -> CheckProcess:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the agent and everything that it has started."""
        self._process.kill()

    @property
    def start_error(self) -> str | None:
        """Why the command could not be run; known when its output has ended."""
        self._process.read_news()
        return self._process.start_error

    @property
    def excess(self) -> Excess | None:
        """What the agent was killed for."""
        self._process.read_news()
        return self._process.excess

    @property
    def stderr_tail(self) -> bytes:
        """The last of what the agent has written to standard error until now."""
        return self._process.standard_error().tail

    @property
    def stderr_bytes(self) -> int:
        """How much the agent has written to standard error until now."""
        return self._process.standard_error().total_bytes

    def send(self, data: bytes) -> bool:
        """Write all of it; False where the agent does not take it, or has gone."""
        self.sent += data
        deadline = monotonic() + self.limit_seconds
        try:
            while data := self._process.write(data):
                if not self._wait(deadline, for_room=True):
                    return False
        except OSError:
            return False
        return True

    def read_line(self) -> bytes | None:
        """The next line with its end; at the end of output the rest, perhaps empty; None where none came in time."""
        deadline = monotonic() + self.limit_seconds
        while True:
            end = self.received.find(b"\n", self._taken)
            if end >= 0 or self.output_ended:
                start = self._taken
                self._taken = end + 1 if end >= 0 else len(self.received)
                self.last_line = self.received[start : self._taken]
                return self.last_line
            if len(self.received) >= MOST_OUTPUT_BYTES or not self._wait(deadline):
                return None

    def close_input(self) -> None:
        """The end of input."""
        self._process.end_input()

    def read_rest(self) -> bytes:
        """What comes until the end of output, as far as it comes in time."""
        deadline = monotonic() + self.limit_seconds
        if not self.awaits_end:
            self._take_in()
        else:
            while not self.output_ended and len(self.received) < MOST_OUTPUT_BYTES and self._wait(deadline):
                pass
        rest = self.received[self._taken :]
        self._taken = len(self.received)
        return rest

    def exit_status(self) -> int | None:
        """The exit status as subprocess gives it; None where the process does not end in time."""
        deadline = monotonic() + self.limit_seconds
        while not self._process.has_ended and self._wait(deadline):
            pass
        return self._process.exit_status

    def _wait(self, deadline: float, *, for_room: bool = False) -> bool:
        """Take in what comes next; False at the deadline, or where nobody is left to wait for."""
        seconds = deadline - monotonic()
        if seconds <= 0:
            return False
        self._process.wait(seconds, for_output=not self.output_ended, for_room=for_room)
        return self._take_in()

    def _take_in(self) -> bool:
        """Read what is there; whether the guard still is."""
        # The end is looked for first: whatever the agent printed before it is then there to be read.
        is_guarded = self._process.read_news()
        if not self.output_ended:
            chunk = self._process.read(CHUNK_BYTES)
            self.output_ended = chunk is None
            self.received += (chunk or b"")[: MOST_OUTPUT_BYTES - len(self.received)]
        return is_guarded
