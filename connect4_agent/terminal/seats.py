"""Seats: who plays which side, who begins, and the moves of agents."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random

from pydantic import BaseModel, ConfigDict, Field

from connect4_agent import errors
from connect4_agent.arena.agents.faults import FaultError
from connect4_agent.arena.agents.spec import AgentSpec, agent_name, command_words, new_spec
from connect4_agent.arena.worker import CallerSeats
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.rules.position import Position
from connect4_agent.text import printable

PERSON = "person"
"""The word for a person, in place of a built-in player or a command line."""

YOU = "you"
"""The name of a person who gave none."""

MAX_SHOWN_NAME = 30
ENOUGH_OF_A_COMMAND = MAX_SHOWN_NAME - len("... #2")
"""How much of a long command line is shown: its end says more than its beginning."""

MAX_EXCERPT = 200
"""How much of a failed agent's output is shown."""

COMMAND_SECONDS = 10.0
"""The time for a move of a command line if none is set: a person must not wait forever for a silent program."""


class First(StrEnum):
    """Who begins."""

    ME = "me"
    OTHER = "other"
    RANDOM = "random"


@dataclass(frozen=True, slots=True)
class Seat:
    """A person, or the agent that plays in its place."""

    name: str
    agent: AgentSpec | None = None

    @property
    def is_person(self) -> bool:
        """Whether a person plays here."""
        return self.agent is None


Seats = tuple[Seat, Seat]
"""Those of player 1, who begins, and of player 2."""


class SavedPlayer(BaseModel):
    """Who played a saved game."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: str = Field(max_length=200)
    player: str = Field(max_length=1 << 14)
    """`person`, a built-in player or a command line."""


def seat_of(player: str, name: str, limit_seconds: float | None) -> Seat:
    """The seat for `person`, a built-in player or a command line. Raises AgentError if it is none of these."""
    name = printable(name)[:MAX_SHOWN_NAME]
    if player == PERSON:
        return Seat(name)
    command = command_words(player)
    if command is None:
        return Seat(name, new_spec({"name": agent_name(player), "player": player, "limit_seconds": limit_seconds}))
    limit_seconds = limit_seconds or COMMAND_SECONDS
    return Seat(name, new_spec({"name": agent_name(player), "command": command, "limit_seconds": limit_seconds}))


def spec_of(seat: Seat) -> str:
    """The text from which `seat_of` makes the same player."""
    if seat.agent is None:
        return PERSON
    return seat.agent.player or shlex.join(seat.agent.command or ())


def words_of(one: Seat, two: Seat) -> list[str]:
    """The words of `connect4-agent play` that seat the same two again, with the same names and times."""
    specs = [spec_of(one), spec_of(two)]
    words = specs[1:] if specs[0] == PERSON else specs
    if (one.name, two.name) != default_names(*specs):
        words += [f"--name={one.name}", f"--name={two.name}"]  # one word: a name may begin with a hyphen
    for seat in (one, two):
        seconds = None if seat.agent is None else seat.agent.limit_seconds
        if seat.agent is not None and seconds != (None if seat.agent.command is None else COMMAND_SECONDS):
            return [*words, "--time-limit", f"{seconds:g}"]
    return words


def seats_again(players: Sequence[SavedPlayer], seats: Seats) -> tuple[Seats, list[str]]:
    """The seats of a saved game, and notes about them.

    A file never starts a program: a command line takes a seat only if it is already at the board; otherwise the present
    player stays.
    """
    taken, notes = [], []
    for saved, here in zip(players, seats, strict=True):
        player, shown = saved.player, printable(saved.name)[:MAX_SHOWN_NAME]
        known = next((seat for seat in seats if spec_of(seat) == player), None)
        if known is not None:
            taken.append(replace(known, name=shown))
        elif player == PERSON or _is_built_in(player):
            taken.append(seat_of(player, shown, None))
        else:
            taken.append(here)
            notes.append(
                f"{shown} was played by a program, which a saved game does not start; {here.name} plays instead."
            )
    return (taken[0], taken[1]), notes


def _is_built_in(player: str) -> bool:
    try:
        parse_player(player)
    except errors.PlayerSpecError:
        return False
    return True


def default_names(one: str, two: str) -> tuple[str, str]:
    """The names of players without a name; two of the same kind get different ones."""
    one, two = (
        name if len(name) <= ENOUGH_OF_A_COMMAND else f"...{name[-ENOUGH_OF_A_COMMAND:]}" for name in (one, two)
    )
    if one == two:
        return (f"{one} 1", f"{two} 2") if one == PERSON else (one, f"{two} #2")
    return YOU if one == PERSON else one, YOU if two == PERSON else two


def seated(one: Seat, two: Seat, first: First, source: Random) -> Seats:
    """Both on their sides; a random choice takes one number from the source."""
    is_one_first = first is First.ME or (first is First.RANDOM and source.random() < 0.5)
    return (one, two) if is_one_first else (two, one)


class TroubleError(Exception):
    """An agent that gave no move; the message is for the person who waits for it."""


class SeatedAgents:
    """The agents of two seats in one game."""

    def __init__(self, seats: Seats, seed: int) -> None:
        self._seats = seats
        self._seed = seed
        self._callers = tuple(CallerSeats() for _ in seats)

    def move(self, position: Position) -> int:
        """The legal column that the agent to move plays. Raises TroubleError; the agent is then restarted."""
        player = position.player
        seat = self._seats[player - 1]
        assert seat.agent is not None
        try:
            contestant = self._callers[player - 1].seat(seat.agent, player, position.width, position.height, self._seed)
            return contestant.move(position).column
        except FaultError as error:
            raise TroubleError(f"{seat.name}: {_in_words(error)}") from None
        except errors.ArenaError as error:
            raise TroubleError(f"{seat.name} cannot be started: {error}") from None

    def stop(self) -> None:
        """Stop all agents: one that remembers this game must not see another one."""
        for caller in self._callers:
            with suppress(FaultError):  # it printed too much, but the game no longer depends on it
                caller.close()


def _in_words(error: FaultError) -> str:
    parts = [f"{error.kind}: {error.detail}"]
    if error.reply:
        parts.append(f"its answer was {printable(error.reply[:MAX_EXCERPT])} (columns in answers count from 0)")
    last_words = error.stderr_tail.strip().rpartition("\n")[2]
    if last_words:
        parts.append(f"its last line on standard error was {printable(last_words[:MAX_EXCERPT])}")
    return "; ".join(parts)
