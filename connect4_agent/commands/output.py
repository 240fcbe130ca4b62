"""Printing for people and programs that may stop reading."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from connect4_agent.commands.options import EXIT_FAILED

if TYPE_CHECKING:
    from collections.abc import Iterator


NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """What is printed inside goes out before the end; a reader who leaves early, as `head` does, is no error.

    A full disk is one: it is told, and ends the program.
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
        sys.stderr.write(f"connect4-agent: error: an answer cannot be written: {error.strerror}\n")
        sys.exit(EXIT_FAILED)


def _drop_the_rest() -> None:
    """What is left in the buffer would fail again when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
