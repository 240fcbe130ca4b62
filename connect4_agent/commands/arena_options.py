"""What match and tournament share: their options, the run, its result and the exit status."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from connect4_agent.commands.options import EXIT_FAILED, EXIT_USAGE, whole_number
from connect4_agent.interrupts import EXIT_INTERRUPTED

if TYPE_CHECKING:
    import argparse
    from typing import NoReturn

    from connect4_agent.arena.config import RunConfig

RUNS_FOLDER = Path("runs")

EXIT_STATUS = """\
exit status: 0 all games were played and no agent had a fault (or --tolerate-faults), 1 otherwise,
2 for a command line or description that cannot be used, 130 after Ctrl-C.
"""


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """The options that `run_and_tell` reads."""
    group = parser.add_argument_group("how it is run")
    group.add_argument("--out", metavar="RUN", type=Path, help="the run's folder; the same command again goes on there")
    group.add_argument(
        "--jobs", metavar="N", type=job_count, default=max(1, core_count() - 1),
        help="games at a time (default: the cores less one, %(default)s here)",
    )  # fmt: skip
    group.add_argument(
        "--dask", metavar="ADDRESS", help="run the games on the Dask cluster of this scheduler (extra: cluster)"
    )
    group.add_argument(
        "--judge", action="store_true", help="afterwards, let the solver judge every move (7 columns and 6 rows only)"
    )
    group.add_argument("--tolerate-faults", action="store_true", help="exit with 0 although agents had faults")


def core_count() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def job_count(text: str) -> int:
    """A number of games at a time, for argparse."""
    import argparse  # noqa: PLC0415

    number = whole_number(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} games at a time; allowed is 1 or more")
    return number


def run_and_tell(config: RunConfig, folder: Path, options: argparse.Namespace, words: list[str], command: str) -> int:
    """Play, print the result, and give the exit status."""
    from connect4_agent import errors  # noqa: PLC0415
    from connect4_agent.arena import progress, report, summary, tournament  # noqa: PLC0415

    teller = progress.new_progress()
    try:
        outcome = tournament.run_tournament(config, folder, teller, options.jobs, options.dask)
    except errors.WorkerLostError as error:
        teller.end()
        sys.stderr.write(f"{command}: {error}; the same command goes on from there\n")
        return EXIT_FAILED
    except (errors.ArenaError, errors.RunFolderError, OSError, ImportError) as error:
        teller.end()
        _complain(command, error)
    teller.end()
    result = summary.summarize(report.read_games(folder, teller.say), [agent.name for agent in config.agents])
    for line in result.lines():
        _print(line)
    judge_status = 0
    if options.judge and outcome.finished == outcome.scheduled:
        judge_status = judge_and_tell(folder, options.jobs, options.dask, command)
        for line in _judged_lines(folder):
            _print(line)
    _print(f"{outcome.finished} of {outcome.scheduled} games are in {folder}")
    if outcome.finished < outcome.scheduled:
        _print(f"to go on: {shlex.join([*command.split(), *words])}")
    else:
        _print(f"to see more: connect4-agent report {shlex.quote(str(folder))}")
    if outcome.was_stopped and outcome.finished < outcome.scheduled:
        return EXIT_INTERRUPTED
    if judge_status:
        return judge_status
    is_good = outcome.finished == outcome.scheduled and (options.tolerate_faults or not result.has_faults)
    return 0 if is_good else EXIT_FAILED


def _judged_lines(folder: Path) -> list[str]:
    from connect4_agent.arena import judgements, summary, tally  # noqa: PLC0415

    judged = tally.Tally()
    for record in judgements.read_judged_games(folder, lambda _: None):
        judged.add(record)
    return summary.judged_lines(judged.report(str(folder)).agents)


def judge_and_tell(folder: Path, jobs: int, dask_address: str | None, command: str) -> int:
    """Judge what is not judged yet of a run; the exit status, and where it is not 0 a line that says why."""
    from connect4_agent import errors  # noqa: PLC0415
    from connect4_agent.arena import judge, progress  # noqa: PLC0415

    teller = progress.new_progress(words=progress.JUDGING)
    try:
        if judge.judge_run(folder, teller, jobs, dask_address):
            return 0
    except (errors.ArenaError, errors.RunFolderError, OSError, ImportError) as error:
        _tell_error(command, error)
        return EXIT_USAGE
    sys.stderr.write(f"{command}: not all games are judged; the same command goes on from there\n")
    return EXIT_INTERRUPTED


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _complain(command: str, error: Exception) -> NoReturn:
    _tell_error(command, error)
    raise SystemExit(EXIT_USAGE)


def _tell_error(command: str, error: Exception) -> None:
    hint = " (pip install 'connect4-agent[cluster]')" if isinstance(error, ImportError) else ""
    sys.stderr.write(f"{command}: error: {error}{hint}\n")
