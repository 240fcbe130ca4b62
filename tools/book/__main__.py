"""python -m tools.book: build, verify or describe an opening book."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from time import monotonic

from connect4_agent import errors
from connect4_agent.commands.shared.options import EXIT_FAILED, board_size, integer, new_parser
from connect4_agent.commands.shared.output import reader_may_leave
from connect4_agent.engine.book import files
from connect4_agent.engine.book.files import read_layer
from connect4_agent.engine.engine import Engine
from connect4_agent.engine.kernel.book import Book
from connect4_agent.engine.kernel.layer import Layer
from connect4_agent.jobs.cores import core_count
from connect4_agent.jobs.executor import for_computing
from connect4_agent.jobs.interrupts import EXIT_INTERRUPTED, Stop, stop_on_interrupt
from connect4_agent.jobs.progress import Progress
from connect4_agent.rules.position import USUAL_SIZE
from tools.book import builder, verify
from tools.book.encoding import check_file
from tools.book.work import BookBuild

DESCRIPTION = f"""\
The opening books of the level perfect, one for each board size. A book holds the score of every
position of up to some number of plies (on 7x6: {builder.PLIES}), and the move of every position that arises when
one side plays by the book. `build` computes one from nothing, on as many cores as asked; stopped at any moment, it
resumes from its work folder when it is started again. `--layer` is for another file beside a book: the scores of all
positions of one number of plies, without keys.
`verify` checks every entry whose replies the book knows, and solves a sample of the others. `info` says
what a book holds.

The books are files of the package, named by board size; without --file, `build` writes there.
"""

STOPPING = "Stopping when the positions in progress are solved; press Ctrl-C again to end at once."


def run(words: list[str]) -> int:
    """Build, verify or describe; the exit status."""
    parser = new_parser("python -m tools.book", DESCRIPTION, None)
    parser.add_argument("action", choices=("build", "verify", "info"))
    parser.add_argument(
        "--size", metavar="WxH", type=board_size, default=USUAL_SIZE, help="columns and rows (default: 7x6)"
    )
    parser.add_argument("--file", type=Path, help="the book (default: the package's own for this size)")
    parser.add_argument("--work", type=Path, default=Path("book-work"), help="build: the folder of the work files")
    parser.add_argument(
        "--plies", metavar="N", type=integer(0),
        help=f"build: the complete part goes up to N plies (default: {builder.PLIES} on 7x6, else "
        f"{builder.OTHER_PLIES})",
    )  # fmt: skip
    parser.add_argument(
        "--reply-plies", metavar="N", type=integer(0),
        help=f"build: the replies go up to N plies (default: {builder.REPLY_PLIES} on 7x6, else "
        f"{builder.OTHER_REPLY_PLIES})",
    )  # fmt: skip
    parser.add_argument(
        "--layer", action="store_true",
        help="the layer instead of the book: the scores of all positions of exactly as many plies as --plies says",
    )  # fmt: skip
    parser.add_argument("--replies-only", action="store_true", help="build: only the replies")
    parser.add_argument("--jobs", type=integer(1), default=core_count(), help="build: processes (default: all cores)")
    parser.add_argument(
        "--dask", metavar="ADDRESS", help="build: on the Dask cluster of this scheduler (extra: cluster)"
    )
    parser.add_argument(
        "--sample", type=integer(0), default=100, help="verify: entries of each part to solve (default: 100)"
    )
    parser.add_argument("--seed", type=integer(), default=1, help="verify: which entries (default: 1)")
    options = parser.parse_args(words)
    _check_options(options, parser)
    suffix = files.LAYER_SUFFIX if options.layer else files.BOOK_SUFFIX
    width, height = options.size
    path = options.file or files.file_for(width, height, suffix)
    if options.action == "build":
        return _build(path, options, parser)
    try:
        if options.layer:
            layer = read_layer(path)
            check_file(path)
            return _verify_layer(layer, options) if options.action == "verify" else _layer_info(layer, path)
        book = files.read_book(path, partial(files.layer_for, width, height))
        check_file(path)
    except errors.BookError as error:
        parser.error(str(error))
    except OSError as error:
        parser.error(f"cannot read {path}: {error.strerror}")
    if options.action == "info":
        return _info(book, path)
    return _verify(book, options)


def _check_options(options: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Refuse what cannot be done together."""
    if options.replies_only and options.plies is not None:
        parser.error(f"--replies-only and --plies {options.plies} contradict each other: give one of them")
    if options.action == "build" and options.replies_only and options.file is None:
        parser.error("--replies-only leaves most of the book out: say with --file where such a book is to be written")
    if options.layer and (options.replies_only or options.reply_plies is not None):
        parser.error("--layer has no replies: leave out --replies-only and --reply-plies")
    if options.action == "build" and options.layer and options.plies is None:
        parser.error("--layer needs --plies: say of how many plies the positions are to be")


