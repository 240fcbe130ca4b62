"""What was wrong with an answer, or with none, in words for the author of an agent, each with what to do about it."""

from __future__ import annotations

import ast
import re
import signal
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from connect4_agent import errors
from connect4_agent.arena.check.result import Answer, Diagnosis, Kind
from connect4_agent.text import escaped, short
from connect4_agent.wire.replies import read_move

QUOTED_CHARACTERS = 100

ONE_LINE = 'print one line of JSON for each request: {"move": 3}'
DEBUG_TEXT = (
    "print debug text to standard error (Python: print(..., file=sys.stderr)); only answers go to standard output"
)
LOOP = "answer in a loop until the input ends (Python: for line in sys.stdin)"
FLUSH = "flush after every answer (Python: print(..., flush=True), C: fflush(stdout), Racket: (flush-output))"
LINE_BY_LINE = "read one line at a time (Python: for line in sys.stdin, not sys.stdin.read())"
GRID = "grid[column][row], columns from left to right, each from its top cell to its bottom cell"
NOT_GUESSED = "the command below repeats it; the last lines of standard error say where it happened"

NAMES_OF_PYTHON_2 = ("raw_input", "xrange", "unicode", "unichr", "reduce", "long")
PYTHON_2_SYNTAX = {
    "Missing parentheses in call to 'print'": "print without brackets",
    "Missing parentheses in call to 'exec'": "exec without brackets",
    "multiple exception types must be parenthesized": "except with a comma",
    "leading zeros in decimal integer literals": "a number that begins with 0",
    "invalid decimal literal": "a number such as 10L",
}
MISSING_FILES = (
    r"No such file or directory: '([^']+)'",  # Python
    r"ENOENT: no such file or directory, \w+ '([^']+)'",  # Node.js
    r"path: (.+)\n\s*system error: No such file",  # Racket
    r"FileNotFoundException: (.+) \(No such file",  # Java
    r"([^\s:]+): openFile: does not exist",  # Haskell
    r"Could not find (?:a part of the path|file) '([^']+)'",  # .NET
)
MISSING_MODULES = (
    r"No module named '([^']+)'",  # Python
    r"Cannot find module '([^']+)'",  # Node.js
    r"collection not found\s+for module path: (\S+)",  # Racket
)


class End(NamedTuple):
    """How a process ended, and what is known about its program."""

    status: int | None
    """Negative for a signal; None while it runs."""
    stderr: str
    answers: int
    """How many answers it had given."""
    program: str
    first_line: bytes = b""
    """Of the program's file, if it is a script."""
    folder: str = ""
    """Where it ran."""


# ---- an answer ------------------------------------------------------------------------------------------------------


def diagnose_reply(line: bytes, later: Sequence[bytes] = ()) -> Diagnosis | None:
    """What is wrong with a line that should name a column; `later` are lines that came after it."""
    text = quoted(line)
    try:
        read_move(line)
    except errors.MoveNotWholeError as error:
        return Diagnosis(kind=Kind.NOT_WHOLE, text=str(error), fix='move is a whole number without quotes: {"move": 3}')
    except errors.ReplyError as error:
        if any(map(_is_move, later)):
            return chatter(line)
        if "not JSON" not in str(error):
            fix = f'{ONE_LINE}; the key is "move"' if "has no move" in str(error) else ONE_LINE
            return Diagnosis(kind=Kind.NO_MOVE, text=str(error), fix=fix)
        if isinstance(_python_value(line), dict):
            fix = 'JSON needs double quotes: print(json.dumps({"move": 3}))'
            return Diagnosis(kind=Kind.SINGLE_QUOTES, text=f"the answer {text} is Python, not JSON", fix=fix)
        return Diagnosis(kind=Kind.NOT_JSON, text=f"the answer {text} is not JSON", fix=f"{ONE_LINE}; {DEBUG_TEXT}")
    return None


def chatter(line: bytes, where: str = "instead of an answer") -> Diagnosis:
    """The diagnosis for a line that is not an answer."""
    return Diagnosis(kind=Kind.CHATTER, text=f"it printed {quoted(line)} {where}", fix=DEBUG_TEXT)


def two_answers(line: bytes) -> Diagnosis:
    """The diagnosis for an answer that nobody asked for."""
    text = f"it printed a further answer, {quoted(line)}, without being asked"
    return Diagnosis(kind=Kind.TWO_ANSWERS, text=text, fix="answer every request once")


