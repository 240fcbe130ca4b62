"""The command line: which subcommand runs. Each imports its own part when it is chosen."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

COMMANDS = {
    "serve": "the server (what runs without a subcommand)",
    "move": "one position, one answer",
    "players": "the built-in players, levels and evaluators",
    "match": "two agents head to head",
    "tournament": "many agents, as a TOML file describes",
    "report": "what a run's games say: text, JSON, one self-contained page",
    "check": "does this agent keep the protocol?",
    "analyze": "the exact score of every column",
    "book": "build, verify or describe the opening book",
    "play": "a board in the terminal, for people and agents",
    "web": "a board in the browser, for games and runs",
    "export": "one self-contained file for a harness that takes nothing else",
}
"""The subcommands; `connect4_agent.commands` has a module for each."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status."""
    _end_on_signals()
    words = list(sys.argv[1:] if arguments is None else arguments)
    # Managers start the server with words of their own: whatever names no subcommand is for it.
    name = words.pop(0) if words[:1] and words[0] in COMMANDS else "serve"
    status: int = importlib.import_module(f"connect4_agent.commands.{name}").run(words)
    return status


def _end_on_signals() -> None:
    """Let SIGTERM and SIGINT end the process at once, with the exit status that a shell gives them."""

    def end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  # the signature of a handler
        os._exit(128 + number)

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
