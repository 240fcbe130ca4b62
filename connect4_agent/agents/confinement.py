"""Confinement: what an agent's processes may use, and whether they run in namespaces of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from connect4_agent import errors
from connect4_agent.agents.guard import HANDED_IN, HANDED_OUT

MEGABYTE = 1_000_000
MOST_MEMORY_MB = 2000
DEFAULT_PROCESSES = 64
OPEN_FILES = 1024
FILE_BYTES = 1000 * MEGABYTE

BUBBLEWRAP = "bwrap"
HOW_TO_INSTALL = "install bubblewrap (Debian and Ubuntu: apt-get install bubblewrap), or leave --isolate out"

OWN_FOLDERS = ("/tmp", "/var/tmp", "/run", "/dev")
"""Folders that an isolated agent has for itself: they hold other programs' files and sockets."""

NAMESPACES = ("--unshare-all", "--die-with-parent", "--cap-drop", "ALL")
FILES = ("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")

HANDED_ON = f'exec "$@" <&{HANDED_IN} >&{HANDED_OUT} {HANDED_IN}<&- {HANDED_OUT}>&-'
"""Bubblewrap keeps its own standard input and output open; the agent gets others."""


@cache
def default_memory_mb() -> int:
    """2 GB, or half of the machine's memory if that is less."""
    try:
        machine_bytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return MOST_MEMORY_MB
    return min(MOST_MEMORY_MB, machine_bytes // 2 // MEGABYTE)


@dataclass(frozen=True, slots=True)
class Confinement:
    """What one agent, with all its processes, may use."""

    memory_mb: int | None = None
    """None is the default: see `default_memory_mb`."""
    processes: int = DEFAULT_PROCESSES
    isolate: bool = False
    """Whether bubblewrap keeps it from the network, from other processes, and from writing to files."""
    kept_safe: tuple[str, ...] = ()
    """Folders that it must not write to, even below its working folder."""

    @property
    def limits_text(self) -> str:
        """The limits as the guard reads them."""
        memory_bytes = (self.memory_mb or default_memory_mb()) * MEGABYTE
        return f"{memory_bytes},{self.processes},{OPEN_FILES},{FILE_BYTES},{int(self.isolate)}"

    def command(self, command: Sequence[str], directory: str | None) -> list[str]:
        """The command as the guard starts it. Raises IsolationError if the agent cannot be isolated here."""
        if not self.isolate:
            return list(command)
        check_isolation()
        folder = os.path.abspath(directory or os.getcwd())
        words = [BUBBLEWRAP, *NAMESPACES, *FILES]
        for hidden in OWN_FOLDERS[:-1]:
            if os.path.isdir(hidden) and not os.path.islink(hidden):
                words += ["--tmpfs", hidden]
        for path in sorted(_needed_paths(command, folder)):
            words += ["--ro-bind", path, path]
        if directory is not None:
            words += ["--bind", folder, folder]
        for path in self.kept_safe:
            if os.path.isdir(path) and not _is_hidden(path, folder if directory is not None else None):
                words += ["--ro-bind", os.path.abspath(path), os.path.abspath(path)]
        return [*words, "--chdir", folder, "--", "/bin/sh", "-c", HANDED_ON, "sh", *command]


DEFAULT_CONFINEMENT = Confinement()


def _needed_paths(command: Sequence[str], folder: str) -> Iterator[str]:
    """The folders that the command seems to need and that would be hidden: where it runs, and where its files are."""
    found = {folder}
    for index, word in enumerate(command):
        path = shutil.which(word) if index == 0 else os.path.join(folder, word)
        if path is None or not os.path.exists(path):
            continue
        for each in (Path(path).absolute(), Path(path).resolve()):
            home = each if each.is_dir() else each.parent
            # A program in PREFIX/bin needs PREFIX/lib; a virtual environment is laid out like that.
            found.add(str(home.parent if home.name == "bin" else home))
    for path in found:
        if _is_hidden(path, None) and path not in OWN_FOLDERS:
            yield path


def _is_hidden(path: str, visible: str | None) -> bool:
    """Whether an isolated agent does not see this path, unless it is in a folder that is visible nevertheless."""
    if visible is not None and Path(path).is_relative_to(visible):
        return False
    return any(Path(path).is_relative_to(hidden) for hidden in OWN_FOLDERS)


@cache
def check_isolation() -> str:
    """The version of bubblewrap, which works here. Raises IsolationError."""
    if sys.platform != "linux":
        raise errors.IsolationError(f"--isolate needs Linux and bubblewrap; this is {sys.platform}")
    if shutil.which(BUBBLEWRAP) is None:
        raise errors.IsolationError(f"--isolate needs {BUBBLEWRAP}, which cannot be found; {HOW_TO_INSTALL}")
    tried = subprocess.run(
        [BUBBLEWRAP, *NAMESPACES, *FILES, "--", "/bin/sh", "-c", ":"], capture_output=True, text=True, check=False
    )
    if tried.returncode != 0:
        reason = tried.stderr.strip().rpartition("\n")[2] or f"exit status {tried.returncode}"
        raise errors.IsolationError(
            f"--isolate does not work here: {reason}; the system must allow unprivileged user namespaces, "
            "or leave --isolate out"
        )
    version = subprocess.run([BUBBLEWRAP, "--version"], capture_output=True, text=True, check=False).stdout
    return version.strip()
