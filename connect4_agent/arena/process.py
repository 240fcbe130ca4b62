"""One program: its pipes, its clock, what it uses. Asked line by line, never trusted.

Everything here runs in one thread of a worker process, which is the parent of all that a program starts.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import count
from math import inf
from time import perf_counter
from typing import NamedTuple

from connect4_agent import errors
from connect4_agent.arena import confinement
from connect4_agent.arena.faults import Ending, FaultError
from connect4_agent.arena.processes import (
    below,
    end_all,
    find_started,
    is_computing,
    measure_usage,
    processor_seconds,
    send_signal,
)
from connect4_agent.arena.spec import (
    DEFAULT_PROCESSES,
    DEFAULT_STARTUP,
    AgentSpec,
    Isolation,
    default_memory_bytes,
    parse_size,
)
from connect4_agent.jobs.cores import describe_load

MAX_REPLY_BYTES = 1 << 16
"""The longest line that is read; a longer one is a malformed reply."""

TAIL_BYTES = 8192
"""The most of standard error that is kept, from its end."""

PIPE_BYTES = 1 << 16
"""The size of a pipe."""

FAREWELL_SECONDS = 0.25
"""The time from the end of a program's input until it is killed, in seconds."""

CLOSING_SECONDS = 0.5
"""The wait for the exit status after a program has closed one of its pipes, in seconds."""

LOOK_SECONDS = 0.1
"""The time between two looks at memory and processes; a look that takes long is followed by a longer pause."""

MAX_PAUSE_SECONDS = 0.5
"""The longest pause between two looks: a program can make them slow."""

REST_SECONDS = 0.05
"""The time after its answer at which a program is stopped; one that was caught computing then is stopped at once.

To stop every program after every answer would cost more than the game does.
"""

ASKED_SECONDS = 0.01
"""The time after a request at which the processor time for a move begins to count, for its reason."""

MAX_STOPS = 100
"""The most searches for new processes of a program that is being stopped."""

EXEC_ERROR = f"{confinement.BUBBLEWRAP}: execvp "
"""The words of bubblewrap before the name of a program that cannot be started, and the reason."""

MARK = "CONNECT4_AGENT_PROGRAM"
"""A variable by which a program's daemons are known where it has no namespace."""

TENDING_SECONDS = 0.01
MAX_THREADS = 1000
MEGABYTE = 1_000_000
HAS_PIDFD = hasattr(os, "pidfd_open")
PORTABLE_STEP_SECONDS = 0.02
"""The interval between looks for the end of a process, if the system has no descriptor for it, in seconds."""

_numbers = count()


class Reply(NamedTuple):
    """A line of a program, without its end, and the time it took."""

    line: bytes
    elapsed_seconds: float
    startup_seconds: float = 0.0
    """The part of the start-up allowance that a new process used beyond the time for its first move, in seconds."""


class Watch:
    """Waits for the pipes of all programs of this process: reads their standard error, looks at what they use."""

    def __init__(self, jobs: int | None = None) -> None:
        self._poll = select.poll()
        self._jobs = jobs
        self._processes: list[Process] = []
        self._unread: dict[int, Process] = {}
        """By the descriptors of their standard errors, as far as those are open."""
        self._next_look = 0.0
        self._next_tending = 0.0
        if jobs is not None:
            self._poll.register(jobs, 0)  # only tells that the manager has gone

    def add(self, process: Process) -> None:
        """Watch one more program."""
        if not self._processes:
            self._next_look = perf_counter() + LOOK_SECONDS
        self._processes.append(process)
        self._unread[process.stderr] = process
        self._poll.register(process.stderr, select.POLLIN)

    def remove(self, process: Process) -> None:
        """Watch a program no longer."""
        self._processes.remove(process)
        self._read_no_more(process.stderr)

    def pids(self) -> set[int]:
        """Return the processes of all programs, those of bubblewrap as well."""
        families = [(process.pid, *below(process.pid), *process.pids()) for process in self._processes]
        return {pid for family in families for pid in family}

    def end_all(self) -> None:
        """End all programs at once, without a farewell."""
        for process in list(self._processes):
            process.is_broken = True
            process.end()

    def _read_no_more(self, descriptor: int) -> None:
        if self._unread.pop(descriptor, None) is not None:
            self._poll.unregister(descriptor)

    def wait(self, until: float, watched: Mapping[int, int] | None = None) -> dict[int, int]:
        """Wait until one of the descriptors is ready, or something else has happened.

        Raises SystemExit if the manager has gone.
        """
        self._look_if_due()
        now = perf_counter()
        for process in self._processes:
            if process.stops_at <= now:
                process.stop()
            until = min(until, process.stops_at, self._next_look)
        if not HAS_PIDFD:
            until = min(until, now + PORTABLE_STEP_SECONDS)
        watched = watched or {}
        for descriptor, events in watched.items():
            self._poll.register(descriptor, events)
        try:
            ready = dict(self._poll.poll(None if until == inf else max(0.0, until - now) * 1000))
        finally:
            for descriptor in watched:
                if descriptor == self._jobs:
                    self._poll.register(descriptor, 0)
                else:
                    self._poll.unregister(descriptor)
        if self._jobs in ready and self._jobs not in watched:
            raise SystemExit
        for descriptor in self._unread.keys() & ready.keys():
            if not self._unread[descriptor].drain():
                self._read_no_more(descriptor)
        return ready

    def _look_if_due(self) -> None:
        began_at = perf_counter()
        if self._processes and began_at >= self._next_look:
            for process in self._processes:
                process.look()
            ended_at = perf_counter()
            pause_seconds = max(LOOK_SECONDS, 20 * (ended_at - began_at))
            self._next_look = ended_at + min(pause_seconds, MAX_PAUSE_SECONDS)

    def tend(self) -> None:
        """Do what is due without waiting; called again and again while a player in this process thinks."""
        if (now := perf_counter()) >= self._next_tending:
            self._next_tending = now + TENDING_SECONDS
            self.wait(now)


