"""Confinement: bubblewrap's command line for each kind of isolation, and whether it works on this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from glob import glob
from pathlib import Path
from tempfile import gettempdir

from connect4_agent import errors
from connect4_agent.arena.command_line import without_name
from connect4_agent.arena.spec import HOST, AgentSpec, Isolation

BUBBLEWRAP = "bwrap"
HOW_TO_INSTALL = "install bubblewrap (Debian and Ubuntu: apt-get install bubblewrap)"
HOW_TO_ALLOW = (
    "the system must allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, "
    "kernel.apparmor_restrict_unprivileged_userns=0 or user.max_user_namespaces=10000; in a container, see its options)"
)

ROOM_BYTES = 64 << 20
"""The size of a program's own /tmp, home and /dev/shm. Files there are memory that no process maps."""

SYSTEM_FOLDERS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
SETTINGS = (
    "alternatives", "ld.so.cache", "nsswitch.conf", "passwd", "dotnet*", "java*", "julia*", "mono*", "php*", "racket*",
)  # fmt: skip
"""The parts of /etc that interpreters read. Others may hold secrets, which a program of root's could read."""

SHARED_FOLDERS = ("/", "/dev/shm", "/etc", "/home", "/mnt", "/opt", "/root", "/run", "/srv", "/tmp", "/var", "/var/tmp")
"""Folders of many people's files. Of these, as of a home, a program sees no more than a file that its command names."""

PACKAGE_FOLDER = Path(__file__).parents[1]
PACKAGE_PLACES = tuple(
    f"{part}lib*/python*/{kind}-packages/{PACKAGE_FOLDER.name}"
    for part in ("", "local/", "versions/*/", "envs/*/")
    for kind in ("site", "dist")
)
"""The places of this package below a folder: a program that could import it would play perfectly."""

