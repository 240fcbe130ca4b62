"""Diagnoses of answers, or of none, in words for the author of an agent, each with what to do about it."""

from __future__ import annotations

import os
import re
import shutil
import signal
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from connect4_agent import errors
from connect4_agent.arena.agents.host import EXIT_REFUSED
from connect4_agent.arena.check.result import Answer, Diagnosis, Kind
from connect4_agent.arena.faults import Ending, FaultError
from connect4_agent.arena.spec import AgentSpec
from connect4_agent.server.replies import move_or_none, read_move
from connect4_agent.text import counted, escaped, short

QUOTED_CHARACTERS = 100
MAX_REFUSAL = 400
"""The longest message of the host, which lists what a file holds."""

ONE_LINE = 'print one line of JSON for each request: {"move": 3} ($json)'
DEBUG_TEXT = "print debug text to standard error ($debug); only answers go to standard output"
GRID = "grid[column][row], columns from left to right, each from its top cell to its bottom cell"
BARE_FIX = 'take player, width and height from the request: many managers add nothing (else set start = "flags")'
ERROR_FIX = 'the line below repeats it; return an open column, or print {"move": 3}, for every such request'
FLUSH = "flush after every answer ($flush)"
NO_COLUMN_FIX = "it found no column; a column is open as long as its top cell is empty: grid[column][0] == 0"

FIXES = {
    Kind.WOULD_NOT_START: "is it installed here, on the PATH or in the right folder, and executable (chmod +x)?",
    Kind.CRASHED: "the line below repeats it; standard error says where it happened",
    Kind.LEFT: f"{ONE_LINE}, in a loop until the input ends ($loop)",
    Kind.TOO_MUCH: "does a table grow without end? Clear it, or limit its size; start fewer processes",
    Kind.NOT_FLUSHED: f"{FLUSH}; read one line at a time ($loop)",
    Kind.TOO_SLOW: "search one ply less, or deepen only until four fifths of the time have passed",
    Kind.SILENT: f"answer each line as soon as it is read, and {FLUSH}; is there a loop without an end?",
    Kind.NO_NEWLINE: "end every answer with a newline ($json)",
    Kind.CHATTER: DEBUG_TEXT,
    Kind.TWO_ANSWERS: "answer every request once",
    Kind.NOT_JSON: f"{ONE_LINE}; keys have double quotes; {DEBUG_TEXT}",
    Kind.NO_MOVE: f'{ONE_LINE}; the key is "move"',
    Kind.NOT_WHOLE: 'move is a whole number without quotes: {"move": 3}',
    Kind.ILLEGAL: "choose a column whose top cell is empty: grid[column][0] == 0; columns count from 0",
    Kind.FROM_1: "columns count from 0: the leftmost is 0",
    Kind.ROWS: f"it is a list of columns: {GRID}",
    Kind.WRONG_SIDE: "player in the request is the number of your own discs in the grid; win first, then block",
    Kind.BAD_END: "end with status 0 when the input ends, and print nothing ($loop)",
}
"""The usual fix of each kind of problem."""

SIGNS = {
    "Python": r"\bpython|\.py\b",
    "JavaScript": r"\bnode\b|\.[cm]?js\b",
    "Java": r"\bjava\b|\.jar\b",
    "Racket": r"\bracket\b|\.rkt\b",
}
"""The sign of each language in the command of a program, or in the first line of its file."""

MISSING_MODULE = re.compile("No module named|Cannot find (module|package)")
"""The messages of Python and Node."""

MIN_ANSWERS = 5
"""The answers without which nothing is said about what they have in common."""


def diagnose(kind: Kind, text: str, fix: str = "") -> Diagnosis:
    """Return a diagnosis with the usual fix of its kind, or with another one."""
    return Diagnosis(kind, text, fix or FIXES[kind])


