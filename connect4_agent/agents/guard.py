"""The guard: starts one agent and sees to it that nothing of it is left when the runner lets go.

Usage: python -I -S guard.py CONTROL LIMITS COMMAND [ARGUMENT ...]

CONTROL is the descriptor of a socket to the runner. LIMITS are five numbers with commas between them: the bytes of
memory and the processes that the agent may have at a time, its open files, the bytes of a file that it writes, and 1
if COMMAND is a launcher that hands its descriptors HANDED_IN and HANDED_OUT on to the agent; 0 is no limit.

The agent gets the guard's standard input and output, and a session of its own; the guard reads its standard
error and keeps the last bytes. When the runner closes its end of the socket, or dies, the agent's process group is
killed and, where the system lets the guard adopt orphans (Linux), every other descendant too.

To the runner, each in a line: `started PID`, `failed ERRNO` (the command could not be run), `exited STATUS` (negative
for a signal), `memory BYTES` or `processes COUNT` (the agent had too much, and was killed). A `t` from the runner asks
for `tail LENGTH TOTAL` and LENGTH bytes: the last of the TOTAL bytes that the agent has written to its standard
error.

The guard is run as a file of its own and imports the least it can: one is started for every agent of every game.
"""

import os
import select
import signal
import sys
import time

TAIL_BYTES, PIECE_BYTES = 8192, 1 << 16
KILL_SECONDS, KILL_PAUSE_SECONDS = 8.0, 0.002
SAMPLE_MS = 100
"""How often the agent's memory and processes are looked at."""

HANDED_IN, HANDED_OUT = 8, 9
"""A launcher keeps its standard input and output open; the agent's must be closed as soon as it closes them."""

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP = 1, 4, 24
CAP_SYS_PTRACE, CAP_SYS_NICE = 19, 23
PR_SET_CHILD_SUBREAPER = 36

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
SPARE_TASKS = 4096
"""The agent's user may have that many more processes and threads than the system had; only a backstop."""
SPARE_MEMORY = 4
"""A single process may reserve that many times the limit, of which the guard counts what is in use; only a backstop."""


def control_process(option: int, value: int) -> None:
    """Linux's prctl; elsewhere nothing."""
    if sys.platform != "linux":
        return
    import ctypes  # noqa: PLC0415  # not needed elsewhere

    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


class Limits:
    """What the agent may use; 0 is no limit."""

    def __init__(self, text: str) -> None:
        self.memory, self.processes, self.open_files, self.file_bytes, self.is_launched = map(int, text.split(","))

    def apply(self) -> None:
        """Let the system enforce what it can; the guard itself does the rest."""
        import resource  # noqa: PLC0415  # only the agent's process needs it

        wanted = [(resource.RLIMIT_CORE, 0)]
        if self.open_files:
            wanted.append((resource.RLIMIT_NOFILE, self.open_files))
        if self.file_bytes:
            wanted.append((resource.RLIMIT_FSIZE, self.file_bytes))
        if self.memory:
            wanted.append((resource.RLIMIT_DATA, self.memory * SPARE_MEMORY))
        if self.processes and sys.platform == "linux":
            with open("/proc/loadavg", "rb") as file:
                wanted.append((resource.RLIMIT_NPROC, int(file.read().split()[3].split(b"/")[1]) + SPARE_TASKS))
        for number, most in wanted:
            hard = resource.getrlimit(number)[1]
            allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(number, (allowed, allowed))