PROBE_SECONDS = 60
MAX_LINKS = 20
MAX_FIRST_LINE_BYTES = 256
NAMESPACES = (
    "--unshare-user", "--unshare-pid", "--unshare-ipc",
    # Root owns the settings in /proc/sys, and could change them even without capabilities.
    "--proc", "/proc", "--remount-ro", "/proc",
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
    temporary = "/tmp" if spec.isolation is Isolation.FULL else gettempdir()
    return {"TMPDIR": temporary, **passed, **spec.env}


def find_secrets(spec: AgentSpec) -> list[tuple[bytes, bytes]]:
    """Return the names and values of the variables that are passed to a program, the longest value first."""
    named = [(name.encode(), os.environb.get(name.encode(), b"")) for name in spec.pass_env or ()]
    secrets = [(name, value) for name, value in named if len(value) >= MIN_SECRET_BYTES]
    return sorted(secrets, key=lambda secret: -len(secret[1]))


@lru_cache(maxsize=64)
def confine(
    isolation: Isolation, command: tuple[str, ...], directory: str, *, owns_directory: bool, is_writable: bool = False
) -> tuple[str, ...]:
    """Return the words that run a command in a directory with this isolation if the command follows; not for `none`.

    With full isolation, a program sees the directory only if it owns that, and else the folders of the files that its
    command names. It can write to the directory only if that is writable.
    """
    if isolation is Isolation.PROCESSES:
        files = ["--dev-bind", "/", "/", "--ro-bind", "/sys", "/sys", *_empty("/dev/shm"), *NAMESPACES]
    else:
        files = list(_show_system())
        files += _empty("/tmp")
        home = os.environ.get("HOME", "/")
        if home != "/" and not _is_of_system(Path(home)):
            files += _empty(home)
        is_ours = is_own_command(command)
        own = sorted(_find_own_paths(command, directory, owns_directory=owns_directory))
        own += sorted({sys.prefix, sys.base_prefix, str(PACKAGE_FOLDER)}) if is_ours else []
        for path in own:
            files += ["--ro-bind", path, path]
        if is_writable:
            files += ["--bind", directory, directory]
        package = [] if is_ours else sorted(_find_package([*SYSTEM_FOLDERS[:1], *own]))
        for path in package:
            files += _empty(path)
        if HOST in command:  # the one file of this package that a program may see: it stands alone
            files += ["--ro-bind", HOST, HOST]
        for path in package:
            files += ["--remount-ro", path]
        files += ["--dir", directory, *NAMESPACES, "--remount-ro", "/", "--unshare-net"]
    return (
        BUBBLEWRAP, *files, *(["--disable-userns"] if _forbids_namespaces() else []), "--chdir", directory,
    )  # fmt: skip


def is_own_command(command: Sequence[str]) -> bool:
    """Return whether a command starts this package, which has to see its own files."""
    return os.path.basename(command[0]) == "connect4-agent" or tuple(command[1:3]) == ("-m", PACKAGE_FOLDER.name)


@cache
def _forbids_namespaces() -> bool:
    """Return whether this bubblewrap can forbid namespaces inside its own, where memory would not be seen."""
    told = subprocess.run([BUBBLEWRAP, "--help"], capture_output=True, check=False, timeout=PROBE_SECONDS)
    return b"--disable-userns" in told.stdout + told.stderr


def _empty(folder: str) -> list[str]:
    """Return the words that make a folder the program's own."""
    return ["--size", str(ROOM_BYTES), "--tmpfs", folder]


def _show_system() -> Iterator[str]:
    """Give the words that show the folders of the system, read-only, and a small /dev."""
    for folder in filter(os.path.lexists, SYSTEM_FOLDERS):
        is_link = os.path.islink(folder)
        yield from ("--symlink", os.readlink(folder), folder) if is_link else ("--ro-bind", folder, folder)
    for name in SETTINGS:
        for path in sorted(glob(f"/etc/{name}")):
            yield from ("--ro-bind-try", path, path)
    yield from ("--dev", "/dev", *_empty("/dev/shm"), "--remount-ro", "/dev")


def _find_own_paths(command: Sequence[str], directory: str, *, owns_directory: bool) -> set[str]:
    """Return the paths outside the system that a program sees: its files, and the folders of its interpreter."""
    program = shutil.which(os.path.join(directory, command[0]) if os.sep in command[0] else command[0])
    paths = [] if program is None else list(_find_interpreter(Path(program)))
    if owns_directory and not _is_shared(Path(directory)):
        paths.append(Path(directory))
    else:
        named = [without_name(word) for word in command[1:] if word != HOST]
        words = [Path(directory, word) for word in named if os.path.exists(os.path.join(directory, word))]
        paths += [word if word.is_dir() or _is_shared(word.parent) else word.parent for word in words]
    return {str(path) for path in map(Path.absolute, paths) if not _is_shared(path) and not _is_of_system(path)}


def _find_interpreter(program: Path) -> Iterator[Path]:
    """Give the folders of a program, of what it is a link to, and of the interpreter that its first line names.

    A program in PREFIX/bin needs PREFIX/lib; a virtual environment is laid out like that, and so is pyenv.
    """
    for _ in range(MAX_LINKS):
        folder = program.parent
        prefix = folder.parent if folder.name in ("bin", "shims") else folder
        if prefix.name == ".local":  # it holds much else
            yield from (folder, prefix / "lib")
        else:
            yield program if _is_shared(prefix) else prefix
        if not program.is_symlink():
            break
        program = Path(os.path.normpath(folder / os.readlink(program)))
    with open(program, "rb") as file:
        first = file.readline(MAX_FIRST_LINE_BYTES)
    if first.startswith(b"#!") and (words := os.fsdecode(first[2:]).split()):
        named = shutil.which(words[1] if os.path.basename(words[0]) == "env" and words[1:] else words[0])
        # The author of a program must not choose what it sees: only PATH does.
        if named is not None and named != str(program) and os.path.dirname(named) in os.get_exec_path():
            yield from _find_interpreter(Path(named))


def _is_of_system(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in SYSTEM_FOLDERS)


def _is_shared(folder: Path) -> bool:
    """Return whether a folder holds more than one program's files: a home, a folder around it, or of the system."""
    return str(folder) in SHARED_FOLDERS or Path(os.environ.get("HOME", "/")).is_relative_to(folder)


def _find_package(folders: Iterable[str]) -> set[str]:
    """Return the folders that hold this package, below these."""
    found = {place for folder in folders for pattern in PACKAGE_PLACES for place in glob(f"{folder}/{pattern}")}
    if any(PACKAGE_FOLDER.is_relative_to(folder) for folder in folders):
        found.add(str(PACKAGE_FOLDER))
    return found


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
        command = ("/bin/sh", "-c", ":")
        words = [*confine(isolation, command, "/", owns_directory=False), "--", *command]
        tried = subprocess.run(
            words,
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
    """Return the isolation that was asked for, or else `processes` if it works here. Raises ArenaError."""
    if wanted is None:
        return Isolation.PROCESSES if why_not(Isolation.PROCESSES) is None else Isolation.NONE
    if (reason := why_not(wanted)) is not None:
        raise errors.ArenaError(f"isolation {wanted.value!r} does not work here: {reason}")
    return wanted


def isolation_line(isolation: Isolation, *, is_default: bool) -> str:
    """Return the line about isolation that is printed before programs play."""
    line = f"isolation: {isolation.value}"
    if is_default and isolation is Isolation.NONE:
        line += f" ({why_not(Isolation.PROCESSES)}); programs can harm each other and the run"
    return line