def beyond_answers(data: bytes) -> Diagnosis:
    """The diagnosis for output after the last answer."""
    lines = data.splitlines()
    move = next(filter(_is_move, lines), None)
    return chatter(lines[0], "after its answer") if move is None else two_answers(move)


def illegal_move(answer: Answer) -> Diagnosis | None:
    """What is wrong with the column of an answer; None if nothing is."""
    allowed, width, move = answer.open_columns, len(answer.grid), answer.move
    if move is None or move in allowed:
        return None
    if not 0 <= move < width:
        text = f"move is {move}, which is outside of the board: columns are 0 to {width - 1}"
        return Diagnosis(kind=Kind.OUTSIDE, text=text, fix=f"columns count from 0 to {width - 1}")
    names = ", ".join(map(str, sorted(allowed)))
    text = f"move is {move}, but that column is full; open {'is' if len(allowed) == 1 else 'are'} {names}"
    fix = "choose among the columns whose top cell is empty: grid[column][0] == 0"
    return Diagnosis(kind=Kind.FULL_COLUMN, text=text, fix=fix)


def _python_value(line: bytes) -> object:
    with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
        value: object = ast.literal_eval(line.decode(errors="replace").strip())
        return value
    return None


def _is_move(line: bytes) -> bool:
    try:
        read_move(line)
    except errors.ReplyError:
        return False
    return True


def quoted(data: bytes) -> str:
    """A line of an agent, short and harmless."""
    return f"'{short(escaped(data.decode(errors='backslashreplace').rstrip()), QUOTED_CHARACTERS)}'"


# ---- no answer ------------------------------------------------------------------------------------------------------


def no_newline(data: bytes) -> Diagnosis:
    """The diagnosis for an answer whose line does not end."""
    end = f" after {len(data)} bytes" if len(data) > QUOTED_CHARACTERS else ""
    fix = r"end every answer with a newline: print(...), or sys.stdout.write(... + '\n')"
    return Diagnosis(kind=Kind.NO_NEWLINE, text=f"the answer {quoted(data)} is not ended by a newline{end}", fix=fix)


def held_back(*, unbuffered_helps: bool | None = None, answers_all: bool = True) -> Diagnosis:
    """The diagnosis for answers that come only with the end of input.

    Whether they come at once if the program's output is unbuffered, and whether all of several requests are answered.
    """
    text = "the answer comes only when the input is closed"
    if unbuffered_helps:
        return Diagnosis(kind=Kind.NOT_FLUSHED, text=f"{text}: it is not flushed", fix=FLUSH)
    if unbuffered_helps is False and not answers_all:
        return Diagnosis(kind=Kind.READS_ALL, text=f"{text}: it reads all its input at once", fix=LINE_BY_LINE)
    text = f"{text}: it is not flushed, or all input is read at once"
    return Diagnosis(kind=Kind.HELD_BACK, text=text, fix=f"{FLUSH}; {LINE_BY_LINE}")


def too_slow(
    elapsed_seconds: float, limit_seconds: float, startup_seconds: float = 0.0, *, at_least: bool = False
) -> Diagnosis:
    """The diagnosis for an answer that came by itself, but late, or did `at_least` not come until then.

    The allowance for the start counts for a first answer.
    """
    allowance = f", and {startup_seconds:g} s for starting up" if startup_seconds else ""
    more = "more than " if at_least else ""
    text = f"too slow: {more}{elapsed_seconds:.3g} s, limit {limit_seconds:g} s{allowance}"
    fix = f"search one ply less, or deepen only until {0.8 * limit_seconds:.2g} s have passed"
    return Diagnosis(kind=Kind.TOO_SLOW, text=text, fix=fix)


def silent(elapsed_seconds: float, *, is_computing: bool) -> Diagnosis:
    """The diagnosis for an agent that never answers."""
    text = f"no answer within {elapsed_seconds:.2g} s"
    if is_computing:
        fix = "search less deep, or deepen only until most of the time has passed; is there a loop without an end?"
        return Diagnosis(kind=Kind.SILENT, text=f"{text}; it is still computing", fix=fix)
    fix = "answer every line as soon as it is read; a request is one line, and nothing follows it until it is answered"
    return Diagnosis(kind=Kind.SILENT, text=f"{text}; it is waiting for something", fix=fix)