class Process:
    """A running program. Raises FaultError if it cannot be started; after a fault it is not asked again."""

    def __init__(
        self,
        spec: AgentSpec,
        command: Sequence[str],
        watch: Watch,
        *,
        is_writable: bool = False,
    ) -> None:
        self.spec = spec
        self.command = tuple(command)
        self._watch = watch
        self._isolation = spec.isolation or Isolation.NONE
        self._memory_bytes = default_memory_bytes() if spec.memory is None else parse_size(spec.memory)
        self._pending = bytearray()
        self._report = b""
        self._stderr_tail = b""
        self._secrets = confinement.find_secrets(spec)
        # A value that is cut in two could not be found.
        self._kept_tail_bytes = TAIL_BYTES + max((len(value) for _, value in self._secrets), default=0)
        self._used_before: float | None = None
        """The processor time that it had used soon after it was asked."""
        self.answers = 0
        self.is_broken = False
        self.stops_at = inf
        """When it is stopped, unless it is asked before."""
        self._rest_seconds = REST_SECONDS
        self._is_stopped = False
        self._mark = f"{os.getpid()}.{next(_numbers)}".encode()
        self._leaves_at = inf
        """When the farewell is over, once the input is closed."""
        self.excess: FaultError | None = None
        """Why it was killed: it used too much."""
        self.startup_seconds = spec.startup or DEFAULT_STARTUP
        self.started_at = perf_counter()
        self._start(command, is_writable=is_writable)
        watch.add(self)

    def _start(self, command: Sequence[str], *, is_writable: bool) -> None:
        variables = confinement.build_environment(self.spec)
        if self._isolation is Isolation.NONE:
            variables[MARK] = self._mark.decode()
        directory = os.path.abspath(self.spec.directory or os.getcwd())
        if not os.path.isdir(directory):
            raise FaultError(Ending.WOULD_NOT_START, f"its directory {directory} does not exist")
        their_in, self.stdin = os.pipe()
        self.stdout, their_out = os.pipe()
        self.stderr, their_err = os.pipe()
        self._status, their_status = os.pipe()
        for descriptor in (self.stdin, self.stdout, self.stderr, self._status):
            os.set_blocking(descriptor, False)
        try:
            if self._isolation is Isolation.NONE:
                process = subprocess.Popen(
                    command, stdin=their_in, stdout=their_out, stderr=their_err, cwd=directory, env=variables,
                    start_new_session=True,
                )  # fmt: skip
            else:
                owns_directory = self.spec.directory is not None
                confined = confinement.confine(
                    self._isolation, self.command, directory, owns_directory=owns_directory, is_writable=is_writable
                )
                process = subprocess.Popen(
                    (*confined, "--json-status-fd", str(their_status), "--", *command),
                    stdin=their_in, stdout=their_out, stderr=their_err, env=variables, pass_fds=(their_status,),
                )  # fmt: skip
            self._popen = process
            self.pid = process.pid
            self.pidfd = os.pidfd_open(self.pid) if HAS_PIDFD else -1
        except (OSError, ValueError) as error:  # no such program, a zero byte in a word
            self._close_pipes()
            if self._isolation is not Isolation.NONE:
                raise errors.WorkerLostError(f"{confinement.BUBBLEWRAP} cannot be started: {error}") from None
            reason = "not found" if isinstance(error, FileNotFoundError) else str(error)
            raise FaultError(Ending.WOULD_NOT_START, f"{command[0]}: {reason}") from None
        finally:
            for descriptor in (their_in, their_out, their_err, their_status):
                os.close(descriptor)
        process.returncode = 0 if HAS_PIDFD else None  # only `end` waits for it

    # ---- what it uses -----------------------------------------------------------------------------------------------

    def pids(self) -> list[int]:
        """Return the program's processes; the first one inside a namespace is bubblewrap's own."""
        if self._isolation is not Isolation.NONE:
            return below(self.pid)[1:]
        roots = [self.pid, *(pid for pid in find_started(self._mark) if pid != self.pid)]
        return roots + [pid for root in roots for pid in below(root)]

    def rest(self) -> None:
        """Let the program go for a moment, until it is stopped or asked again."""
        self.stops_at = perf_counter() + self._rest_seconds

    def stop(self) -> None:
        """Stop all its processes until it is asked again: what it computes meanwhile would slow its opponent down."""
        self.stops_at, self._is_stopped = inf, True
        stopped: set[int] = set()
        if len(pids := self.pids()) > 1 or any(map(is_computing, pids)):
            self._rest_seconds = 0.0
        for _ in range(MAX_STOPS):
            new = set(self.pids()) - stopped
            if not new:
                break
            send_signal(new, signal.SIGSTOP)
            stopped |= new

    def _resume(self) -> None:
        self.stops_at = inf
        if self._is_stopped:
            self._is_stopped = False
            send_signal(self.pids(), signal.SIGCONT)

    def processor_seconds(self) -> float | None:
        """Return the processor time that it has used; None if the system does not say."""
        return processor_seconds([self.pid, *below(self.pid)]) if HAS_PIDFD else None

    def look(self) -> None:
        """Kill the program if it uses too much; it is a fault when its next answer is due."""
        if self.excess is not None:
            return
        usage = measure_usage(self.pids(), self._memory_bytes)
        most_processes = self.spec.processes or DEFAULT_PROCESSES
        if usage.memory_bytes > self._memory_bytes:
            limit_mb, used_mb = self._memory_bytes // MEGABYTE, usage.memory_bytes / MEGABYTE
            detail = f"it used {used_mb:.0f} MB of memory; its limit is {limit_mb} MB"
        elif usage.processes > most_processes:
            detail = f"it had {usage.processes} processes; its limit is {most_processes}"
        elif usage.threads > MAX_THREADS:
            detail = f"it had {usage.threads} threads; the limit is {MAX_THREADS}"
        else:
            return
        self.excess = self._fault(Ending.CRASHED, detail)
        self.excess.used_too_much = True
        self.kill()

    def kill(self) -> None:
        """Kill its processes once; `end` finds those that it starts meanwhile."""
        with suppress(OSError):
            os.killpg(self.pid, signal.SIGKILL)
        send_signal(self.pids(), signal.SIGKILL)

    # ---- its pipes --------------------------------------------------------------------------------------------------

    def drain(self) -> bool:
        """Read what a pipe holds of its standard error, but no more: it may never stop writing. False at its end."""
        try:
            chunk = os.read(self.stderr, PIPE_BYTES)
        except BlockingIOError:
            return True
        self._stderr_tail = (self._stderr_tail + chunk)[-self._kept_tail_bytes :]
        return bool(chunk)

    def stderr_tail(self) -> str:
        """Return the last of what it has written to standard error until now."""
        self.drain()
        return self.redact(self._stderr_tail)[-TAIL_BYTES:].decode(errors="replace")

    def redact(self, output: bytes) -> bytes:
        """Return what a program wrote, with the names of the variables that were passed to it for their values."""
        for name, value in self._secrets:
            output = output.replace(value, b"$" + name)
        return output

    def read(self, most_bytes: int) -> bytes | None:
        """Return what the program has printed, perhaps nothing; None at the end of its output."""
        try:
            return os.read(self.stdout, most_bytes) or None
        except BlockingIOError:
            return b""

    def write(self, data: bytes) -> bytes:
        """Write as much as there is room for; what is left. Raises BrokenPipeError."""
        try:
            return data[os.write(self.stdin, data) :]
        except BlockingIOError:
            return data

    def end_input(self) -> None:
        """Close its standard input."""
        if self.stdin >= 0:
            self._resume()
            os.close(self.stdin)
            self.stdin = -1
            self._leaves_at = perf_counter() + FAREWELL_SECONDS

    @property
    def exit_status(self) -> int | None:
        """Its exit status, negative for a signal; None while it runs."""
        if not HAS_PIDFD:
            return self._popen.poll()
        try:
            ended = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return 0
        if ended is None:
            return None
        status = ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
        # In a namespace, bubblewrap reports the end by a signal as a shell does.
        return 128 - status if self._isolation is not Isolation.NONE and 128 < status < 128 + 65 else status

    def has_failed_to_isolate(self) -> bool:
        """Check whether bubblewrap ended without having run the program."""
        if self._isolation is Isolation.NONE or self.exit_status != 1:
            return False
        with suppress(BlockingIOError):
            while chunk := os.read(self._status, 4096):
                self._report += chunk
        return b"exit-code" not in self._report

    def wait(self, until: float, *, for_output: bool = True, for_room: bool = False) -> dict[int, int]:
        """Wait for its output, its end, or room for more input."""
        watched = {self.stdout: select.POLLIN} if for_output else {}
        if self.pidfd >= 0:
            watched[self.pidfd] = select.POLLIN
        if self.stdin >= 0:
            watched[self.stdin] = select.POLLOUT if for_room else 0
        return self._watch.wait(until, watched)

    # ---- questions --------------------------------------------------------------------------------------------------

    def ask(self, request: bytes, limit_seconds: float | None, grace_seconds: float) -> Reply:
        """Send one line and wait for one. Raises FaultError.

        The time counts from the moment when the request is sent. A new process has its start-up allowance in
        addition, from its start on. An answer that is there when the worker looks at the end of the time counts.
        """
        assert not self.is_broken, "a program was asked again after a fault"
        self._refuse_early_output()
        self._resume()
        self._used_before = None
        asked_at = perf_counter()
        allowed_seconds = inf if limit_seconds is None else limit_seconds + grace_seconds
        deadline = asked_at + allowed_seconds
        if not self.answers:
            deadline = max(deadline, self.started_at + (self.startup_seconds) + allowed_seconds)
        line = self._talk(request + b"\n", asked_at, deadline)
        elapsed_seconds = perf_counter() - asked_at
        if line is None:
            raise self._timed_out(elapsed_seconds, limit_seconds)
        startup_seconds = 0.0
        if not self.answers and limit_seconds is not None:
            startup_seconds = max(0.0, elapsed_seconds - limit_seconds)
        self.answers += 1
        return Reply(line, elapsed_seconds - startup_seconds, startup_seconds)

    def _talk(self, unsent: bytes, asked_at: float, deadline: float) -> bytes | None:
        """Write the request as room comes, and read a line; None if it does not come in time."""
        with suppress(BrokenPipeError):  # which is seen again below
            unsent = self.write(unsent)
        while True:
            is_last = (now := perf_counter()) >= deadline
            if self._used_before is None and now >= asked_at + ASKED_SECONDS:
                self._used_before = self.processor_seconds()
            until = deadline if self._used_before is not None else min(deadline, asked_at + ASKED_SECONDS)
            ready = self.wait(until, for_room=bool(unsent))
            if self.excess is not None:
                raise self.excess
            is_deaf = False
            if self.stdin in ready:
                try:
                    is_deaf = not unsent  # nothing else is waited for there
                    unsent = self.write(unsent) if unsent else unsent
                except BrokenPipeError:
                    is_deaf = True
            if (line := self._read_answer(ready, is_deaf=is_deaf)) is not None:
                return line
            if is_last:
                return None

    def _read_answer(self, ready: Mapping[int, int], *, is_deaf: bool) -> bytes | None:
        """Read what has come, and return the first complete line; None if there is none yet."""
        has_ended = self.pidfd in ready or (not HAS_PIDFD and self.exit_status is not None)
        if self.stdout not in ready and not has_ended and not is_deaf:
            return None
        chunk = self.read(MAX_REPLY_BYTES - len(self._pending))
        self._pending += chunk or b""
        line = self._next_line()
        if line is None and (chunk is None or has_ended or is_deaf):
            raise self.ended("input" if is_deaf else "output")
        return line

    def _refuse_early_output(self) -> None:
        """Refuse output that came before the request: it cannot answer it."""
        self._pending += self.read(MAX_REPLY_BYTES) or b""
        if self._pending:
            when = "more than one line for one request" if self.answers else "a line before its first request"
            line = bytes(self._pending).split(b"\n", 1)[0]
            raise self._fault(Ending.MALFORMED_REPLY, f"it printed {when}", reply=line)

    def _next_line(self) -> bytes | None:
        """Return the first complete line that has come."""
        end = self._pending.find(b"\n")
        if end >= 0:
            line = bytes(self._pending[:end])
            del self._pending[: end + 1]
            return line
        if len(self._pending) >= MAX_REPLY_BYTES:
            detail = f"its line is longer than {MAX_REPLY_BYTES} bytes"
            raise self._fault(Ending.MALFORMED_REPLY, detail, reply=bytes(self._pending))
        return None

    # ---- faults -----------------------------------------------------------------------------------------------------

    def ended(self, closed: str) -> FaultError:
        """Return the fault of a program that has ended. Raises errors.WorkerLostError if it is bubblewrap's."""
        deadline = perf_counter() + CLOSING_SECONDS
        while self.exit_status is None and perf_counter() < deadline:
            self._watch.wait(deadline, {self.pidfd: select.POLLIN} if self.pidfd >= 0 else {})
        if self.excess is not None:
            return self.excess
        status = self.exit_status
        if self._isolation is not Isolation.NONE and not self.answers and EXEC_ERROR in self.stderr_tail():
            self.is_broken = True
            return FaultError(Ending.WOULD_NOT_START, self.stderr_tail().rpartition(EXEC_ERROR)[2].strip())
        if self.has_failed_to_isolate():
            raise errors.WorkerLostError(f"{confinement.BUBBLEWRAP} failed: {self.stderr_tail().strip()}")
        if status is None:
            detail = f"it closed its standard {closed} while it was running"
        elif status < 0:
            detail = f"it was ended by signal {-status}"
        else:
            detail = f"it ended with exit status {status} when an answer was due"
        kind = Ending.CRASHED if self.answers else Ending.WOULD_NOT_START
        return self._fault(kind, detail, reply=bytes(self._pending) or None)

    def refuse(self, kind: Ending, detail: str, reply: Reply) -> FaultError:
        """Return the fault for an answer that came, but is of no use."""
        return self._fault(kind, detail, reply=reply.line, elapsed_seconds=reply.elapsed_seconds)

    def _timed_out(self, elapsed_seconds: float, limit_seconds: float | None) -> FaultError:
        detail = f"no answer after {elapsed_seconds:.3f} s; its limit is {limit_seconds:g} s"
        if not self.answers:
            detail += f", and {self.startup_seconds:g} s for starting up"
        if (used := self.processor_seconds()) is not None:
            used -= self._used_before or 0.0
            detail += f"; it had {used:.2f} s of processor time, and the load was {describe_load()}"
        return self._fault(
            Ending.TIMED_OUT, detail, reply=bytes(self._pending) or None, elapsed_seconds=elapsed_seconds
        )

    def _fault(
        self, kind: Ending, detail: str, *, reply: bytes | None = None, elapsed_seconds: float | None = None
    ) -> FaultError:
        self.is_broken = True
        return FaultError(
            kind,
            self.redact(detail.encode()).decode(errors="replace"),
            reply=None if reply is None else self.redact(reply),
            stderr_tail=self.stderr_tail(),
            exit_status=self.exit_status,
            elapsed_seconds=elapsed_seconds,
        )

    # ---- the end ----------------------------------------------------------------------------------------------------

    def read_rest(self) -> bool:
        """Read what it prints beyond its answers; False at the end of its output, or if it prints too much."""
        chunk = self.read(MAX_REPLY_BYTES - len(self._pending)) if len(self._pending) < MAX_REPLY_BYTES else None
        self._pending += chunk or b""
        return chunk is not None

    def read_extra_lines(self) -> list[bytes]:
        """Return the lines that it printed beyond its answers."""
        self.read_rest()
        return bytes(self._pending).splitlines()

    def end(self) -> list[bytes]:
        """End the program with everything that it has started: kindly for a moment, then by force.

        Return the lines that it printed beyond its answers.
        """
        self.end_input()
        is_talking = True
        while not self.is_broken and self.exit_status is None and perf_counter() < self._leaves_at:
            self.wait(self._leaves_at, for_output=is_talking)
            is_talking = is_talking and self.read_rest()
        if self.exit_status is None:
            self.kill()
        self._watch.remove(self)
        end_all(self._watch.pids())
        extra_lines = self.read_extra_lines()
        self._close_pipes()
        if self.pidfd >= 0:
            os.close(self.pidfd)
        return extra_lines

    def _close_pipes(self) -> None:
        self.end_input()
        for descriptor in (self.stdout, self.stderr, self._status):
            os.close(descriptor)
