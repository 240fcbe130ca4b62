"""connect4-agent help: the help of a command."""

from __future__ import annotations

from importlib import import_module

from connect4_agent.commands import COMMANDS
from connect4_agent.commands.shared.options import new_parser


def run(words: list[str]) -> int:
    """Print the help; the exit status."""
    parser = new_parser("connect4-agent help", "Show the help of a command, or of the server and all commands.", None)
    parser.add_argument("command", metavar="COMMAND", nargs="?", choices=COMMANDS, default="serve")
    name = parser.parse_args(words).command
    status: int = import_module(f"connect4_agent.commands.{name}").run(["--help"])
    return status
