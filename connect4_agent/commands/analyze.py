"""connect4-agent analyze: the exact score of every column."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import BinaryIO

import orjson

from connect4_agent import errors
from connect4_agent.commands.shared.options import (
    EXIT_FAILED,
    add_game_options,
    add_position_options,
    answer_lost,
    defaults_from,
    new_parser,
    position_after_moves,
    refuse_two_positions,
    say_if_interpreted,
    seconds,
)
from connect4_agent.engine.effort import OTHER_SECONDS, PROVABLE_SECONDS
from connect4_agent.engine.hints import UNPROVEN, Hints, default_hints, find_hints
from connect4_agent.engine.limits import Limits
from connect4_agent.rules.position import MOVE_SIGNS, Position
from connect4_agent.rules.scores import verdict
from connect4_agent.wire import request as protocol
from connect4_agent.wire.foreign_json import read_text
from connect4_agent.wire.request import ParsedRequest
from connect4_agent.wire.server import StandardStreams

DESCRIPTION = """\
Analyze a position exactly: the score of every open column, in how many moves it wins or loses, and the best play
of both sides. Scores are from the side to move: 0 is a draw, +k a win with the winner's k-th last disc, -k a
loss. Positions come from FILE or standard input as requests, one per line, each answered as it comes, or one that
spans several lines; or as a move string. A score that could not be proven in time has a ~ before it, and is null
in JSON, where `exact` says whether all scores are proven.
"""

NO_LIMIT = float("inf")
"""What `--time-limit none` means."""


def run(words: list[str]) -> int:
    """Analyze; the exit status."""
    parser = new_parser("connect4-agent analyze", DESCRIPTION, None)
    add_position_options(parser, "the positions")
    parser.add_argument(
        "--json", action="store_true", help="print one line of JSON for each position; columns count from 0"
    )
    parser.add_argument(
        "--time-limit", metavar="SECONDS", type=_limit,
        help="the time for each position, or none (default: none on 7x6; on other boards "
        f"{PROVABLE_SECONDS:g} if the empty board can be proven in about that time, else {OTHER_SECONDS:g})",
    )  # fmt: skip
    add_game_options(parser)
    options = parser.parse_args(words)
    refuse_two_positions(options, parser)

    streams = StandardStreams()
    defaults = defaults_from(options, [], streams.note)
    say_if_interpreted(streams.note)
    parsers: Iterable[Callable[[], ParsedRequest]]
    if options.moves is not None:
        position = position_after_moves(options, defaults, parser)
        parsers = [lambda: protocol.check_position(position)]
    else:
        documents = _documents(options.file, parser)
        parsers = (partial(protocol.read_request, document, defaults) for document in documents)
    status = 0
    try:
        for number, parse in enumerate(parsers):
            answer, is_good = _answer(parse, streams, options)
            streams.write(answer if options.json or number == 0 else b"\n" + answer)
            status = status if is_good else EXIT_FAILED
    except errors.ReaderGoneError:
        return 0
    except OSError as error:
        return answer_lost(error, streams.note)
    return status


def _limit(text: str) -> float:
    return NO_LIMIT if text == "none" else seconds(text)


def _documents(name: str, parser: argparse.ArgumentParser) -> Iterator[bytes]:
    """The positions of a file; if it cannot be read, the program ends."""
    try:
        if name != "-":
            with open(name, "rb") as file:
                yield from _documents_of(file)
        elif sys.stdin is not None:
            yield from _documents_of(sys.stdin.buffer)
        else:
            yield b""
    except OSError as error:
        parser.error(f"cannot read {name}: {error.strerror}")


def _documents_of(file: BinaryIO) -> Iterator[bytes]:
    """Each line as soon as it comes if the first one is a JSON document; else the whole text if that is one."""
    begin = b""
    while not begin.strip() and (line := file.readline()):
        begin = line
    if _is_json(begin):
        yield begin
        yield from (line for line in file if line.strip())
        return
    text = begin + file.read()
    lines = [line for line in text.splitlines() if line.strip()]
    yield from lines if len(lines) > 1 and not _is_json(text) else [text]


def _is_json(text: bytes) -> bool:
    try:
        read_text(text)
    except errors.RequestError:
        return False
    return True


def _answer(
    parse: Callable[[], ParsedRequest], streams: StandardStreams, options: argparse.Namespace
) -> tuple[bytes, bool]:
    """What is written about a position, and whether it could be analyzed."""
    try:
        request = parse()
        for warning in request.warnings:
            streams.note(f"warning: {warning.text}")
        request.position.check_unfinished("there is nothing to analyze")
        if options.time_limit is None:
            found = default_hints(request.position, streams.check_reader)
        else:
            limit = None if options.time_limit == NO_LIMIT else options.time_limit
            found = find_hints(request.position, Limits(limit, streams.check_reader, explain=True))
    except errors.RequestError as error:
        return protocol.encode_error(str(error), error.code), False
    except errors.GameOverError as error:
        return protocol.encode_error(str(error), "game_over"), False
    return (orjson.dumps(found.document()) + b"\n" if options.json else _as_text(found).encode()), True


def _as_text(hints: Hints) -> str:
    """The analysis for people: the board with the scores under the columns, then a line for each column."""
    position = hints.position
    lines = [_drawing(hints), "", f"Player {position.player} to move: {hints.verdict}.", ""]
    for number, column in enumerate(hints.columns):
        if column is not None:
            mark = "*" if number in hints.best_columns else " "
            words = verdict(column.score, position.empty_count) if column.exact else UNPROVEN
            lines.append(f"{mark} column {_sign(position, number)}  {column.sign():>3}  {words}")
    if hints.line:
        lines += ["", "best play: " + "".join(_sign(position, column) for column in hints.line)]
    if not hints.is_exact:
        lines += ["", "Scores with a ~ are a search's opinion: no proof was found in time (--time-limit gives more)."]
    lines += ["", f"{hints.nodes:,} positions in {hints.elapsed_ms:.1f} ms"]
    return "\n".join(lines) + "\n"


def _drawing(hints: Hints) -> str:
    rows = [row.split() for row in hints.position.drawing().splitlines()]
    scores = ["" if column is None else column.sign() for column in hints.columns]
    cell_width = max(4, *(len(score) + 1 for score in scores))
    return "\n".join("".join(f"{cell:>{cell_width}}" for cell in row).rstrip() for row in [*rows, scores])


def _sign(position: Position, column: int) -> str:
    return MOVE_SIGNS[column] if position.width <= len(MOVE_SIGNS) else f"({column + 1})"
