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

from connect4_agent.ui.terminal.drawing import ASCII, UNICODE, Line, Signs, plain

STYLES = {
    # ANSI codes for the colours of the pages. Both colours are set, so that light and dark terminals show the same.
    "disc-1": "1;97;41",
    "disc-2": "1;30;43",
    "four": "1;7",  # stands out on light and dark, and without colours
    "frame": "2",
    "strong": "1",
}
CLEAR = "\x1b[2J\x1b[H"


class GoneError(Exception):
    """The terminal has been closed."""


class Console:
    """Standard input and output, both a terminal; in plain lines if it is a dumb one."""

    signs: Signs
    clears: bool
    """True if a new picture replaces the old one; otherwise it appears below."""

    def __init__(self) -> None:
        # Characters that the terminal cannot show must not end the game.
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # it is a terminal
        self.signs = UNICODE if _shows_unicode() else ASCII
        # Switching ANSI codes on is all that an empty command does on Windows.
        self.clears = os.environ.get("TERM") not in ("dumb", "unknown") and (os.name != "nt" or not os.system(""))
        has_colours = self.clears and not os.environ.get("NO_COLOR")
        self._styles = {role: code for role, code in STYLES.items() if has_colours or not role.startswith("disc")}

    def size(self) -> tuple[int, int]:
        """Return the columns and rows of the window; 80 and 24 if they are unknown."""
        return shutil.get_terminal_size((80, 24))

    def show(self, lines: list[Line]) -> None:
        """Show a new picture, in place of the old one if the terminal can do that."""
        if not self.clears:
            self._write("\n" + "".join(f"{plain(line)}\n" for line in lines))
            return
        self._write(CLEAR + "".join(f"{''.join(self._styled(*piece) for piece in line)}\n" for line in lines))

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

    def _styled(self, text: str, role: str) -> str:
        return f"\x1b[{self._styles[role]}m{text}\x1b[0m" if role in self._styles else text

    def _write(self, text: str) -> None:
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except OSError:
            raise GoneError from None


def lacking_terminal() -> str | None:
    """Return the name of a standard stream that is not a terminal; None if both are."""
    names = {0: "standard input", 1: "standard output"}
    return next((name for descriptor, name in names.items() if not os.isatty(descriptor)), None)


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
