"""Typed commands: the lines that a person may type at the board."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from connect4_agent.errors import Connect4Error


class Verb(Enum):
    """A wish of the person; the value is its word."""

    DROP = ""
    NEXT = "Enter"
    UNDO = "undo"
    HINT = "hint"
    WHY = "why"
    REVIEW = "review"
    NEW = "new"
    QUIT = "quit"


WORDS = {verb.value: verb for verb in Verb if verb not in (Verb.DROP, Verb.NEXT)}
KEYS = {"u": Verb.UNDO, "h": Verb.HINT, "w": Verb.WHY, "v": Verb.REVIEW, "n": Verb.NEW, "q": Verb.QUIT}


class CommandError(Connect4Error):
    """A typed line that is not understood, or asks for something that is not possible now."""


@dataclass(frozen=True, slots=True)
class Command:
    """A line that was understood."""

    verb: Verb
    number: int | None = None
    """The column, from 0, for DROP and WHY; the discs for UNDO; None if not given."""


def read_command(line: str, width: int) -> Command:
    """Return the command in a line, on a board of this width. Raises CommandError, which says what is allowed."""
    word, _, argument = line.strip().lower().partition(" ")
    argument = argument.strip()
    if not word:
        return Command(Verb.NEXT)
    verb = WORDS.get(word) or KEYS.get(word)
    if verb is Verb.UNDO and argument:
        discs = _number(argument)
        if not discs:
            raise CommandError(f"undo {argument[:20]!r}: allowed is a number of discs")
        return Command(verb, discs)
    if verb is Verb.WHY and argument:
        return Command(verb, _column(argument, width))
    if verb is not None and not argument:
        return Command(verb)
    if argument or _number(word) is None:
        words = ", ".join(WORDS)
        raise CommandError(f"{line.strip()[:40]!r} is not a command: type a column, 1 to {width}, or one of {words}")
    return Command(Verb.DROP, _column(word, width))


def _column(word: str, width: int) -> int:
    """Return the column with this number, counted from 0. Raises CommandError."""
    number = _number(word)
    if number is None or not 1 <= number <= width:
        raise CommandError(f"there is no column {word[:20]!r}: the columns are 1 to {width}")
    return number - 1


def _number(word: str) -> int | None:
    return int(word[:9]) if word.isascii() and word.isdecimal() else None
