"""Probe: one agent process under test, spoken to with time limits and bounded memory."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
from contextlib import suppress
from time import monotonic
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_OUTPUT_BYTES = 1 << 16
"""What is kept of an agent's output; what goes beyond is read and dropped."""

STDERR_TAIL_BYTES = 2048
CHUNK_BYTES = 1 << 14


class Probe:
    """An agent in a process group of its own; leaving the `with` block ends the whole group.

    POSIX only: Windows has no selectors for pipes. `sent` and `received` hold the bytes so far. Without
    `awaits_end`, what comes after the end of input is looked at once and not waited for.
    """

    def __init__(self, command: Sequence[str], limit_seconds: float, *, awaits_end: bool = True) -> None:
        self.limit_seconds = limit_seconds
        self.awaits_end = awaits_end
        self.sent = b""
        self.received = b""
        self.stderr_tail = b""
        self.stderr_bytes = 0
        self.output_ended = False
        self.last_line = b""
        self._taken = 0
        # A missing flush must show here as it shows in a manager.
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        self._process = subprocess.Popen(  # the person who runs the check names the command
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            start_new_session=True,
            bufsize=0,
        )
        self._selector = selectors.DefaultSelector()
        for stream in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(stream.fileno(), False)  # our ends of the pipes; the agent's stay as they are
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)

    def __enter__(self) -> Probe:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the agent and everything in its group, and collect it."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._selector.close()
        for stream in (self._stdin, self._stdout, self._stderr):
            with suppress(OSError):
                stream.close()
        self._process.wait()

    @property
    def _stdin(self) -> IO[bytes]:
        assert self._process.stdin is not None  # asked for
        return self._process.stdin

    @property
    def _stdout(self) -> IO[bytes]:
        assert self._process.stdout is not None  # asked for
        return self._process.stdout

    @property
    def _stderr(self) -> IO[bytes]:
        assert self._process.stderr is not None  # asked for
        return self._process.stderr

    def send(self, data: bytes) -> bool:
        """Write all of it; False where the agent does not take it, or has gone."""
        self.sent += data
        deadline = monotonic() + self.limit_seconds
        self._selector.register(self._stdin, selectors.EVENT_WRITE)
        try:
            while data:
                if not self._wait(deadline):
                    return False
                with suppress(BlockingIOError):
                    data = data[os.write(self._stdin.fileno(), data) :]
        except OSError:
            return False
        finally:
            self._selector.unregister(self._stdin)
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
        with suppress(OSError):
            self._stdin.close()

    def read_rest(self) -> bytes:
        """What comes until the end of output, as far as it comes in time."""
        deadline = monotonic() + self.limit_seconds
        if not self.awaits_end:
            self._drain(0)
        else:
            while not self.output_ended and len(self.received) < MOST_OUTPUT_BYTES and self._wait(deadline):
                pass
        rest = self.received[self._taken :]
        self._taken = len(self.received)
        return rest

    def exit_status(self) -> int | None:
        """The exit status as subprocess gives it; None where the process does not end in time."""
        deadline = monotonic() + self.limit_seconds
        # Its output may have ended while it still writes to standard error.
        while self._process.poll() is None and monotonic() < deadline:
            self._drain(min(0.02, self.limit_seconds))
            if not self._selector.get_map():
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(max(deadline - monotonic(), 0))
        self._drain(0)
        return self._process.poll()

    def _wait(self, deadline: float) -> bool:
        """Move what can be moved now; False at the deadline."""
        seconds = deadline - monotonic()
        if seconds <= 0:
            return False
        self._drain(seconds)
        return True

    def _drain(self, seconds: float) -> None:
        for key, _ in self._selector.select(seconds):
            if key.fileobj is self._process.stdin:
                continue
            try:
                data = os.read(key.fd, CHUNK_BYTES)
            except BlockingIOError:
                continue
            if not data:
                self._selector.unregister(key.fileobj)
                self.output_ended = self.output_ended or key.fileobj is self._process.stdout
            elif key.fileobj is self._process.stdout:
                self.received += data[: MOST_OUTPUT_BYTES - len(self.received)]
            else:
                self.stderr_bytes += len(data)
                self.stderr_tail = (self.stderr_tail + data)[-STDERR_TAIL_BYTES:]
