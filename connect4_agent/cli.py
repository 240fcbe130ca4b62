"""The command line: arguments and exit codes. Every subcommand imports its part when it runs."""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType

    from connect4_agent.engine.players import Player
    from connect4_agent.protocol import Stated

EXIT_NO_MOVE = 1
EXIT_USAGE = 2

DESCRIPTION = """\
A Connect Four agent. Without a subcommand it is a server: it reads one JSON request a line from
standard input, {"grid":[[0,0,...],...],"height":6,"player":1,"width":7}, and answers each with one
line, {"move":3}, until the input ends. It stands what tournament managers send: words and options
that it does not know get a warning, and it goes on.
"""

EXAMPLES = """\
subcommands:
  serve                 the server (what runs without a subcommand)
  move [FILE]           one position, one answer; see connect4-agent move --help

examples:
  connect4-agent < requests.jsonl                  the best player that answers at once
  connect4-agent --level easy --explain            a weaker one that says what it thinks
  connect4-agent --agent random --seed 7           a random opponent, the same in every run
  connect4-agent --player 1 --width 7 --height 6   for managers that send the grid alone
  connect4-agent move --moves 4453                 the reply after these columns, counted from 1

A board of more than 64 bits, (height + 1) x width, is searched by slower code: where no time limit is
set, a move takes 2 seconds at the most there.

environment:
  CONNECT4_AGENT_INTERPRETED=1    run the search as plain Python although it was compiled
"""

MOVE_DESCRIPTION = """\
Answer one position: a request as a JSON document, on as many lines as it likes, from FILE or standard
input; or a game as a move string. The answer is one line as the server gives it; the exit status is 1
if that is an error.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status."""
    _end_on_signals()
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["move"]:
        return _move(words[1:])
    if words[:1] == ["serve"]:
        words = words[1:]
    return _serve(words)


def _end_on_signals() -> None:
    """Let SIGTERM and SIGINT end the process at once, with the exit status that a shell gives them."""

    def end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  # the signature of a handler
        os._exit(128 + number)

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)


def _serve(words: list[str]) -> int:
    parser = _new_parser("connect4-agent", DESCRIPTION, EXAMPLES)
    _add_player_options(parser)
    _add_game_options(parser)
    parser.add_argument("-v", "--verbose", action="store_true", help="echo every line in and out to standard error")
    # argparse would read -verbose as -v and refuse the rest; it is just a word nobody knows.
    unknown = [word for word in words if re.match(r"-[A-Za-z].", word)]
    options, others = parser.parse_known_args([word for word in words if word not in unknown])
    player = _player_from(options, parser)

    from connect4_agent import server  # noqa: PLC0415  # pydantic is loaded after the options are known to be good

    streams = server.StandardStreams()
    stated = _stated_from(options, [*unknown, *others], streams.note)
    _say_if_interpreted(streams.note)
    if sys.stdin is not None and sys.stdin.isatty():
        streams.note("reading requests from the terminal, one line of JSON each; --help says more, Ctrl-D ends")
    # A reader that has gone is a manager that needs nothing more.
    with suppress(server.ReaderGoneError):
        server.Server(player, stated, options.time_limit, options.explain, options.verbose).run(streams)
    return 0


def _move(words: list[str]) -> int:
    parser = _new_parser("connect4-agent move", MOVE_DESCRIPTION, None)
    parser.add_argument("file", metavar="FILE", nargs="?", default="-", help="the request; - is standard input")
    parser.add_argument("--moves", metavar="COLUMNS", help="a game from the empty board: 1-9, then a-z, such as 4453")
    _add_player_options(parser)
    _add_game_options(parser)
    options = parser.parse_args(words)
    if options.moves is not None and options.file != "-":
        parser.error(f"--moves {options.moves} and FILE {options.file}: give one of the two")
    player = _player_from(options, parser)

    from connect4_agent import errors, protocol, server  # noqa: PLC0415

    streams = server.StandardStreams()
    stated = _stated_from(options, [], streams.note)
    _say_if_interpreted(streams.note)
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
    return 0 if is_move else EXIT_NO_MOVE


def _read_document(name: str, most_bytes: int) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read(most_bytes) if sys.stdin is not None else b""
    with open(name, "rb") as file:
        return file.read(most_bytes)


class _Parser(argparse.ArgumentParser):
    """A parser whose complaint is one line, however it was called."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and exit with 2."""
        self.exit(EXIT_USAGE, f"{self.prog}: error: {message} (see {self.prog} --help)\n")


def _new_parser(name: str, description: str, epilog: str | None) -> _Parser:
    parser = _Parser(
        prog=name,
        description=description,
        epilog=epilog,
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_ShowVersion, help="show the version, and whether compiled code runs")
    return parser