def too_much(detail: str) -> Diagnosis:
    """The diagnosis for an agent that was killed because of what it used."""
    fix = "start fewer of them" if "MB" not in detail else "does a table grow without end? Clear it, or limit its size"
    return Diagnosis(kind=Kind.TOO_MUCH, text=detail, fix=fix)


def ended(end: End) -> Diagnosis:
    """Why a process ended where an answer was due."""
    return _not_started(end) or _not_understood(end) or _missing(end) or _left(end) or _crashed(end)


def _not_started(end: End) -> Diagnosis | None:
    first = end.first_line
    if end.status in (None, 126, 127) and (first.endswith(b"\r\n") or "\\r" in end.stderr):
        text = f"the first line of {end.program} ends with CR LF (Windows), so its interpreter is not found"
        fix = f"save it with Unix line ends: sed -i 's/\\r$//' {end.program}; with git: git config core.autocrlf input"
        return Diagnosis(kind=Kind.LINE_ENDS, text=text, fix=fix)
    if end.answers or end.status not in (None, 126, 127):
        return None
    if "Permission denied" in end.stderr:
        fix = f"chmod +x {end.program}, or name its interpreter in the command: python3 {end.program}"
        return Diagnosis(kind=Kind.NOT_EXECUTABLE, text=f"{end.program} may not be executed", fix=fix)
    if "Exec format error" in end.stderr:
        fix = "name its interpreter in the command: python3 my_agent.py; or begin the file with #!/usr/bin/env python3"
        return Diagnosis(kind=Kind.NOT_EXECUTABLE, text=f"{end.program} is not a program by itself", fix=fix)
    text = f"it does not start: {reason_in(end.stderr) or 'exit status ' + str(end.status)}"
    fix = f"is {end.program} installed here and on the PATH, and its folder the right one?"
    return Diagnosis(kind=Kind.WOULD_NOT_START, text=text, fix=fix)


def _not_understood(end: End) -> Diagnosis | None:
    """Programs that their interpreters refuse."""
    reason, place = reason_in(end.stderr), _place_in(end.stderr)
    old = next((words for sign, words in PYTHON_2_SYNTAX.items() if sign in reason and "SyntaxError" in reason), None)
    name = re.match(r"NameError: name '(\w+)' is not defined", reason)
    if name and name[1] in NAMES_OF_PYTHON_2:
        old = f"{name[1]} does not exist in Python 3"
    if old is not None:
        fix = "port it to Python 3, or name a Python 2 in the command: python2 my_agent.py"
        return Diagnosis(kind=Kind.PYTHON_2, text=f"{place}: {old}: this is Python 2", fix=fix)
    if re.match(r"(SyntaxError|IndentationError|TabError)\b", reason):
        return Diagnosis(kind=Kind.SYNTAX, text=f"{place}: {reason}", fix=f"repair {place}")
    return None


def _missing(end: End) -> Diagnosis | None:
    """Files and modules that are not here."""
    for pattern in MISSING_MODULES:
        if (module := re.search(pattern, end.stderr)) is not None:
            fix = f"put {module[1]} beside the program, or install it for this interpreter; the arena installs nothing"
            return Diagnosis(kind=Kind.MISSING_MODULE, text=f"module {module[1]} is not found", fix=fix)
    for pattern in MISSING_FILES:
        if (found := re.search(pattern, end.stderr)) is None:
            continue
        path = found[1].replace("\\\\", "\\")
        is_absolute = path.startswith(("/", "\\", "~")) or path[1:2] == ":"
        where = "that path exists only on your computer" if is_absolute else f"the program runs in {end.folder}"
        fix = f"{where}; open files beside the program: pathlib.Path(__file__).parent / 'NAME'"
        return Diagnosis(kind=Kind.FOREIGN_PATH, text=f"it opens {path}, which does not exist here", fix=fix)
    return None


def _left(end: End) -> Diagnosis | None:
    if end.status != 0:
        return None
    if end.answers:
        times = "its first answer" if end.answers == 1 else f"{end.answers} answers"
        return Diagnosis(kind=Kind.LEFT, text=f"it ended after {times}, with exit status 0", fix=LOOP)
    text = "it ended without an answer, with exit status 0"
    return Diagnosis(kind=Kind.LEFT, text=text, fix=f"{ONE_LINE}; {LOOP}")


