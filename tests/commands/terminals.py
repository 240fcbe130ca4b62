"""A real pseudo-terminal with the command in it, and the screen that a person would see."""

from __future__ import annotations

import fcntl
import os
import select
import struct
import subprocess
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pyte

from tests.processes import COMMAND, PATIENCE_SECONDS, clean_environment

CHOSEN = ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "COLUMNS", "LINES", "LC_ALL", "LC_CTYPE", "LANG")
"""What the tests set themselves, so that the machine's own choice does not show."""


class PlayTerminal:
    """A window of a terminal in which `connect4-agent play` runs."""

    def __init__(self, process: subprocess.Popen[bytes], main: int, columns: int, rows: int) -> None:
        self.process = process
        self._main: int | None = main
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self.output = b""
        """All that was ever written."""

    def text(self) -> str:
        """The text on the screen."""
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

    def cell(self, column: int, row: int) -> Any:
        """A sign of the screen with its colours."""
        return self._screen.buffer[row][column]

    def wait_for(self, *texts: str) -> str:
        """The screen, once the texts stand on it and nothing more comes."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not all(text in self.text() for text in texts):
            assert time.monotonic() < deadline, f"{texts} never stood on the screen:\n{self.text()}"
            assert self.read(0.1) or self.process.poll() is None, f"it ended without {texts}:\n{self.text()}"
        while self.read(0.02):
            pass
        return self.text()

    def type(self, line: str) -> None:
        """Type a line and Enter."""
        self.send(f"{line}\n".encode())

    def send(self, data: bytes) -> None:
        """Type these very keys."""
        assert self._main is not None
        os.write(self._main, data)

    def resize(self, columns: int, rows: int) -> None:
        """Make the window larger or smaller."""
        assert self._main is not None
        set_size(self._main, columns, rows)
        self._screen.resize(rows, columns)

    def hang_up(self) -> None:
        """Close the window."""
        assert self._main is not None
        os.close(self._main)
        self._main = None

    def end(self) -> int:
        """Wait for the end of the command; its exit status."""
        while self._main is not None and (self.read(0.1) or self.process.poll() is None):
            pass
        return self.process.wait(PATIENCE_SECONDS)

    def read(self, seconds: float = 0.0) -> bool:
        """Take in what is written; whether anything was."""
        if self._main is None or not select.select([self._main], [], [], seconds)[0]:
            return False
        try:
            piece = os.read(self._main, 65536)
        except OSError:  # Linux's word for a terminal that nobody writes to any more
            piece = b""
        self.output += piece
        self._stream.feed(piece)
        return bool(piece)


@contextmanager
def playing(
    *arguments: str, columns: int = 80, rows: int = 24, command: tuple[str, ...] = (COMMAND, "play"), **changes: str
) -> Iterator[PlayTerminal]:
    """The command in a terminal of its own; `changes` are to its environment."""
    environment = {name: value for name, value in clean_environment().items() if name not in CHOSEN}
    environment |= {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "XDG_STATE_HOME": os.devnull, **changes}
    main, side = os.openpty()
    set_size(side, columns, rows)
    with subprocess.Popen(
        [*command, *arguments],
        stdin=side, stdout=side, stderr=side, env=environment, start_new_session=True,
        preexec_fn=take_terminal,  # noqa: PLW1509  # one system call and nothing else
    ) as process:  # fmt: skip
        os.close(side)
        terminal = PlayTerminal(process, main, columns, rows)
        try:
            yield terminal
        finally:
            process.kill()
            if terminal._main is not None:
                terminal.hang_up()


def take_terminal() -> None:
    """Make standard input the terminal that sends Ctrl-C and hang-ups here."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def set_size(descriptor: int, columns: int, rows: int) -> None:
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
