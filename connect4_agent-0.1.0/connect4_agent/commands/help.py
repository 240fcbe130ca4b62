"""connect4-agent help: the help of a command, and everything that can play."""

from __future__ import annotations

import sys
from importlib import import_module

from connect4_agent.commands import COMMANDS, GROUPS
from connect4_agent.commands.shared.options import new_parser
from connect4_agent.commands.shared.output import reader_may_leave

AGENTS = """\
What can play, on a command line (check, match, play, web --agent) and in a tournament's TOML file:

  a built-in player   hard                           player = "hard"
                      level:3, negamax:depth=6 ...: see connect4-agent players
  a Python file       bot.py                         command = "bot.py"
                      bot.py:choose                  command = "bot.py:choose"
                      with a function choose(grid, player), Kaggle's agent(observation, configuration), or
                      a class with act(board); python = "..." names its interpreter (default: python3)
  any program         "node bot.js --fast"           command = "node bot.js --fast"
                      reads one request a line, and prints one answer a line: {"move": 3}
  a language model    connect4-agent new my-model --lang llm writes a program that asks one;
                      --pass-env OPENAI_API_KEY      pass_env = ["OPENAI_API_KEY"]
  a bot at a URL      a program of ten lines that posts each request and prints the answer
  a Python object     in the API: c4.play_match(function, "hard"), a function from a position to a column

NAME=AGENT gives an agent another name. connect4-agent check AGENT says whether it can play here and what
to mend; connect4-agent new FOLDER writes an agent to start from.
"""


OVERVIEW = """\
usage: connect4-agent COMMAND ...
       connect4-agent [OPTION ...] < requests.jsonl

A Connect Four agent. Without a command it reads a request a line, and answers
each with a move.

{}
Every command has --help. connect4-agent serve --help shows the options of the
server: its level, its time for a move, and how it reads unusual requests.
"""


def run(words: list[str]) -> int:
    """Print the help; the exit status."""
    parser = new_parser(
        "connect4-agent help", "List the commands, or show the help of one; `agents`: what can play.", None
    )
    option = parser.group()
    option("COMMAND", nargs="?", choices=[*COMMANDS, "agents"])
    name = parser.parse_args(words).command
    if name in (None, "agents"):
        with reader_may_leave():
            sys.stdout.write(AGENTS if name else OVERVIEW.format(_list_commands()))
        return 0
    status: int = import_module(f"connect4_agent.commands.{name}").run(["--help"])
    return status


def _list_commands() -> str:
    """Return the commands, a line each, in their groups."""
    groups = (
        "".join([f"{title}:\n", *(f"  {name:<12} {duty}\n" for name, duty in group.items())])
        for title, group in GROUPS.items()
    )
    return "\n".join(groups)
