"""A process under its guard: its pipes, its exit status, the end of its standard error, its end."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, sleep

from connect4_agent import errors
from connect4_agent.agents.confinement import DEFAULT_CONFINEMENT, Confinement
from connect4_agent.agents.core_times import CoreClock
from connect4_agent.agents.guard import known_descendants
from connect4_agent.agents.orphans import (
    add_guard,
    adopt_orphans,
    has_orphans,
    is_stopped,
    kill_below,
    kill_orphans,
    remove_guard,
    starting,
    ticks_now,
)

if sys.platform != "win32":
    import fcntl
    import termios


GUARD_SECONDS = 10.0
"""How long the guard may take to kill; reached only where the system does not let processes die."""

STOPPED_GUARD_SECONDS = 1.0
"""How long a guard that the agent may have stopped is only woken, before its work is done for it."""

WAKE_SECONDS = 0.1
"""How often a guard that gives no sign of life is woken."""

STOPPING_SECONDS = 1.0
"""How long a paused process may take to stop; reached only by what cannot be stopped at the moment."""

STOPPING_STEP_SECONDS = 0.0001

CHUNK_BYTES = 1 << 16

SEES_READS = sys.platform == "linux"
"""Whether this system tells how much of what was written to a pipe has been read."""

NO_BYTES = bytes(4)
"""A C integer, to be filled by the system."""

GUARD_COMMAND = (sys.executable, "-I", "-S", str(Path(__file__).with_name("guard.py")))


@dataclass(frozen=True, slots=True)
class Excess:
    """What a process was killed for: more `memory`, in bytes, or more `processes` than it may have."""

    what: str
    amount: int


@dataclass(frozen=True, slots=True)
class StandardError:
    """What a process has written to its standard error: the last of it, and how much in all."""

    tail: bytes = b""
    total_bytes: int = 0


class GuardedProcess:
    """One process and all that it starts. Raises OSError or ValueError if not even the guard can start.

    `environment` is added to that of this process; None takes a variable away. `exit_status`,
    `start_error` and `excess` are as fresh as the last `read_news`; `input_is_closed`, by the process, and `has_news`,
    of the guard, as the last `wait`.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str | None],
        directory: str | None = None,
        confinement: Confinement = DEFAULT_CONFINEMENT,
    ) -> None:
        if sys.platform == "win32":
            raise errors.ArenaError("this system has no process groups: only built-in players can play here")
        self.exit_status: int | None = None
        self.start_error: str | None = None
        self.input_is_closed = False
        self.has_news = False
        self.excess: Excess | None = None
        self._pid: int | None = None
        self._stderr: StandardError | None = None
        self._news = bytearray()
        variables = {**os.environ, **environment}
        words = confinement.command(command, directory)
        adopt_orphans()
        self._started_ticks = ticks_now()
        self._control, guards_end = socket.socketpair()
        with guards_end, starting():
            try:
                self._guard = subprocess.Popen(
                    [*GUARD_COMMAND, str(guards_end.fileno()), confinement.limits_text, *words],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    bufsize=0,
                    cwd=directory,
                    env={name: value for name, value in variables.items() if value is not None},
                    pass_fds=[guards_end.fileno()],
                    start_new_session=True,  # Ctrl-C is for the runner
                )
            except (OSError, ValueError):
                self._control.close()
                raise
            add_guard(self._guard)
        self.core_clock = CoreClock(self._guard.pid)
        assert self._guard.stdin is not None
        assert self._guard.stdout is not None
        self._stdin, self._stdout = self._guard.stdin, self._guard.stdout
        os.set_blocking(self._stdin.fileno(), False)
        os.set_blocking(self._stdout.fileno(), False)
        self._control.settimeout(0)
        self._events = select.poll()
        self._awaited: tuple[bool, int | None] | None = None

    @property
    def has_ended(self) -> bool:
        """Whether the process is known to have ended, or never to have begun."""
        return self.exit_status is not None or self.start_error is not None

    def write(self, data: bytes) -> bytes:
        """Send as much as can be sent now; the rest is given back. Raises OSError if nobody can read it."""
        with suppress(BlockingIOError):
            while data:
                data = data[os.write(self._stdin.fileno(), data) :]
        return data

    def unread_bytes(self) -> int:
        """How much of what was written the process has not read yet; 0 if the system does not tell."""
        if not SEES_READS:
            return 0
        try:
            return int.from_bytes(fcntl.ioctl(self._stdin.fileno(), termios.FIONREAD, NO_BYTES), sys.byteorder)
        except (OSError, ValueError):  # the input is closed
            return 0

    def wait(self, seconds: float, *, for_output: bool = True, for_room: bool = False) -> bool:
        """Wait until the guard has something to say, or the process has printed or takes input; whether it is so.

        An output that has ended counts as printed; an input that the process has closed is told once.
        """
        input_events = None
        if not self._stdin.closed and (for_room or not self.input_is_closed):
            input_events = select.POLLOUT if for_room else 0  # its closing is told in any case
        if self._awaited != (for_output, input_events):
            self._awaited = (for_output, input_events)
            self._events = select.poll()
            self._events.register(self._control, select.POLLIN)
            if for_output:
                self._events.register(self._stdout, select.POLLIN)
            if input_events is not None:
                self._events.register(self._stdin, input_events)
        found = self._events.poll(None if seconds == float("inf") else max(0.0, seconds * 1000))
        self.has_news = False
        for descriptor, event in found:
            if descriptor == self._control.fileno():
                self.has_news = True
            elif event & select.POLLERR and descriptor != self._stdout.fileno():
                self.input_is_closed = True
        return bool(found)

    def read(self, most_bytes: int) -> bytes | None:
        """What the process has printed; empty if nothing is there, None if nothing will come any more."""
        if most_bytes <= 0:
            return b""
        try:
            return os.read(self._stdout.fileno(), most_bytes) or None
        except BlockingIOError:
            return b""
        except OSError:
            return None

    def read_news(self) -> bool:
        """Take in the guard's messages; whether the guard is still there."""
        is_there = True
        try:
            while chunk := self._control.recv(CHUNK_BYTES):
                self._news += chunk
            is_there = False
        except BlockingIOError:
            pass
        except OSError:
            is_there = False
        while (end := self._news.find(b"\n")) >= 0:
            word, _, value = bytes(self._news[:end]).partition(b" ")
            number, *others = map(int, value.split())
            if word == b"tail":
                if len(self._news) < end + 1 + number:
                    break
                self._stderr = StandardError(bytes(self._news[end + 1 : end + 1 + number]), others[0])
                end += number
            else:
                self._take_message(word, number)
            del self._news[: end + 1]
        return is_there

    def _take_message(self, word: bytes, number: int) -> None:
        if word == b"started":
            self._pid = number
        elif word == b"exited":
            self.exit_status = number
        elif word == b"failed":
            self.start_error = os.strerror(number)
        elif word in (b"memory", b"processes"):
            self.excess = Excess(word.decode(), number)

    def wait_for_end(self, seconds: float) -> None:
        """Wait for the end of the process, but no longer than this."""
        deadline = perf_counter() + seconds
        while self.read_news() and not self.has_ended:
            if not self.wait(deadline - perf_counter(), for_output=False):
                return

    def standard_error(self) -> StandardError:
        """What the process has written to standard error until now."""
        self._stderr = None
        with suppress(OSError):
            self._control.send(b"t")
        deadline = perf_counter() + STOPPED_GUARD_SECONDS
        while self.read_news() and self._stderr is None and perf_counter() < deadline:
            if not self.wait(WAKE_SECONDS, for_output=False):
                self._wake_guard()
        return self._stderr or StandardError()

    def pause(self) -> None:
        """Stop the process and all its descendants until `resume`.

        This is not left to the guard: a process that still runs, or does not yet run again, when the next request is
        sent would cost an agent its time.
        """
        known: set[int] = set()
        stopped: set[int] = set()
        deadline = perf_counter() + STOPPING_SECONDS
        while perf_counter() < deadline:
            were_stopped, stopped = stopped, set(filter(is_stopped, known))
            if were_stopped - stopped:  # some continue themselves, by timers
                return
            # What has stopped, or died, cannot fork any more: whoever is not known by now does not exist.
            is_over = stopped == known
            found = set(self._signal_all(signal.SIGSTOP))
            if is_over and found <= known:
                return
            if found <= known:
                sleep(STOPPING_STEP_SECONDS)  # they may need this core to stop
            known |= found

    def resume(self) -> None:
        """Let a paused process go on."""
        self._signal_all(signal.SIGCONT)

    def _signal_all(self, number: int) -> list[int]:
        """Signal the process, its group and, where the system tells, all its descendants, which are given back."""
        if self._pid is not None and not self.has_ended:
            with suppress(OSError):
                os.killpg(self._pid, number)
        found = known_descendants(self._guard.pid)
        for pid in found:
            with suppress(OSError):  # it has gone
                os.kill(pid, number)
        return found

    def _wake_guard(self) -> None:
        """Let the guard go on if the agent has stopped it."""
        with suppress(OSError):
            self._guard.send_signal(signal.SIGCONT)

    def end_input(self) -> None:
        """Close the standard input of the process."""
        with suppress(OSError):
            self._stdin.close()

    def kill(self) -> None:
        """End the process and all that it has started; return when they are gone."""
        self.end_input()
        self.read_news()
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_WR)
        began_at = perf_counter()
        while True:
            try:
                self._guard.wait(WAKE_SECONDS)
                break
            except subprocess.TimeoutExpired:
                elapsed_seconds = perf_counter() - began_at
                self._wake_guard()
                if elapsed_seconds > STOPPED_GUARD_SECONDS:  # the agent stops its guard again and again
                    kill_below(self._guard.pid)
                if elapsed_seconds > GUARD_SECONDS:
                    self._guard.kill()
        if self._guard.returncode != 0 and self._pid is not None and not self.has_ended:  # somebody killed the guard
            with suppress(OSError):
                os.killpg(self._pid, signal.SIGKILL)
        remove_guard(self._guard)
        if has_orphans():  # or kept it from its work
            kill_orphans(self._started_ticks)
        self._control.close()
        self._stdout.close()