def start(control: int, stderr: int, limits: Limits, command: list[str]) -> int:
    """Fork and execute the agent; its process id, which is its group's as well."""
    guard_pid = os.getpid()
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()
        control_process(PR_SET_PDEATHSIG, signal.SIGKILL)
        for capability in (CAP_SYS_PTRACE, CAP_SYS_NICE):  # root's agents must not trace, nor raise their priority
            control_process(PR_CAPBSET_DROP, capability)
        if os.getppid() != guard_pid:  # the guard died before its death could be a signal
            os._exit(1)
        for number in catchable():
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        if limits.is_launched:
            import fcntl  # noqa: PLC0415  # not needed otherwise

            control = fcntl.fcntl(control, fcntl.F_DUPFD_CLOEXEC, HANDED_OUT + 1)
            stderr = fcntl.fcntl(stderr, fcntl.F_DUPFD_CLOEXEC, HANDED_OUT + 1)
            nothing = os.open(os.devnull, os.O_RDWR)
            for own, handed in ((0, HANDED_IN), (1, HANDED_OUT)):
                os.dup2(own, handed)
                os.dup2(nothing, own)
        os.dup2(stderr, 2)
        limits.apply()
        os.execvp(command[0], command)
    except (OSError, ValueError) as error:
        os.write(control, b"failed %d\n" % (getattr(error, "errno", None) or 0))
    finally:
        os._exit(127)


def catchable() -> list[int]:
    """The signals that end or stop a process unless it says otherwise, as far as it can."""
    kept = (signal.SIGKILL, signal.SIGSTOP, signal.SIGCONT)
    return [number for number in signal.valid_signals() if number not in kept]