def diagnose_reply(line: bytes, later: Sequence[bytes] = ()) -> Diagnosis | None:
    """Return what is wrong with a line that should name a column; `later` are lines that came after it."""
    try:
        read_move(line)
    except errors.MoveNotWholeError as error:
        return diagnose(Kind.NOT_WHOLE, str(error), NO_COLUMN_FIX if "null" in str(error) else "")
    except errors.ReplyError as error:
        if any(move_or_none(other) is not None for other in later):
            return diagnose(Kind.CHATTER, f"it printed {quoted(line)} instead of an answer")
        if isinstance(error, errors.ErrorReplyError):
            fix = NO_COLUMN_FIX if "returned None" in str(error) else ERROR_FIX
            return diagnose(Kind.NO_MOVE, str(error), fix)
        if "not JSON" not in str(error):
            return diagnose(Kind.NO_MOVE, str(error))
        is_opened = line.strip() == b"{"
        text = "the answer spans several lines" if is_opened else f"the answer {quoted(line)} is not JSON"
        return diagnose(Kind.NOT_JSON, text)
    return None


def diagnose_extra(lines: Sequence[bytes], when: str = "after its answer") -> Diagnosis:
    """Return the diagnosis for unasked lines."""
    move = next((line for line in lines if move_or_none(line) is not None), None)
    if move is not None:
        return diagnose(Kind.TWO_ANSWERS, f"it printed a further answer, {quoted(move)}, without being asked")
    if not lines[0].strip():
        return diagnose(Kind.CHATTER, f"it printed an empty line {when}", "end each answer with one newline alone")
    return diagnose(Kind.CHATTER, f"it printed {quoted(lines[0])} {when}")


def diagnose_move(answer: Answer) -> Diagnosis | None:
    """Return what is wrong with the column of an answer; None if nothing is."""
    allowed, last, move = sorted(answer.open_columns), len(answer.grid) - 1, answer.move
    if move is None or move in allowed:
        return None
    if not 0 <= move <= last:
        return diagnose(Kind.ILLEGAL, f"move is {move}, which is outside of the board: columns are 0 to {last}")
    names = ", ".join(map(str, allowed))
    text = f"move is {move}, but that column is full; open {'is' if len(allowed) == 1 else 'are'} {names}"
    return diagnose(Kind.ILLEGAL, text)


def diagnose_fault(fault: FaultError, answers: int) -> Diagnosis:
    """Return the diagnosis for a fault after some answers; one of a time-out, if only a newline was missing."""
    if fault.used_too_much:
        return diagnose(Kind.TOO_MUCH, fault.detail)
    if fault.kind not in (Ending.MALFORMED_REPLY, Ending.TIMED_OUT):
        return _diagnose_end(fault, answers)
    line = (fault.reply or "").encode()
    if fault.kind is Ending.TIMED_OUT or "longer than" in fault.detail:
        return diagnose(Kind.NO_NEWLINE, f"the answer {quoted(line)} is not ended by a newline")
    if fault.detail.startswith("it printed"):
        return diagnose_extra([line], "after its answer" if answers else "before its first request")
    return diagnose_reply(line) or diagnose_extra([line])


def _diagnose_end(fault: FaultError, answers: int) -> Diagnosis:
    """Return why a process ended where an answer was due, or did not start."""
    status, reason, fix = fault.exit_status, _find_reason(fault.stderr_tail), ""
    if status == EXIT_REFUSED and not answers:  # what the host says of a Python file
        text, _, accepted = fault.stderr_tail.rstrip().rpartition("\n")[2].partition("; accepted are ")
        fix = f"it may be {accepted}" if accepted else "standard error says where it happened"
        return diagnose(Kind.WOULD_NOT_START, f"it does not start: {short(escaped(text), MAX_REFUSAL)}", fix)
    if status is None or (status in (126, 127) and not answers):
        if "\\r" in fault.stderr_tail:
            fix = r"its first line ends with CR LF (Windows): sed -i 's/\r$//' FILE"
        return diagnose(Kind.WOULD_NOT_START, f"it does not start: {reason or fault.detail}", fix)
    if status == 0:
        times = f"after {counted(answers, 'answer')}" if answers else "without an answer"
        return diagnose(Kind.LEFT, f"it ended {times}, with exit status 0")
    text = f"it ended with exit status {status}"
    if status < 0:
        with suppress(ValueError):
            reason = signal.strsignal(-status) or reason
        text, fix = f"it was ended by signal {-status} ({reason})", "the line below repeats it, in a debugger, too"
    elif reason:
        text = f"it crashed with {reason}"
    if "argv" in fault.stderr_tail:
        fix = BARE_FIX
    elif re.search("empty (sequence|iterable)|iterable argument is empty|arg is an empty|StopIteration", reason):
        fix = NO_COLUMN_FIX
    elif re.search("out of (range|bounds)|of undefined", reason):
        fix = f"is an index too large? {GRID}"
    return diagnose(Kind.CRASHED, text, fix)


