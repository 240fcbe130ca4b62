"""connect4-agent report: what a run's games say."""

from __future__ import annotations

import argparse
import sys

from connect4_agent.commands.arena_options import core_count, job_count, judge_and_tell
from connect4_agent.commands.options import EXIT_USAGE, new_parser
from connect4_agent.commands.output import reader_may_leave

DESCRIPTION = """\
Read the journal of a run (RUN/games.jsonl) and print a crosstable, ratings with intervals, every pairing, a
tally of endings, and the slowest moves. Forfeited and stopped games are shown apart and are not rated. A
figure that does not exist is n/a. The run may still be going on.

With --judge, the solver judges every move of the games on 7 columns and 6 rows first, and keeps the results in
RUN/judged.jsonl; whatever stands there is part of every later report.
"""

EXAMPLES = """\
examples:
  connect4-agent report RUN                         tables on a terminal, plain text in a pipe
  connect4-agent report RUN --json                  all of it for programs
  connect4-agent report RUN --html                  one page with every game to replay: RUN/report.html
  connect4-agent report RUN --judge                 how often did each agent give away a win or a draw?
  connect4-agent report RUN --sprt 0 20             is A at least 20 Elo stronger, or not stronger at all?
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
        "--judge", action="store_true", help="judge what is not judged yet; the same command again goes on"
    )
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=job_count,
        default=core_count(),
        help="judge: games at a time (all cores, %(default)s)",
    )
    parser.add_argument("--dask", metavar="ADDRESS", help="judge: on this scheduler's Dask cluster (extra: cluster)")
    parser.add_argument("--anchor", metavar="AGENT", help="the agent to be rated 0 (default: the mean is 0)")
    parser.add_argument(
        "--sprt", metavar=("ELO0", "ELO1"), nargs=2, type=_number, help="test ELO1 against ELO0 for every pairing"
    )
    parser.add_argument("--alpha", metavar="RATE", type=_number, default=0.05, help="of wrong ELO1 verdicts (0.05)")
    parser.add_argument("--beta", metavar="RATE", type=_number, default=0.05, help="of wrong ELO0 verdicts (0.05)")
    options = parser.parse_args(words)

    from pathlib import Path  # noqa: PLC0415  # pydantic and the like only once the options are known to be good

    from connect4_agent import errors  # noqa: PLC0415
    from connect4_agent.arena.judgements import read_judged_games  # noqa: PLC0415
    from connect4_agent.arena.ratings import SprtBounds  # noqa: PLC0415
    from connect4_agent.arena.tally import Tally  # noqa: PLC0415

    folder = Path(options.run)
    notes: list[str] = []
    try:
        bounds = None
        if options.sprt is not None:
            elo0, elo1 = options.sprt
            bounds = SprtBounds(elo0, elo1, options.alpha, options.beta)
        if options.judge and (status := judge_and_tell(folder, options.jobs, options.dask, parser.prog)):
            return status
        tally = Tally()
        for record in read_judged_games(folder, notes.append):
            tally.add(record)
        report = tally.report(folder.resolve().name, options.anchor, bounds, notes)
    except (errors.SprtBoundsError, errors.AnchorError, errors.RunFolderError) as error:
        sys.stderr.write(f"connect4-agent report: error: {error}\n")
        return EXIT_USAGE
    if options.html is not None:
        from connect4_agent.arena import report_html  # noqa: PLC0415

        target = Path(options.html) if options.html else folder / "report.html"
        try:
            report_html.write_page(report, lambda: read_judged_games(folder, notes.append), target)
        except OSError as error:
            sys.stderr.write(f"connect4-agent report: error: cannot write {target}: {error.strerror}\n")
            return EXIT_USAGE
        sys.stderr.write(f"connect4-agent report: wrote {target}\n")
    with reader_may_leave():
        if options.json:
            import orjson  # noqa: PLC0415

            sys.stdout.write(orjson.dumps(report, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode())
        elif options.html is None:
            from connect4_agent.arena.report_text import print_tables  # noqa: PLC0415
            from connect4_agent.arena.tables import headline, tables_of  # noqa: PLC0415

            print_tables(headline(report), report.notes, tables_of(report), sys.stdout)
    return 0


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number") from None
