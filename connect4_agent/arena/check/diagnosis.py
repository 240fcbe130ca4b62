"""What was wrong with an answer, or with none, in words for the author of an agent, each with what to do about it."""

from __future__ import annotations

import ast
import os
import re
import shutil
import signal
from collections.abc import Sequence
from contextlib import suppress

from connect4_agent import errors
from connect4_agent.arena.agents.spec import AgentSpec
from connect4_agent.arena.check.result import Answer, Diagnosis, Kind
from connect4_agent.server.replies import move_or_none, read_move
from connect4_agent.text import escaped, short

QUOTED_CHARACTERS = 100
SHEBANG_BYTES = 256

ONE_LINE = 'print one line of JSON for each request: {"move": 3}'
DEBUG_TEXT = (
    "print debug text to standard error (Python: print(..., file=sys.stderr)); only answers go to standard output"
)
LOOP = "answer in a loop until the input ends (Python: for line in sys.stdin)"
FLUSH = "flush after every answer (Python: print(..., flush=True), C: fflush(stdout), Racket: (flush-output))"
LINE_BY_LINE = "read one line at a time (Python: for line in sys.stdin, not sys.stdin.read())"
GRID = "grid[column][row], columns from left to right, each from its top cell to its bottom cell"
END_FIX = "end with status 0 when the input ends, and without a word (Python: for line in sys.stdin, or catch EOFError)"
NOT_GUESSED = "the command below repeats it; the last lines of standard error say where it happened"
PORT = "this is Python 2: port it to Python 3, or name a Python 2 in the command: python2 my_agent.py"
INSTALL = "put {1} beside the program, or install it for this interpreter; the arena installs nothing"
BESIDE = (
    "does that path exist only on your computer? The program runs in {folder}; "
    "open files beside it: pathlib.Path(__file__).parent / 'NAME'"
)

NOT_FOUND = "it opens {1}, which does not exist here"
REASONS = (
    (r"^SyntaxError: Missing parentheses in call to '(\w+)'", Kind.PYTHON_2, "{place}: {1} without brackets", PORT),
    (r"^SyntaxError: multiple exception types must be", Kind.PYTHON_2, "{place}: except with a comma", PORT),
    (r"^SyntaxError: leading zeros in decimal", Kind.PYTHON_2, "{place}: a number that begins with 0", PORT),
    (r"^SyntaxError: invalid decimal literal", Kind.PYTHON_2, "{place}: a number such as 10L", PORT),
    (
        r"^NameError: name '(raw_input|xrange|unicode|unichr|reduce|long)' is not defined",
        Kind.PYTHON_2, "{place}: {1} does not exist in Python 3", PORT,
    ),
    (r"^(?:SyntaxError|IndentationError|TabError)\b.*", Kind.SYNTAX, "{place}: {0}", "repair {place}"),
    (r"No module named '([^']+)'", Kind.MISSING_MODULE, "module {1} is not found", INSTALL),  # Python
    (r"Cannot find module '([^']+)'", Kind.MISSING_MODULE, "module {1} is not found", INSTALL),  # Node.js
    (r"for module path: (\S+)", Kind.MISSING_MODULE, "module {1} is not found", INSTALL),  # Racket
    (r"No such file or directory: '([^']+)'", Kind.FOREIGN_PATH, NOT_FOUND, BESIDE),  # Python
    (r"ENOENT: no such file or directory, \w+ '([^']+)'", Kind.FOREIGN_PATH, NOT_FOUND, BESIDE),  # Node.js
    (r"path: (.+)\n\s*system error: No such file", Kind.FOREIGN_PATH, NOT_FOUND, BESIDE),  # Racket
    (r"FileNotFoundException: (.+) \(No such file", Kind.FOREIGN_PATH, NOT_FOUND, BESIDE),  # Java
    (r"([^\s:]+): openFile: does not exist", Kind.FOREIGN_PATH, NOT_FOUND, BESIDE),  # Haskell
    (r"Could not find (?:a part of the path|file) '([^']+)'", Kind.FOREIGN_PATH, NOT_FOUND, BESIDE),  # .NET
)  # fmt: skip
"""What standard error tells about a crash: a pattern, the kind, what to say, and the fix; the first that fits."""


# ---- an answer ------------------------------------------------------------------------------------------------------


def diagnose_reply(line: bytes, later: Sequence[bytes] = ()) -> Diagnosis | None:
    """What is wrong with a line that should name a column; `later` are lines that came after it."""
    try:
        read_move(line)
    except errors.MoveNotWholeError as error:
        return Diagnosis(Kind.NOT_WHOLE, str(error), 'move is a whole number without quotes: {"move": 3}')
    except errors.ReplyError as error:
        if any(move_or_none(other) is not None for other in later):
            return chatter(line, "instead of an answer")
        if "not JSON" not in str(error):
            fix = f'{ONE_LINE}; the key is "move"' if "has no move" in str(error) else ONE_LINE
            return Diagnosis(Kind.NO_MOVE, str(error), fix)
        if isinstance(_python_value(line), dict):
            fix = 'JSON needs double quotes: print(json.dumps({"move": 3}))'
            return Diagnosis(Kind.SINGLE_QUOTES, f"the answer {quoted(line)} is Python, not JSON", fix)
        return Diagnosis(Kind.NOT_JSON, f"the answer {quoted(line)} is not JSON", f"{ONE_LINE}; {DEBUG_TEXT}")
    return None


