"""connect4-agent move: answers one position."""

from __future__ import annotations

import argparse
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
    say_if_waiting,
)
from connect4_agent.server.codecs import JsonCodec
from connect4_agent.server.lines import MAX_LINE_BYTES
from connect4_agent.server.loop import Server, StandardStreams
from connect4_agent.server.request import CommandLineDefaults, Request, read_request, request_for

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
    if options.why and not options.explain:
        parser.error("--why needs --explain: a reason belongs to an explained move")
    player = player_from(options, parser)

    streams = StandardStreams()
    defaults = defaults_from(options, [], streams.note)
    say_if_interpreted(streams.note)
    say_if_waiting(options, streams.note)
    server = Server(player, JsonCodec(defaults, options.explain, options.why), options.time_limit)
    started = server.clock()
    request: Request | errors.RequestError
    try:
        request = _request_from(options, defaults, parser)
    except errors.RequestError as error:
        request = error
    try:
        streams.write(server.answer(request, started, streams))
    except errors.ReaderGoneError:
        return 0
    except OSError as error:
        return answer_lost(error, streams.note)
    return EXIT_FAILED if isinstance(request, errors.RequestError) else 0


def _request_from(
    options: argparse.Namespace, defaults: CommandLineDefaults, parser: argparse.ArgumentParser
) -> Request:
    """The request of the command line. Raises RequestError; a file that cannot be read ends the program."""
    if options.moves is not None:
        return request_for(position_after_moves(options, defaults, parser))
    try:
        document = _read_document(options.file)
    except OSError as error:
        parser.error(f"cannot read {options.file}: {error.strerror}")
    if len(document) > MAX_LINE_BYTES:
        raise errors.RequestError("line_too_long", f"the request is longer than {MAX_LINE_BYTES} bytes")
    return read_request(document, defaults)


def _read_document(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read(MAX_LINE_BYTES + 1) if sys.stdin is not None else b""
    with open(name, "rb") as file:
        return file.read(MAX_LINE_BYTES + 1)
