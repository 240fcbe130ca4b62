"""connect4-agent tournament: any number of agents, as a TOML file describes."""

from __future__ import annotations

from pathlib import Path

from connect4_agent import errors
from connect4_agent.commands.arena_options import EXIT_STATUS, RUNS_FOLDER, add_run_options, run_and_tell
from connect4_agent.commands.options import new_parser, whole_number

DESCRIPTION = """\
Play a tournament, a round robin or a gauntlet, between the agents that a TOML file describes;
examples/tournament.toml is one with all its keys explained. RUN/games.jsonl holds every game; the
same command again goes on where it was stopped.
"""


def run(words: list[str]) -> int:
    """Play; the exit status."""
    parser = new_parser("connect4-agent tournament", DESCRIPTION, EXIT_STATUS)
    parser.add_argument("config", metavar="CONFIG.toml", type=Path, help="the description")
    parser.add_argument("--seed", metavar="N", type=whole_number, help="in place of the description's own")
    add_run_options(parser)
    options = parser.parse_args(words)

    from connect4_agent.arena.config import read_config  # noqa: PLC0415  # pydantic once the options are good

    try:
        config = read_config(options.config, options.seed)
    except errors.ConfigError as error:
        parser.error(str(error))
    folder = options.out or RUNS_FOLDER / options.config.stem
    return run_and_tell(config, folder, options, words, parser.prog)
