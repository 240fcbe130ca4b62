"""connect4-agent puzzle: positions in which exactly one column is right."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from datetime import date
from textwrap import wrap

import orjson

from connect4_agent import errors
from connect4_agent.commands.shared.options import (
    EXIT_FAILED,
    new_parser,
    say_if_interpreted,
    whole_number,
)
from connect4_agent.commands.shared.output import reader_may_leave
from connect4_agent.engine.effort import hint_seconds
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.puzzles import (
    NoPuzzleError,
    Puzzle,
    PuzzleKind,
    PuzzleLevel,
    PuzzleTheme,
    draw_puzzle,
    puzzle_of_the_day,
    puzzles_of_game,
    read_day,
)
from connect4_agent.rules.position import MOVE_SIGNS, Position
from connect4_agent.rules.reason_words import LEGEND
from connect4_agent.rules.scores import verdict
from connect4_agent.terminal.game import Game

MAX_PUZZLES = 1000

TEXT_COLUMNS = 100
"""How wide reasons are printed."""

DESCRIPTION = """\
Ask for the one right column of a position: find the winning move, save the draw, or say which move loses.
Without an option it is the puzzle of the day, the same on every machine. The solver has proved every answer.
Where standard input is a terminal you are asked for a column; elsewhere the puzzle is printed.
"""

EXAMPLES = """\
examples:
  connect4-agent puzzle                                     the puzzle of the day
  connect4-agent puzzle --date 2027-01-31                   that of another day
  connect4-agent puzzle --seed 7 --kind win --level hard
  connect4-agent puzzle --seed 7 --theme zugzwang           one that is decided by zugzwang
  connect4-agent puzzle --seed 1 --count 20 --json          a work sheet: a line of JSON for each
  connect4-agent puzzle --moves 44444162353                 from the mistakes of a game