def chatter(line: bytes, where: str) -> Diagnosis:
    """The diagnosis for a line that is not an answer."""
    return Diagnosis(Kind.CHATTER, f"it printed {quoted(line)} {where}", DEBUG_TEXT)


def two_answers(line: bytes) -> Diagnosis:
    """The diagnosis for an answer that nobody asked for."""
    text = f"it printed a further answer, {quoted(line)}, without being asked"
    return Diagnosis(Kind.TWO_ANSWERS, text, "answer every request once")


def beyond_answers(data: bytes) -> Diagnosis:
    """The diagnosis for output after the last answer."""
    lines = data.splitlines()
    move = next((line for line in lines if move_or_none(line) is not None), None)
    return chatter(lines[0], "after its answer") if move is None else two_answers(move)


def illegal_move(answer: Answer) -> Diagnosis | None:
    """What is wrong with the column of an answer; None if nothing is."""
    allowed, width, move = answer.open_columns, len(answer.grid), answer.move
    if move is None or move in allowed:
        return None
    if not 0 <= move < width:
        text = f"move is {move}, which is outside of the board: columns are 0 to {width - 1}"
        return Diagnosis(Kind.OUTSIDE, text, f"columns count from 0 to {width - 1}")
    names = ", ".join(map(str, sorted(allowed)))
    text = f"move is {move}, but that column is full; open {'is' if len(allowed) == 1 else 'are'} {names}"
    return Diagnosis(Kind.FULL_COLUMN, text, "choose among the columns whose top cell is empty: grid[column][0] == 0")


def _python_value(line: bytes) -> object:
    with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
        value: object = ast.literal_eval(line.decode(errors="replace").strip())
        return value
    return None


def quoted(data: bytes) -> str:
    """A line of an agent, short and harmless."""
    return f"'{short(escaped(data.decode(errors='backslashreplace').rstrip()), QUOTED_CHARACTERS)}'"


# ---- no answer ------------------------------------------------------------------------------------------------------


def no_newline(data: bytes) -> Diagnosis:
    """The diagnosis for an answer whose line does not end."""
    end = f" after {len(data)} bytes" if len(data) > QUOTED_CHARACTERS else ""
    fix = r"end every answer with a newline: print(...), or sys.stdout.write(... + '\n')"
    return Diagnosis(Kind.NO_NEWLINE, f"the answer {quoted(data)} is not ended by a newline{end}", fix)


def held_back(*, unbuffered_helps: bool | None = None, answers_all: bool = True) -> Diagnosis:
    """The diagnosis for answers that come only with the end of input.

    Whether they come at once if the program's output is unbuffered, and whether all of several requests are answered.
    """
    text = "the answer comes only when the input is closed"
    if unbuffered_helps:
        return Diagnosis(Kind.NOT_FLUSHED, f"{text}: it is not flushed", FLUSH)
    if unbuffered_helps is False and not answers_all:
        return Diagnosis(Kind.READS_ALL, f"{text}: it reads all its input at once", LINE_BY_LINE)
    text = f"{text}: it is not flushed, or all input is read at once"
    return Diagnosis(Kind.HELD_BACK, text, f"{FLUSH}; {LINE_BY_LINE}")


def too_slow(spec: AgentSpec, elapsed_seconds: float, *, is_first: bool, more: str = "") -> Diagnosis:
    """The diagnosis for an answer that came by itself, but late; a first one has the allowance for the start, too."""
    limit_seconds, startup_seconds = spec.limit_seconds, spec.startup_seconds
    assert limit_seconds is not None  # the check grants one
    allowance = f", and {startup_seconds:g} s for starting up" if is_first else ""
    text = f"too slow: {more}{elapsed_seconds:.3g} s, limit {limit_seconds:g} s{allowance}"
    fix = f"search one ply less, or deepen only until {0.8 * limit_seconds:.2g} s have passed"
    return Diagnosis(Kind.TOO_SLOW, text, fix)


def silent(elapsed_seconds: float, *, is_computing: bool) -> Diagnosis:
    """The diagnosis for an agent that never answers."""
    text = f"no answer within {elapsed_seconds:.2g} s"
    if is_computing:
        fix = "search less deep, or deepen only until most of the time has passed; is there a loop without an end?"
        return Diagnosis(Kind.SILENT, f"{text}; it is still computing", fix)
    fix = "answer every line as soon as it is read; a request is one line, and nothing follows it until it is answered"
    return Diagnosis(Kind.SILENT, f"{text}; it is waiting for something", fix)


def too_much(detail: str) -> Diagnosis:
    """The diagnosis for an agent that was killed because of what it used."""
    fix = "start fewer of them" if "MB" not in detail else "does a table grow without end? Clear it, or limit its size"
    return Diagnosis(Kind.TOO_MUCH, detail, fix)


