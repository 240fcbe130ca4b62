"""The parts that all command lines share: the parser, and the options for player and game."""

from __future__ import annotations

import argparse
import os
import re
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from connect4_agent import __version__, errors
from connect4_agent.engine.kernel import evaluators, forms
from connect4_agent.engine.players import registry
from connect4_agent.engine.players.negamax import DEFAULT_LEVEL, LEVELS, NegamaxPlayer
from connect4_agent.rules.geometry import LARGEST_SIDE
from connect4_agent.rules.position import Position
from connect4_agent.server.request import CommandLineDefaults, check_default
from connect4_agent.text import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable

    from connect4_agent.engine.players.player import Player

    AddOption = Callable[..., None]

EXIT_FAILED = 1
EXIT_USAGE = 2

BUILD_FAILURE = os.path.join(os.path.dirname(forms.__file__), "not_compiled.txt")
"""The file in which setup.py leaves the reason if compiling fails."""

LEVEL_SPECS = {
    name.removeprefix("level:"): name for name, player in registry.BUILT_IN_PLAYERS.items() if player.is_level
}
"""The values of --level and their players: a number is a level of the ladder."""


class HelpFormatter(argparse.HelpFormatter):
    """Fills paragraphs to the width of the terminal; a paragraph with an indented line stays as it is."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        parts = text.strip().split("\n\n")
        return (
            "\n\n".join(
                part if "\n  " in f"\n{part}" else super(HelpFormatter, self)._fill_text(part, width, indent)
                for part in parts
            )
            + "\n"
        )


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, and name what a mistyped word resembles."""

    help_command = ""
    """The command that shows the options, if it is not `prog --help`."""

    _help_width: int | None = 80

    def _get_formatter(self) -> argparse.HelpFormatter:
        # Every add_argument() makes a formatter, which looks up the width of the terminal if none is given. That loads
        # shutil and the compression modules, which only the help needs.
        return HelpFormatter(self.prog, width=self._help_width)

    def format_help(self) -> str:
        """Return the help, as wide as the terminal."""
        self._help_width = None
        formatter = self._get_formatter()
        words = [formatter._format_args(action, action.dest) for action in self._get_positional_actions()]
        self.usage = self.usage or " ".join([self.prog, *words, "[OPTION ...]"])
        return super().format_help()

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Return the options; a word that is not known ends the program."""
        options, unknown = self.parse_known_args(args, namespace)
        if unknown:
            hints = (self.option_like(word) for word in unknown)
            self.error(f"unrecognized arguments: {' '.join(unknown)}{next(filter(None, hints), '')}")
        return options

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        # argparse would check the value after it is converted, with other words for each type and version of Python.
        if action.choices is not None and arg_string not in action.choices:
            names = [str(name) for name in action.choices]
            hint = did_you_mean(arg_string, names)
            raise argparse.ArgumentError(action, f"{arg_string!r} is not one of {', '.join(names)}{hint}")
        return super()._get_value(action, arg_string)

    def group(self, title: str | None = None) -> AddOption:
        """Return a function that adds an option to a part of the help, by default to `options`."""
        return partial(_add_option, self if title is None else self.add_argument_group(title))

    def option_like(self, word: str) -> str:
        """Return the end of a message about an unknown option: the one that it resembles, if there is one."""
        return did_you_mean(word.partition("=")[0], self._option_string_actions) if word.startswith("-") else ""

    def error(self, message: str) -> NoReturn:
        """Print what is wrong and exit with 2."""
        self.exit(EXIT_USAGE, f"{self.prog}: error: {message} (see {self.help_command or f'{self.prog} --help'})\n")

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print the help, the version or an error; a reader that has gone, such as `head`, does not matter."""
        try:
            super()._print_message(message, file)
            (file or sys.stderr).flush()
        except BrokenPipeError:
            os._exit(0)


def _add_option(group: argparse._ActionsContainer, usage: str, text: str = "", kind: Any = None, **more: Any) -> None:
    """Add an option as its help shows it: `--games N`, `-v, --verbose`, or a word without a dash, such as `FILE`.

    An option without a value is a flag; one with `...` behind its value may be repeated, and is a list. `kind` makes a
    value of the text; `more` is for argparse.
    """
    if usage.endswith(" ..."):
        usage, text = usage.removesuffix(" ..."), f"{text}; may be repeated"
        more |= {"action": "append", "default": []}
    names, _, value = usage.partition(" ") if ", " not in usage else (usage, "", "")
    if not names.startswith("-"):
        group.add_argument(more.pop("dest", names.lower()), metavar=usage, help=text, type=kind, **more)
    elif value or "choices" in more:
        group.add_argument(names, metavar=value or None, help=text, type=kind, **more)
    else:
        group.add_argument(*names.split(", "), help=text, **({"action": "store_true"} | more))


