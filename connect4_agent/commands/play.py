"""connect4-agent play: a board in the terminal, for people and agents."""

from __future__ import annotations

import argparse
import os
import signal
from contextlib import suppress
from pathlib import Path
from random import Random

from connect4_agent import errors
from connect4_agent.arena.command_line import split_name
from connect4_agent.commands.shared.options import (
    LEVEL_SPECS,
    add_pass_env,
    integer,
    new_parser,
    say_if_interpreted,
    seconds,
)
from connect4_agent.jobs.interrupts import EXIT_INTERRUPTED
from connect4_agent.ui.terminal.console import Console, GoneError, give_up_output, lacking_terminal
from connect4_agent.ui.terminal.seats import PERSON, First, default_names, make_seat
from connect4_agent.ui.terminal.session import Game, Session
from connect4_agent.ui.terminal.terminal import Terminal

DESCRIPTION = """\
Play at a board in the terminal: against a built-in player or any command that speaks the JSON line protocol,
with two people at one board, or watch two agents. Each PLAYER is `person`, a built-in player
(`connect4-agent players` lists them), a Python file, or a command line in quotes. If you name only one, the
other is a person.
"""

EXAMPLES = """\
examples:
  connect4-agent play                       against the level played last
  connect4-agent play --level 3 --first 1   you begin against level 3
  connect4-agent play -p2 my-agent/agent.py --name Ann
  connect4-agent play -p1 person --name Ann --name Ben
  connect4-agent play -p1 random -p2 monte-carlo
  connect4-agent play --moves 4453 --scores

At the board, type a column. exit status: 0; 2 without a terminal or for a bad command line; 130
after Ctrl-C.
"""


def run(words: list[str]) -> int:
    """Play; the exit status."""
    parser = new_parser("connect4-agent play", DESCRIPTION, EXAMPLES)
    option = parser.group("who plays")
    option("-p1 PLAYER", "the first player, or NAME=PLAYER (default: person)")
    option("-p2 PLAYER", "the second player (default: the last level; with -p1, person)")
    option("--level LEVEL", "the level to play against: 1 to 10, or easy, medium, hard, perfect", choices=LEVEL_SPECS)
    option("--name NAME", "the name of the first player; given twice, of both", action="append", default=[])
    option(
        "--first",
        "who begins: the first player, the second, or one drawn at random (default: random)",
        choices=[first.value for first in First],
        default=First.RANDOM.value,
    )
    option("--time-limit SECONDS", "for an agent's move (default: 10 for commands)", seconds)
    option("--seed N", "make random choices repeatable", integer())
    add_pass_env(option)
    option = parser.group("what is played")
    option("--width W", "the board's columns (default: 7)", integer(), default=7)
    option("--height H", "the board's rows (default: 6)", integer(), default=6)
    option("--moves COLUMNS", "begin after these moves: 1-9, then a-z", default="")
    option("--scores", "show the score of every column from the start")
    options = parser.parse_args(words)
    try:
        session = _session(options, parser)
    except errors.Connect4Error as error:
        parser.error(str(error))
    lacking = lacking_terminal()
    if lacking is not None:
        parser.error(f"{lacking} is not a terminal; use `connect4-agent match` to let agents play")
    return _play(session, words, has_scores=options.scores)


def _session(options: argparse.Namespace, parser: argparse.ArgumentParser) -> Session:
    if len(options.name) > 2:
        parser.error(f"--name was given {len(options.name)} times; two play")
    if options.level is not None:
        if options.p2 is not None:
            parser.error(f"--level {options.level} and -p2 {options.p2} contradict each other: give one of them")
        options.p2 = LEVEL_SPECS[options.level]
    elif options.p1 is None and options.p2 is None:
        options.p2 = LEVEL_SPECS[last_level()]
    own_names, named = zip(*(split_name(player or PERSON) for player in (options.p1, options.p2)), strict=True)
    names = [*options.name, *default_names(*named)[len(options.name) :]]
    names = [own or name for own, name in zip(own_names, names, strict=True)]
    try:
        one, two = (
            make_seat(player, name, options.time_limit, options.pass_env)
            for player, name in zip(named, names, strict=True)
        )
    except errors.AgentError as error:
        parser.error(f"{error}; a person is called {PERSON}")
    try:
        game = Game.from_moves(options.moves, options.width, options.height)
    except errors.NotationError as error:
        parser.error(f"--moves: {error}")
    return Session(one, two, Random(options.seed), First(options.first), game)


def _play(session: Session, words: list[str], *, has_scores: bool) -> int:
    console = Console()
    greetings: list[str] = []
    say_if_interpreted(greetings.append)
    terminal = Terminal(session, console, has_scores, greetings)
    end_at_once = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        try:
            terminal.play()
            status = 0
        except KeyboardInterrupt:
            console.say("")
            status = EXIT_INTERRUPTED
        keep_level(session)
        signal.signal(signal.SIGINT, end_at_once)  # another Ctrl-C ends at once
        console.say(terminal.farewell(words))
    except GoneError:
        give_up_output()
        status = 0
    return status


def level_file() -> Path:
    """Return the file that holds the last level played."""
    return Path(os.environ.get("XDG_STATE_HOME") or "~/.local/state").expanduser() / "connect4-agent" / "level"


def last_level() -> str:
    """Return the level that was played last, otherwise the lowest."""
    with suppress(OSError, RuntimeError, ValueError):
        level = level_file().read_text().strip()
        return level if level.isdecimal() and level in LEVEL_SPECS else "1"
    return "1"


def keep_level(session: Session) -> None:
    """Remember the level for the next time; if that is not possible, it is forgotten."""
    with suppress(OSError, RuntimeError):
        if session.level:
            level_file().parent.mkdir(parents=True, exist_ok=True)
            level_file().write_text(f"{session.level}\n")