def ended(spec: AgentSpec, status: int | None, stderr: str, answers: int) -> Diagnosis:
    """Why a process ended where an answer was due; `status` is negative for a signal, and None while it runs."""
    if status in (None, 126, 127) and (diagnosis := _not_started(spec, status, stderr, answers)) is not None:
        return diagnosis
    place = _place_in(stderr)
    folder = os.path.abspath(spec.directory or os.getcwd())
    for pattern, kind, text, fix in REASONS:
        if (found := re.search(pattern, stderr, re.MULTILINE)) and (place or "{place}" not in text):
            seen = (group.replace("\\\\", "\\") for group in (found[0], *found.groups()))  # Python doubles them
            groups = [short(escaped(group), QUOTED_CHARACTERS) for group in seen]
            return Diagnosis(kind, *(each.format(*groups, place=place, folder=folder) for each in (text, fix)))
    if status == 0:
        if not answers:
            return Diagnosis(Kind.LEFT, "it ended without an answer, with exit status 0", f"{ONE_LINE}; {LOOP}")
        times = "its first answer" if answers == 1 else f"{answers} answers"
        return Diagnosis(Kind.LEFT, f"it ended after {times}, with exit status 0", LOOP)
    return _crashed(status, reason_in(stderr), place)


def _not_started(spec: AgentSpec, status: int | None, stderr: str, answers: int) -> Diagnosis | None:
    program = (spec.command or ("",))[0]
    if _first_line(spec, program).endswith(b"\r\n") or "\\r" in stderr:
        text = f"the first line of {program} ends with CR LF (Windows), so its interpreter is not found"
        fix = f"save it with Unix line ends: sed -i 's/\\r$//' {program}; with git: git config core.autocrlf input"
        return Diagnosis(Kind.LINE_ENDS, text, fix)
    if answers:
        return None
    if "Permission denied" in stderr:
        fix = f"chmod +x {program}, or name its interpreter in the command: python3 {program}"
        return Diagnosis(Kind.NOT_EXECUTABLE, f"{program} may not be executed", fix)
    if "Exec format error" in stderr:
        fix = "name its interpreter in the command: python3 my_agent.py; or begin the file with #!/usr/bin/env python3"
        return Diagnosis(Kind.NOT_EXECUTABLE, f"{program} is not a program by itself", fix)
    text = f"it does not start: {reason_in(stderr) or f'exit status {status}'}"
    fix = f"is {program} installed here and on the PATH, and its folder the right one?"
    return Diagnosis(Kind.WOULD_NOT_START, text, fix)


def _first_line(spec: AgentSpec, program: str) -> bytes:
    """Of the program's file, if it is a script."""
    path = os.path.join(spec.directory or "", program) if os.sep in program else shutil.which(program)
    with suppress(OSError), open(path or program, "rb") as file:
        line = file.readline(SHEBANG_BYTES)
        return line if line.startswith(b"#!") else b""
    return b""


def _crashed(status: int | None, reason: str, place: str) -> Diagnosis:
    if status is None:
        return Diagnosis(Kind.CRASHED, "it closed its standard output, but still runs", LOOP)
    if status < 0:
        with suppress(ValueError):
            reason = signal.strsignal(-status) or reason
        text = f"it was ended by signal {-status} ({reason})"
    elif reason:
        text = f"it crashed with {reason}" + (f" ({place})" if place else "")
    else:
        text = f"it ended with exit status {status}"
    fix = NOT_GUESSED
    if "IndexError" in reason or "of undefined" in reason or ("index" in reason and "range" in reason):
        fix = f"is an index too large? {GRID}"
    elif "Read-only file system" in reason:
        fix = "do not write files: here they are read-only"
    return Diagnosis(Kind.CRASHED, text, fix)


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

MIN_ANSWERS = 5
"""Before this many, what all answers have in common is not looked for."""


def pattern_of(answers: Sequence[Answer]) -> Diagnosis | None:
    """What all answers have in common, if that explains those that are illegal or missing."""
    wrong = [answer for answer in answers if answer.move not in answer.open_columns]
    if not wrong or len(answers) < MIN_ANSWERS:
        return None
    named = [answer for answer in answers if answer.move is not None]
    if named and all(answer.move - 1 in answer.open_columns for answer in named if answer.move is not None):
        fix = f"columns count from 0: the leftmost is 0, the rightmost {len(named[0].grid) - 1}"
        return Diagnosis(Kind.FROM_1, "every move is one too large: columns are counted from 1", fix)
    if named and all(map(fits_rows, answers)):
        text = "it plays as if the grid were a list of rows"
        return Diagnosis(Kind.ROWS, text, f"it is a list of columns: {GRID}")
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
            return Diagnosis(Kind.WRONG_SIDE, f"as player {3 - player}, too, it plays for player {player}", fix)
    if taken == {1: {2}, 2: {1}}:
        text = "it never takes a win at hand, but always the other one's winning column"
        return Diagnosis(Kind.WRONG_SIDE, text, f"{fix}; win first, then block")
    return None
