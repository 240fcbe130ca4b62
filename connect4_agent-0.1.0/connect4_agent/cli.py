"""The command line: picks the subcommand to run, and imports only that one."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from typing import TYPE_CHECKING

from connect4_agent.commands import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status."""
    _end_on_signals()
    words = list(sys.argv[1:] if arguments is None else arguments)
    # Managers start the server with arguments of their own, so everything that is not a subcommand is for the server.
    first = "help" if words in (["-h"], ["--help"]) else words[0] if words else ""
    name = first if first in COMMANDS else "serve"
    if name == first:
        words.pop(0)
    status: int = importlib.import_module(f"connect4_agent.commands.{name}").run(words)
    return status


def _end_on_signals() -> None:
    """Let SIGTERM and SIGINT end the process at once, with the exit status that a shell gives them."""

    def end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  # the signature of a handler
        os._exit(128 + number)

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