def too_slow(spec: AgentSpec, elapsed_seconds: float, *, is_first: bool, more: str = "") -> Diagnosis:
    """Return the diagnosis for an answer that came late."""
    limit = f"limit {spec.time_limit:g} s" + (f", and {spec.startup:g} s to start" if is_first else "")
    return diagnose(Kind.TOO_SLOW, f"too slow: {more}{elapsed_seconds:.3g} s, {limit}")


def diagnose_pattern(answers: Sequence[Answer]) -> Diagnosis | None:
    """Return what all answers have in common, if that explains those that are illegal or missing."""
    named = [answer for answer in answers if answer.move is not None]
    if len(answers) < MIN_ANSWERS or not named or all(answer.move in answer.open_columns for answer in answers):
        return None
    if all(answer.move - 1 in answer.open_columns for answer in named if answer.move is not None):
        return diagnose(Kind.FROM_1, "every move is one too large: columns are counted from 1")
    if all(map(_fits_rows, answers)):
        return diagnose(Kind.ROWS, "it plays as if the grid were a list of rows")
    return None


def explain(
    found: Diagnosis, answers: Sequence[Answer], pattern: Diagnosis | None, command: Sequence[str]
) -> Diagnosis:
    """Return what was found, or the pattern in all answers if that is the reason."""
    if MISSING_MODULE.search(found.text):
        interpreter = shutil.which(command[0]) or command[0]
        return replace(found, fix=f"install it for {interpreter}, which runs the program, or put it beside the program")
    if pattern is None:
        return found
    is_unread = bool(answers) and answers[-1].move is None and _fits_rows(answers[-1])
    return pattern if found.kind is Kind.ILLEGAL or (is_unread and pattern.kind is Kind.ROWS) else found


def _fits_rows(answer: Answer) -> bool:
    """Return whether an agent that takes columns for rows might do this: it sees the first column as the top row."""
    seen = [column for column, cell in enumerate(answer.grid[0]) if cell == 0]
    return answer.move in seen if seen else answer.move is None


def diagnose_side(answers: Sequence[Answer], wins: Sequence[tuple[int, int]]) -> Diagnosis | None:
    """Return the diagnosis for an agent that plays for the wrong side; None if it does not.

    `wins` are the columns with which player 1 and player 2 win at once.
    """
    taken: dict[int, set[int]] = {1: set(), 2: set()}
    for answer, columns in zip(answers, wins, strict=True):
        taken[answer.player].add(columns.index(answer.move) + 1 if answer.move in columns else 0)
    for player in (1, 2):
        if taken == {1: {player}, 2: {player}}:
            return diagnose(Kind.WRONG_SIDE, f"as player {3 - player}, too, it plays for player {player}")
    if taken == {1: {2}, 2: {1}}:
        text = "it never takes a win at hand, but always the other one's winning column"
        return diagnose(Kind.WRONG_SIDE, text)
    return None


def find_language(words: Sequence[str], directory: str | None) -> str:
    """Return the language of a program, by its interpreter, its suffix or its first line; C and C++ if it has none."""
    text = " ".join(words[:2])
    with suppress(OSError), open(os.path.join(directory or "", words[0]), "rb") as file:
        text += " " + file.readline(100).decode("latin-1")
    return next((name for name, sign in SIGNS.items() if re.search(sign, text)), "C and C++")


def quoted(data: bytes) -> str:
    """Return a line of an agent in quotes, short and harmless."""
    return f"'{short(escaped(data.decode(errors='backslashreplace').rstrip()), QUOTED_CHARACTERS)}'"


def _find_reason(stderr: str) -> str:
    """Return the line of standard error that says most: the last one that is not indented, as in most languages."""
    lines = [line.rstrip() for line in stderr.splitlines() if line.strip() and not line.startswith("Node.js v")]
    flush = [line for line in lines if not line[0].isspace()]
    return short(escaped((flush or lines or [""])[-1].strip()), QUOTED_CHARACTERS)
