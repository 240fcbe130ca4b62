"""connect4-agent match: plays two agents against each other."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

from connect4_agent import errors
from connect4_agent.arena.command_line import split_name
from connect4_agent.arena.config import DEFAULT_GAMES, DEFAULT_SPRT_GAMES, First, RunConfig, make_config
from connect4_agent.arena.spec import distinct_names, parse_agent
from connect4_agent.commands.shared.arena_options import (
    EXIT_STATUS,
    RUNS_FOLDER,
    add_confinement_options,
    add_run_options,
    collect_values,
    elo_pair,
    refuse_unquoted,
    run_and_report,
)
from connect4_agent.commands.shared.options import integer, new_parser, seconds

DESCRIPTION = """\
Play two agents against each other: built-in players, Python files, or any commands that speak the JSON
line protocol. Every opening is played twice, with sides swapped. RUN/games.jsonl holds every game. The same
command resumes a match that was stopped; with a larger number of games, it plays those that are missing.
"""

EXAMPLES = f"""\
examples:
  connect4-agent match hard easy --games 100
  connect4-agent match hard medium --sprt 0,50
  connect4-agent match medium my-agent/agent.py --time-limit 1 --out my-run

{EXIT_STATUS}"""


def run(words: list[str]) -> int:
    """Play; the exit status."""
    parser = new_parser("connect4-agent match", DESCRIPTION, EXAMPLES)
    option, more = parser.group(), parser.group("more")
    text = "a built-in player, a Python file, or a command in quotes; or NAME=AGENT (see connect4-agent help agents)"
    option("AGENT", text, nargs=2, dest="agents")
    option(
        "--games N", f"an even number (default: {DEFAULT_GAMES}; with --sprt at most {DEFAULT_SPRT_GAMES})", integer()
    )
    option("--time-limit SECONDS", "for a move (default: 10)", seconds)
    text = "random:PLIES or balanced:PLIES (drawn positions), such as random:2-4; empty; or a file (default: random:4)"
    option("--openings WHAT", text)
    option("--seed N", "for openings and random players (default: 0)", integer())
    option("--width W", "the board's columns (default: 7)", integer())
    option("--height H", "the board's rows (default: 6)", integer())
    add_run_options(option, more)
    add_confinement_options(option, more)
    text = "stop as soon as it is decided whether the first agent is stronger by ELO0 or by ELO1"
    option("--sprt ELO0,ELO1", text, elo_pair)
    more("--startup SECONDS", "for starting a program, in addition to its first move (default: 10)", seconds)
    more("--grace SECONDS", "how late a move may be and still count (default: half of the limit, at least 0.25)", float)
    text = "who begins the first of an opening's two games: the agents in turn (the default), or one drawn at random"
    more("--first", text, choices=[first.value for first in First])
    more("--adjudicate", "end games by their exact result once 16 cells are empty")
    refuse_unquoted(words, parser)
    options = parser.parse_args(words)
    try:
        names = distinct_names([name or agent for name, agent in map(split_name, options.agents)])
        agents = [parse_agent(text, name) for name, text in zip(names, options.agents, strict=True)]
        values = collect_values(options)
        if options.sprt is not None:
            values = {"games": DEFAULT_SPRT_GAMES, **values}
        config = make_config({**values, "agents": agents}, "match")
    except errors.ArenaError as error:
        parser.error(str(error))
    return run_and_report(config, options.out or _folder(config), options, words, parser.prog)


def _folder(config: RunConfig) -> Path:
    """Return the folder of a match without --out: its own for these agents on this board."""
    names = [agent.name for agent in config.agents]
    parts = [re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:30] for name in names]
    if parts != names:  # others may look the same
        parts.append(sha256(repr(names).encode(errors="replace")).hexdigest()[:8])
    return RUNS_FOLDER / "-".join([*parts, f"{config.width}x{config.height}"])
