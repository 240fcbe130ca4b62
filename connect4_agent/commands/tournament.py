"""connect4-agent tournament: plays any number of agents against each other, as a TOML file describes."""

from __future__ import annotations

from pathlib import Path

from connect4_agent import errors
from connect4_agent.arena.agents.spec import AgentSpec, Grants
from connect4_agent.arena.config import RunConfig, read_config
from connect4_agent.commands.shared.arena_options import (
    EXIT_STATUS,
    RUNS_FOLDER,
    add_confinement_options,
    add_run_options,
    refuse_removed_options,
    run_and_report,
    values_of,
)
from connect4_agent.commands.shared.options import new_parser, whole_number

DESCRIPTION = """\
Play a tournament, a round robin or a gauntlet, between the agents that a TOML file describes;
`connect4-agent new` writes one. RUN/games.jsonl holds every game. If the tournament is stopped, the same
command resumes it.
"""

KEYS = f"""\
keys of the file:
  the tournament    {", ".join(name for name in RunConfig.model_fields if name not in Grants.model_fields)}
  every [[agents]]  {", ".join(name for name in AgentSpec.model_fields if name not in (*Grants.model_fields, "python"))}
  either of them    {", ".join(Grants.model_fields)}

{EXIT_STATUS}"""


def run(words: list[str]) -> int:
    """Play; the exit status."""
    parser = new_parser("connect4-agent tournament", DESCRIPTION, KEYS)
    parser.add_argument("config", metavar="CONFIG.toml", type=Path, help="the file that describes the tournament")
    parser.add_argument("--seed", metavar="N", type=whole_number, help="replaces the seed of the file")
    add_confinement_options(parser)
    add_run_options(parser)
    refuse_removed_options(words, parser)
    options = parser.parse_args(words)

    try:
        config = read_config(options.config, options.seed)
    except errors.ArenaError as error:
        parser.error(str(error))
    config = config.model_copy(update=values_of(options))
    folder = options.out or RUNS_FOLDER / options.config.stem
    return run_and_report(config, folder, options, words, parser.prog)
