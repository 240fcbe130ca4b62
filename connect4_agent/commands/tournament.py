"""connect4-agent tournament: plays any number of agents against each other: those of a TOML file, or of a folder."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from connect4_agent import errors
from connect4_agent.arena.config import RunConfig, read_config
from connect4_agent.arena.entries.intake import Intake
from connect4_agent.arena.journal import Journal
from connect4_agent.arena.report.tally import report_on
from connect4_agent.arena.run import RunState
from connect4_agent.arena.schedule import Schedule, max_seconds
from connect4_agent.arena.spec import AgentSpec, Grants
from connect4_agent.commands.shared.arena_options import (
    EXIT_STATUS,
    RUNS_FOLDER,
    add_confinement_options,
    add_run_options,
    collect_values,
    run_and_report,
    write_results,
)
from connect4_agent.commands.shared.options import EXIT_FAILED, integer, new_parser, seconds
from connect4_agent.jobs.interrupts import EXIT_INTERRUPTED
from connect4_agent.jobs.progress import Progress, duration
from connect4_agent.text import escaped

OWN_KEYS = [name for name in AgentSpec.model_fields if name not in (*Grants.model_fields, "python_object")]

DESCRIPTION = """\
Play a tournament, a round robin or a gauntlet, between the agents that a TOML file describes;
`connect4-agent new` writes one. RUN/games.jsonl holds every game. If the tournament is stopped, the same
command resumes it.

In a FOLDER, each file or folder is a program, an entry. It is built, checked, and played if it passed: against built-in
players, and against the other entries. The solver then judges the games, and RUN/results.csv has a row for each
entry. The next start checks and plays what is new or has changed. FOLDER/tournament.toml, which may be missing,
has the keys below, but no agents.
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
    option("FOLDER", "a folder of programs, or a TOML file that describes the tournament", Path, dest="source")
    option("--games N", "games for every pairing, an even number, in place of the file's", integer())
    option("--time-limit SECONDS", "for a move, in place of the file's", seconds)
    option("--seed N", "for openings and random players, in place of the file's", integer())
    option("--plan", "only say how many games there are, and how long they take at most")
    add_run_options(option, more)
    add_confinement_options(option, more)
    options = parser.parse_args(words)

    source: Path = options.source
    folder = options.out or RUNS_FOLDER / (source.resolve().name if source.is_dir() else source.stem)
    values = collect_values(options)
    progress = Progress("games", "play", sys.stderr)
    try:
        if source.is_file() and source.suffix != ".toml":
            parser.error(f"{source} is neither a TOML file nor a folder of programs")
        intake = Intake(source, folder, values, progress.say) if source.is_dir() else None
        config = read_config(source, values) if intake is None else intake.config
        if options.plan:
            sys.stdout.write(f"{_plan(config, options.jobs)}\n")
            return 0
        if intake is None:
            return run_and_report(config, folder, options, words, parser.prog)
        with Journal(folder, progress.say):  # nobody else takes entries in
            taken = intake.take(options.jobs, options.retry)
    except (errors.ArenaError, OSError) as error:
        parser.error(str(error))
    if taken is None:
        sys.stdout.write(f"to resume: {shlex.join([*parser.prog.split(), *words])}\n")
        return EXIT_INTERRUPTED
    if not any(agent.is_program for agent in taken.agents):
        return _report_nobody(taken, folder, parser.prog)
    playing = {agent.name for agent in taken.agents}
    options.retry = [name for name in options.retry if name in playing]
    options.judge = True
    return run_and_report(taken, folder, options, words, parser.prog)


def _report_nobody(config: RunConfig, folder: Path, command: str) -> int:
    """Write the results of a folder without an entry that is ready, and return the exit status."""
    state = RunState(config, {agent.name: agent.name for agent in config.agents}, {}, []).with_files(folder, print)
    report = report_on({folder.resolve().name: state})
    write_results(report, folder)
    for agent in report.agents:
        if agent.ready:
            sys.stdout.write(f"{escaped(agent.name)}: not ready: {escaped(agent.status_reason)}\n")
    sys.stderr.write(f"{command}: no entry is ready: nothing is played\n")
    return EXIT_FAILED


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
