"""connect4-agent label: positions with the exact scores of all columns, for training and for measuring."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import BrokenExecutor
from pathlib import Path

from connect4_agent import errors
from connect4_agent.commands.shared.options import (
    EXIT_FAILED,
    EXIT_USAGE,
    board_size,
    how_to_add,
    integer,
    new_parser,
    say_if_interpreted,
)
from connect4_agent.jobs.cores import core_count
from connect4_agent.jobs.executor import Executor, on_dask
from connect4_agent.jobs.interrupts import EXIT_INTERRUPTED, Stop, stop_on_interrupt
from connect4_agent.jobs.progress import Progress
from connect4_agent.rules.position import USUAL_SIZE

has_extra = True
"""True if the extra `data` is installed."""
try:
    from connect4_agent.lab import label_files
except ModuleNotFoundError:
    has_extra = False

DEFAULT_DISCS = (8, 30)
"""On the usual board."""
MAX_NAMED_LINES = 20

DESCRIPTION = """\
Label positions with the exact scores of all columns, their best columns and the distance to the end of the game, and
write them to a file for NumPy (.npz). The positions are those of FILE, or are drawn at random, each one once. The same
options write the same labels. A stopped labelling resumes where it was when the same command runs again. It needs the
extra data.

Each line of FILE has a position: the moves of a game from the empty board, such as 4453 (what follows a blank is
ignored), or a JSON object with a grid, such as a request of the protocol. Lines that cannot be read are named and left
out.
"""

EXAMPLES = """\
examples:
  connect4-agent label games.txt --out games.npz
  connect4-agent label --generate 100000 --discs 8-30 --seed 1 --out train.npz
  connect4-agent label --generate 30000 --balanced --out balanced.npz

exit status: 0 if everything was labelled, 1 if lines of FILE were left out, 2 for a bad command line or too few
positions, 130 after Ctrl-C.
"""

STOPPING = "Stopping after the positions in progress; press Ctrl-C again to end at once."


def run(words: list[str]) -> int:
    """Label; the exit status."""
    parser = new_parser("connect4-agent label", DESCRIPTION, EXAMPLES)
    option = parser.group()
    option("FILE", "the positions, one on each line; - is standard input", nargs="?")
    option("--out OUT", "the .npz file to write", _out, required=True)
    option("--generate N", "instead of FILE: N different positions of random games", integer(1))
    option("--discs A-B", "with --generate: how many discs they have (default: 8-30 on 7x6)", _discs)
    option("--seed N", "with --generate: another one gives others (default: 0)", integer())
    option("--balanced", "with --generate: as many wins as draws and losses for the player to move")
    option("--size WxH", "columns and rows (default: 7x6)", board_size, default=USUAL_SIZE)
    option("--jobs N", "threads (default: all cores)", integer(1), default=core_count())
    option("--dask ADDRESS", "use the Dask cluster of this scheduler (extra: cluster)")
    options = parser.parse_args(words)
    if not has_extra:
        sys.stderr.write(f"connect4-agent label: error: labels need the extra data: {how_to_add('data')}\n")
        return EXIT_USAGE
    source = _source(options, parser)
    say_if_interpreted(lambda text: _say(f"connect4-agent: {text}"))
    return _label(source, options, parser)


def _label(source: label_files.Source, options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    out: Path = options.out
    progress = Progress("positions", "label", sys.stderr)
    stop = Stop()
    status = EXIT_FAILED if source.bad_lines else 0
    cluster = None
    try:
        if label_files.is_written(source, out):
            _say(f"{out} is complete: {source.wanted} positions")
            return status
        cluster = _cluster(options.dask, parser)
        with stop_on_interrupt(stop, STOPPING):
            labels = label_files.label_source(source, out, options.jobs, progress, lambda: stop.is_asked, cluster)
        if labels is None:
            _say(f"Stopped. The same command resumes from {label_files.work_file(out)}.")
            return EXIT_INTERRUPTED
        label_files.write_labels(labels, source, out)
    except errors.BadValueError as error:
        parser.error(str(error))
    except BrokenExecutor as error:
        _say(f"connect4-agent label: error: {error}. The same command resumes from {label_files.work_file(out)}.")
        return EXIT_FAILED
    except OSError as error:
        parser.error(f"cannot write {error.filename or out}: {error.strerror}")
    finally:
        if cluster is not None:
            cluster.close()
    _say(f"{out}: {len(labels)} positions")
    return status


def _cluster(address: str | None, parser: argparse.ArgumentParser) -> Executor | None:
    """Connect to a cluster if one is named; the program ends if it is not there."""
    if address is None:
        return None
    try:
        return on_dask(address)
    except ImportError:
        parser.error(f"--dask needs the extra cluster: {how_to_add('cluster')}")
    except OSError as error:
        parser.error(str(error))


def _source(options: argparse.Namespace, parser: argparse.ArgumentParser) -> label_files.Source:
    """Return the source that the options name; contradictions and an unreadable file end the program."""
    if (options.file is None) == (options.generate is None):
        given = "both" if options.file is not None else "neither"
        parser.error(f"give FILE or --generate N; there is {given}")
    if options.generate is None:
        for name in ("discs", "seed", "balanced"):
            if getattr(options, name) not in (None, False):
                parser.error(f"--{name} goes with --generate: FILE says itself which positions there are")
        source = label_files.given_positions(Path(options.file).name, _read(options.file, parser), options.size)
        _name_bad_lines(options.file, source.bad_lines)
        if not source.wanted:
            parser.error(f"{options.file} has no position that can be labelled")
        return source
    cells = options.size[0] * options.size[1]
    discs = options.discs
    if discs is None:
        if options.size != USUAL_SIZE:
            parser.error("--size needs --discs: on a large board, positions with few discs take days")
        discs = DEFAULT_DISCS
    if discs[1] >= cells:
        parser.error(f"--discs {discs[0]}-{discs[1]}: the board has {cells} cells, and one must be empty")
    return label_files.drawn_positions(options.generate, discs, options.seed or 0, options.balanced, options.size)


def _read(name: str, parser: argparse.ArgumentParser) -> bytes:
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        parser.error(f"cannot read {name}: {error.strerror}")


def _name_bad_lines(name: str, bad_lines: tuple[tuple[int, str], ...]) -> None:
    for number, reason in bad_lines[:MAX_NAMED_LINES]:
        _say(f"{name}, line {number}: {reason}")
    if len(bad_lines) > MAX_NAMED_LINES:
        _say(f"{name}: {len(bad_lines) - MAX_NAMED_LINES} more lines cannot be read")


def _out(text: str) -> Path:
    path = Path(text)
    if path.suffix != ".npz":
        raise argparse.ArgumentTypeError(f"{text!r} must end in .npz")
    return path


def _discs(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    ends = first, last or first
    if not all(end.isdecimal() for end in ends) or int(ends[0]) > int(ends[1]):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of discs; allowed are such as 8-30, and 12")
    return int(ends[0]), int(ends[1])


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
