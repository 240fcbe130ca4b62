"""Console: the terminal, its size and abilities, and its lines in and out.

Input is read line by line, not key by key: that works on every terminal, including dumb ones and those of editors,
leaves nothing to restore if the program is killed, and lets a person correct a typing mistake.
"""

from __future__ import annotations

import codecs
import locale
import os
import shutil
import sys
from typing import Any

from connect4_agent.ui.terminal.drawing import ASCII, UNICODE, Line, Signs, plain

STYLES = {
    # The colours of the pages. Foreground and background together: a light and a dark terminal then show the same.
    "disc-1": "bold bright_white on red",
    "disc-2": "bold black on yellow",
    "four": "bold reverse",  # stands out on light and dark, and without colours
    "frame": "dim",
    "strong": "bold",
}


class GoneError(Exception):
    """The terminal has been closed."""


class Console:
    """Standard input and output, both a terminal; in colours with rich, in plain lines without it."""

    signs: Signs
    clears: bool
    """Whether a new picture replaces the old one; otherwise it appears below it."""

    def __init__(self) -> None:
        # Characters that the terminal cannot show must not end the game.
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # it is a terminal
        self._rich = _rich_console()
        self.signs = UNICODE if _shows_unicode() else ASCII
        self.clears = self._rich is not None and not self._rich.is_dumb_terminal
        self.has_colours = self._rich is not None

    def size(self) -> tuple[int, int]:
        """Return the columns and rows of the window; 80 and 24 if they are unknown."""
        return shutil.get_terminal_size((80, 24))

    def show(self, lines: list[Line]) -> None:
        """Show a new picture, in place of the old one if the terminal can do that."""
        if self._rich is None:
            self._write("\n" + "".join(f"{plain(line)}\n" for line in lines))
            return
        from rich.text import Text  # noqa: PLC0415  # an extra

        text = Text(no_wrap=True, overflow="ignore", end="")
        for line in lines:
            for piece, role in line:
                text.append(piece, STYLES.get(role, ""))
            text.append("\n")
        try:
            if self.clears:
                self._rich.clear()
            else:
                self._rich.print()
            self._rich.print(text, crop=False, end="")
        except OSError:
            raise GoneError from None

    def say(self, text: str) -> None:
        """Write a line below the picture."""
        self._write(f"{text}\n")

    def read_line(self, prompt: str) -> str | None:
        """Return the next line that the person types; None at the end of input. Raises GoneError."""
        self._write(prompt)
        try:
            line = sys.stdin.buffer.readline()
        except OSError:
            raise GoneError from None
        if not line:
            self._write("\n")
            return None
        return line.decode(sys.stdin.encoding or "utf-8", errors="replace")

    def _write(self, text: str) -> None:
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except OSError:
            raise GoneError from None


def lacking_terminal() -> str | None:
    """Return the name of a standard stream that is not a terminal; None if both are."""
    for descriptor, name in ((0, "standard input"), (1, "standard output")):
        if not os.isatty(descriptor):
            return name
    return None


def give_up_output() -> None:
    """Discard further output: the terminal is closed, and Python would report an error at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _shows_unicode() -> bool:
    """Check whether the locale and Python's output are UTF-8: Python may assume UTF-8 although the locale is not."""
    try:
        names = {codecs.lookup(name).name for name in (locale.getencoding(), sys.stdout.encoding)}
    except LookupError:
        return False
    return names == {"utf-8"}


def _rich_console() -> Any:
    """Return the console of rich; None if it is not installed."""
    try:
        from rich.console import Console as RichConsole  # noqa: PLC0415  # an extra
    except ImportError:
        return None
    return RichConsole(highlight=False, markup=False, emoji=False)