def _named(width: int, height: int) -> str:
    return f"{width} columns and {height} rows"


def _check_writable(path: Path) -> None:
    """Raise OSError if no file of this name can be written."""
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder")
    with TemporaryFile(dir=path.parent):
        pass


def _build(path: Path, options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    try:
        width, height = options.size
        make: Callable[[BookBuild], bytes]
        if options.layer:
            builder.check_layer_plan(options.size, options.plies)
            make = partial(builder.build_layer, options.work, size=options.size, plies=options.plies)
        else:
            plies = -1 if options.replies_only else options.plies
            plan = builder.new_plan(width, height, plies, options.reply_plies)
            make = partial(builder.build, options.work, plan=plan)
        _check_writable(path)  # before hours of work
        return _build_to(path, make, options)
    except errors.BookError as error:
        parser.error(str(error))
    except (ImportError, OSError) as error:
        parser.error(f"cannot build: {error}")


def _build_to(path: Path, make: Callable[[BookBuild], bytes], options: argparse.Namespace) -> int:
    began = monotonic()
    executor = for_computing(options.jobs, options.dask)
    progress = Progress("positions", "solve", sys.stderr)
    stop = Stop()
    try:
        with stop_on_interrupt(stop, STOPPING):
            data = make(BookBuild(executor, progress, stop))
    except errors.Connect4Error as error:
        sys.stderr.write(f"python -m tools.book: {error}; the same command resumes from there\n")
        return EXIT_INTERRUPTED if stop.is_asked else EXIT_FAILED
    finally:
        progress.end()
        executor.close()
    unfinished = path.with_name(f"{path.name}.new")
    unfinished.write_bytes(data)
    unfinished.replace(path)
    return _print([f"{path}: {len(data)} bytes, {(monotonic() - began) / 60:.1f} minutes in this run"])


def _verify(book: Book, options: argparse.Namespace) -> int:
    engine = Engine(book.width, book.height, book=files.EMPTY_BOOK)
    sample = len(files.SECTIONS) * options.sample
    return _run_checks(
        ("scores that follow from their replies' scores", len(book.scores), verify.check_scores(book)),
        ("replies that keep their scores", len(book.replies), verify.check_replies(book)),
        ("entries solved anew", sample, verify.check_sample(book, engine, options.sample, options.seed)),
    )


def _verify_layer(layer: Layer, options: argparse.Namespace) -> int:
    book = files.book_for(layer.width, layer.height)
    entries = len(book.scores) + len(book.replies)
    engine = Engine(layer.width, layer.height, book=files.EMPTY_BOOK)
    sample = verify.check_layer_sample(layer, engine, options.sample, options.seed)
    return _run_checks(
        ("scores of the book that follow from the layer", entries, verify.check_layer(layer, book)),
        ("positions solved anew", options.sample, sample),
    )


def _run_checks(*checks: tuple[str, int, Iterable[str | None]]) -> int:
    """Run the checks, each given with its name and the most entries that it has, and write what they found.

    Returns the exit status.
    """
    progress = Progress("entries", "check", sys.stderr)
    lines, status = [], 0
    for name, total, results in checks:
        progress.begin(total, step=name)
        wrong, count = [], 0
        for count, message in enumerate(results, 1):
            progress.count(count)
            wrong += [] if message is None else [message]
        lines += [f"{name}: {count} checked, {len(wrong)} wrong", *wrong[:10]]
        status = EXIT_FAILED if wrong else status
    progress.end()
    return _print(lines, status)


def _layer_info(layer: Layer, path: Path) -> int:
    lines = [
        f"{path}: {path.stat().st_size} bytes, {_named(layer.width, layer.height)}",
        f"scores of {layer.count} positions of {layer.plies} discs, not won or lost at once, mirror images once",
    ]
    return _print(lines)


def _info(book: Book, path: Path) -> int:
    lines = [f"{path}: {path.stat().st_size} bytes, {_named(book.width, book.height)}"]
    for name in files.SECTIONS:
        section = getattr(book, name)
        counts = Counter(files.position_with_key(key, book.width, book.height).disc_count for key, _ in section.items())
        lines.append(f"{name}: {len(section)} positions, mirror images once")
        lines += [f"  {discs:2} discs {count:7}" for discs, count in sorted(counts.items())]
    return _print(lines)


def _print(lines: list[str], status: int = 0) -> int:
    with reader_may_leave():
        sys.stdout.write("\n".join(lines) + "\n")
    return status


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
