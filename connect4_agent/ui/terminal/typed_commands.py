"""Typed commands: the lines that a person may type at the board."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from connect4_agent.errors import Connect4Error

HIGHEST_LEVEL = 10


class Verb(Enum):
    """A command of the person; the value is its word."""

    DROP = ""
    NEXT = "Enter"
    UNDO = "undo"
    HINT = "hint"
    SCORES = "scores"
    WHY = "why"
    REVIEW = "review"
    NEW = "new"
    QUIT = "quit"


WORDS = {verb.value: verb for verb in Verb if verb not in (Verb.DROP, Verb.NEXT)}
KEYS = {"v" if verb is Verb.REVIEW else word[0]: verb for word, verb in WORDS.items()}


class CommandError(Connect4Error):
    """A typed line that is not understood, or asks for something that is not possible now."""


@dataclass(frozen=True, slots=True)
class Command:
    """A line that was understood."""

    verb: Verb
    number: int | None = None
    """The column, from 0, for DROP and WHY; the discs for UNDO, the level for NEW; None if not given."""


def read_command(line: str, width: int) -> Command:
    """Return the command in a line, on a board of this width. Raises CommandError, which says what is allowed."""
    word, _, argument = line.strip().lower().partition(" ")
    argument = argument.strip()
    verb = WORDS.get(word) or KEYS.get(word)
    if not word:
        return Command(Verb.NEXT)
    if verb is Verb.NEW and argument:
        return Command(verb, _number(argument, HIGHEST_LEVEL, f"new {argument[:20]!r}: allowed is a level, 1 to 10"))
    if verb is Verb.UNDO and argument:
        return Command(verb, _number(argument, 10**9, f"undo {argument[:20]!r}: allowed is a number of discs"))
    if (verb is Verb.WHY and argument) or (word.isascii() and word.isdecimal() and not argument):
        text = argument or word
        column = _number(text, width, f"there is no column {text[:20]!r}: the columns are 1 to {width}") - 1
        return Command(verb or Verb.DROP, column)
    if verb is None or argument:
        words = ", ".join(WORDS)
        raise CommandError(f"{line.strip()[:40]!r} is not a command: type a column, 1 to {width}, or one of {words}")
    return Command(verb)


def _number(text: str, most: int, complaint: str) -> int:
    """Return a number from 1 on. Raises CommandError with the complaint."""
    number = int(text[:10]) if text.isascii() and text.isdecimal() else 0
    if not 1 <= number <= most:
        raise CommandError(complaint)
    return number
