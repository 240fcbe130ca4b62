"""connect4-agent check: answers the question "will my program play here?"."""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import NoReturn

from connect4_agent import errors
from connect4_agent.arena.check.check import DEFAULT_GAMES, check_agent
from connect4_agent.arena.check.result import Verdict
from connect4_agent.arena.check.text import format_result, verdict_line
from connect4_agent.arena.command_line import command_words, split_name
from connect4_agent.arena.config import read_config
from connect4_agent.arena.confinement import choose_isolation
from connect4_agent.arena.spec import (
    DEFAULT_STARTUP,
    DEFAULT_TIME_LIMIT,
    AgentSpec,
    StartForm,
    agent_name,
    new_spec,
)
from connect4_agent.commands.shared.arena_options import add_confinement_options, refuse_unquoted
from connect4_agent.commands.shared.options import EXIT_FAILED, integer, new_parser, seconds
from connect4_agent.commands.shared.output import reader_may_leave
from connect4_agent.jobs.progress import Progress
from connect4_agent.rules.position import USUAL_SIZE

DESCRIPTION = """\
Find out whether an agent can play in the arena: send it what tournament managers send, then let it play
practice games. Each problem is shown once, with what to do about it. AGENT is a Python file, a command line in
quotes, or a tournament's TOML file, of which all programs are checked under the file's limits, or the one with
that NAME.
required: what the arena and plain managers send. robust: what some managers send.
"""

EXAMPLES = """\
examples:
  connect4-agent check "node my-agent/agent.js"
  connect4-agent check my_agent.py --time-limit 1
  connect4-agent check tournament.toml "quick search"

exit status: 0 if every agent is ready, perhaps with remarks; 1 if one is not ready; 2 for a bad command line.
"""

GIVEN = ("time_limit", "startup", "start", "isolation", "memory", "processes", "pass_env")
"""The options that say something about an agent, by its keys; they go before what a file says."""


def run(words: list[str]) -> int:
    """Check; return the exit status."""
    parser = new_parser("connect4-agent check", DESCRIPTION, EXAMPLES)
    option, more = parser.group(), parser.group("more")
    option("AGENT", "[NAME=]AGENT: a Python file or a command in quotes; or a TOML file")
    option("NAME", "an agent of the TOML file", nargs="?")
    option("--time-limit SECONDS", f"for a move (default: {DEFAULT_TIME_LIMIT:g})", seconds)
    option("--startup SECONDS", f"to start, in addition to the first move (default: {DEFAULT_STARTUP:g})", seconds)
    option(
        "--start",
        "what is added to the command line: nothing (default), --player 1 --width 7 --height 6, or 1 1 7 7 6 6",
        StartForm,
        choices=list(StartForm),
    )
    option("--practice N", "practice games (default: %(default)s)", integer(0, 1000), default=DEFAULT_GAMES)
    option("--json", "print one JSON object a line for each agent")
    add_confinement_options(option, more)
    refuse_unquoted(words, parser)
    options = parser.parse_intermixed_args(words)
    if sys.platform == "win32":
        parser.error("check needs a POSIX system: Windows cannot wait for several pipes at once")
    try:
        specs, size = _described(options)
    except errors.ArenaError as error:
        parser.error(str(error))
    # A signal must run the code that ends the agent; by default it ends the program at once.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    results = []
    with reader_may_leave():
        for spec in specs:
            progress = Progress("cases and games", "try", sys.stderr)
            try:
                result = check_agent(spec, size=size, practice_games=options.practice, progress=progress)
            except errors.WorkerLostError as error:
                progress.end()
                sys.stderr.write(f"{parser.prog}: error: {spec.name}: {error}\n")
                return EXIT_FAILED
            results.append(result)
            lines = [result.model_dump_json()] if options.json else format_result(result)
            sys.stdout.write("".join(f"{line}\n" for line in lines))
            if len(specs) > 1 and not options.json:
                sys.stdout.write("-" * 80 + "\n")
            sys.stdout.flush()
        if len(specs) > 1 and not options.json:
            sys.stdout.write("".join(f"{verdict_line(result)}\n" for result in results))
    return EXIT_FAILED if any(result.verdict is Verdict.NOT_READY for result in results) else 0


def _described(options: argparse.Namespace) -> tuple[list[AgentSpec], tuple[int, int]]:
    """Return the programs to check, and the size of their boards. Raises ArenaError."""
    size = USUAL_SIZE
    given = {name: getattr(options, name) for name in GIVEN if getattr(options, name) is not None}
    if _is_file(options.agent):
        config = read_config(Path(options.agent))
        size = config.width, config.height
        names = [agent.name for agent in config.agents]
        if options.name is not None and options.name not in names:
            raise errors.ArenaError(f"{options.agent} has no agent {options.name!r}; its agents are {', '.join(names)}")
        chosen = [agent for agent in config.agents if agent.is_program and options.name in (None, agent.name)]
        specs = [new_spec({**dict(agent), **given}).with_defaults(config) for agent in chosen]
    elif options.name is not None:
        raise errors.ArenaError(
            f"{options.name!r} is one word too many: {options.agent!r} is not a TOML file; put a command in quotes: "
            f'"{options.agent} {options.name}"'
        )
    else:
        name, agent = split_name(options.agent)
        command = command_words(agent)
        values = {"name": name or agent_name(agent), "command": command, **given}
        specs = [new_spec(values).with_defaults()] if command else []
    if not specs:
        raise errors.ArenaError(f"{options.name or options.agent}: only built-in players, which need no check")
    return [spec.model_copy(update={"isolation": choose_isolation(spec.isolation)}) for spec in specs], size


def _is_file(agent: str) -> bool:
    return agent.endswith(".toml")


def _leave(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001  # the signature of a handler
    raise SystemExit(128 + number)
