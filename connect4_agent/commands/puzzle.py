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
from connect4_agent.commands.shared.options import EXIT_FAILED, integer, new_parser, say_if_interpreted
from connect4_agent.commands.shared.output import reader_may_leave
from connect4_agent.reasons.words import LEGEND, describe, name_colours
from connect4_agent.rules.notation import MOVE_SIGNS, parse_moves
from connect4_agent.rules.position import Position
from connect4_agent.text import counted
from connect4_agent.ui.puzzles import (
    LAST_NUMBER,
    Puzzle,
    PuzzleLevel,
    PuzzleLine,
    PuzzleTheme,
    draw_puzzle,
    puzzle_of_the_day,
    puzzles_of_game,
    read_day,
)

MAX_PUZZLES = 1000

NAMES = name_colours()

TEXT_COLUMNS = 100
"""The width of printed reasons."""

DESCRIPTION = """\
Win, save the draw, or spot the trap: positions in which exactly one column is right.
Without an option it is the puzzle of the day, the same on every machine. The solver has proved every answer.
If standard input is a terminal, you play the whole line; elsewhere the puzzle is printed.
"""

EXAMPLES = """\
examples:
  connect4-agent puzzle                              the puzzle of the day
  connect4-agent puzzle --date 2027-01-31            of another day
  connect4-agent puzzle --theme zugzwang --seed 7    decided by zugzwang
  connect4-agent puzzle --theme trap --seed 7        which column loses?
  connect4-agent puzzle --seed 1 --count 20 --json   twenty, as JSON
  connect4-agent puzzle --moves 44444162353          the mistakes of a game

exit status: 0; 1 if the game has no mistake that makes a puzzle; 2 for a bad command line.
"""


def run(words: list[str]) -> int:
    """Ask; the exit status."""
    parser = new_parser("connect4-agent puzzle", DESCRIPTION, EXAMPLES)
    option = parser.group("which puzzle")
    option("--date YYYY-MM-DD", "the puzzle of this day (default: today)", _day)
    option("--seed N", "the puzzle with this number", integer(1, LAST_NUMBER))
    option("--moves COLUMNS", "the mistakes of this game: 1-9, then a-z, such as 4453")
    option(
        "--theme",
        "with --seed: why the answer is right (default: any but trap)",
        PuzzleTheme,
        choices=tuple(PuzzleTheme),
    )
    option("--level", "with --seed: how deep it is", PuzzleLevel, choices=tuple(PuzzleLevel))
    option("--count N", "with --seed: N puzzles, this number and the next ones", integer(1, MAX_PUZZLES))
    option("--width W", "with --moves: the board's columns", integer(1, len(MOVE_SIGNS)), default=7)
    option("--height H", "with --moves: the board's rows", integer(), default=6)
    option = parser.group("how it is shown")
    option("--json", "a line of JSON for each puzzle, columns from 0")
    option("--answer", "print the answer below the puzzle instead of asking")
    options = parser.parse_args(words)
    _refuse_contradictions(options, parser)
    say_if_interpreted(lambda message: _note(parser.prog, message))
    puzzles = _puzzles(options, parser)
    count = 0
    with reader_may_leave():
        for count, puzzle in enumerate(puzzles, 1):
            if options.json:
                sys.stdout.write(orjson.dumps(puzzle.to_dict()).decode() + "\n")
            else:
                sys.stdout.write("\n" if count > 1 else "")
                _show(puzzle, options)
            sys.stdout.flush()
    if count == 0:
        _note(parser.prog, "this game has no mistake that changed the result and had exactly one right column instead")
        return EXIT_FAILED
    return 0


