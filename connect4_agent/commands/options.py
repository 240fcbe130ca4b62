"""What the subcommands' command lines share: the parser, and the options for player and game."""

from __future__ import annotations

import argparse
import re
import sys
from typing import TYPE_CHECKING, NoReturn

from connect4_agent import __version__, errors
from connect4_agent.engine import evaluate, players, speed

if TYPE_CHECKING:
    from collections.abc import Callable

    from connect4_agent.protocol import Stated

EXIT_FAILED = 1
EXIT_USAGE = 2


class _Parser(argparse.ArgumentParser):
    """A parser whose complaint is one line, however it was called."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and exit with 2."""
        self.exit(EXIT_USAGE, f"{self.prog}: error: {message} (see {self.prog} --help)\n")


def new_parser(name: str, description: str, epilog: str | None) -> _Parser:
    """A parser in the house's manner: no abbreviated options, --version, complaints of one line."""
    parser = _Parser(
        prog=name,
        description=description,
        epilog=epilog,
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    mode = "compiled" if speed.is_compiled() else "interpreted"
    version = f"connect4-agent {__version__} ({mode}, Python {sys.version.split()[0]})"
    parser.add_argument(
        "--version", action="version", version=version, help="show the version, and whether compiled code runs"
    )
    return parser


def add_player_options(parser: argparse.ArgumentParser) -> None:
    """The options that `player_from` reads."""
    plies = ", ".join(f"{name} {depth}" for name, depth in players.LEVELS.items())
    group = parser.add_argument_group("who plays")
    group.add_argument(
        "--level",
        choices=(*players.LEVELS, "perfect"),
        help=f"plies searched: {plies}; or perfect play, with a time limit of 2 s on boards other than 7x6 "
        f"(default: {players.DEFAULT_LEVEL})",
    )
    group.add_argument(
        "--plain-ties", action="store_true", help="perfect: of equal moves the nearest to the centre, not the best trap"
    )
    group.add_argument("--depth", metavar="N", help="search N plies")
    group.add_argument(
        "--time-limit", metavar="SECONDS", type=seconds,
        help="deepen until the time is up, or until --level or --depth is reached",
    )  # fmt: skip
    group.add_argument("--evaluator", metavar="NAME", help="how positions are valued where the search ends")
    group.add_argument(
        "--agent",
        metavar="SPEC",
        help="a built-in player: greedy, negamax:depth=6, ...; `connect4-agent players` lists them",
    )
    group.add_argument("--seed", metavar="N", type=whole_number, help="choose among equal moves at random, repeatably")
    group.add_argument("--explain", action="store_true", help="add score, depth, nodes, time and line to the answer")


def add_position_options(parser: argparse.ArgumentParser, what: str) -> None:
    """FILE or --moves, which say what position it is about; `refuse_two_positions` and `moves_document` read them."""
    parser.add_argument("file", metavar="FILE", nargs="?", default="-", help=f"{what}; - is standard input")
    parser.add_argument("--moves", metavar="COLUMNS", help="a game from the empty board: 1-9, then a-z, such as 4453")


def refuse_two_positions(options: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """End the program where both FILE and --moves are given."""
    if options.moves is not None and options.file != "-":
        parser.error(f"--moves {options.moves} and FILE {options.file}: give one of the two")


def moves_document(options: argparse.Namespace, stated: Stated, parser: argparse.ArgumentParser) -> bytes:
    """The request for the position after --moves; a bad move string ends the program."""
    from connect4_agent import protocol  # noqa: PLC0415  # pydantic only once the options are known to be good

    try:
        return protocol.document_of(options.moves, stated)
    except errors.Connect4Error as error:
        parser.error(f"--moves: {error}")


def answer_lost(error: OSError, note: Callable[[str], None]) -> int:
    """Tell that standard output takes no answer, as on a full disk; the exit status."""
    note(f"error: an answer cannot be written: {error.strerror}")
    return EXIT_FAILED


def add_game_options(parser: argparse.ArgumentParser) -> None:
    """The options that `stated_from` reads."""
    group = parser.add_argument_group("what a request may leave out (bad values only get a warning)")
    # A missing value is a bad value: managers do send such things.
    group.add_argument("--player", metavar="N", nargs="?", const="", help="the player to move, 1 or 2")
    group.add_argument("--width", metavar="W", nargs="?", const="", help="the board's columns")
    group.add_argument("--height", metavar="H", nargs="?", const="", help="the board's rows")


def seconds(text: str) -> float:
    """A time limit, for argparse."""
    try:
        limit = float(text)
    except ValueError:
        limit = -1.0
    if not 0 < limit < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no time limit; allowed is a number of seconds above 0")
    return limit


def whole_number(text: str) -> int:
    """Any integer, for argparse."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from None


def player_from(
    options: argparse.Namespace, parser: argparse.ArgumentParser, *, manager_sets_time: bool = False
) -> players.Player:
    """The player that the options describe; a bad description ends the program.

    Where the manager sets a time for every move and nobody says who plays, it is the perfect player: it keeps any time.
    """
    chosen = [f"--{name}" for name in ("level", "depth", "agent") if getattr(options, name) is not None]
    if len(chosen) > 1:
        parser.error(f"{' and '.join(chosen)} say different things: give one of them")
    try:
        if options.agent is not None:
            if options.evaluator is not None:
                parser.error("--evaluator goes with --level and --depth; an agent has its own: negamax:evaluator=NAME")
            return players.parse_player(options.agent, options.seed)
        says_nothing = not chosen and options.evaluator is None
        if options.level == "perfect" or (manager_sets_time and says_nothing):
            if options.evaluator is not None:
                parser.error("--evaluator goes with the other levels and --depth: --level perfect has no opinions")
            return players.parse_player("perfect:ties=plain" if options.plain_ties else "perfect", options.seed)
        if options.plain_ties:
            parser.error("--plain-ties goes with --level perfect")
        depth: int | None
        if options.depth is not None:
            depth = players.parse_depth(options.depth)
        elif options.level is None and (options.time_limit is not None or manager_sets_time):
            depth = None
        else:
            depth = players.LEVELS[options.level or players.DEFAULT_LEVEL]
        evaluator = players.parse_evaluator(options.evaluator or evaluate.DEFAULT_EVALUATOR)
    except errors.PlayerSpecError as error:
        parser.error(str(error))
    return players.NegamaxPlayer(depth, evaluator, options.seed)


def stated_from(options: argparse.Namespace, others: list[str], note: Callable[[str], None]) -> Stated:
    """What the command line says about the game, with a warning for everything that is no use."""
    from connect4_agent import protocol  # noqa: PLC0415  # pydantic only once the options are known to be good

    texts = {"player": options.player, "width": options.width, "height": options.height}
    others = [word for word in others if word.strip()]
    if len(others) == 6 and all(re.fullmatch(r"\d+", word) for word in others):
        # Positional form: player, player, width, width, height, height; players read the second of each.
        for name, text in zip(texts, others[1::2], strict=True):
            texts[name] = texts[name] if texts[name] is not None else text
    elif others:
        hint = _hint_for(others[0])
        note(f"warning: ignored on the command line: {' '.join(others)[:200]}{hint}")
    stated = {}
    for name, text in texts.items():
        stated[name] = None if text is None else protocol.check_stated(name, text)
        if text is not None and stated[name] is None:
            note(f"warning: --{name} {text[:50]!r} is ignored: it is no {name} that a board can have")
    return protocol.Stated(**stated)


def say_if_interpreted(note: Callable[[str], None]) -> None:
    """Tell, where it is so, that the slow form of the engine runs."""
    if not speed.is_compiled():
        note("the search runs as plain Python, some hundred times slower than compiled")


def _hint_for(word: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415

    from connect4_agent.cli import COMMANDS  # noqa: PLC0415  # it imports the subcommands in its turn

    matches = get_close_matches(word, COMMANDS, 1)
    return f" (did you mean: connect4-agent {matches[0]}?)" if matches else ""
