"""The parts that match and tournament share: their options, the run, its result and the exit status."""

from __future__ import annotations

import argparse
import csv
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from connect4_agent import errors
from connect4_agent.arena.command_line import is_interpreter
from connect4_agent.arena.config import RunConfig
from connect4_agent.arena.judging import judge_run
from connect4_agent.arena.report.model import RESULTS, Report
from connect4_agent.arena.report.tally import report_on
from connect4_agent.arena.report.text import print_standings
from connect4_agent.arena.run import RunState
from connect4_agent.arena.spec import DEFAULT_PROCESSES, Isolation, check_size
from connect4_agent.arena.tournament import Outcome, run_tournament
from connect4_agent.commands.shared.options import EXIT_FAILED, EXIT_USAGE, add_pass_env, how_to_add, integer
from connect4_agent.commands.shared.output import reader_may_leave
from connect4_agent.engine.players.registry import BUILT_IN_PLAYERS
from connect4_agent.jobs.cores import core_count
from connect4_agent.jobs.interrupts import EXIT_INTERRUPTED
from connect4_agent.jobs.progress import Progress
from connect4_agent.text import counted, escaped, in_spreadsheet

if TYPE_CHECKING:
    from connect4_agent.commands.shared.options import AddOption, Parser

RUNS_FOLDER = Path("runs")
RESULTS_NAME = "results.csv"
DECIMALS = 4

EXIT_STATUS = """\
exit status: 0 if all games were played without a fault, or with --tolerate-faults; 1 otherwise; 2 for a bad
command line or description; 130 after Ctrl-C.
"""


def refuse_unquoted(words: Sequence[str], parser: Parser) -> None:
    """End the program if a command that is not in quotes has become several words."""
    for first, second in pairwise(words):
        if is_interpreter(first) and second not in BUILT_IN_PLAYERS and not second.startswith("--"):
            parser.error(f'put the command in quotes: "{first} {second}"')


def add_run_options(option: AddOption, more: AddOption) -> None:
    """Add the options that `run_and_report` reads."""
    option("--out RUN", "the folder of the run (default: one in runs/); the same command resumes a stopped run", Path)
    option("--judge", "let the solver judge every move afterwards; on boards other than 7x6, the moves it can prove")
    cores = max(1, core_count() - 1)
    more("--jobs N", f"games at a time (default: one less than the cores, here {cores})", integer(1), default=cores)
    more("--dask ADDRESS", "run the games on the Dask cluster of this scheduler (extra: cluster)")
    more("--tolerate-faults", "exit with 0 even if agents had faults")
    text = "let this agent play no more; its remaining games count as lost"
    more("--disqualify NAME", text, dest="disqualified", action="append")
    text = "play the games again that this agent lost by faults, even if it is paused after 3 faults in a row"
    more("--retry NAME ...", text)


def add_confinement_options(option: AddOption, more: AddOption) -> None:
    """Add the options that say what programs may do and use; `collect_values` reads them."""
    text = "give programs no network, and no files but the system's and their own (Linux with bubblewrap)"
    option("--isolate", text, dest="isolation", action="store_const", const=Isolation.FULL)
    text = (
        "none; processes: a program sees no processes but its own (the default where bubblewrap works); "
        "full: the same as --isolate"
    )
    more("--isolation", text, Isolation, choices=list(Isolation))
    more("--memory SIZE", "of a program, such as 500M or 2G (default: 2G, or half of all; Linux)", memory_size)
    more("--processes N", f"of a program at a time (default: {DEFAULT_PROCESSES}; Linux)", integer(1))
    add_pass_env(more)


def collect_values(options: argparse.Namespace) -> dict[str, Any]:
    """Return the values of the options, by the keys of a tournament's description."""
    names = RunConfig.model_fields.keys() - {"agents"}
    return {name: value for name, value in vars(options).items() if name in names and value is not None}


def elo_pair(text: str) -> tuple[float, float]:
    """Two Elo differences such as 0,20, for argparse."""
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a pair of Elo differences such as 0,20") from None
    return elo0, elo1