def _refuse_contradictions(options: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    given = {name for name, value in vars(options).items() if value is not None and value is not False}
    both = [f"--{name}" for name in ("date", "seed", "moves") if name in given]
    if len(both) > 1:
        parser.error(f"{' and '.join(both)} contradict each other: give one of them")
    for name in ("level", "theme", "count"):
        if name in given and "seed" not in given:
            parser.error(f"--{name} {getattr(options, name)} needs --seed")
    if options.theme and options.level and options.level not in options.theme.levels:
        allowed = " or ".join(options.theme.levels)
        parser.error(f"--theme {options.theme} has no puzzles of --level {options.level}; allowed is {allowed}")
    if options.moves is None and (options.width, options.height) != (7, 6):
        parser.error(f"--width {options.width} --height {options.height}: only --moves takes another board than 7x6")


def _puzzles(options: argparse.Namespace, parser: argparse.ArgumentParser) -> Iterator[Puzzle]:
    """Return the puzzles that were asked for, each when it is wanted; a bad move string ends the program."""
    if options.moves is not None:
        try:
            Position.from_moves(options.moves, options.width, options.height)
        except errors.Connect4Error as error:
            parser.error(f"--moves: {error}")
        start = Position(options.width, options.height)
        return iter(list(puzzles_of_game(start, parse_moves(options.moves)))[::-1])
    if options.seed is not None:
        numbers = range(options.seed, options.seed + (options.count or 1))
        return (draw_puzzle(number, options.theme, options.level) for number in numbers)
    return iter([puzzle_of_the_day(options.date or date.today())])


def _show(puzzle: Puzzle, options: argparse.Namespace) -> None:
    position = puzzle.position
    name = NAMES[position.player - 1]
    sys.stdout.write(f"{puzzle.name}: {name} to move. {puzzle.question}\n\n{position.drawing()}\n\n")
    if options.answer:
        sys.stdout.write(_answer_text(puzzle))
    elif os.isatty(0) and os.isatty(1):
        _ask(puzzle)


def _answer_text(puzzle: Puzzle) -> str:
    """Return the answer, and why it is right; how cells are counted comes last."""
    why = f"Why: {describe(puzzle.reason, NAMES, brief=True)}"
    reason = [*wrap(why, TEXT_COLUMNS), *wrap(describe(puzzle.reason, NAMES), TEXT_COLUMNS), LEGEND["row"]]
    line = " ".join(map(_sign, (puzzle.answer, *puzzle.line)))
    return "\n".join([puzzle.explanation(), f"Best play: {line}", *reason, ""])


def _ask(puzzle: Puzzle) -> None:
    """Ask for columns until the line is played to its end, or the person wants to see the answer."""
    line = PuzzleLine(puzzle)
    while not line.is_solved:
        column = _read_column(line.position)
        if column is None:
            sys.stdout.write(_answer_text(puzzle))
            return
        words = line.verdict(column)
        if not line.accepts(column):
            sys.stdout.write(f"Column {_sign(column)} {words}. Try again.\n")
            continue
        reply = line.play(column)
        if reply is not None:
            name = NAMES[2 - line.position.player]
            left = counted(line.moves_left, "move")
            sys.stdout.write(f"Right. {name} answers {_sign(reply)}.\n\n{line.position.drawing()}\n\n{left} to go.\n")
    sys.stdout.write(f"Solved. {_answer_text(puzzle)}")


def _read_column(position: Position) -> int | None:
    """Return an open column; None if the person presses Enter alone, or leaves."""
    while True:
        sys.stdout.write("Your column (Enter shows the answer)> ")
        sys.stdout.flush()
        text = sys.stdin.readline().strip().lower()
        if not text:
            return None
        column = _column(text)
        if column is not None and position.is_open(column):
            return column
        signs = ", ".join(map(_sign, position.legal_columns()))
        sys.stdout.write(f"{text[:20]!r} is not an open column: choose one of {signs}.\n")


def _column(text: str) -> int | None:
    """Return the column that a person means by its sign or its number."""
    if text.isascii() and text.isdecimal():
        return int(text[:9]) - 1
    return MOVE_SIGNS.index(text) if len(text) == 1 and text in MOVE_SIGNS else None


def _sign(column: int) -> str:
    return MOVE_SIGNS[column]


def _day(text: str) -> date:
    try:
        return read_day(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _note(program: str, message: str) -> None:
    sys.stderr.write(f"{program}: {message}\n")
