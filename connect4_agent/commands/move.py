"""connect4-agent move: one position, one answer."""

from __future__ import annotations

import sys

from connect4_agent.commands.options import (
    EXIT_FAILED,
    add_game_options,
    add_player_options,
    add_position_options,
    answer_lost,
    moves_document,
    new_parser,
    player_from,
    refuse_two_positions,
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
    add_position_options(parser, "the request")
    add_player_options(parser)
    add_game_options(parser)
    options = parser.parse_args(words)
    refuse_two_positions(options, parser)
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
        document = moves_document(options, stated, parser)
    line = document if len(document) <= protocol.LONGEST_LINE_BYTES else server.OVERLONG_LINE
    answer = server.Server(player, stated, options.time_limit, options.explain).answer(line, streams)
    try:
        streams.write(answer)
    except server.ReaderGoneError:
        return 0
    except OSError as error:
        return answer_lost(error, streams.note)
    try:
        protocol.read_move(answer)
    except errors.ReplyError:
        return EXIT_FAILED
    return 0


def _read_document(name: str, most_bytes: int) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read(most_bytes) if sys.stdin is not None else b""
    with open(name, "rb") as file:
        return file.read(most_bytes)