def memory_size(text: str) -> str:
    """Check a size such as 500M or 2G, for argparse."""
    try:
        return check_size(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def run_and_report(config: RunConfig, folder: Path, options: argparse.Namespace, words: list[str], command: str) -> int:
    """Play, print the result, and return the exit status."""
    outcome = _run(config, folder, options, command)
    if outcome is None:
        return EXIT_FAILED
    state, judge_status = outcome.state, 0
    if options.judge and not state.to_play:
        state, judge_status = judge_and_report(folder, state, options.jobs, options.dask, command)
    report = report_on({folder.resolve().name: state})
    if state.entries:
        write_results(report, folder)
    with reader_may_leave():
        print_standings(report, sys.stdout)
        for line in _closing_lines(state, folder, outcome.failures):
            _print(line)
        if state.to_play:
            _print(f"to resume: {shlex.join([*command.split(), *words])}")
        else:
            _print(f"to see more: connect4-agent report {shlex.quote(str(folder))}")
    if state.to_play:
        return EXIT_INTERRUPTED if outcome.was_stopped else EXIT_FAILED
    if judge_status:
        return judge_status
    has_faults = any(agent.faults for agent in report.agents)
    return EXIT_FAILED if has_faults and not options.tolerate_faults else 0


def write_results(report: Report, folder: Path) -> None:
    """Write the row of every entry of a folder into the run, and its name to standard error."""
    rows = (agent.to_dict() for agent in report.agents if agent.ready)
    write_csv(folder / RESULTS_NAME, ({name: row[name] for name in RESULTS} for row in rows))


def write_csv(target: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Write a table, and its name to standard error; no text in it is a formula. Raises OSError."""
    lines = [{key: _cell(value) for key, value in row.items()} for row in rows]
    with target.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        writer = csv.DictWriter(file, list(dict.fromkeys(key for line in lines for key in line)))
        writer.writeheader()
        writer.writerows(lines)
    sys.stderr.write(f"wrote {target}\n")


def _cell(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DECIMALS)
    return in_spreadsheet(value) if isinstance(value, str) else value


def _closing_lines(state: RunState, folder: Path, failures: Sequence[str]) -> Iterator[str]:
    """Give what is said below the standings: what the run holds, and what it lacks."""
    if state.sprt_words:
        yield state.sprt_words
    yield from map(escaped, failures)
    lost = len(state.lost)
    yield f"{len(state.records)} of {state.wanted} games are in {folder}" + (
        f"; {lost} are lost without being played" if lost else ""
    )
    if state.other_games:
        yield f"{counted(state.other_games, 'game')} of earlier agents are kept and not shown"
    for name, exclusion in state.exclusions.items():
        if exclusion.since is not None:
            yield f"to play the games again that {escaped(name)} lost by faults: --retry {shlex.quote(escaped(name))}"


def _run(config: RunConfig, folder: Path, options: argparse.Namespace, command: str) -> Outcome | None:
    """Play; return None if an error that is reported stopped the run."""
    progress = Progress("games", "play", sys.stderr)
    try:
        outcome = run_tournament(
            config,
            folder,
            progress,
            options.jobs,
            options.dask,
            retry=options.retry,
        )
    except errors.WorkerLostError as error:
        progress.end()
        sys.stderr.write(f"{command}: error: {error}; the same command resumes the run\n")
        return None
    except (errors.ArenaError, errors.RunFolderError, OSError, ImportError) as error:
        progress.end()
        _tell_error(command, error)
        raise SystemExit(EXIT_USAGE) from None
    progress.end()
    return outcome


def judge_and_report(
    folder: Path, state: RunState, jobs: int, dask_address: str | None, command: str
) -> tuple[RunState, int]:
    """Judge the moves of a run that are not judged yet; return the run and the exit status, and print why if not 0."""
    progress = Progress("games", "judge", sys.stderr)
    try:
        state = judge_run(folder, state, progress, jobs, dask_address)
    except (errors.ArenaError, errors.RunFolderError, OSError, ImportError) as error:
        _tell_error(command, error)
        return state, EXIT_USAGE
    if not state.unjudged:
        return state, 0
    sys.stderr.write(f"{command}: not all games are judged; the same command resumes\n")
    return state, EXIT_INTERRUPTED


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _tell_error(command: str, error: Exception) -> None:
    hint = f" ({how_to_add('cluster')})" if isinstance(error, ImportError) else ""
    sys.stderr.write(f"{command}: error: {error}{hint}\n")
