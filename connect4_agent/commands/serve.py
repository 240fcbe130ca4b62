"""connect4-agent serve: the move server on standard input and output."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING

from connect4_agent.cli import COMMANDS
from connect4_agent.commands.options import (
    add_game_options,
    add_player_options,
    answer_lost,
    new_parser,
    player_from,
    say_if_interpreted,
    stated_from,
)

if TYPE_CHECKING:
    import argparse

    from connect4_agent.protocol import Stated
    from connect4_agent.server import Codec

PROTOCOLS = ("json", "theaigames", "riddles", "relay", "solver")
TIMED_PROTOCOLS = ("theaigames", "riddles")
"""Those in which the manager sets a time for every move."""

DESCRIPTION = """\
A Connect Four agent. Without a subcommand it is a server: it reads one JSON request a line from
standard input, {"grid":[[0,0,...],...],"height":6,"player":1,"width":7}, and answers each with one
line, {"move":3}, until the input ends. It stands what tournament managers send: words and options
that it does not know get a warning, and it goes on.
"""

EXAMPLES = """\
examples:
  connect4-agent < requests.jsonl                  the best player that answers at once
  connect4-agent --level easy --explain            a weaker one that says what it thinks
  connect4-agent --agent random --seed 7           a random opponent, the same in every run
  connect4-agent --player 1 --width 7 --height 6   for managers that send the grid alone
  connect4-agent --protocol riddles                for engines that speak another protocol
  connect4-agent --protocol solver --all           columns in, exact scores out
  connect4-agent move --moves 4453                 the reply after these columns, counted from 1

A board of more than 64 bits, (height + 1) x width, is searched by slower code: where no time limit is
set, a move takes 2 seconds at the most there. `perfect` has that limit on every board other than 7x6.

environment:
  CONNECT4_AGENT_INTERPRETED=1    run the search as plain Python although it was compiled
"""


def run(words: list[str]) -> int:
    """Serve until the input ends; the exit status."""
    parser = new_parser("connect4-agent", DESCRIPTION, f"{_list_of_commands()}\n{EXAMPLES}")
    add_player_options(parser)
    add_game_options(parser)
    parser.add_argument("-v", "--verbose", action="store_true", help="echo every line in and out to standard error")
    _add_protocol_options(parser)
    # argparse would read -verbose as -v and refuse the rest; it is just a word nobody knows.
    unknown = [word for word in words if re.match(r"-[A-Za-z].", word)]
    options, others = parser.parse_known_args([word for word in words if word not in unknown])
    _check_protocol_options(options, parser)
    player = player_from(options, parser, manager_sets_time=options.protocol in TIMED_PROTOCOLS)

    from connect4_agent import server  # noqa: PLC0415  # pydantic is loaded after the options are known to be good

    streams = server.StandardStreams()
    stated = stated_from(options, [*unknown, *others], streams.note)
    say_if_interpreted(streams.note)
    if sys.stdin is not None and sys.stdin.isatty():
        kind = "line of JSON each" if options.protocol == "json" else f"line of the protocol {options.protocol} each"
        streams.note(f"reading requests from the terminal, one {kind}; --help says more, Ctrl-D ends")
    try:
        codec = _codec_from(options, stated)
        server.Server(player, stated, options.time_limit, options.explain, options.verbose, codec).run(streams)
    except server.ReaderGoneError:
        # A manager that needs nothing more. An orderly end of the interpreter would take longer, and there is nothing
        # to put in order: no buffer holds anything back.
        os._exit(0)
    except OSError as error:
        return answer_lost(error, streams.note)
    return 0


def _add_protocol_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("how lines are read and answered")
    group.add_argument(
        "--protocol",
        choices=PROTOCOLS,
        default="json",
        help="requests and moves as JSON (the default); the text protocols of theaigames and riddles.io, in which "
        "perfect plays unless another is named; "
        "columns alone; or columns from 1 in, their exact score out",
    )
    group.add_argument("--all", action="store_true", help="solver: the score of every column")


def _check_protocol_options(options: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    if options.all and options.protocol != "solver":
        parser.error("--all goes with --protocol solver")
    if options.explain and options.protocol != "json":
        parser.error(f"--explain goes with --protocol json: {options.protocol} has no room for it")
    if options.protocol == "solver":
        for name in ("level", "depth", "time_limit", "evaluator", "agent", "seed"):
            if getattr(options, name) is not None:
                parser.error(
                    f"--{name.replace('_', '-')} goes with the protocols in which a move is chosen, not solver"
                )


def _codec_from(options: argparse.Namespace, stated: Stated) -> Codec | None:
    """The codec of the protocol, loaded when it is chosen; None is JSON's, which the server has itself."""
    size = (stated.width or 7, stated.height or 6)
    if options.protocol in TIMED_PROTOCOLS:
        from connect4_agent.adapters import four_in_a_row  # noqa: PLC0415

        return four_in_a_row.FourInARowCodec(four_in_a_row.DIALECTS[options.protocol], *size)
    if options.protocol == "relay":
        from connect4_agent.adapters.relay import RelayCodec  # noqa: PLC0415

        return RelayCodec(*size)
    if options.protocol == "solver":
        from connect4_agent.adapters.solver_lines import SolverCodec  # noqa: PLC0415
        from connect4_agent.engine import speed  # noqa: PLC0415

        return SolverCodec(speed.new_solver(*size), *size, all_columns=options.all)
    return None


def _list_of_commands() -> str:
    lines = [f"  {name:<12} {duty}" for name, duty in COMMANDS.items()]
    return "\n".join(["subcommands, each with its own --help:", *lines, ""])