class _ShowVersion(argparse.Action):
    def __init__(self, option_strings: Sequence[str], dest: str, help: str) -> None:  # noqa: A002  # argparse's name
        super().__init__(option_strings, dest, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from connect4_agent import __version__  # noqa: PLC0415
        from connect4_agent.engine import speed  # noqa: PLC0415

        mode = "compiled" if speed.is_compiled() else "interpreted"
        python = ".".join(map(str, sys.version_info[:3]))
        sys.stdout.write(f"connect4-agent {__version__} ({mode}, Python {python})\n")
        parser.exit(0)


def _add_player_options(parser: argparse.ArgumentParser) -> None:
    from connect4_agent.engine.players import DEFAULT_LEVEL, LEVELS  # noqa: PLC0415

    plies = ", ".join(f"{name} {depth}" for name, depth in LEVELS.items())
    group = parser.add_argument_group("who plays")
    group.add_argument("--level", choices=LEVELS, help=f"plies searched: {plies} (default: {DEFAULT_LEVEL})")
    group.add_argument("--depth", metavar="N", help="search N plies")
    group.add_argument(
        "--time-limit", metavar="SECONDS", type=_seconds,
        help="deepen until the time is up, or until --level or --depth is reached",
    )  # fmt: skip
    group.add_argument("--evaluator", metavar="NAME", help="how positions are valued where the search ends")
    group.add_argument("--agent", metavar="SPEC", help="a built-in player: random, first-open, negamax:depth=6, ...")
    group.add_argument("--seed", metavar="N", type=_whole_number, help="choose among equal moves at random, repeatably")
    group.add_argument("--explain", action="store_true", help="add score, depth, nodes, time and line to the answer")


def _add_game_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what a request may leave out (bad values only get a warning)")
    # A missing value is a bad value: managers do send such things.
    group.add_argument("--player", metavar="N", nargs="?", const="", help="the player to move, 1 or 2")
    group.add_argument("--width", metavar="W", nargs="?", const="", help="the board's columns")
    group.add_argument("--height", metavar="H", nargs="?", const="", help="the board's rows")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no time limit; allowed is a number of seconds above 0")
    return seconds


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from None


def _player_from(options: argparse.Namespace, parser: argparse.ArgumentParser) -> Player:
    """The player that the options describe; a bad description ends the program."""
    from connect4_agent import errors  # noqa: PLC0415
    from connect4_agent.engine import players  # noqa: PLC0415

    chosen = [f"--{name}" for name in ("level", "depth", "agent") if getattr(options, name) is not None]
    if len(chosen) > 1:
        parser.error(f"{' and '.join(chosen)} say different things: give one of them")
    try:
        if options.agent is not None:
            if options.evaluator is not None:
                parser.error("--evaluator goes with --level and --depth; an agent has its own: negamax:evaluator=NAME")
            return players.parse_player(options.agent, options.seed)
        depth: int | None
        if options.depth is not None:
            depth = players.parse_depth(options.depth)
        elif options.level is None and options.time_limit is not None:
            depth = None
        else:
            depth = players.LEVELS[options.level or players.DEFAULT_LEVEL]
        evaluator = players.parse_evaluator(options.evaluator or players.DEFAULT_EVALUATOR)
    except errors.PlayerSpecError as error:
        parser.error(str(error))
    return players.NegamaxPlayer(depth, evaluator, options.seed)


def _stated_from(options: argparse.Namespace, others: list[str], note: Callable[[str], None]) -> Stated:
    """What the command line says about the game, with a warning for everything that is no use."""
    from connect4_agent import protocol  # noqa: PLC0415

    texts = {"player": options.player, "width": options.width, "height": options.height}
    others = [word for word in others if word.strip()]
    if len(others) == 6 and all(re.fullmatch(r"\d+", word) for word in others):
        # Positional form: player, player, width, width, height, height; players read the second of each.
        for name, text in zip(texts, others[1::2], strict=True):
            texts[name] = texts[name] if texts[name] is not None else text
    elif others:
        note(f"warning: ignored on the command line: {' '.join(others)[:200]}{_hint_for(others[0])}")
    stated = {}
    for name, text in texts.items():
        stated[name] = None if text is None else protocol.check_stated(name, text)
        if text is not None and stated[name] is None:
            note(f"warning: --{name} {text[:50]!r} is ignored: it is no {name} that a board can have")
    return protocol.Stated(**stated)


def _hint_for(word: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415

    matches = get_close_matches(word, ("serve", "move", "--help"), 1)
    return f" (did you mean: connect4-agent {matches[0]}?)" if matches else ""


def _say_if_interpreted(note: Callable[[str], None]) -> None:
    from connect4_agent.engine import speed  # noqa: PLC0415

    if not speed.is_compiled():
        note("the search runs as plain Python, some hundred times slower than compiled")
