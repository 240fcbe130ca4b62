"""connect4-agent move: one position, one answer."""

from __future__ import annotations

import sys

from connect4_agent.commands.options import (
    EXIT_FAILED,
    add_game_options,
    add_player_options,
    new_parser,
    player_from,
    say_if_interpreted,
    stated_from,
)

DESCRIPTION = """\
Answer one position: a request as a JSON document, on as many lines as it likes, from FILE or standard
input; or a game as a move string. The answer is one line as the server gives it; the exit status is 1
if that is an error.
"""


def run(words: list[str]) -> int:
    """Answer; the exit status."""
    parser = new_parser("connect4-agent move", DESCRIPTION, None)
    parser.add_argument("file", metavar="FILE", nargs="?", default="-", help="the request; - is standard input")
    parser.add_argument("--moves", metavar="COLUMNS", help="a game from the empty board: 1-9, then a-z, such as 4453")
    add_player_options(parser)
    add_game_options(parser)
    options = parser.parse_args(words)
    if options.moves is not None and options.file != "-":
        parser.error(f"--moves {options.moves} and FILE {options.file}: give one of the two")
    player = player_from(options, parser)

    from connect4_agent import errors, protocol, server  # noqa: PLC0415

    streams = server.StandardStreams()
    stated = stated_from(options, [], streams.note)
    say_if_interpreted(streams.note)
    if options.moves is None:
        try:
            document = _read_document(options.file, protocol.LONGEST_LINE_BYTES + 1)
        except OSError as error:
            parser.error(f"cannot read {options.file}: {error.strerror}")
    else:
        try:
            document = protocol.document_of(options.moves, stated)
        except errors.Connect4Error as error:
            parser.error(f"--moves: {error}")
    line = document if len(document) <= protocol.LONGEST_LINE_BYTES else server.OVERLONG_LINE
    answer, is_move = server.Server(player, stated, options.time_limit, options.explain).answer(line, streams)
    try:
        streams.write(answer)
    except server.ReaderGoneError:
        return 0
    return 0 if is_move else EXIT_FAILED


def _read_document(name: str, most_bytes: int) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read(most_bytes) if sys.stdin is not None else b""
    with open(name, "rb") as file:
        return file.read(most_bytes)
