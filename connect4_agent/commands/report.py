"""connect4-agent report: the results of a run, or of several."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import orjson

from connect4_agent import errors
from connect4_agent.arena.report.html import write_page, write_pages
from connect4_agent.arena.report.model import Report
from connect4_agent.arena.report.tally import number_games, report_on
from connect4_agent.arena.report.text import print_report
from connect4_agent.arena.run import RunState, read_run
from connect4_agent.arena.statistics.sprt import SprtBounds
from connect4_agent.commands.shared.arena_options import elo_pair, judge_and_report, write_csv
from connect4_agent.commands.shared.options import EXIT_FAILED, EXIT_USAGE, integer, new_parser
from connect4_agent.commands.shared.output import reader_may_leave
from connect4_agent.jobs.cores import core_count
from connect4_agent.text import counted, escaped

MAX_BAD_LINES = 10
"""The most invalid lines of a journal that are named; more are only counted."""

DESCRIPTION = """\
Read the journal of a run (RUN/games.jsonl), replay every game, and print the standings: the range of every agent's
rank, points over all games, ratings with intervals, and what went wrong. Several runs on the same board are joined.
Invalid lines are reported and skipped. A figure that does not exist is shown as n/a. The run may still be
in progress.

With --judge, the solver first judges the moves of the games: all of them on 7x6, on other boards the last ones, as
far back as it can prove their scores. It keeps the scores in RUN/judged.jsonl; later reports include them.
"""

EXAMPLES = """\
examples:
  connect4-agent report RUN -v                    all tables
  connect4-agent report RUN --html                a page with every game
  connect4-agent report RUN --pages FOLDER        a page for each agent
  connect4-agent report RUN --csv standings.csv   for a spreadsheet
  connect4-agent report RUN --json                everything, for programs
  connect4-agent report RUN --judge               who gave away what?
  connect4-agent report RUN --sprt 0,20           is A stronger by 20 Elo?

exit status: 0, or 1 if a line of the journal is not valid, 2 for a folder that is not a run.
"""


def run(words: list[str]) -> int:
    """Report; the exit status."""
    options = _options(words)
    bad_lines: list[str] = []
    try:
        bounds = None if options.sprt is None else SprtBounds(*options.sprt)
        states = dict(_states(options.run, bad_lines))
        for name, folder in zip(states, options.run, strict=True) if options.judge else ():
            states[name], status = judge_and_report(
                folder, states[name], options.jobs, options.dask, "connect4-agent report"
            )
            if status:
                return status
        report = report_on(
            states,
            anchor=options.anchor,
            sprt_bounds=bounds,
            warnings=_bad_line_warnings(bad_lines),
        )
        _write_files(report, states, options)
    except (errors.BadValueError, errors.RunFolderError) as error:
        sys.stderr.write(f"connect4-agent report: error: {error}\n")
        return EXIT_USAGE
    except OSError as error:
        sys.stderr.write(
            f"connect4-agent report: error: cannot write {error.filename or 'the report'}: {error.strerror}\n"
        )
        return EXIT_USAGE
    is_written = any(each is not None for each in (options.html, options.pages, options.csv, options.games_csv))
    with reader_may_leave():
        if options.json:
            sys.stdout.write(orjson.dumps(report, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode())
        elif not is_written:
            print_report(report, sys.stdout, verbose=options.verbose)
    return EXIT_FAILED if bad_lines else 0


def _options(words: list[str]) -> argparse.Namespace:
    parser = new_parser("connect4-agent report", DESCRIPTION, EXAMPLES)
    option = parser.group()
    option("RUN", "the folder of a run; several are joined", Path, nargs="+")
    option("-v, --verbose", "print all tables, in full")
    option("--json", "print the report as one JSON object")
    option("--html FILE", "write a self-contained page (default: RUN/report.html)", nargs="?", const="")
    option("--pages FOLDER", "write such a page for each agent: its games alone, with its check on top", Path)
    option("--csv FILE", "write the standings, a line for each agent", Path)
    option("--games-csv FILE", "write a line for each game", Path)
    option("--judge", "judge the moves not judged yet; if stopped, the same command resumes")
    option(
        "--jobs N",
        "with --judge: games judged at a time (default: all cores, %(default)s)",
        integer(1),
        default=core_count(),
    )
    option("--dask ADDRESS", "with --judge: use the Dask cluster of this scheduler (extra: cluster)")
    option("--anchor AGENT", "the agent whose rating is 0 (default: the mean is 0)")
    option("--sprt ELO0,ELO1", "test ELO1 against ELO0 for every pairing", elo_pair)
    options: argparse.Namespace = parser.parse_args(words)
    return options


def _states(folders: Iterable[Path], bad_lines: list[str]) -> Iterator[tuple[str, RunState]]:
    """Return the runs by the names of their folders, or by their paths if names are equal. Raises RunFolderError."""
    paths = [folder.resolve() for folder in folders]
    for folder, path in zip(folders, paths, strict=True):
        if paths.count(path) > 1:
            raise errors.RunFolderError(f"{str(folder)!r} is given twice")
        is_alone = [each.name for each in paths].count(path.name) == 1
        yield path.name if is_alone else str(folder), read_run(folder, bad_lines.append)


def _write_files(report: Report, states: dict[str, RunState], options: argparse.Namespace) -> None:
    """Write the files that the options ask for. Raises OSError."""
    if options.html is not None:
        target = Path(options.html) if options.html else options.run[0] / "report.html"
        write_page(report, (record for _, record in number_games(states)), target)
        _tell_written(target)
    if options.pages is not None:
        write_pages(report, [record for _, record in number_games(states)], options.pages)
        _tell_written(options.pages)
    if options.csv is not None:
        write_csv(options.csv, (agent.to_dict() for agent in report.agents))
    if options.games_csv is not None:
        write_csv(options.games_csv, ({"run": run, **record.to_dict()} for run, record in number_games(states)))


def _tell_written(target: Path) -> None:
    sys.stderr.write(f"wrote {target}\n")


def _bad_line_warnings(bad_lines: list[str]) -> Iterator[str]:
    for line in bad_lines[:MAX_BAD_LINES]:
        yield f"left out, since it is not valid: {escaped(line)}"
    if len(bad_lines) > MAX_BAD_LINES:
        yield f"{len(bad_lines) - MAX_BAD_LINES} more lines are not valid"
    if bad_lines:
        lines = counted(len(bad_lines), "line of the journal is", "lines of the journal are")
        sys.stderr.write(f"connect4-agent report: {lines} not valid; see the warnings\n")
