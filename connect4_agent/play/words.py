"""Words: what a person may type at the board."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from connect4_agent import errors


class Verb(Enum):
    """What can be asked for; the value is the word for it."""

    DROP = ""
    NEXT = "next"
    UNDO = "undo"
    REDO = "redo"
    HINT = "hint"
    FLIP = "flip"
    SAVE = "save"
    LOAD = "load"
    NEW = "new"
    GO = "go"
    HELP = "help"
    QUIT = "quit"


SYNONYMS = {
    "u": Verb.UNDO,
    "r": Verb.REDO,
    "h": Verb.HINT,
    "hints": Verb.HINT,
    "f": Verb.FLIP,
    "s": Verb.SAVE,
    "l": Verb.LOAD,
    "n": Verb.NEW,
    "g": Verb.GO,
    "?": Verb.HELP,
    "q": Verb.QUIT,
    "exit": Verb.QUIT,
    **{verb.value: verb for verb in Verb if verb not in (Verb.DROP, Verb.NEXT)},
}

TAKE_AN_ARGUMENT = (Verb.UNDO, Verb.REDO, Verb.SAVE, Verb.LOAD)

ALL = "all"
"""With undo and redo: to the beginning, to the end."""

LARGEST_NUMBER = 10**9
"""Larger than any board; longer numbers are as good as this one."""

HELP = """\
1, 2, ...   drop a disc into this column
u, undo     take back to your last turn; undo 3 three discs, undo all every disc
r, redo     play again what was taken back; redo 3, redo all
h, hint     show what each column is worth; stays on until the next h
f, flip     change sides: you go on with the other discs
s, save     show the moves; save FILE writes them to a file
l, load     load FILE goes on with a saved game, load 4453 with these moves
n, new      begin a new game
Enter       let an agent play that waits on its turn
g, go       two agents: play on until Enter is pressed
?, help     this page
q, quit     leave; Ctrl-D and Ctrl-C do as well

Scores are from the side to move: 0 is a draw, +k a win with the winner's k-th
last disc, -k a loss likewise; a score with ~ is an opinion, not proven.
(X) is the last disc, [X] one of four in a row.
"""


@dataclass(frozen=True, slots=True)
class Command:
    """A line that was understood."""

    verb: Verb
    argument: str = ""
    number: int | None = None
    """The column, from 0, for DROP; the discs for UNDO and REDO, None where it is not said."""


def read_command(line: str, width: int) -> Command:
    """What a line asks for on a board of so many columns. Raises WordsError, which says what is understood."""
    word, _, argument = line.strip().partition(" ")
    argument = argument.strip()
    if not word:
        return Command(Verb.NEXT)
    number = _number(word)
    if number is not None and not argument:
        if 1 <= number <= width:
            return Command(Verb.DROP, number=number - 1)
        raise errors.WordsError(f"there is no column {word[:20]}: the columns are 1 to {width}")
    verb = SYNONYMS.get(word.lower())
    if verb is None or (argument and verb not in TAKE_AN_ARGUMENT):
        words = ", ".join(each.value for each in Verb if each not in (Verb.DROP, Verb.NEXT))
        raise errors.WordsError(
            f"{line.strip()[:40]!r} is not understood: type a column, 1 to {width}, or one of {words}"
        )
    if verb in (Verb.UNDO, Verb.REDO) and argument:
        number = LARGEST_NUMBER if argument.lower() == ALL else _number(argument)
        if not number:
            raise errors.WordsError(f"{verb.value} {argument[:20]!r}: allowed are a number of discs and {ALL}")
        return Command(verb, argument, number)
    if verb is Verb.LOAD and not argument:
        raise errors.WordsError("load what? load FILE reads a saved game, load 4453 plays these moves")
    return Command(verb, argument)


def _number(word: str) -> int | None:
    if not (word.isascii() and word.isdecimal()):
        return None
    return int(word) if len(word) < 10 else LARGEST_NUMBER