def end_of(agent: int) -> int | None:
    """The agent's exit status, negative for a signal; None while it runs.

    Where the system allows it, the agent is not reaped: as long as it is there, nobody else gets its number.
    """
    if not hasattr(os, "waitid"):
        pid, status = os.waitpid(agent, os.WNOHANG)
        return os.waitstatus_to_exitcode(status) if pid else None
    ended = os.waitid(os.P_PID, agent, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if ended is None:
        return None
    return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status


def descendants() -> list[int]:
    """The guard's running descendants in Linux's process table."""
    parents: dict[int, list[int]] = {}
    try:
        names = [name for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []
    for name in names:
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                # The command's name stands in brackets and may hold anything; the state and the parent follow it.
                state, parent = file.read().rpartition(b")")[2].split()[:2]
        except (OSError, ValueError):
            continue
        if state not in b"ZX":
            parents.setdefault(int(parent), []).append(int(name))
    found, waiting = [], [os.getpid()]
    while waiting:
        children = parents.get(waiting.pop(), [])
        found += children
        waiting += children
    return found


def known_descendants(ancestor: int) -> list[int]:
    """The same of any process, without a look at all others; some may be missing while processes come and go."""
    found, waiting = [], [ancestor]
    while waiting:
        children = children_of(waiting.pop())
        found += children
        waiting += children
    return found


def children_of(pid: int) -> list[int]:
    """The children of a process, as far as they can be seen."""
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                found += [int(child) for child in file.read().split()]
    except OSError:  # it has gone
        pass
    return found


def memory_of(pids: list[int], most: int) -> int:
    """The bytes that the processes have in memory; pages that they share count once if it matters."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/statm", "rb") as file:
                total += int(file.read().split()[1]) * PAGE_BYTES
        except (OSError, IndexError):
            continue
    if total <= most:
        return total
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
                total += next(int(line.split()[1]) * 1024 for line in file if line.startswith(b"Pss:"))
        except (OSError, StopIteration):
            continue
    return total


class Guard:
    """One agent under guard."""

    def __init__(self, control: int, limits: Limits, command: list[str]) -> None:
        self.control = control
        self.limits = limits
        self.tail = b""
        self.stderr_bytes = 0
        self.exited = False
        self.woken, wake = os.pipe()
        os.set_blocking(self.woken, False)
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self.stderr, agents_end = os.pipe()
        os.set_blocking(self.stderr, False)
        self.agent = start(control, agents_end, limits, command)
        os.close(agents_end)
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)  # the agent alone holds its ends: their closing must be seen
        os.dup2(nothing, 1)
        self.say(b"started %d\n" % self.agent)

    def say(self, message: bytes) -> None:
        """Tell the runner, if it is still there."""
        try:
            while message:
                message = message[os.write(self.control, message) :]
        except OSError:
            return

    def watch(self) -> None:
        """Serve the runner until it lets go."""
        events = select.poll()
        for descriptor in (self.control, self.stderr, self.woken):
            events.register(descriptor, select.POLLIN)
        samples = sys.platform == "linux" and (self.limits.memory or self.limits.processes)
        sampled_at = time.monotonic()
        while True:
            ready = [descriptor for descriptor, _ in events.poll(SAMPLE_MS if samples else None)]
            if samples and not self.exited and time.monotonic() - sampled_at >= SAMPLE_MS / 1000:
                self.sample()
                sampled_at = time.monotonic()
            if self.stderr in ready and not self.read_stderr():
                events.unregister(self.stderr)
            if self.woken in ready:
                self.read(self.woken)
                self.look_after_children()
            if self.control in ready:
                asked = self.read(self.control)
                if not asked:
                    return
                for _ in asked:
                    self.read_stderr()
                    self.say(b"tail %d %d\n" % (len(self.tail), self.stderr_bytes) + self.tail)

    def sample(self) -> None:
        """End the agent if it has more processes or memory than it may."""
        self.reap()
        pids = known_descendants(os.getpid())
        if self.limits.processes and len(pids) - self.limits.is_launched * 2 > self.limits.processes:
            self.say(b"processes %d\n" % len(pids))
        elif self.limits.memory and (used := memory_of(pids, self.limits.memory)) > self.limits.memory:
            self.say(b"memory %d\n" % used)
        else:
            return
        self.signal_all(signal.SIGKILL, descendants())

    def read(self, descriptor: int) -> bytes:
        """What is there, at most one piece."""
        try:
            return os.read(descriptor, PIECE_BYTES)
        except OSError:
            return b""

    def read_stderr(self) -> bool:
        """Keep the end of what the agent wrote; whether more may come."""
        for _ in range(64):  # then the runner and the children get a look in, whatever the agent writes
            try:
                piece = os.read(self.stderr, PIECE_BYTES)
            except BlockingIOError:
                return True
            if not piece:
                return False
            self.stderr_bytes += len(piece)
            self.tail = (self.tail + piece)[-TAIL_BYTES:]
        return True

    def look_after_children(self) -> None:
        """Report the agent's end once."""
        self.reap()
        if not self.exited:
            status = end_of(self.agent)
            if status is not None:
                self.exited = True
                self.read_stderr()
                self.say(b"exited %d\n" % status)

    def reap(self) -> None:
        """Let go of adopted children that have died: they would count as processes."""
        for child in children_of(os.getpid()):
            try:
                if child != self.agent:
                    os.waitpid(child, os.WNOHANG)
            except ChildProcessError:
                continue

    def signal_all(self, number: int, others: list[int]) -> None:
        """Send a signal to the agent's group and to the other processes."""
        for kill, pid in [(os.killpg, self.agent), *((os.kill, other) for other in others)]:
            try:
                kill(pid, number)
            except OSError:  # it has gone, or runs for another user by now
                continue

    def kill_all(self) -> None:
        """Kill the agent's group, then whatever else descends from it, until nothing runs any more."""
        known: set[int] = set()
        deadline = time.monotonic() + KILL_SECONDS
        while time.monotonic() < deadline:
            self.reap()
            others = [pid for pid in known_descendants(os.getpid()) if pid != self.agent]
            self.signal_all(signal.SIGKILL, others)
            self.exited = self.exited or end_of(self.agent) is not None
            if self.exited and not others and not descendants():
                return
            if known.issuperset(others):  # else some fork as fast as they are killed
                time.sleep(KILL_PAUSE_SECONDS)
            known.update(others)


def main() -> None:
    """Guard one agent."""
    control, limits, command = int(sys.argv[1]), Limits(sys.argv[2]), sys.argv[3:]
    os.set_inheritable(control, False)  # noqa: FBT003  # it takes no names
    for number in catchable():
        signal.signal(number, signal.SIG_IGN)
    control_process(PR_SET_CHILD_SUBREAPER, 1)
    control_process(PR_SET_PDEATHSIG, signal.SIGCONT)  # an agent may have stopped the guard
    control_process(PR_SET_DUMPABLE, 0)  # no other process of this user can trace it, and so hold it up
    guard = Guard(control, limits, command)
    try:
        guard.watch()
    finally:
        guard.kill_all()


if __name__ == "__main__":
    main()
