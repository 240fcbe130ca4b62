"""connect4-agent move: answers one position."""

from __future__ import annotations

import sys

from connect4_agent import errors
from connect4_agent.commands.shared.options import (
    EXIT_FAILED,
    add_game_options,
    add_player_options,
    add_position_options,
    answer_lost,
    defaults_from,
    new_parser,
    player_from,
    position_after_moves,
    refuse_two_positions,
    say_if_interpreted,
)
from connect4_agent.wire import request as protocol
from connect4_agent.wire import server
from connect4_agent.wire.lines import OVERLONG_LINE

DESCRIPTION = """\
Answer one position: a request as a JSON document, which may span several lines, from FILE or
standard input; or a game as a move string. The answer is one line, as from the server. The exit status is
1 if the answer is an error.
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

    streams = server.StandardStreams()
    defaults = defaults_from(options, [], streams.note)
    say_if_interpreted(streams.note)
    codec = server.JsonCodec(defaults, options.explain)
    asked = server.Server(player, codec, options.time_limit)
    started = asked.clock()
    if options.moves is not None:
        reading = codec.read_position(position_after_moves(options, defaults, parser))
    else:
        try:
            document = _read_document(options.file, protocol.LONGEST_LINE_BYTES + 1)
        except OSError as error:
            parser.error(f"cannot read {options.file}: {error.strerror}")
        reading = codec.read(document if len(document) <= protocol.LONGEST_LINE_BYTES else OVERLONG_LINE)
    try:
        streams.write(asked.answer(reading, started, streams) or b"")
    except errors.ReaderGoneError:
        return 0
    except OSError as error:
        return answer_lost(error, streams.note)
    return EXIT_FAILED if reading.position is None else 0


def _read_document(name: str, most_bytes: int) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read(most_bytes) if sys.stdin is not None else b""
    with open(name, "rb") as file:
        return file.read(most_bytes)