exit status: 0; 1 if the game has no mistake that makes a puzzle or the theme is not found; 2 for a usage error.
"""


def run(words: list[str]) -> int:
    """Ask; the exit status."""
    parser = new_parser("connect4-agent puzzle", DESCRIPTION, EXAMPLES)
    group = parser.add_argument_group("which puzzle")
    group.add_argument("--date", metavar="YYYY-MM-DD", type=_day, help="the puzzle of this day (default: today)")
    group.add_argument("--seed", metavar="N", type=whole_number, help="a puzzle drawn from this number")
    group.add_argument("--moves", metavar="COLUMNS", help="the mistakes of this game: 1-9, then a-z, such as 4453")
    group.add_argument("--kind", choices=tuple(PuzzleKind), type=PuzzleKind, help="with --seed: what is asked")
    group.add_argument("--level", choices=tuple(PuzzleLevel), type=PuzzleLevel, help="with --seed: how deep it is")
    group.add_argument(
        "--theme",
        choices=tuple(PuzzleTheme),
        type=PuzzleTheme,
        help="with --seed: the kind of reason that the answer has",
    )
    group.add_argument(
        "--count", metavar="N", type=_count, default=1, help="with --seed: the puzzles of N seeds from this one on"
    )
    group.add_argument("--width", metavar="W", type=whole_number, default=7, help="with --moves: the board's columns")
    group.add_argument("--height", metavar="H", type=whole_number, default=6, help="with --moves: the board's rows")
    group = parser.add_argument_group("how it is shown")
    group.add_argument("--json", action="store_true", help="a line of JSON for each puzzle, columns from 0")
    group.add_argument("--answer", action="store_true", help="print the answer below the puzzle instead of asking")
    options = parser.parse_args(words)
    _refuse_contradictions(options, parser)
    say_if_interpreted(lambda message: _note(parser.prog, message))
    puzzles = _puzzles(options, parser)
    count = 0
    try:
        with reader_may_leave():
            for count, puzzle in enumerate(puzzles, 1):
                if options.json:
                    sys.stdout.write(orjson.dumps(puzzle.document()).decode() + "\n")
                else:
                    _show(puzzle, options, is_first=count == 1)
                sys.stdout.flush()
    except NoPuzzleError as error:
        _note(parser.prog, str(error))
        return EXIT_FAILED
    if count == 0:
        _note(parser.prog, "this game has no mistake that changed the result and had exactly one right column instead")
        return EXIT_FAILED
    return 0


def _refuse_contradictions(options: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    sources = [f"--{name}" for name in ("date", "seed", "moves") if getattr(options, name) is not None]
    if len(sources) > 1:
        parser.error(f"{' and '.join(sources)} contradict each other: give one of them")
    if options.seed is None:
        for name, default in (("kind", None), ("level", None), ("theme", None), ("count", 1)):
            value = getattr(options, name)
            if value != default:
                parser.error(f"--{name} {value} needs --seed")
    if options.theme and options.kind and options.kind not in options.theme.kinds:
        allowed = " or ".join(options.theme.kinds)
        parser.error(f"--theme {options.theme} does not go with --kind {options.kind}; allowed is {allowed}")
    if options.moves is None and (options.width, options.height) != (7, 6):
        parser.error(f"--width {options.width} --height {options.height}: only --moves takes another board than 7x6")


def _puzzles(options: argparse.Namespace, parser: argparse.ArgumentParser) -> Iterator[Puzzle]:
    """The puzzles that were asked for, each when it is wanted; a bad move string ends the program."""
    if options.moves is not None:
        try:
            game = Game.from_moves(options.moves, options.width, options.height)
        except errors.Connect4Error as error:
            parser.error(f"--moves: {error}")
        return iter(list(puzzles_of_game(Position(game.width, game.height), game.columns))[::-1])
    if options.seed is not None:
        seeds = range(options.seed, options.seed + options.count)
        return (draw_puzzle(seed, options.kind, options.level, options.theme) for seed in seeds)
    return iter([puzzle_of_the_day(options.date or date.today())])


def _show(puzzle: Puzzle, options: argparse.Namespace, *, is_first: bool) -> None:
    sys.stdout.write(("" if is_first else "\n") + _as_text(puzzle))
    if options.answer:
        sys.stdout.write(_answer_text(puzzle))
    elif os.isatty(0) and os.isatty(1):
        _ask(puzzle)


def _as_text(puzzle: Puzzle) -> str:
    position = puzzle.position
    sign = "XO"[position.player - 1]
    title = f"{_origin(puzzle)}, {puzzle.level}: {sign} to move. {puzzle.kind.question}"
    return f"{title}\n\n{position.drawing()}\n\n"


def _origin(puzzle: Puzzle) -> str:
    if isinstance(puzzle.origin, date):
        return f"Puzzle of {puzzle.origin}"
    if puzzle.origin is not None:
        return f"Puzzle {puzzle.origin}"
    return f"After move {len(puzzle.moves)}"


def _answer_text(puzzle: Puzzle) -> str:
    line = " ".join(_sign(column) for column in (puzzle.answer, *puzzle.line))
    why = "\n".join(_why(puzzle))
    return f"{puzzle.explanation()}\nBest play: {line}\n{why}\n"


def _why(puzzle: Puzzle) -> Iterator[str]:
    """The reason of the answer, in words; how cells are named comes last."""
    position = puzzle.position
    reason = puzzle.reason(Limits(hint_seconds(position.width, position.height)))
    yield f"Why: {reason.summary}"
    yield from wrap(reason.text, TEXT_COLUMNS)
    yield from wrap(LEGEND["cell"], TEXT_COLUMNS)


def _ask(puzzle: Puzzle) -> None:
    """Ask for the column until it is right, or the person wants to be told."""
    position = puzzle.position
    while True:
        sys.stdout.write("Your column (Enter shows the answer)> ")
        sys.stdout.flush()
        text = sys.stdin.readline().strip().lower()
        if not text:
            sys.stdout.write(_answer_text(puzzle))
            return
        column = _column(text)
        if column is None or not position.is_open(column):
            signs = ", ".join(map(_sign, position.legal_columns()))
            sys.stdout.write(f"{text[:20]!r} is not an open column: choose one of {signs}.\n")
            continue
        if column == puzzle.answer:
            sys.stdout.write(f"Right. {_answer_text(puzzle)}")
            return
        score = puzzle.scores[column]
        assert score is not None
        sys.stdout.write(f"Column {_sign(column)} {verdict(score, position.empty_count)}. Try again.\n")


def _column(text: str) -> int | None:
    """The column that a person means by its sign or its number."""
    if text.isascii() and text.isdecimal():
        return int(text[:9]) - 1
    return MOVE_SIGNS.index(text) if len(text) == 1 and text in MOVE_SIGNS else None


def _sign(column: int) -> str:
    return MOVE_SIGNS[column]


def _day(text: str) -> date:
    try:
        return read_day(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {error}") from None


def _count(text: str) -> int:
    number = whole_number(text)
    if not 1 <= number <= MAX_PUZZLES:
        raise argparse.ArgumentTypeError(f"{text!r} puzzles; allowed are 1 to {MAX_PUZZLES}")
    return number


def _note(program: str, message: str) -> None:
    sys.stderr.write(f"{program}: {message}\n")
