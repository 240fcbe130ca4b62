"""connect4-agent export: the agent as one self-contained file."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from connect4_agent.commands.shared.options import new_parser
from connect4_agent.commands.shared.output import reader_may_leave
from connect4_agent.harnesses.submission import submission

DESCRIPTION = """\
Write a submission for Kaggle's ConnectX: one Python file with the engine, which runs interpreted, the opening
book, and `agent` as its last callable. It imports the standard library only.
"""


def run(words: Sequence[str]) -> int:
    """Write the file; the exit status."""
    parser = new_parser("connect4-agent export", DESCRIPTION, None)
    option = parser.group()
    option("HARNESS", "for which harness", choices=("kaggle",))
    option("OUT.py", "the file to write; - is standard output", dest="file")
    options = parser.parse_args(words)
    text, book = submission()
    if options.file == "-":
        with reader_may_leave():
            sys.stdout.write(text)
        return 0
    try:
        Path(options.file).write_text(text, encoding="utf-8")
    except OSError as error:
        parser.error(f"cannot write {options.file}: {error.strerror}")
    with reader_may_leave():
        sys.stdout.write(f"{options.file}: {len(text.encode())} bytes, {book}\n")
    return 0
