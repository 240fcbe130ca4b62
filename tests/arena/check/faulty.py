"""Small agents, each with one fault, and the diagnosis that the check must find."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

from connect4_agent.arena.check.result import Kind

LOOP = """\
import json, os, random, sys, time
def open_columns(grid):
    return [column for column, cells in enumerate(grid) if cells[0] == 0]
for line in sys.stdin:
    request = json.loads(line)
    grid = request["grid"]
    move = random.choice(open_columns(grid))
    ACT
"""

SIDE = """
import json, sys
def wins(grid, column, player):
    return grid[column][3:] == [player] * 3  # three on top of each other, which is all that the case shows
me = int(sys.argv[2]) if "--player" in sys.argv and TAKES_FLAGS else 1
for line in sys.stdin:
    grid = json.loads(line)["grid"]
    columns = [column for column in range(7) if grid[column][0] == 0]
    winning = [column for who in (me, 3 - me) for column in columns if wins(grid, column, who)]
    print(json.dumps({"move": (winning or columns)[0]}), flush=True)
"""


class Faulty(NamedTuple):
    """A program, and what is to be said about it."""

    source: str
    kind: Kind
    text: str
    """Part of the problem."""
    fix: str
    """Part of the fix."""


def answering(act: str, before: str = "") -> str:
    """A good agent that answers by this statement."""
    return before + LOOP.replace("ACT", act)


GOOD_ANSWER = 'print(json.dumps({"move": move}), flush=True)'

FAULTY = {
    "unflushed": Faulty(
        answering('print(json.dumps({"move": move}))'), Kind.NOT_FLUSHED, "it is not flushed", "flush after every"
    ),
    "reads all": Faulty(
        "import json, sys\n"
        'grid = json.loads(sys.stdin.read())["grid"]\n'
        'print(json.dumps({"move": 3}), flush=True)\n',
        Kind.NOT_FLUSHED, "or all input is read first", "read one line at a time",
    ),
    "leaves": Faulty(
        "import json, sys\n"
        'grid = json.loads(input())["grid"]\n'
        'print(json.dumps({"move": next(column for column in range(7) if grid[column][0] == 0)}))\n',
        Kind.LEFT, "it ended after 1 answer, with exit status 0", "in a loop until the input ends",
    ),
    "banner": Faulty(
        answering(GOOD_ANSWER, 'print("Welcome to ChattyBot 3000!", flush=True)\n'),
        Kind.CHATTER, "'Welcome to ChattyBot 3000!'", "print debug text to standard error",
    ),
    "debug text": Faulty(
        answering(f'print("thinking"); {GOOD_ANSWER}'), Kind.CHATTER, "'thinking'", "print debug text to standard error"
    ),
    "single quotes": Faulty(
        answering('print({"move": move}, flush=True)'), Kind.NOT_JSON, "is not JSON", "double quotes"
    ),
    "words": Faulty(answering('print("three", flush=True)'), Kind.NOT_JSON, "'three' is not JSON", "one line of JSON"),
    "float": Faulty(
        answering('print(json.dumps({"move": 3.0}), flush=True)'),
        Kind.NOT_WHOLE, "move is 3.0, not an integer", "a whole number",
    ),
    "string": Faulty(
        answering('print(json.dumps({"move": "3"}), flush=True)'),
        Kind.NOT_WHOLE, 'move is "3", not an integer', "without quotes",
    ),
    "other key": Faulty(
        answering('print(json.dumps({"column": move}), flush=True)'), Kind.NO_MOVE, "has no move", 'the key is "move"'
    ),
    "error": Faulty(
        answering('print(json.dumps({"error": "x"}), flush=True)'), Kind.NO_MOVE, 'is an error, "x"', "an open column"
    ),
    "no newline": Faulty(
        answering('sys.stdout.write(json.dumps({"move": move})); sys.stdout.flush()'),
        Kind.NO_NEWLINE, "is not ended by a newline", "end every answer with a newline",
    ),
    "empty lines": Faulty(
        answering('print(json.dumps({"move": move}) + chr(10), flush=True)'),
        Kind.CHATTER, "an empty line after its answer", "one newline alone",
    ),
    "two answers": Faulty(
        answering(f"{GOOD_ANSWER}; {GOOD_ANSWER}"), Kind.TWO_ANSWERS, "a further answer", "answer every request once"
    ),
    "columns from 1": Faulty(
        answering('print(json.dumps({"move": open_columns(grid)[-1] + 1}), flush=True)'),
        Kind.FROM_1, "columns are counted from 1", "columns count from 0: the leftmost is 0",
    ),
    "rows": Faulty(
        answering('print(json.dumps({"move": [c for c in range(6) if grid[0][c] == 0][-1]}), flush=True)'),
        Kind.ROWS, "as if the grid were a list of rows", "a list of columns: grid[column][row]",
    ),
    "seven rows": Faulty(
        answering('print(json.dumps({"move": [c for c in range(7) if grid[0][c] == 0][0]}), flush=True)'),
        Kind.CRASHED, "IndexError: list index out of range", "grid[column][row]",
    ),
    "always column 3": Faulty(
        answering('print(json.dumps({"move": 3}), flush=True)'),
        Kind.ILLEGAL, "move is 3, but that column is full", "grid[column][0] == 0",
    ),
    "always column 9": Faulty(
        answering('print(json.dumps({"move": 9}), flush=True)'),
        Kind.ILLEGAL, "move is 9, which is outside of the board: columns are 0 to 6", "columns count from 0",
    ),
    "missing module": Faulty(
        "import no_such_module_here\n", Kind.CRASHED, "No module named 'no_such_module_here'", "install it for /"
    ),
    "syntax error": Faulty("import json\nfor\n", Kind.CRASHED, "SyntaxError", "standard error"),
    "crash": Faulty(
        answering("None > 1"), Kind.CRASHED, "TypeError: '>' not supported between instances of", "repeats it"
    ),
    "signal": Faulty(answering("os.abort()"), Kind.CRASHED, "signal 6", "repeats it"),
    "needs arguments": Faulty(
        answering(GOOD_ANSWER, "import sys\nplayer = int(sys.argv[2])\n"),
        Kind.CRASHED, "IndexError: list index out of range", 'take player, width and height from the request',
    ),
    "null": Faulty(
        answering('print(json.dumps({"move": next((c for c in range(7) if grid[c][-1] == 0), None)}), flush=True)'),
        Kind.NOT_WHOLE, "move is null", "it found no column; a column is open as long as its top cell is empty",
    ),
    "bottom cell": Faulty(
        answering(f"move = random.choice([c for c in range(7) if grid[c][-1] == 0]); {GOOD_ANSWER}"),
        Kind.CRASHED, "Cannot choose from an empty sequence", "it found no column",
    ),
    "several lines": Faulty(
        answering('print(json.dumps({"move": move}, indent=1), flush=True)'),
        Kind.NOT_JSON, "the answer spans several lines", "print one line of JSON",
    ),
    "exit status": Faulty(answering("sys.exit(3)"), Kind.CRASHED, "exit status 3", "repeats it"),
    "says nothing": Faulty("", Kind.LEFT, "it ended without an answer", "one line of JSON for each request"),
}  # fmt: skip
"""The problems that are required to be repaired, each found without practice games."""

REMARKS = {
    "strict arguments": Faulty(
        answering(GOOD_ANSWER, "import argparse\nargparse.ArgumentParser().parse_args()\n"),
        Kind.CRASHED, "unrecognized arguments", "accept and ignore --player, --width, --height",
    ),
    "gives up on bad JSON": Faulty(answering(GOOD_ANSWER), Kind.CRASHED, "JSONDecodeError", "and read on"),
    "no blank lines": Faulty(answering(GOOD_ANSWER), Kind.CRASHED, "JSONDecodeError", "skip blank lines"),
    "bad end": Faulty(
        answering(GOOD_ANSWER) + "sys.exit(4)\n", Kind.BAD_END, "it ends with exit status 4", "end with status 0"
    ),
    "good-bye": Faulty(
        answering(GOOD_ANSWER) + 'print("bye")\n', Kind.CHATTER, "it printed 'bye' after its answer", "standard error"
    ),
    "one side": Faulty(
        SIDE.replace("TAKES_FLAGS", "False"),
        Kind.WRONG_SIDE, "as player 2, too, it plays for player 1", "your own discs",
    ),
}  # fmt: skip
"""What is worth a remark, in agents that are ready."""


def written(folder: Path, source: str) -> tuple[str, ...]:
    """The command line of a program with this text."""
    program = folder / "agent.py"
    program.write_text(source)
    return (sys.executable, str(program))
