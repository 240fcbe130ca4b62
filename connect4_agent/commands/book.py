"""connect4-agent book: build, verify or describe the opening book."""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryFile
from time import monotonic
from typing import TYPE_CHECKING, Any

from connect4_agent import errors
from connect4_agent.book import lookup
from connect4_agent.commands.options import EXIT_FAILED, new_parser
from connect4_agent.commands.output import reader_may_leave

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from connect4_agent.book.work import Progress

DESCRIPTION = """\
The opening book of the level perfect: the score of every position of up to 8 plies, every move
of those of 9, and of every position that arises when one side plays by the book. `build` computes it from
nothing, on as many cores as asked; stopped at any moment, it goes on from its work folder when started again. `verify`
checks every entry whose replies the book knows, and solves a sample of the others. `info` says what is in it.
"""

SECONDS_BETWEEN_LINES = 10.0
STOPPING = "Stopping: what has begun is solved to its end; a second Ctrl-C ends at once."


def run(words: list[str]) -> int:
    """Do what is asked; the exit status."""
    parser = new_parser("connect4-agent book", DESCRIPTION, None)
    parser.add_argument("action", choices=("build", "verify", "info"))
    parser.add_argument("--file", type=Path, help="the book (default: the shipped one)")
    parser.add_argument("--work", type=Path, default=Path("book-work"), help="build: the folder of the work files")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="build: processes (default: all cores)")
    parser.add_argument(
        "--dask", metavar="ADDRESS", help="build: on the Dask cluster of this scheduler (extra: cluster)"
    )
    parser.add_argument("--replies-only", action="store_true", help="build: leave out everything but the replies")
    parser.add_argument("--sample", type=int, default=100, help="verify: entries of each part to solve (default: 100)")
    parser.add_argument("--seed", type=int, default=1, help="verify: which entries (default: 1)")
    options = parser.parse_args(words)
    if options.jobs < 1:
        parser.error(f"--jobs is {options.jobs}; allowed are 1 and more")
    if options.sample < 0:
        parser.error(f"--sample is {options.sample}; allowed are 0 and more")
    if options.action == "build" and options.replies_only and options.file is None:
        parser.error("--replies-only leaves most of the book out: say with --file where such a book is to be written")
    options.file = options.file or lookup.SHIPPED_FILE
    if options.action == "build":
        try:
            check_writable(options.file)  # before hours of work
            return _build(options)
        except (ImportError, OSError) as error:
            parser.error(f"cannot build: {error}")
    if not options.file.exists():
        parser.error(f"there is no book {options.file}; connect4-agent book build makes one")
    try:
        book = lookup.read_book(options.file)
        lookup.check_keys(book, str(options.file))
    except errors.BookError as error:
        parser.error(str(error))
    except OSError as error:
        parser.error(f"cannot read {options.file}: {error.strerror}")
    return _verify(book, options) if options.action == "verify" else _info(book, options.file)


def check_writable(path: Path) -> None:
    """Raise OSError where no file of this name can be put."""
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder")
    with TemporaryFile(dir=path.parent):
        pass


class _PlainLines:
    """Tells how far a step is and when it will be finished, in a line now and then."""

    def __init__(self) -> None:
        self._step = ""
        self._began = self._shown = 0.0
        self._done_before = 0

    def show(self, progress: Progress) -> None:
        """Take in the newest state."""
        now = monotonic()
        if progress.step != self._step:
            self._step, self._began, self._shown, self._done_before = progress.step, now, 0.0, progress.done
        finished = progress.done == progress.total
        if not finished and now - self._shown < SECONDS_BETWEEN_LINES:
            return
        self._shown = now
        new = progress.done - self._done_before
        left = (now - self._began) / new * (progress.total - progress.done) if new else None
        expected = "" if left is None or finished else f", about {left / 60:.0f} min left"
        sys.stderr.write(f"{progress.step}: {progress.done} of {progress.total}{expected}\n")
        sys.stderr.flush()

    def end(self) -> None:
        """Nothing to take away."""


