"""Confinement: bubblewrap's command line for each kind of isolation, and whether it works on this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from tempfile import gettempdir

from connect4_agent import errors
from connect4_agent.arena.spec import AgentSpec, Isolation

BUBBLEWRAP = "bwrap"
HOW_TO_INSTALL = "install bubblewrap (Debian and Ubuntu: apt-get install bubblewrap)"
HOW_TO_ALLOW = (
    "the system must allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, "
    "kernel.apparmor_restrict_unprivileged_userns=0 or user.max_user_namespaces=10000; in a container, see its options)"
)

OWN_FOLDERS = ("/tmp", "/var/tmp", "/run")
"""With full isolation these are empty: they hold other programs' files and sockets."""

ROOM_BYTES = 64 << 20
"""The size of a program's own /tmp and /dev/shm. Files there are memory that no process maps."""

PROBE_SECONDS = 60
STATUS_FD = 5
HAND_OVER = 'exec "$@" <&3 >&4 3<&- 4>&-'
"""Bubblewrap keeps its own standard input and output open, so a closed output would not be seen: the program gets
descriptors 3 and 4 instead. A shell like dash redirects descriptors of one digit only."""

NAMESPACES = (
    "--unshare-user", "--unshare-pid", "--unshare-ipc", "--proc", "/proc",
    "--cap-drop", "ALL",  # root would keep its capabilities, and could remount what is read-only
    "--new-session",  # process groups reach across namespaces
    "--die-with-parent",
)  # fmt: skip


MIN_SECRET_BYTES = 4
"""A shorter value is not hidden in what a program writes: it would be found everywhere."""

KEPT_VARIABLES = ("PATH", "HOME", "LANG", "TZ")


def build_environment(spec: AgentSpec) -> dict[str, str]:
    """Return the environment of a program: a few variables of this process, and those that its description names."""
    names = (*KEPT_VARIABLES, *(spec.pass_env or ()))
    passed = {name: os.environ[name] for name in names if name in os.environ}
    return {"TMPDIR": gettempdir(), **passed, **spec.env}


def find_secrets(spec: AgentSpec) -> list[tuple[bytes, bytes]]:
    """Return the names and values of the variables that are passed to a program, the longest value first."""
    named = [(name.encode(), os.environb.get(name.encode(), b"")) for name in spec.pass_env or ()]
    secrets = [(name, value) for name, value in named if len(value) >= MIN_SECRET_BYTES]
    return sorted(secrets, key=lambda secret: -len(secret[1]))


@lru_cache(maxsize=64)
def confined(
    isolation: Isolation, command: tuple[str, ...], directory: str, *, is_writable: bool = False
) -> tuple[str, ...]:
    """Return the command line that runs a command in a directory with this isolation; not for `none`.

    With full isolation, the command can write to the directory only if that is writable.
    """
    shm = ("--size", str(ROOM_BYTES), "--tmpfs", "/dev/shm")
    if isolation is Isolation.PROCESSES:
        files = ["--dev-bind", "/", "/", *shm]
    else:
        files = ["--ro-bind", "/", "/", "--dev", "/dev", *shm, "--remount-ro", "/dev", "--unshare-net"]
        emptied = [folder for folder in OWN_FOLDERS if os.path.isdir(folder) and not os.path.islink(folder)]
        for folder in emptied:
            files += ["--size", str(ROOM_BYTES), "--tmpfs", folder]
        for path in sorted(_needed_paths(command, directory, emptied)):
            files += ["--ro-bind", path, path]
        if is_writable:
            files += ["--bind", directory, directory]
    return (
        BUBBLEWRAP, *files, *NAMESPACES, "--chdir", directory, "--json-status-fd", str(STATUS_FD),
        "--", "/bin/sh", "-c", HAND_OVER, "sh", *command,
    )  # fmt: skip


def _needed_paths(command: Sequence[str], directory: str, emptied: Sequence[str]) -> Iterator[str]:
    """The folders that the command seems to need and that would be empty: where it runs, and where its files are."""
    needed = {directory}
    for index, word in enumerate(command):
        path = shutil.which(word) if index == 0 else os.path.join(directory, word)
        if path is None or not os.path.exists(path):
            continue
        for file in (Path(path).absolute(), Path(path).resolve()):
            home = file if file.is_dir() else file.parent
            # A program in PREFIX/bin needs PREFIX/lib; a virtual environment is laid out like that, and so is pyenv.
            needed.add(str(home.parent if home.name in ("bin", "shims") else home))
    for path in needed:
        if path not in emptied and any(Path(path).is_relative_to(folder) for folder in emptied):
            yield path


@cache
def why_not(isolation: Isolation) -> str | None:
    """Why programs cannot be isolated like this here, and what to do about it; None if they can be."""
    if isolation is Isolation.NONE:
        return None
    if sys.platform != "linux":
        return f"it needs Linux and bubblewrap; this is {sys.platform}"
    if shutil.which(BUBBLEWRAP) is None:
        return f"{BUBBLEWRAP} cannot be found; {HOW_TO_INSTALL}"
    try:
        words = confined(isolation, ("/bin/sh", "-c", ":"), "/")
        # A shell hands descriptors 3 to 5 over, as a worker does.
        tried = subprocess.run(
            ["/bin/sh", "-c", 'exec "$@" 3</dev/null 4>/dev/null 5>/dev/null', "sh", *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
            timeout=PROBE_SECONDS,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if tried.returncode == 0:
        return None
    reason = tried.stderr.strip().rpartition("\n")[2] or f"exit status {tried.returncode}"
    return f"{reason}; {HOW_TO_ALLOW}"


def choose_isolation(wanted: Isolation | None) -> Isolation:
    """The isolation that was asked for, or else `processes` if it works here. Raises ArenaError."""
    if wanted is None:
        return Isolation.PROCESSES if why_not(Isolation.PROCESSES) is None else Isolation.NONE
    if (reason := why_not(wanted)) is not None:
        raise errors.ArenaError(f"isolation {wanted.value!r} does not work here: {reason}")
    return wanted


def isolation_line(isolation: Isolation, *, is_default: bool) -> str:
    """What is said about isolation before programs play."""
    line = f"isolation: {isolation.value}"
    if is_default and isolation is Isolation.NONE:
        line += f" ({why_not(Isolation.PROCESSES)}); programs can harm each other and the run"
    return line
