"""connect4-agent analyze: the exact score of every column."""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.commands.options import (
    EXIT_FAILED,
    add_game_options,
    add_position_options,
    answer_lost,
    moves_document,
    new_parser,
    refuse_two_positions,
    say_if_interpreted,
    stated_from,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

    from connect4_agent.engine.analysis import Analysis
    from connect4_agent.engine.solver import Solver
    from connect4_agent.position import Position
    from connect4_agent.protocol import Stated
    from connect4_agent.server import StandardStreams

DESCRIPTION = """\
Say what perfect play makes of a position: the score of every open column, in how many moves it wins or
loses, and the play that both sides' best moves lead to. Scores are from the side to move: 0 is a draw,
+k a win with the winner's k-th last disc, -k a loss likewise. Positions come from FILE or standard input,
one request of the server's kind on each line, answered as it comes, or a single one on several lines, or as
a move string.
"""


def run(words: list[str]) -> int:
    """Analyze; the exit status."""
    parser = new_parser("connect4-agent analyze", DESCRIPTION, None)
    add_position_options(parser, "the positions")
    parser.add_argument("--json", action="store_true", help="one line of JSON for each position, columns from 0")
    add_game_options(parser)
    options = parser.parse_args(words)
    refuse_two_positions(options, parser)

    from connect4_agent import server  # noqa: PLC0415  # pydantic once the options are known to be good

    streams = server.StandardStreams()
    stated = stated_from(options, [], streams.note)
    say_if_interpreted(streams.note)
    documents: Iterable[bytes] = _documents(options.file, parser)
    if options.moves is not None:
        documents = [moves_document(options, stated, parser)]
    status = 0
    try:
        for number, document in enumerate(documents):
            answer, is_good = _answer(document, stated, streams, options.json)
            streams.write(answer if options.json or number == 0 else b"\n" + answer)
            status = status if is_good else EXIT_FAILED
    except server.ReaderGoneError:
        return 0
    except OSError as error:
        return answer_lost(error, streams.note)
    return status


def _documents(name: str, parser: argparse.ArgumentParser) -> Iterator[bytes]:
    """The positions of a file; one that cannot be read ends the program."""
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
    """Each line as soon as it is there, if the first one is a JSON document; else the whole text if that is one."""
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
    from connect4_agent import protocol  # noqa: PLC0415

    try:
        protocol.load(text)
    except errors.BadJsonError:
        return False
    return True


@lru_cache(maxsize=2)
def _solver_for(width: int, height: int) -> Solver:
    """The solver of a board's size, kept from position to position for what its table knows."""
    from connect4_agent.engine import speed  # noqa: PLC0415

    return speed.new_solver(width, height)


def _answer(document: bytes, stated: Stated, streams: StandardStreams, as_json: bool) -> tuple[bytes, bool]:
    """What is written about a document, and whether it could be analyzed."""
    import orjson  # noqa: PLC0415

    from connect4_agent import protocol  # noqa: PLC0415
    from connect4_agent.engine.analysis import analyze  # noqa: PLC0415

    try:
        question = protocol.read_question(document, stated)
        for warning in question.warnings:
            streams.note(f"warning: {warning}")
        position = question.position
        found = analyze(position, poll=streams.check_reader, solver=_solver_for(position.width, position.height))
    except errors.BadJsonError as error:  # this command reads a document of several lines itself
        return protocol.encode(
            protocol.error_reply(errors.BadJsonError(str(error).removesuffix(protocol.ONE_LINE_HINT)))
        ), False
    except errors.RequestError as error:
        return protocol.encode(protocol.error_reply(error)), False
    except errors.GameOverError as error:
        return orjson.dumps({"error": str(error), "code": "game_over"}) + b"\n", False
    return (orjson.dumps(found.document()) + b"\n" if as_json else as_text(found).encode()), True


def as_text(analysis: Analysis) -> str:
    """The analysis for people: the board with the scores under the columns, then a line for each column."""
    position = analysis.position
    lines = [_drawing(analysis), "", f"Player {position.player} to move: {analysis.verdict(analysis.score)}.", ""]
    for column, score in enumerate(analysis.scores):
        if score is not None:
            mark = "*" if column in analysis.best_columns else " "
            lines.append(f"{mark} column {_sign(position, column)}  {_shown(score):>3}  {analysis.verdict(score)}")
    line = "".join(_sign(position, column) for column in analysis.line)
    lines += ["", f"best play: {line}", f"{analysis.nodes:,} positions in {analysis.elapsed_ms:.1f} ms"]
    return "\n".join(lines) + "\n"


def _drawing(analysis: Analysis) -> str:
    rows = [row.split() for row in analysis.position.drawing().splitlines()]
    scores = ["" if score is None else _shown(score) for score in analysis.scores]
    return "\n".join("".join(f"{cell:>4}" for cell in row).rstrip() for row in [*rows, scores])


def _shown(score: int) -> str:
    return f"{score:+d}" if score else "0"


def _sign(position: Position, column: int) -> str:
    from connect4_agent.position import MOVE_SIGNS  # noqa: PLC0415

    return MOVE_SIGNS[column] if position.width <= len(MOVE_SIGNS) else f"({column + 1})"
