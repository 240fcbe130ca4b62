"""connect4-agent export: the agent as one self-contained file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.commands.options import new_parser
from connect4_agent.commands.output import reader_may_leave

if TYPE_CHECKING:
    from collections.abc import Sequence

DESCRIPTION = """\
Write a submission for Kaggle's ConnectX: one Python file with the engine, which runs interpreted there, the opening
book, and `agent` as its last callable. It imports nothing but the standard library. docs/kaggle.md says more.
"""


def run(words: Sequence[str]) -> int:
    """Write the file; the exit status."""
    from connect4_agent.adapters import submission  # noqa: PLC0415  # after the signals are handled

    parser = new_parser("connect4-agent export", DESCRIPTION, None)
    parser.add_argument("harness", choices=("kaggle",))
    parser.add_argument("file", metavar="OUT.py", help="the file to write; - is standard output")
    parser.add_argument(
        "--most-bytes",
        metavar="N",
        type=int,
        default=submission.MOST_BYTES,
        help=f"as much of the book as fits into this size (default: {submission.MOST_BYTES}, which is all of it)",
    )
    options = parser.parse_args(words)
    try:
        text, book = submission.submission(options.most_bytes)
        if options.file == "-":
            with reader_may_leave():
                sys.stdout.write(text)
            return 0
        Path(options.file).write_text(text, encoding="utf-8")
    except errors.ExportError as error:
        parser.error(f"--most-bytes: {error}")
    except OSError as error:
        parser.error(f"cannot write {options.file}: {error.strerror}")
    with reader_may_leave():
        sys.stdout.write(f"{options.file}: {len(text.encode())} bytes, {book}\n")
    return 0
