"""Printing to people and programs that may stop reading."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from connect4_agent.commands.shared.options import EXIT_FAILED

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """Flush what is printed inside. A reader that closes the pipe early, as `head` does, is not an error.

    A full disk is an error: it ends the program with a message.
    """
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_the_rest()
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        _drop_the_rest()
        sys.stderr.write(f"connect4-agent: error: cannot write the answer: {error.strerror}\n")
        sys.exit(EXIT_FAILED)


def _drop_the_rest() -> None:
    """Discard what is left in the buffer: it would fail again when Python exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