class _Bar:
    """A bar for each step, with its expected end. Raises ImportError where rich is not installed."""

    def __init__(self) -> None:
        from rich.console import Console  # noqa: PLC0415  # an extra
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn  # noqa: PLC0415
        from rich.progress import Progress as RichProgress  # noqa: PLC0415

        self._step = ""
        self._task: Any = None
        self._bar = RichProgress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("ends in"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        )

    def show(self, progress: Progress) -> None:
        """Take in the newest state."""
        if progress.step != self._step:
            self._step = progress.step
            self._task = self._bar.add_task(progress.step, total=progress.total)
            self._bar.start()
        self._bar.update(self._task, completed=progress.done)

    def end(self) -> None:
        """Leave the bars as they are."""
        self._bar.stop()


def _new_progress() -> _Bar | _PlainLines:
    """Bars if standard error is a terminal and rich is installed; else plain lines."""
    if sys.stderr.isatty():
        try:
            return _Bar()
        except ImportError:
            pass
    return _PlainLines()


def _build(options: argparse.Namespace) -> int:
    from connect4_agent import executor, interrupts  # noqa: PLC0415  # the other actions need neither these
    from connect4_agent.book import builder, work  # noqa: PLC0415  # nor the solver

    began = monotonic()
    where = executor.for_computing(options.jobs, options.dask)
    progress = _new_progress()
    stop = interrupts.Stop()
    try:
        with interrupts.stop_on_interrupt(stop, STOPPING):
            data = builder.build(options.work, work.Workshop(where, progress.show, stop), not options.replies_only)
    except errors.Connect4Error as error:
        sys.stderr.write(f"connect4-agent book: {error}; the same command goes on from there\n")
        return interrupts.EXIT_INTERRUPTED if stop.is_asked else EXIT_FAILED
    finally:
        progress.end()
        where.close()
    unfinished = options.file.with_name(f"{options.file.name}.new")
    unfinished.write_bytes(data)
    unfinished.replace(options.file)
    with reader_may_leave():
        sys.stdout.write(f"{options.file}: {len(data)} bytes, {(monotonic() - began) / 60:.1f} minutes in this run\n")
    return 0


def _verify(book: lookup.Book, options: argparse.Namespace) -> int:
    from connect4_agent.book import verify, work  # noqa: PLC0415
    from connect4_agent.engine import speed  # noqa: PLC0415
    from connect4_agent.engine.exact import ExactScores  # noqa: PLC0415
    from connect4_agent.engine.search import do_nothing  # noqa: PLC0415

    solver = speed.new_solver(lookup.WIDTH, lookup.HEIGHT)
    progress = _new_progress()

    def reporter(step: str, total: int) -> Callable[[int], None]:
        return lambda done: progress.show(work.Progress(step, done, total))

    try:
        verdicts = {
            "scores that follow from their replies' scores": verify.check_scores(
                book, reporter("scores", len(book.scores.values))
            ),
            "replies that keep their scores": verify.check_replies(book, reporter("replies", len(book.replies.values))),
            "entries solved anew": verify.check_sample(
                book,
                ExactScores(solver, None, do_nothing),
                options.sample,
                options.seed,
                reporter("sample", len(lookup.SECTIONS) * options.sample),
            ),
        }
    finally:
        progress.end()
    with reader_may_leave():
        for name, verdict in verdicts.items():
            sys.stdout.write(f"{name}: {verdict.checked} checked, {len(verdict.wrong)} wrong\n")
            for message in verdict.wrong[:10]:
                sys.stdout.write(f"{message}\n")
    return EXIT_FAILED if any(verdict.wrong for verdict in verdicts.values()) else 0


def _info(book: lookup.Book, path: Path) -> int:
    from connect4_agent.book.lookup import position_of  # noqa: PLC0415

    lines = [f"{path}: {path.stat().st_size} bytes"]
    for name in lookup.SECTIONS:
        section = getattr(book, name)
        counts = Counter(position_of(key).disc_count for key, _ in section.items())
        lines.append(f"{name}: {len(section.values)} positions, mirror images once")
        lines += [f"  {discs:2} discs {count:7}" for discs, count in sorted(counts.items())]
    with reader_may_leave():
        sys.stdout.write("\n".join(lines) + "\n")
    return 0
