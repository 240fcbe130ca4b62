"""connect4-agent report: the results of a run."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import orjson

from connect4_agent import errors
from connect4_agent.arena.report.html import PageGames, write_page
from connect4_agent.arena.report.ratings import SprtBounds
from connect4_agent.arena.report.tables import headline, tables_of
from connect4_agent.arena.report.tally import Tally
from connect4_agent.arena.report.text import print_tables
from connect4_agent.arena.run.judged_moves import read_judged_games
from connect4_agent.arena.run.record import final_games
from connect4_agent.commands.shared.arena_options import judge_and_report
from connect4_agent.commands.shared.options import EXIT_FAILED, EXIT_USAGE, job_count, new_parser
from connect4_agent.commands.shared.output import reader_may_leave
from connect4_agent.jobs.cores import core_count
from connect4_agent.text import escaped

MAX_BAD_LINES = 1000
"""How many lines of a journal that do not hold are named; more are only counted."""

DESCRIPTION = """\
Read the journal of a run (RUN/games.jsonl), replay every game, and print a crosstable, ratings with intervals,
every pairing, a tally of endings, and the slowest moves. Forfeited games are listed separately and not rated.
Lines that do not hold are named and left out. A figure that does not exist is shown as n/a. The run may still be
in progress.

With --judge, the solver first judges the moves of the games: all of them on 7x6, on other boards the last ones, as
far back as it can prove their scores. It keeps the scores in RUN/judged.jsonl; later reports include them.
"""

EXAMPLES = """\
examples:
  connect4-agent report RUN                         tables on a terminal, plain text in a pipe
  connect4-agent report RUN --json                  everything, for programs
  connect4-agent report RUN --html                  a page with a replay of every game: RUN/report.html
  connect4-agent report RUN --judge                 how often did each agent give away a win or a draw?
  connect4-agent report RUN --sprt 0 20             is A stronger by 20 Elo, or not stronger at all?

exit status: 0, or 1 if a line of the journal does not hold, 2 for a folder that is not a run.
"""


def run(words: list[str]) -> int:
    """Report; the exit status."""
    parser = new_parser("connect4-agent report", DESCRIPTION, EXAMPLES)
    parser.add_argument("run", metavar="RUN", help="the folder of a run")
    parser.add_argument("--json", action="store_true", help="print the report as one JSON object")
    parser.add_argument(
        "--html", metavar="FILE", nargs="?", const="", help="write a self-contained page (default: RUN/report.html)"
    )
    parser.add_argument(
        "--judge", action="store_true", help="judge the moves not judged yet; if stopped, the same command resumes"
    )
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=job_count,
        default=core_count(),
        help="with --judge: games judged at a time (default: all cores, %(default)s)",
    )
    parser.add_argument(
        "--dask", metavar="ADDRESS", help="with --judge: use the Dask cluster of this scheduler (extra: cluster)"
    )
    parser.add_argument("--anchor", metavar="AGENT", help="the agent whose rating is 0 (default: the mean is 0)")
    parser.add_argument(
        "--sprt", metavar=("ELO0", "ELO1"), nargs=2, type=_number, help="test ELO1 against ELO0 for every pairing"
    )
    parser.add_argument(
        "--alpha", metavar="RATE", type=_number, default=0.05, help="rate of wrong ELO1 verdicts (default: 0.05)"
    )
    parser.add_argument(
        "--beta", metavar="RATE", type=_number, default=0.05, help="rate of wrong ELO0 verdicts (default: 0.05)"
    )
    options = parser.parse_args(words)
    folder = Path(options.run)
    notes: list[str] = []
    bad_lines: list[str] = []
    tally = Tally()
    with PageGames() as games:
        try:
            bounds = None
            if options.sprt is not None:
                elo0, elo1 = options.sprt
                bounds = SprtBounds(elo0, elo1, options.alpha, options.beta)
            if options.judge and (status := judge_and_report(folder, options.jobs, options.dask, parser.prog)):
                return status
            for record in final_games(read_judged_games(folder, notes.append, bad_lines.append)):
                tally.add(record)
                if options.html is not None:
                    games.add(record)
            notes += _bad_line_notes(bad_lines)
            report = tally.report(folder.resolve().name, options.anchor, bounds, notes)
        except (errors.BadValueError, errors.RunFolderError) as error:
            sys.stderr.write(f"connect4-agent report: error: {error}\n")
            return EXIT_USAGE
        if options.html is not None:
            target = Path(options.html) if options.html else folder / "report.html"
            try:
                write_page(report, games, target)
            except OSError as error:
                sys.stderr.write(f"connect4-agent report: error: cannot write {target}: {error.strerror}\n")
                return EXIT_USAGE
            sys.stderr.write(f"connect4-agent report: wrote {target}\n")
    with reader_may_leave():
        if options.json:
            sys.stdout.write(orjson.dumps(report, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode())
        elif options.html is None:
            print_tables(headline(report), report.notes, tables_of(report), sys.stdout)
    return EXIT_FAILED if bad_lines else 0


def _bad_line_notes(bad_lines: list[str]) -> Iterator[str]:
    for line in bad_lines[:MAX_BAD_LINES]:
        yield f"left out, since it does not hold: {escaped(line)}"
    if len(bad_lines) > MAX_BAD_LINES:
        yield f"{len(bad_lines) - MAX_BAD_LINES} more lines do not hold"
    if bad_lines:
        sys.stderr.write(f"connect4-agent report: {len(bad_lines)} lines of the journal do not hold; see the notes\n")


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None