def new_parser(name: str, description: str, epilog: str | None, usage: str | None = None) -> Parser:
    """Return a parser as all commands use it: no abbreviated options, --version, errors of one line."""
    parser = Parser(prog=name, usage=usage, description=description, epilog=epilog, allow_abbrev=False)
    mode = "compiled" if forms.is_compiled() else "interpreted"
    version = f"connect4-agent {__version__} ({mode}, Python {sys.version.split()[0]})"
    parser.add_argument(
        "--version", action="version", version=version, help="show the version and whether compiled code runs"
    )
    return parser


def add_player_options(parser: Parser) -> None:
    """Add the options that `player_from` reads."""
    plies = ", ".join(f"{name} ({depth} plies)" for name, depth in LEVELS.items())
    option = parser.group("who plays")
    option(
        "--level LEVEL",
        f"1, a beginner, to {len(registry.LADDER_SUMMARIES)}; {plies}; or perfect, which never errs on 7x6 "
        f"(default: {DEFAULT_LEVEL})",
        choices=LEVEL_SPECS,
    )
    option("--plain-ties", "with perfect: among equal moves, the nearest to the centre, not the best trap")
    option("--depth N", "search N plies")
    option(
        "--time-limit SECONDS",
        "play as well as possible in that time; with --level, --depth or --evaluator, for no longer than that",
        seconds,
    )
    option("--evaluator EVALUATOR", "the evaluator of positions at which the search stops")
    option("--agent SPEC", "a built-in player: greedy, negamax:depth=6, ...; `connect4-agent players` lists them")
    option("--seed N", "break ties at random, but repeatably", integer())
    option("--explain", "add to the answer: score, exact (whether it is proven), depth, nodes, time and line")


def add_position_options(parser: Parser, what: str) -> None:
    """FILE or --moves, which name the position; `refuse_two_positions` and `position_after_moves` read them."""
    option = parser.group()
    option("FILE", f"{what}; - is standard input", nargs="?", default="-")
    option("--moves COLUMNS", "a game from the empty board: 1-9, then a-z, such as 4453")


def refuse_two_positions(options: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """End the program if both FILE and --moves are given."""
    if options.moves is not None and options.file != "-":
        parser.error(f"--moves {options.moves} and FILE {options.file}: give one of the two")


def position_after_moves(
    options: argparse.Namespace, defaults: CommandLineDefaults, parser: argparse.ArgumentParser
) -> Position:
    """Return the position after --moves; a bad move string ends the program."""
    try:
        return Position.from_moves(options.moves, *defaults.size, defaults.player or 1)
    except errors.Connect4Error as error:
        parser.error(f"--moves: {error}")


def how_to_add(extra: str) -> str:
    """Return the command that installs an extra, for error messages."""
    return f"pip install 'connect4-agent[{extra}]' (in a clone: make install EXTRAS={extra})"


def answer_lost(error: OSError, note: Callable[[str], None]) -> int:
    """Report that an answer cannot be written, as on a full disk; the exit status."""
    note(f"error: cannot write the answer: {error.strerror}")
    return EXIT_FAILED


def add_game_options(parser: Parser) -> None:
    """Add the options that `defaults_from` reads."""
    option = parser.group("what a request may leave out")
    # A missing value is a bad value, too: some managers send that.
    option("--player N", "the player to move, 1 or 2", nargs="?", const="")
    option("--width W", "the number of columns", nargs="?", const="")
    option("--height H", "the number of rows", nargs="?", const="")


def seconds(text: str) -> float:
    """Return a time limit, for argparse."""
    try:
        return registry.parse_seconds(text)
    except errors.PlayerSpecError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_pass_env(option: AddOption) -> None:
    """Add the option that names variables for programs."""
    option(
        "--pass-env NAME",
        "give commands this variable of the environment; they get PATH, HOME, LANG, TZ and TMPDIR",
        action="append",
    )


def integer(least: int | None = None, most: int | None = None) -> Callable[[str], int]:
    """Return a reader of whole numbers within bounds, for argparse."""
    bounds = "" if least is None else f", {least} or more" if most is None else f" from {least} to {most}"

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = None
        if number is None or (least is not None and number < least) or (most is not None and number > most):
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number{bounds}")
        return number

    return read


def board_size(text: str) -> tuple[int, int]:
    """Return a board's columns and rows, such as 8x7, for argparse."""
    sides = text.split("x")
    if not (len(sides) == 2 and all(side.isdecimal() and 1 <= int(side[:9]) <= LARGEST_SIDE for side in sides)):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a size; allowed is WxH, such as 8x7, sides 1 to {LARGEST_SIDE}"
        )
    return int(sides[0]), int(sides[1])


