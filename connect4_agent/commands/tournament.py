"""connect4-agent tournament: plays any number of agents against each other, as a TOML file describes."""

from __future__ import annotations

import sys
from pathlib import Path

from connect4_agent import errors
from connect4_agent.arena.config import RunConfig, read_config
from connect4_agent.arena.schedule import Schedule, max_seconds
from connect4_agent.arena.spec import AgentSpec, Grants
from connect4_agent.commands.shared.arena_options import (
    EXIT_STATUS,
    RUNS_FOLDER,
    add_confinement_options,
    add_run_options,
    collect_values,
    run_and_report,
)
from connect4_agent.commands.shared.options import integer, new_parser, seconds
from connect4_agent.jobs.progress import duration

OWN_KEYS = [name for name in AgentSpec.model_fields if name not in (*Grants.model_fields, "python_object")]

DESCRIPTION = """\
Play a tournament, a round robin or a gauntlet, between the agents that a TOML file describes;
`connect4-agent new` writes one. RUN/games.jsonl holds every game. If the tournament is stopped, the same
command resumes it.
"""

KEYS = f"""\
Keys of the file: {", ".join(name for name in RunConfig.model_fields if name not in Grants.model_fields)}.

Keys of every [[agents]]: {", ".join(OWN_KEYS)}.

Keys of either: {", ".join(Grants.model_fields)}.

{EXIT_STATUS}"""


def run(words: list[str]) -> int:
    """Play; the exit status."""
    parser = new_parser("connect4-agent tournament", DESCRIPTION, KEYS)
    option, more = parser.group(), parser.group("more")
    option("CONFIG.toml", "the file that describes the tournament", Path, dest="config")
    option("--games N", "games for every pairing, an even number, in place of the file's", integer())
    option("--time-limit SECONDS", "for a move, in place of the file's", seconds)
    option("--seed N", "for openings and random players, in place of the file's", integer())
    option("--plan", "only say how many games there are, and how long they take at most")
    add_run_options(option, more)
    add_confinement_options(option, more)
    options = parser.parse_args(words)

    try:
        config = read_config(options.config, collect_values(options))
    except errors.ArenaError as error:
        parser.error(str(error))
    if options.plan:
        sys.stdout.write(f"{_plan(config, options.jobs)}\n")
        return 0
    folder = options.out or RUNS_FOLDER / options.config.stem
    return run_and_report(config, folder, options, words, parser.prog)


def _plan(config: RunConfig, jobs: int) -> str:
    """Return the line that says how many games a tournament has, and how long they can take."""
    schedule = Schedule(config, {}, ())
    total = 0.0
    for one, two in schedule.pairings:
        longest = max_seconds((schedule.agents[one], schedule.agents[two]), config.width, config.height)
        total += (longest or 0.0) * config.games
    return (
        f"{len(schedule)} games, {config.games} for each of {len(schedule.pairings)} pairings: at most "
        f"{duration(total / jobs)}, {jobs} at a time, if every move takes all of its time"
    )
