"""The agents that play at the board in the terminal, each started when it is first asked."""

from __future__ import annotations

from contextlib import suppress

from connect4_agent import errors
from connect4_agent.arena.agents.faults import FaultError
from connect4_agent.arena.worker import CallerSeats
from connect4_agent.rules.position import Position
from connect4_agent.terminal.seats import Seats
from connect4_agent.text import printable

MAX_EXCERPT = 200


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
        parts.append(f"its answer was {_excerpt(error.reply)} (columns in answers count from 0)")
    last_words = error.stderr_tail.strip().rpartition("\n")[2]
    if last_words:
        parts.append(f"its last line on standard error was {_excerpt(last_words)}")
    return "; ".join(parts)


def _excerpt(text: str) -> str:
    return printable(text[:MAX_EXCERPT])
