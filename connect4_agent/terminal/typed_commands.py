"""Typed commands: what a person may type at the board."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from connect4_agent.errors import Connect4Error
from connect4_agent.rules.position import MOVE_SIGNS


class Verb(Enum):
    """What can be asked for; the value is the word for it."""

    DROP = ""
    NEXT = "next"
    UNDO = "undo"
    REDO = "redo"
    HINT = "hint"
    WHY = "why"
    FLIP = "flip"
    SAVE = "save"
    LOAD = "load"
    NEW = "new"
    BACK = "back"
    LINES = "lines"
    REVIEW = "review"
    GO = "go"
    HELP = "help"
    QUIT = "quit"


SYNONYMS = {
    "u": Verb.UNDO,
    "r": Verb.REDO,
    "h": Verb.HINT,
    "hints": Verb.HINT,
    "w": Verb.WHY,
    "f": Verb.FLIP,
    "s": Verb.SAVE,
    "l": Verb.LOAD,
    "n": Verb.NEW,
    "v": Verb.REVIEW,
    "g": Verb.GO,
    "?": Verb.HELP,
    "q": Verb.QUIT,
    "exit": Verb.QUIT,
    **{verb.value: verb for verb in Verb if verb not in (Verb.DROP, Verb.NEXT)},
}

TAKE_AN_ARGUMENT = (Verb.UNDO, Verb.REDO, Verb.WHY, Verb.SAVE, Verb.LOAD, Verb.LINES)

ALL = "all"
"""With undo and redo: to the beginning, to the end."""

LARGEST_NUMBER = 10**9
"""Larger than any board; larger numbers are read as this one."""

HELP = """\
1, 2, ...   drop a disc into this column; column 10 is 10 or a, 11 is b, ...
u, undo     take back to your last turn; undo 3 three discs, undo all every disc
r, redo     play again what was taken back; redo 3, redo all
lines       list other lines you have played; lines 2 returns to the second
h, hint     turn hints on or off: the score of each column
w, why      why the side to move wins, draws or loses; why 3 explains column 3
v, review   the course of the game, its mistakes, and how accurate both were
f, flip     change sides: you continue with the other discs
s, save     show the moves; save FILE writes the game to a file
l, load     load FILE continues a saved game, load 4453 plays these moves
n, new      begin a new game
back        return to the game before the last new or load
Enter       let the agent play if it is waiting
g, go       two agents: keep playing until you press Enter
?, help     this page
q, quit     leave, like Ctrl-D and Ctrl-C

Scores are from the side to move: 0 is a draw, +k a win with the winner's k-th
last disc, -k a loss. A score with ~ is an opinion, not proven.
(X) is the last disc, [X] part of four in a row.
"""

SHORT_HELP = """\
1, 2 ...  drop a disc; column 10 is a
u undo    take back; undo 3, undo all
r redo    play again; redo 3, redo all
  lines   other lines; lines 2 goes to 2
h hint    scores; w, why, why 3: reasons
v review  the course of the game
f flip    change sides
s save    show moves; save FILE
l load    load FILE, or load 4453
n new     begin a new game
  back    the game before new or load
Enter     agent plays; g, go: plays on
? help    this page
q quit    leave, like Ctrl-D, Ctrl-C
"""
"""For small windows: 40 columns and 15 rows, the prompt included."""


class CommandError(Connect4Error):
    """A typed line that is not understood, or asks for something that is not possible now."""


@dataclass(frozen=True, slots=True)
class Command:
    """A line that was understood."""

    verb: Verb
    argument: str = ""
    number: int | None = None
    """The column, from 0, for DROP and WHY; the discs for UNDO and REDO, the line for LINES; None if not given."""


def read_command(line: str, width: int) -> Command:
    """The command in a line, on a board of this width. Raises CommandError, which says what is allowed."""
    word, _, argument = line.strip().partition(" ")
    argument = argument.strip()
    if not word:
        return Command(Verb.NEXT)
    number = _column_number(word)
    if number is not None and not argument:
        return Command(Verb.DROP, number=_column(word, number, width))
    verb = SYNONYMS.get(word.lower())
    if verb is None or (argument and verb not in TAKE_AN_ARGUMENT):
        words = ", ".join(verb.value for verb in Verb if verb not in (Verb.DROP, Verb.NEXT))
        raise CommandError(f"{line.strip()[:40]!r} is not a command: type a column, 1 to {width}, or one of {words}")
    if argument and verb not in (Verb.SAVE, Verb.LOAD):
        return Command(verb, argument, _number_for(verb, argument, width))
    if verb is Verb.LOAD and not argument:
        raise CommandError("load needs a file or moves: load FILE reads a saved game, load 4453 plays these moves")
    return Command(verb, argument)


def _number_for(verb: Verb, argument: str, width: int) -> int:
    """The number that the argument of a command is. Raises CommandError."""
    if verb is Verb.WHY:
        number = _column_number(argument)
        if number is None:
            raise CommandError(f"why {argument[:20]!r}: allowed is a column, 1 to {width}")
        return _column(argument, number, width)
    is_all = verb is not Verb.LINES and argument.lower() == ALL
    number = LARGEST_NUMBER if is_all else _number(argument)
    if not number:
        allowed = "is the number of a line" if verb is Verb.LINES else f"are a number of discs and {ALL}"
        raise CommandError(f"{verb.value} {argument[:20]!r}: allowed {allowed}")
    return number


def _column(word: str, number: int, width: int) -> int:
    """The column with this number, counted from 0. Raises CommandError."""
    if not 1 <= number <= width:
        raise CommandError(f"there is no column {word[:20]}: the columns are 1 to {width}")
    return number - 1


def _column_number(word: str) -> int | None:
    """The number of a column, typed as a number or as its letter in move strings.

    Letters that are commands remain commands.
    """
    word = word.lower()
    if len(word) == 1 and word not in SYNONYMS and word in MOVE_SIGNS:
        return MOVE_SIGNS.index(word) + 1
    return _number(word)


def _number(word: str) -> int | None:
    if not (word.isascii() and word.isdecimal()):
        return None
    return int(word) if len(word) < 10 else LARGEST_NUMBER
