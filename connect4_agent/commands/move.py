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
    add_strict_option,
    answer_lost,
    defaults_from,
    new_parser,
    player_from,
    position_after_moves,
    refuse_two_positions,
    say_if_interpreted,
    say_if_waiting,
)
from connect4_agent.engine.limits import Limits
from connect4_agent.server.connection import Connection
from connect4_agent.server.lines import MAX_LINE_BYTES
from connect4_agent.server.loop import choose_for, reply_with
from connect4_agent.server.replies import error_reply
from connect4_agent.server.request import CommandLineDefaults, Request, request_for
from connect4_agent.server.understand import read_request, read_strictly

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
    add_strict_option(parser)
    options = parser.parse_args(words)
    refuse_two_positions(options, parser)
    player = player_from(options, parser)

    streams = Connection()
    defaults = defaults_from(
        options, [], parser.error if options.strict else lambda text: streams.note(f"warning: ignoring {text}")
    )
    say_if_interpreted(streams.note)
    say_if_waiting(options, streams.note)
    limits = Limits(options.time_limit, streams.check_reader, options.explain)
    started = limits.clock()
    try:
        status = 0
        try:
            request = _request_from(options, defaults, parser)
            streams.warn_once(request.warnings)
            choice = choose_for(request, player, limits.since(started), streams)
            reply = reply_with(choice, limits, started)
        except errors.RequestError as error:
            reply, status = error_reply(error), EXIT_FAILED
        streams.write(reply)
    except errors.ReaderGoneError:
        return 0
    except OSError as error:
        return answer_lost(error, streams.note)
    return status


def _request_from(
    options: argparse.Namespace, defaults: CommandLineDefaults, parser: argparse.ArgumentParser
) -> Request:
    """Return the request of the command line. Raises RequestError; a file that cannot be read ends the program."""
    if options.moves is not None:
        return request_for(position_after_moves(options, defaults, parser))
    try:
        document = _read_document(options.file)
    except OSError as error:
        parser.error(f"cannot read {options.file}: {error.strerror}")
    return (read_strictly if options.strict else read_request)(document, defaults)


def _read_document(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read(MAX_LINE_BYTES + 1) if sys.stdin is not None else b""
    with open(name, "rb") as file:
        return file.read(MAX_LINE_BYTES + 1)
