"""The guard: starts one agent and sees to it that nothing of it is left when the runner lets go.

Usage: python -I -S guard.py CONTROL COMMAND [ARGUMENT ...]

CONTROL is the descriptor of a socket to the runner. The agent gets the guard's standard input and
output, and a session of its own; the guard reads its standard error and keeps the last bytes. When
the runner closes its end of the socket, or dies, the agent's process group is killed and, where the
system lets the guard adopt orphans (Linux), every other descendant too.

To the runner, each in a line: `started PID`, `failed ERRNO` (the command could not be run), `exited
STATUS` (negative for a signal). A byte from the runner asks for `tail LENGTH TOTAL` and LENGTH bytes:
the last of the TOTAL bytes that the agent has written to its standard error.

The guard is run as a file of its own and imports the least it can: one is started for every agent
of every game.
"""

import os
import select
import signal
import sys

TAIL_BYTES = 8192
PIECE_BYTES = 1 << 16
MOST_KILL_ROUNDS = 2000
KILL_PAUSE_MS = 2

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


def control_process(option: int, value: int) -> None:
    """Linux's prctl; elsewhere nothing."""
    if sys.platform != "linux":
        return
    import ctypes  # noqa: PLC0415  # not needed elsewhere

    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def start(control: int, stderr: int, command: list[str]) -> int:
    """Fork and execute the agent; its process id, which is its group's as well."""
    guard_pid = os.getpid()
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()
        control_process(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != guard_pid:  # the guard died before its death could be a signal
            os._exit(1)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.dup2(stderr, 2)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(control, b"failed %d\n" % (error.errno or 0))
    finally:
        os._exit(127)


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
    """The guard's running children in Linux's process table.

    Once their parents are dead, all of the agent's descendants are among them.
    """
    own, found = os.getpid(), []
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
        if int(parent) == own and state != b"Z":
            found.append(int(name))
    return found


class Guard:
    """One agent under guard."""

    def __init__(self, control: int, command: list[str]) -> None:
        self.control = control
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
        self.agent = start(control, agents_end, command)
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
        while True:
            ready = [descriptor for descriptor, _ in events.poll()]
            if self.stderr in ready and not self.read_stderr():
                events.unregister(self.stderr)
            if self.woken in ready:
                self.read(self.woken)
                self.look_after_children()
            if self.control in ready:
                if not self.read(self.control):
                    return
                self.read_stderr()
                self.say(b"tail %d %d\n" % (len(self.tail), self.stderr_bytes) + self.tail)

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
        if not self.exited:
            status = end_of(self.agent)
            if status is not None:
                self.exited = True
                self.read_stderr()
                self.say(b"exited %d\n" % status)

    def kill_all(self) -> None:
        """Kill the agent's group, then whatever else descends from it, until nothing runs any more."""
        pause = select.poll()
        for _ in range(MOST_KILL_ROUNDS):
            others = descendants()
            for kill, pid in [(os.killpg, self.agent), *((os.kill, other) for other in others)]:
                try:
                    kill(pid, signal.SIGKILL)
                except OSError:  # it has gone, or runs for another user by now
                    continue
            self.exited = self.exited or end_of(self.agent) is not None
            if self.exited and not others:
                break
            pause.poll(KILL_PAUSE_MS)
        # Where the first process of the system does not do it, as in many containers, the dead would pile up.
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return


def main() -> None:
    """Guard one agent."""
    control, command = int(sys.argv[1]), sys.argv[2:]
    os.set_inheritable(control, False)  # noqa: FBT003  # it takes no names
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    control_process(PR_SET_CHILD_SUBREAPER, 1)
    guard = Guard(control, command)
    try:
        guard.watch()
    finally:
        guard.kill_all()


if __name__ == "__main__":
    main()
