"""Seats: who sits on which side of the board, and who begins."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from connect4_agent.arena.agents import Agent, command_words

if TYPE_CHECKING:
    from random import Random

PERSON = "person"
"""The word for a person where a built-in player or a command line could stand."""

LONGEST_NAME = 30
ENOUGH_OF_A_COMMAND = LONGEST_NAME - len("... #2")
"""The end of a long command line says more than its beginning."""

COMMAND_SECONDS = 10.0
"""The time for a move of a command line where no other is set: it may be silent for ever, and a person waits for it."""


class First(StrEnum):
    """Who begins."""

    ME = "me"
    OTHER = "other"
    RANDOM = "random"


@dataclass(frozen=True, slots=True)
class Seat:
    """A person, or the agent that plays in its place."""

    name: str
    agent: Agent | None = None

    @property
    def is_person(self) -> bool:
        """Whether a person plays here."""
        return self.agent is None


Seats = tuple[Seat, Seat]
"""Those of player 1, who begins, and of player 2."""


def seat_of(player: str, name: str, limit_seconds: float | None) -> Seat:
    """The seat for `person`, a built-in player or a command line. Raises AgentError where it is none of these."""
    name = printable(name)[:LONGEST_NAME]
    if player == PERSON:
        return Seat(name)
    command = command_words(player)
    if command is None:
        return Seat(name, Agent(name, player=player, limit_seconds=limit_seconds))
    return Seat(name, Agent(name, command=command, limit_seconds=limit_seconds or COMMAND_SECONDS))


def default_names(one: str, two: str) -> tuple[str, str]:
    """What the players are called where nobody says it; two of the same kind are told apart."""
    one, two = (
        name if len(name) <= ENOUGH_OF_A_COMMAND else f"...{name[-ENOUGH_OF_A_COMMAND:]}" for name in (one, two)
    )
    if one == two:
        return (f"{one} 1", f"{two} 2") if one == PERSON else (one, f"{two} #2")
    return "you" if one == PERSON else one, "you" if two == PERSON else two


def seated(one: Seat, two: Seat, first: First, source: Random) -> Seats:
    """Both on their sides; the random choice takes one number of the source."""
    is_one_first = first is First.ME or (first is First.RANDOM and source.random() < 0.5)
    return (one, two) if is_one_first else (two, one)


def printable(text: str) -> str:
    """The text on one line, without anything that could move a terminal's cursor or change its colours."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)
