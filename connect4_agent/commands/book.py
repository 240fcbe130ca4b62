"""connect4-agent book: build, verify or describe the opening book."""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.book import lookup
from connect4_agent.commands.options import EXIT_FAILED, new_parser

if TYPE_CHECKING:
    import argparse

    from connect4_agent.book.builder import Progress

DESCRIPTION = """\
The opening book of the level perfect: the score of every position of up to 8 plies, and the move of every
position that arises when one side plays by the book. `build` computes it from nothing, on as many cores as
asked; stopped at any moment, it goes on from its work folder when started again. `verify` checks every
entry whose replies the book knows, and solves a sample of the others. `info` says what is in it.
"""

SECONDS_BETWEEN_LINES = 10.0


def run(words: list[str]) -> int:
    """Do what is asked; the exit status."""
    parser = new_parser("connect4-agent book", DESCRIPTION, None)
    parser.add_argument("action", choices=("build", "verify", "info"))
    parser.add_argument("--file", type=Path, default=lookup.SHIPPED_FILE, help="the book (default: the shipped one)")
    parser.add_argument("--work", type=Path, default=Path("book-work"), help="build: the folder of the work files")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="build: processes (default: all cores)")
    parser.add_argument(
        "--dask", metavar="ADDRESS", help="build: on the Dask cluster of this scheduler (extra: cluster)"
    )
    parser.add_argument("--replies-only", action="store_true", help="build: leave out the complete part")
    parser.add_argument(
        "--sample", type=int, default=100, help="verify: entries of either part to solve (default: 100)"
    )
    parser.add_argument("--seed", type=int, default=1, help="verify: which entries (default: 1)")
    options = parser.parse_args(words)
    if options.jobs < 1:
        parser.error(f"--jobs is {options.jobs}; allowed are 1 and more")
    if options.action == "build":
        try:
            return _build(options)
        except (ImportError, OSError) as error:
            parser.error(f"cannot build: {error}")
    if not options.file.exists():
        parser.error(f"there is no book {options.file}; connect4-agent book build makes one")
    try:
        book = lookup.read_book(options.file)
    except errors.BookError as error:
        parser.error(str(error))
    return _verify(book, options) if options.action == "verify" else _info(book, options.file)


class _ProgressLine:
    """Tells how far a step is and when it will be finished: on a terminal in place, else a line now and then."""

    def __init__(self) -> None:
        self._step = ""
        self._began = self._shown = 0.0
        self._done_before = 0

    def show(self, progress: Progress) -> None:
        """Take in the newest state."""
        now = monotonic()
        if progress.step != self._step:
            self._step, self._began, self._shown, self._done_before = progress.step, now, 0.0, progress.done
        on_terminal = sys.stderr.isatty()
        finished = progress.done == progress.total
        if not finished and now - self._shown < (0.2 if on_terminal else SECONDS_BETWEEN_LINES):
            return
        self._shown = now
        new = progress.done - self._done_before
        left = (now - self._began) / new * (progress.total - progress.done) if new else None
        expected = "" if left is None or finished else f", about {left / 60:.0f} min left"
        line = f"{progress.step}: {progress.done} of {progress.total}{expected}"
        end = "" if on_terminal and not finished else "\n"
        sys.stderr.write(f"\r\x1b[K{line}{end}" if on_terminal else f"{line}\n")
        sys.stderr.flush()


def _build(options: argparse.Namespace) -> int:
    from connect4_agent import executor  # noqa: PLC0415  # the other actions need neither this
    from connect4_agent.book import builder  # noqa: PLC0415  # nor the solver

    began = monotonic()
    if options.dask is not None:
        where = executor.on_dask(options.dask)
    else:
        where = executor.InThread() if options.jobs == 1 else executor.in_processes(options.jobs)
    try:
        data = builder.build(options.work, where, _ProgressLine().show, not options.replies_only)
    finally:
        where.close()
    unfinished = options.file.with_suffix(".new")
    unfinished.write_bytes(data)
    unfinished.replace(options.file)
    sys.stdout.write(f"{options.file}: {len(data)} bytes, {(monotonic() - began) / 60:.1f} minutes in this run\n")
    return 0


def _verify(book: lookup.Book, options: argparse.Namespace) -> int:
    from connect4_agent.book import builder, verify  # noqa: PLC0415
    from connect4_agent.engine import speed  # noqa: PLC0415
    from connect4_agent.engine.exact import ExactScores  # noqa: PLC0415
    from connect4_agent.engine.search import do_nothing  # noqa: PLC0415

    line = _ProgressLine()
    solver = speed.new_solver(lookup.WIDTH, lookup.HEIGHT, speed.runs_compiled(lookup.WIDTH, lookup.HEIGHT))
    verdicts = {
        "scores that follow from their replies' scores": verify.check_scores(
            book, lambda done: line.show(builder.Progress("scores", done, len(book.scores.values)))
        ),
        "replies that keep their scores": verify.check_replies(
            book, lambda done: line.show(builder.Progress("replies", done, len(book.replies.values)))
        ),
        "entries solved anew": verify.check_sample(
            book, ExactScores(solver, None, do_nothing), options.sample, options.seed,
            lambda done: line.show(builder.Progress("sample", done, 2 * options.sample)),
        ),
    }  # fmt: skip
    for name, verdict in verdicts.items():
        sys.stdout.write(f"{name}: {verdict.checked} checked, {len(verdict.wrong)} wrong\n")
        for message in verdict.wrong[:10]:
            sys.stdout.write(f"{message}\n")
    return EXIT_FAILED if any(verdict.wrong for verdict in verdicts.values()) else 0


def _info(book: lookup.Book, path: Path) -> int:
    from connect4_agent.book.lookup import position_of  # noqa: PLC0415

    sys.stdout.write(f"{path}: {path.stat().st_size} bytes\n")
    for name, section in (("scores", book.scores), ("replies", book.replies)):
        counts = Counter(position_of(key).disc_count for key, _ in section.items())
        sys.stdout.write(f"{name}: {len(section.values)} positions, mirror images once\n")
        for discs, count in sorted(counts.items()):
            sys.stdout.write(f"  {discs:2} discs {count:7}\n")
    return 0
