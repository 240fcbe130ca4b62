"""What match and tournament share: their options, the run, its result and the exit status."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from connect4_agent import errors
from connect4_agent.arena.config import RunConfig
from connect4_agent.arena.judged_moves import read_judgements
from connect4_agent.arena.judging import judge_run
from connect4_agent.arena.report.tally import report_on
from connect4_agent.arena.report.text import print_standings
from connect4_agent.arena.run import RunState
from connect4_agent.arena.spec import DEFAULT_PROCESSES, Isolation, check_size
from connect4_agent.arena.tournament import Outcome, run_tournament
from connect4_agent.commands.shared.options import EXIT_FAILED, EXIT_USAGE, add_pass_env, how_to_add, integer
from connect4_agent.commands.shared.output import reader_may_leave
from connect4_agent.jobs.executor import core_count
from connect4_agent.jobs.interrupts import EXIT_INTERRUPTED
from connect4_agent.jobs.progress import Progress
from connect4_agent.text import counted, escaped

RUNS_FOLDER = Path("runs")

EXIT_STATUS = """\
exit status: 0 if all games were played and no agent had a fault (or --tolerate-faults), 1 otherwise,
2 for a bad command line or description, 130 after Ctrl-C.
"""


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """The options that `run_and_report` reads."""
    group = parser.add_argument_group("how it is run")
    group.add_argument(
        "--out", metavar="RUN", type=Path, help="the folder of the run; the same command resumes a stopped run"
    )
    group.add_argument(
        "--jobs", metavar="N", type=integer(1), default=max(1, core_count() - 1),
        help="games at a time (default: one less than the cores, here %(default)s)",
    )  # fmt: skip
    group.add_argument(
        "--dask", metavar="ADDRESS", help="run the games on the Dask cluster of this scheduler (extra: cluster)"
    )
    group.add_argument(
        "--judge", action="store_true",
        help="afterwards, let the solver judge every move; on boards other than 7x6, those that it can prove",
    )  # fmt: skip
    group.add_argument(
        "--disqualify", dest="disqualified", metavar="NAME", action="append",
        help="let this agent play no more; its remaining games count as lost",
    )  # fmt: skip
    group.add_argument(
        "--retry", metavar="NAME", action="append", default=[],
        help="play the games again that this agent lost by faults, even if it is paused after 3 faults in a row",
    )  # fmt: skip
    group.add_argument("--tolerate-faults", action="store_true", help="exit with 0 even if agents had faults")


def add_confinement_options(parser: argparse.ArgumentParser) -> None:
    """The options that say what programs may do and use; `values_of` reads them."""
    group = parser.add_argument_group("what commands may do (Linux)")
    group.add_argument(
        "--isolation", choices=list(Isolation), type=Isolation,
        help="none; processes: each sees no processes but its own (needs bubblewrap; the default if it works); "
        "full: it sees the system's files and its own alone, read-only, and no network",
    )  # fmt: skip
    group.add_argument(
        "--isolate", dest="isolation", action="store_const", const=Isolation.FULL, help="short for --isolation full"
    )
    group.add_argument(
        "--memory", metavar="SIZE", type=memory_size,
        help="for each, such as 500M or 2G (default: 2G, or half of all)",
    )  # fmt: skip
    group.add_argument(
        "--processes", metavar="N", type=integer(1), help=f"of each at a time (default: {DEFAULT_PROCESSES})"
    )
    add_pass_env(group)


def values_of(options: argparse.Namespace) -> dict[str, Any]:
    """What the options say, by the keys of a tournament's description."""
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
        judge_status = judge_and_report(folder, options.jobs, options.dask, command)
        state = state.with_judgements(read_judgements(folder, lambda _: None))
    report = report_on({folder.resolve().name: state})
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


def judge_and_report(folder: Path, jobs: int, dask_address: str | None, command: str) -> int:
    """Judge the moves of a run that are not judged yet; returns the exit status, and prints why if it is not 0."""
    progress = Progress("games", "judge", sys.stderr)
    try:
        if judge_run(folder, progress, jobs, dask_address):
            return 0
    except (errors.ArenaError, errors.RunFolderError, OSError, ImportError) as error:
        _tell_error(command, error)
        return EXIT_USAGE
    sys.stderr.write(f"{command}: not all games are judged; the same command resumes\n")
    return EXIT_INTERRUPTED


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _tell_error(command: str, error: Exception) -> None:
    hint = f" ({how_to_add('cluster')})" if isinstance(error, ImportError) else ""
    sys.stderr.write(f"{command}: error: {error}{hint}\n")
