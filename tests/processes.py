"""Processes, for tests: the real command as a subprocess, and a look at what runs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from tests.system_tools import is_missing

REPOSITORY = Path(__file__).parent.parent
COMMAND = str(Path(sys.executable).with_name("connect4-agent"))
PATIENCE_SECONDS = 120
"""How long a test waits for what should come at once: only a hang reaches it."""


def clean_environment(**changes: str) -> dict[str, str]:
    """This process's environment without what would hide a missing flush or choose how the engine runs."""
    hidden = ("PYTHONUNBUFFERED", "CONNECT4_AGENT_INTERPRETED")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    environment["PATH"] = f"{Path(COMMAND).parent}{os.pathsep}{environment['PATH']}"
    return environment | changes


def copy_source(folder: Path) -> None:
    """Put the files of the source into the folder as a clean clone has them, with uncommitted changes."""
    for name in source_files():
        if (REPOSITORY / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(REPOSITORY / name, folder / name)


def source_files() -> list[str]:
    """The tracked files of this clone; in an unpacked sdist, the files that it lists."""
    if (REPOSITORY / ".git").exists():
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, check=True)
        return listed.stdout.decode().rstrip("\0").split("\0")
    (listing,) = REPOSITORY.glob("*.egg-info/SOURCES.txt")
    return [name for name in listing.read_text().splitlines() if ".egg-info/" not in name]


def output_of(program: str, **environment: str) -> str:
    """What a fresh interpreter prints that runs the program."""
    process = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=clean_environment(**environment),
    )
    return process.stdout.strip()


def run_agent(
    *arguments: str, lines: bytes = b"", environment: dict[str, str] | None = None, folder: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Start the agent, send it all of the lines, and wait for its end.

    Where nothing is compiled it says so; that is left out unless the test chooses the environment.
    """
    done = subprocess.run(
        [COMMAND, *arguments],
        input=lines,
        capture_output=True,
        timeout=PATIENCE_SECONDS,
        cwd=folder,
        env=environment or clean_environment(),
        check=False,
    )
    if environment is None and is_missing("compiled"):
        done.stderr = re.sub(rb".*the search runs as plain Python.*\n", b"", done.stderr)
    return done


def errors_on_terminal(*arguments: str) -> tuple[int, bytes]:
    """The exit status of the agent, and what it wrote to standard error, being a terminal."""
    main, side = os.openpty()
    with subprocess.Popen(
        [COMMAND, *arguments], stdout=subprocess.DEVNULL, stderr=side, env=clean_environment(TERM="xterm")
    ) as process:
        os.close(side)
        seen = b""
        while True:
            try:
                piece = os.read(main, 4096)
            except OSError:  # Linux's word for the end of a terminal
                break
            if not piece:
                break
            seen += piece
    os.close(main)
    return process.returncode, seen


@contextmanager
def started_agent(*arguments: str, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """The agent with pipes to all its streams unless the options say otherwise; killed in the end if it still runs."""
    for stream in ("stdin", "stdout", "stderr"):
        options.setdefault(stream, subprocess.PIPE)
    options.setdefault("env", clean_environment())
    options.setdefault("bufsize", 0)
    with subprocess.Popen([COMMAND, *arguments], **options) as process:
        try:
            yield process
        finally:
            process.kill()


def ask(process: subprocess.Popen[bytes], line: bytes) -> bytes:
    """Send one line as a manager does, and wait for one."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line + b"\n")
    return process.stdout.readline()


def is_running(pid: int) -> bool:
    """Whether there is such a process, and it is not dead yet."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except (FileNotFoundError, ProcessLookupError):
        return not Path("/proc/self").exists()  # without a process table to look at, kill has the last word


def running_with(mark: str) -> list[int]:
    """The running processes that have this word in their command line, whatever namespace they are in (Linux)."""
    running = []
    for path in Path("/proc").iterdir():
        try:
            words = (path / "cmdline").read_bytes().split(b"\0") if path.name.isdigit() else []
        except OSError:
            continue
        if mark.encode() in words and is_running(int(path.name)):
            running.append(int(path.name))
    return running


def processor_seconds(pid: int) -> float:
    """The processor time that a process has used."""
    used = psutil.Process(pid).cpu_times()
    return float(used.user + used.system)


def wait_until(happens: Callable[[], bool]) -> None:
    """Wait for what must come."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not happens():
        assert time.monotonic() < deadline, "what must come did not come"
        time.sleep(0.01)


def pids_in(path: Path, count: int) -> list[int]:
    """The process numbers that a stubborn agent has written, once they are all there."""
    wait_until(lambda: path.exists() and path.read_text().count("\n") >= count)
    return [int(line) for line in path.read_text().split()]