def player_from(options: argparse.Namespace, parser: argparse.ArgumentParser) -> Player:
    """Return the player that the options describe; a bad description ends the program.

    With a time limit and nothing else that chooses a player, it is the perfect player: book, proofs and search
    together play as well as possible in that time.
    """
    chosen = [f"--{name}" for name in ("level", "depth", "agent") if getattr(options, name) is not None]
    if len(chosen) > 1:
        parser.error(f"{' and '.join(chosen)} contradict each other: give one of them")
    try:
        if options.agent is not None:
            if options.evaluator is not None:
                parser.error("--evaluator does not work with --agent; use --agent negamax:evaluator=NAME")
            return registry.parse_player(options.agent, options.seed)
        has_time = options.time_limit is not None
        is_free = not chosen and options.evaluator is None
        level = "perfect" if has_time and is_free else options.level
        if options.plain_ties and level != "perfect":
            parser.error("--plain-ties needs --level perfect, or --time-limit alone")
        if level is not None and level not in LEVELS:
            if options.evaluator is not None:
                parser.error(f"--level {level} takes no evaluator; use --evaluator with easy, medium, hard or --depth")
            return registry.parse_player(LEVEL_SPECS[level] + ":ties=plain" * options.plain_ties, options.seed)
        depth: int | None
        if options.depth is not None:
            depth = registry.parse_depth(options.depth)
        elif level is None and has_time:
            depth = None
        else:
            depth = LEVELS[level or DEFAULT_LEVEL]
        evaluator = registry.parse_evaluator(options.evaluator or evaluators.DEFAULT_EVALUATOR)
    except errors.PlayerSpecError as error:
        parser.error(str(error))
    return NegamaxPlayer(depth, evaluator, options.seed)


def add_strict_option(parser: Parser) -> None:
    """Add the option that allows nothing but the documented form of a request."""
    parser.group()(
        "--strict", "accept requests in the documented form only; all others, and unknown words and options, are errors"
    )


def defaults_from(
    options: argparse.Namespace,
    others: list[str],
    complain: Callable[[str], object],
    hint: Callable[[str], str] = lambda _: "",
) -> CommandLineDefaults:
    """Return what the command line says about the game; complain of every word that cannot be used.

    `hint` is the end of the message about words that are not known, by the first of them.
    """
    texts = {"player": options.player, "width": options.width, "height": options.height}
    others = [word for word in others if word.strip()]
    if len(others) == 6 and all(re.fullmatch(r"\d+", word) for word in others):
        # Positional form: player, player, width, width, height, height; the second of each counts.
        for name, text in zip(texts, others[1::2], strict=True):
            texts[name] = texts[name] if texts[name] is not None else text
    elif others:
        complain(f"unknown arguments: {' '.join(others)[:200]}{hint(others[0])}")
    defaults = {}
    for name, text in texts.items():
        defaults[name] = None if text is None else check_default(name, text)
        if text is not None and defaults[name] is None:
            allowed = "1 and 2" if name == "player" else f"whole numbers from 1 to {LARGEST_SIDE}"
            complain(f"--{name} {text[:50]!r}: allowed are {allowed}")
    return CommandLineDefaults(**defaults)


def say_if_waiting(options: argparse.Namespace, note: Callable[[str], None]) -> None:
    """Say so if a request is to be typed."""
    if options.moves is None and options.file == "-" and sys.stdin is not None and sys.stdin.isatty():
        note("reading a request from the terminal, as JSON; see --help for other ways, or press Ctrl-D to end")


def say_if_interpreted(note: Callable[[str], None]) -> None:
    """Say so, and why, if the slow form of the engine runs."""
    if not forms.is_compiled():
        note(f"the search runs as plain Python, about a hundred times slower than compiled: {_why_interpreted()}")


def _why_interpreted() -> str:
    if forms.is_switched_off():
        return f"{forms.SWITCH} is set"
    try:
        with open(BUILD_FAILURE, encoding="utf-8") as file:
            return f"compiling it failed: {file.read().strip()}"
    except FileNotFoundError:
        return str(forms.load_error(forms.NARROW))
