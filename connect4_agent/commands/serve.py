"""connect4-agent serve: the move server on standard input and output."""

from __future__ import annotations

import os
import re
import sys
from contextlib import redirect_stderr
from functools import partial
from typing import TYPE_CHECKING, cast

from connect4_agent import errors
from connect4_agent.commands import COMMANDS
from connect4_agent.commands.shared.options import (
    EXIT_USAGE,
    Parser,
    add_game_options,
    add_player_options,
    add_strict_option,
    answer_lost,
    defaults_from,
    new_parser,
    player_from,
    say_if_interpreted,
)
from connect4_agent.engine.limits import Limits
from connect4_agent.server.columns import serve_columns
from connect4_agent.server.connection import Connection, Notes
from connect4_agent.server.lines import Lines, read_joined
from connect4_agent.server.loop import serve
from connect4_agent.server.understand import read_request, read_strictly
from connect4_agent.text import did_you_mean

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable
    from typing import TextIO

    from connect4_agent.server.lines import Read

PROTOCOLS = ("json", "solver")

USAGE = "connect4-agent [serve] [OPTION ...]"

DESCRIPTION = """\
Answer requests with moves. Each line of standard input is a request:

  {"grid":[[0,0,...],...],"height":6,"player":1,"width":7}

Each answer is one line, such as {"move":3}. Other forms of a request, unknown words and unknown options
cause at most a warning; with --strict they are errors. The server ends when its input ends.
"""

EXAMPLES = """\
examples:
  connect4-agent < requests.jsonl                  level hard
  connect4-agent --level easy --explain            scores with the moves
  connect4-agent --time-limit 1                    the best move within a second
  connect4-agent --agent random --seed 7           random, but repeatable
  connect4-agent --player 1 --width 7 --height 6   if requests have only a grid
  connect4-agent --protocol solver --all           columns in, exact scores out

environment:
  CONNECT4_AGENT_INTERPRETED=1   run the search as plain Python, uncompiled
"""


def run(words: list[str]) -> int:
    """Serve until the input ends; the exit status."""
    parser = new_parser("connect4-agent", DESCRIPTION, EXAMPLES, USAGE)
    parser.help_command = "connect4-agent serve --help"
    add_player_options(parser)
    add_game_options(parser)
    add_strict_option(parser)
    option = parser.group()
    option("-v, --verbose", "echo every line in and out to standard error")
    _add_protocol_options(parser)
    is_terminal = sys.stdin is not None and sys.stdin.isatty()
    command = _command_like(words[0]) if words and words[0][:1].isalpha() else ""
    if command and is_terminal:
        parser.error(f"{words[0][:50]!r} is not a command{command}")
    # argparse would read -verbose as -v and refuse the rest; it is just an unknown word.
    unknown = [word for word in words if re.match(r"-[A-Za-z].", word)]
    options, others = parser.parse_known_args([word for word in words if word not in unknown])
    _check_protocol_options(options, parser)
    player = player_from(options, parser)

    streams = Connection(_split_for(options), is_verbose=options.verbose)
    defaults = defaults_from(
        options,
        [*unknown, *others],
        parser.error if options.strict else lambda text: streams.note(f"warning: ignoring {text}"),
        lambda word: parser.option_like(word) or _command_like(word),
    )
    say_if_interpreted(streams.note)
    if is_terminal:
        kind = "JSON" if options.protocol == "json" else f"the protocol {options.protocol}"
        streams.note(f"reading requests from the terminal, one line of {kind} each; see --help, or press Ctrl-D to end")
    try:
        with redirect_stderr(cast("TextIO", Notes(streams))):
            if options.protocol == "solver":
                count = serve_columns(streams, *defaults.size, all_columns=options.all)
            else:
                read = partial(read_strictly if options.strict else read_request, defaults=defaults)
                count = serve(streams, read, player, Limits(options.time_limit, streams.check_reader, options.explain))
    except errors.ReaderGoneError:
        # The manager needs nothing more. Shutting down the interpreter would take longer, and no buffer needs flushing.
        os._exit(0)
    except OSError as error:
        return answer_lost(error, streams.note)
    # If nothing was asked, no manager started it: the command of which the warning speaks was meant.
    return EXIT_USAGE if command and count == 0 else 0


def _split_for(options: argparse.Namespace) -> Callable[[Read], Iterable[bytes]]:
    """Return what makes lines of the input: an object may span several, except with --strict."""
    if options.protocol == "solver":
        return partial(Lines, keep_blank=True)
    return Lines if options.strict else read_joined


def _command_like(word: str) -> str:
    """Return the end of a message about a word that was perhaps meant as a command."""
    return did_you_mean(word, COMMANDS, "connect4-agent ")


def _add_protocol_options(parser: Parser) -> None:
    option = parser.group("protocol")
    option(
        "--protocol",
        "json (the default), or solver: lines of columns counted from 1 in, their exact scores out",
        choices=PROTOCOLS,
        default="json",
    )
    option("--all", "with --protocol solver: give the score of every column")


def _check_protocol_options(options: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    if options.all and options.protocol != "solver":
        parser.error("--all needs --protocol solver")
    if options.explain and options.protocol != "json":
        parser.error(f"--explain needs --protocol json: {options.protocol} has no place for an explanation")
    if options.protocol == "solver":
        if options.strict:
            parser.error("--strict does not work with --protocol solver, which has one form")
        for name in ("level", "depth", "time_limit", "evaluator", "agent", "seed"):
            if getattr(options, name) is not None:
                parser.error(f"--{name.replace('_', '-')} does not work with --protocol solver, which chooses no moves")
