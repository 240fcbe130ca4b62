"""connect4-agent match: plays two agents against each other."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path
from typing import Any

from connect4_agent import errors
from connect4_agent.agents.spec import command_words
from connect4_agent.arena.run.config import LONGEST_NAME, RunConfig, make_config
from connect4_agent.commands.shared.arena_options import (
    EXIT_STATUS,
    RUNS_FOLDER,
    add_confinement_options,
    add_run_options,
    confinement_values,
    run_and_tell,
)
from connect4_agent.commands.shared.options import new_parser, seconds, whole_number

DESCRIPTION = """\
Play two agents against each other: built-in players, or any commands that speak the JSON line
protocol. Every opening is played twice, with sides swapped. RUN/games.jsonl holds every game. If the
match is stopped, the same command resumes it.
"""

EXAMPLES = f"""\
examples:
  connect4-agent match hard easy --games 100
  connect4-agent match medium "node examples/random-agent.js" --time-limit 1 --out my-run

{EXIT_STATUS}"""


def run(words: list[str]) -> int:
    """Play; the exit status."""
    parser = new_parser("connect4-agent match", DESCRIPTION, EXAMPLES)
    parser.add_argument("agents", metavar="AGENT", nargs=2, help="a built-in player, or a command line in quotes")
    group = parser.add_argument_group("what is played")
    group.add_argument("--games", metavar="N", type=whole_number, help="an even number (default: 20)")
    group.add_argument("--time-limit", metavar="SECONDS", type=seconds, help="for a move (default: 10)")
    group.add_argument("--grace", metavar="SECONDS", type=float, help="how late a move may be (default: 0.1)")
    group.add_argument(
        "--startup", metavar="SECONDS", type=seconds, help="for starting a command, beside its first move (default: 10)"
    )
    group.add_argument(
        "--openings", metavar="WHAT",
        help="random:PLIES, balanced:PLIES (drawn positions), either also as 2-4, empty, or a file (default: random:4)",
    )  # fmt: skip
    group.add_argument("--seed", metavar="N", type=whole_number, help="for openings and random players (default: 0)")
    group.add_argument("--width", metavar="W", type=whole_number, help="the board's columns (default: 7)")
    group.add_argument("--height", metavar="H", type=whole_number, help="the board's rows (default: 6)")
    group.add_argument(
        "--adjudicate", action="store_true", help="end games by their exact result once 16 cells are empty"
    )
    group.add_argument(
        "--keep-running", action="store_true", help="let commands play game after game without a restart"
    )
    group.add_argument(
        "--pause-waiting", action="store_true", default=None, help="stop a command while its opponent thinks"
    )
    add_confinement_options(parser)
    add_run_options(parser)
    options = parser.parse_args(words)

    given: dict[str, Any] = {
        "games": options.games,
        "time_limit_seconds": options.time_limit,
        "grace_seconds": options.grace,
        "startup_seconds": options.startup,
        "openings": options.openings,
        "seed": options.seed,
        "width": options.width,
        "height": options.height,
        "adjudicate": options.adjudicate,
        "pause_waiting": options.pause_waiting,
        **confinement_values(options),
    }
    try:
        values = {key: value for key, value in given.items() if value is not None}
        config = make_config({**values, "agents": _agents(options.agents, options.keep_running)}, "match")
    except (errors.AgentError, errors.ConfigError) as error:
        parser.error(str(error))
    return run_and_tell(config, options.out or _folder(config), options, words, parser.prog)


def _agents(texts: list[str], keep_running: bool) -> list[dict[str, Any]]:
    """The agents as in a tournament's file; the second of two equal ones gets a name of its own."""
    names = [text[:LONGEST_NAME] for text in texts]
    if names[0] == names[1]:
        names[1] = f"{names[1][: LONGEST_NAME - 3]} #2"
    return [_agent(name, text, keep_running) for name, text in zip(names, texts, strict=True)]


def _agent(name: str, text: str, keep_running: bool) -> dict[str, Any]:
    command = command_words(text)
    if command is None:
        return {"name": name, "player": text}
    return {"name": name, "command": command, "restart_per_game": not keep_running}


def _folder(config: RunConfig) -> Path:
    """The folder of a match without --out: its own for everything that may differ."""
    names = "-".join(re.sub(r"[^A-Za-z0-9]+", "-", agent.name).strip("-")[:30] for agent in config.agents)
    digest = sha256(config.model_dump_json(exclude=_left_out(config)).encode()).hexdigest()[:8]
    return RUNS_FOLDER / f"{names}-{digest}"


def _left_out(config: RunConfig) -> dict[str, Any]:
    """Keys that earlier versions did not have, if they have no effect: the same match keeps its folder."""
    added = ("memory_mb", "processes", "isolate", "pause_waiting")
    fields = type(config).model_fields
    unused = {name: True for name in added if getattr(config, name) == fields[name].default}
    return {**unused, "agents": {"__all__": {"python"}}}