def _crashed(end: End) -> Diagnosis:
    reason, place = reason_in(end.stderr), _place_in(end.stderr)
    if end.status is None:
        return Diagnosis(kind=Kind.CRASHED, text="it closed its standard output, but still runs", fix=LOOP)
    if end.status < 0:
        with suppress(ValueError):
            reason = signal.strsignal(-end.status) or reason
        text = f"it was ended by signal {-end.status} ({reason})"
    elif reason:
        text = f"it crashed with {reason}" + (f" ({place})" if place else "")
    else:
        text = f"it ended with exit status {end.status}"
    fix = NOT_GUESSED
    if "IndexError" in reason or "of undefined" in reason or ("index" in reason and "range" in reason):
        fix = f"is an index too large? {GRID}"
    elif "Read-only file system" in reason:
        fix = "do not write files: here they are read-only"
    return Diagnosis(kind=Kind.CRASHED, text=text, fix=fix)


def reason_in(stderr: str) -> str:
    """The line of standard error that says most: the last one that is not indented, as in most languages."""
    lines = [line.rstrip() for line in stderr.splitlines() if line.strip() and not line.startswith("Node.js v")]
    flush = [line for line in lines if not line[0].isspace()]
    reason = re.sub(r"^(?:[\w$]+\.)+(?=\w*(?:Error|Exception)\b)", "", (flush or lines or [""])[-1].strip())
    return short(escaped(reason), QUOTED_CHARACTERS)


def _place_in(stderr: str) -> str:
    """The file and line that a Python traceback names last, outside of Python's own library."""
    places: list[tuple[str, str]] = re.findall(r'File "([^"]+)", line (\d+)', stderr)
    own = [place for place in places if "/lib/python" not in place[0] and "<frozen" not in place[0]]
    return f"{own[-1][0].rpartition('/')[2]}, line {own[-1][1]}" if own else ""


# ---- all answers together -------------------------------------------------------------------------------------------

FEWEST_ANSWERS = 5
"""Before this many, what all answers have in common is not looked for."""


def pattern_of(answers: Sequence[Answer]) -> Diagnosis | None:
    """What all answers have in common, if that explains those that are illegal or missing."""
    wrong = [answer for answer in answers if answer.move not in answer.open_columns]
    if not wrong or len(answers) < FEWEST_ANSWERS:
        return None
    named = [answer for answer in answers if answer.move is not None]
    if named and all(answer.move - 1 in answer.open_columns for answer in named if answer.move is not None):
        width = len(named[0].grid)
        fix = f"columns count from 0: the leftmost is 0, the rightmost {width - 1}"
        return Diagnosis(kind=Kind.FROM_1, text="every move is one too large: columns are counted from 1", fix=fix)
    if named and all(map(fits_rows, answers)):
        text = "it plays as if the grid were a list of rows"
        return Diagnosis(kind=Kind.ROWS, text=text, fix=f"it is a list of columns: {GRID}")
    return None


def fits_rows(answer: Answer) -> bool:
    """Whether an agent that takes the columns for rows might do this: for it, the first column shows what is open."""
    seen = [column for column, cell in enumerate(answer.grid[0]) if cell == 0]
    return answer.move in seen if seen else answer.move is None


def side_of(answers: Sequence[Answer], wins: Sequence[tuple[int, int]]) -> Diagnosis | None:
    """Whether it plays for the wrong side: `wins` are the columns with which player 1 and player 2 win at once."""
    taken: dict[int, set[int | None]] = {1: set(), 2: set()}
    for answer, columns in zip(answers, wins, strict=True):
        winner = next((player for player, column in enumerate(columns, 1) if column == answer.move), None)
        taken[answer.player].add(winner)
    fix = "player in the request is the number of your own discs in the grid"
    for player in (1, 2):
        if taken == {1: {player}, 2: {player}}:
            text = f"as player {3 - player}, too, it plays for player {player}"
            return Diagnosis(kind=Kind.WRONG_SIDE, text=text, fix=fix)
    if taken == {1: {2}, 2: {1}}:
        text = "it never takes a win at hand, but always the other one's winning column"
        return Diagnosis(kind=Kind.WRONG_SIDE, text=text, fix=f"{fix}; win first, then block")
    return None
