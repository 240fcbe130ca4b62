"""Seats: the players of both sides, who begins, and the moves of agents."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from connect4_agent import errors
from connect4_agent.arena.agents.contestant import Contestant, seat_player
from connect4_agent.arena.agents.remote_program import RemoteProgram
from connect4_agent.arena.command_line import command_words
from connect4_agent.arena.faults import FaultError
from connect4_agent.arena.spec import AgentSpec, agent_name, new_spec
from connect4_agent.rules.position import Position
from connect4_agent.text import printable

PERSON = "person"
"""The word for a person, in place of a built-in player or a command line."""

YOU = "you"
"""The name of a person who gave none."""

MAX_SHOWN_NAME = 30
ENOUGH_OF_A_COMMAND = MAX_SHOWN_NAME - len("... 2")

MAX_EXCERPT = 200
"""The shown part of a failed agent's output."""

COMMAND_SECONDS = 10.0
"""The time for a move of a command line if none is set: a person must not wait forever for a silent program."""


LEVEL = "level:"


class First(StrEnum):
    """The player who begins."""

    ONE = "1"
    TWO = "2"
    RANDOM = "random"


@dataclass(frozen=True, slots=True)
class Seat:
    """A person, or the agent that plays in its place."""

    name: str
    agent: AgentSpec | None = None

    @property
    def is_person(self) -> bool:
        """Check whether a person plays here."""
        return self.agent is None

    @property
    def level(self) -> int | None:
        """The agent's level on the ladder; None for persons and other agents."""
        player = (self.agent and self.agent.player) or ""
        return int(player.removeprefix(LEVEL)) if player.startswith(LEVEL) else None


Seats = tuple[Seat, Seat]
"""The seats of player 1, who begins, and of player 2."""


def make_seat(player: str, name: str, limit_seconds: float | None, pass_env: Sequence[str] | None = None) -> Seat:
    """Return the seat for `person`, a built-in player or a command line. Raises AgentError if it is none of these."""
    name = printable(name)[:MAX_SHOWN_NAME]
    if player == PERSON:
        return Seat(name)
    command = command_words(player)
    if command is None:
        return Seat(name, new_spec({"name": agent_name(player), "player": player, "time_limit": limit_seconds}))
    limit_seconds = limit_seconds or COMMAND_SECONDS
    values = {"command": command, "time_limit": limit_seconds, "pass_env": pass_env}
    return Seat(name, new_spec({"name": agent_name(player), **values}))


def default_names(one: str, two: str) -> tuple[str, str]:
    """Return the names of players without a name; two of the same kind get different ones."""
    if one == two:
        return f"{_shown(one)} 1", f"{_shown(two)} 2"
    return YOU if one == PERSON else _shown(one), YOU if two == PERSON else _shown(two)


def _shown(player: str) -> str:
    """Return `Level 3`, a word, or the end of a long command line: it says more than its beginning."""
    if player.startswith(LEVEL):
        return player.replace(LEVEL, "Level ")
    return player if len(player) <= ENOUGH_OF_A_COMMAND else f"...{player[-ENOUGH_OF_A_COMMAND:]}"


def seated(one: Seat, two: Seat, first: First, source: Random) -> Seats:
    """Return both on their sides; a random choice takes one number from the source."""
    is_one_first = first is First.ONE or (first is First.RANDOM and source.random() < 0.5)
    return (one, two) if is_one_first else (two, one)


class TroubleError(Exception):
    """An agent that gave no move; the message is for the person who waits for it."""


class SeatedAgents:
    """The agents of two seats in one game."""

    def __init__(self, seats: Seats, seed: int) -> None:
        self._seats = seats
        self._contestants: dict[int, Contestant] = {
            player: RemoteProgram(seat.agent) if seat.agent.is_program else seat_player(seat.agent, seed)
            for player, seat in enumerate(seats, 1)
            if seat.agent is not None
        }

    def move(self, position: Position) -> int:
        """Return the legal column that the agent to move plays. Raises TroubleError; the agent is then restarted."""
        name = self._seats[position.player - 1].name
        try:
            return self._contestants[position.player].move(position).column
        except FaultError as error:
            raise TroubleError(f"{name}: {_in_words(error)}") from None
        except errors.ArenaError as error:
            raise TroubleError(f"{name} cannot be started: {error}") from None

    def stop(self) -> None:
        """Stop all agents: one that remembers this game must not see another one."""
        for contestant in self._contestants.values():
            if isinstance(contestant, RemoteProgram):
                with suppress(FaultError):  # it printed too much, but the game no longer depends on it
                    contestant.close()


def _in_words(error: FaultError) -> str:
    parts = [f"{error.kind}: {error.detail}"]
    if error.reply:
        parts.append(f"its answer was {printable(error.reply[:MAX_EXCERPT])} (columns in answers count from 0)")
    last_words = error.stderr_tail.strip().rpartition("\n")[2]
    if last_words:
        parts.append(f"its last line on standard error was {printable(last_words[:MAX_EXCERPT])}")
    return "; ".join(parts)
