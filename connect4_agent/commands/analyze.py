"""connect4-agent analyze: the exact score of every column."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import nullcontext
from textwrap import wrap

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
    say_if_waiting,
    seconds,
)
from connect4_agent.engine.analysis import Analysis
from connect4_agent.engine.analysis import analyze as analyze_position
from connect4_agent.engine.limits import OTHER_SECONDS, PROVABLE_SECONDS, Limits
from connect4_agent.reasons.explain import explain
from connect4_agent.reasons.explanation import Explanation
from connect4_agent.reasons.words import describe, find_terms, marked_drawing, name_colours
from connect4_agent.rules.notation import MOVE_SIGNS, parse_moves
from connect4_agent.rules.position import Position
from connect4_agent.server.connection import CHUNK_BYTES, Connection
from connect4_agent.server.lines import read_joined
from connect4_agent.server.replies import error_reply
from connect4_agent.server.request import CommandLineDefaults
from connect4_agent.server.understand import read_request

DESCRIPTION = """\
Analyze a position exactly: the score of every open column, in how many moves it wins or loses, and the best play
of both sides. Scores are from the side to move: 0 is a draw, +k a win with the winner's k-th last disc, -k a
loss. Each line of FILE or standard input is a position, answered as it comes: a move string such as 4453, which the
answer repeats, or a request, which may also span several lines. A score that could not be proven in time has a ~
before it, and is null in JSON, where `exact` says whether all scores are proven.
"""

WHOLE_POSITION = "position"
"""The value of `--why` without a column."""

TEXT_COLUMNS = 100
"""The width of the sentences of a reason."""

NAMES = name_colours()

NO_LIMIT = float("inf")
"""The value of `--time-limit none`."""


def run(words: list[str]) -> int:
    """Analyze; the exit status."""
    parser = new_parser("connect4-agent analyze", DESCRIPTION, None)
    add_position_options(parser, "the positions")
    option = parser.group()
    option("--json", "print one line of JSON for each position; columns count from 0")
    option(
        "--why COLUMN",
        "add a proven reason in words, and marks on the board, for the position or for this column, counted from 1; "
        "with --json as `reason`, null if there is none",
        _column,
        nargs="?",
        const=WHOLE_POSITION,
    )
    option(
        "--time-limit SECONDS",
        "the time for each position, or none (default: none on 7x6 and small boards; on others "
        f"{PROVABLE_SECONDS:g} if the empty board can be proven in about that time, else {OTHER_SECONDS:g})",
        _limit,
    )
    add_game_options(parser)
    options = parser.parse_args(words)
    refuse_two_positions(options, parser)

    streams = Connection()
    defaults = defaults_from(options, [], lambda text: streams.note(f"warning: ignoring {text}"))
    say_if_interpreted(streams.note)
    say_if_waiting(options, streams.note)
    if options.moves is not None:
        position_after_moves(options, defaults, parser)  # ends the program if they cannot be played
        lines = iter([options.moves.encode()])
    else:
        lines = _read_lines(options.file, streams, parser)
    status = number = 0
    try:
        for number, line in enumerate(lines, start=1):
            try:
                position, moves = _read_position(line, defaults, streams)
                answer = _answer(position, moves, streams, options)
            except (errors.RequestError, errors.GameOverError, errors.IllegalMoveError) as error:
                answer, status = error_reply(error), EXIT_FAILED
            streams.write(answer if options.json or number == 1 else b"\n" + answer)
        if number == 0:
            streams.write(error_reply(errors.RequestError("bad_json", "there is no request")))
            status = EXIT_FAILED
    except errors.ReaderGoneError:
        return 0
    except OSError as error:
        return answer_lost(error, streams.note)
    return status


def _limit(text: str) -> float:
    return NO_LIMIT if text == "none" else seconds(text)


def _column(text: str) -> str:
    if text != WHOLE_POSITION and (len(text) != 1 or text.lower() not in MOVE_SIGNS):
        raise argparse.ArgumentTypeError(f"{text!r} is not a column; allowed are 1 to 9, then a to z")
    return text


def _read_lines(name: str, streams: Connection, parser: argparse.ArgumentParser) -> Iterator[bytes]:
    """Yield the lines of a file, each as soon as it has come; if the file cannot be read, the program ends."""
    try:
        with nullcontext() if name == "-" else open(name, "rb") as file:
            yield from read_joined(streams.read if file is None else lambda _: file.read(CHUNK_BYTES))
    except OSError as error:
        parser.error(f"cannot read {name}: {error.strerror}")


def _read_position(line: bytes, defaults: CommandLineDefaults, streams: Connection) -> tuple[Position, str | None]:
    """Return the position of a line and its move string, if it is one. Raise RequestError or IllegalMoveError."""
    text = line.strip()
    if text and not text.isalnum():
        request = read_request(line, defaults)
        streams.warn_once(request.warnings)
        return request.position, None
    try:
        return Position.from_moves(text.decode(), *defaults.size, defaults.player or 1), text.decode()
    except errors.NotationError as error:
        raise errors.IllegalMoveError(str(error)) from None


def _answer(position: Position, moves: str | None, streams: Connection, options: argparse.Namespace) -> bytes:
    """Return what is written about a position. Raise GameOverError, or IllegalMoveError for --why."""
    limits = Limits(None if options.time_limit == NO_LIMIT else options.time_limit, streams.check_reader)
    if options.time_limit is None:
        limits = limits.for_proofs(position.width, position.height)
    analysis = analyze_position(position, limits)
    line = analysis.find_line(limits)
    reason = _reason(analysis, options.why, limits)
    if options.json:
        document = ({} if moves is None else {"moves": moves}) | analysis.to_dict(line)
        if reason is not None:
            document["reason"] = reason.to_dict() if reason.reasons else None
        return orjson.dumps(document) + b"\n"
    heading = "" if moves is None or options.moves is not None else f"{moves}\n\n"
    return (heading + _as_text(analysis, line, reason)).encode()


def _reason(analysis: Analysis, why: str | None, limits: Limits) -> Explanation | None:
    if why is None:
        return None
    try:
        return explain(analysis.position, None if why == WHOLE_POSITION else parse_moves(why)[0], limits)
    except errors.IllegalMoveError:
        raise errors.IllegalMoveError(f"--why: column {why} is full or not on the board") from None


def _as_text(analysis: Analysis, line: tuple[int, ...], reason: Explanation | None) -> str:
    """Return the analysis for people: the board with the scores under the columns, then a line for each column."""
    position = analysis.position
    lines = analysis.table(NAMES[position.player - 1])
    if line:
        lines += ["", "best play: " + "".join(_sign(position, column) for column in line)]
    if not analysis.is_exact:
        lines += ["", "Scores with a ~ are a search's opinion: no proof was found in time (--time-limit gives more)."]
    if reason is not None:
        lines += ["", *_reason_lines(reason)]
    lines += ["", f"{analysis.nodes:,} positions in {analysis.elapsed_ms:.1f} ms"]
    return "\n".join(lines) + "\n"


def _reason_lines(reason: Explanation) -> Iterator[str]:
    """Yield the reason: in one sentence, as a board with marks, and in full, with the terms."""
    yield from ("Why?", "", *wrap(describe(reason, NAMES, brief=True), TEXT_COLUMNS), "", marked_drawing(reason), "")
    yield from wrap(describe(reason, NAMES), TEXT_COLUMNS)
    yield ""
    for words in find_terms(reason):
        yield from wrap(words, TEXT_COLUMNS, initial_indent="- ", subsequent_indent="  ")


def _sign(position: Position, column: int) -> str:
    return MOVE_SIGNS[column] if position.width <= len(MOVE_SIGNS) else f"({column + 1})"
