"""Contestant: an agent in one game; and a player of this process as one."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from time import perf_counter
from types import MappingProxyType
from typing import NamedTuple, Protocol

from connect4_agent import errors
from connect4_agent.arena.faults import Ending, FaultError
from connect4_agent.arena.spec import AgentSpec
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.player import Player, choose
from connect4_agent.engine.players.registry import find_built_in, parse_player
from connect4_agent.rules.position import Position

MARGIN_SHARE = 0.1
MAX_MARGIN_SECONDS = 0.02
"""A player gets a limit that is shorter by a tenth, but by no more than this: it has to return in time."""

TRACEBACK_CHARACTERS = 4096
"""The longest end of the traceback of a player that raised, in a record."""


class Move(NamedTuple):
    """A legal column, and the time that it took."""

    column: int
    elapsed_seconds: float
    startup_seconds: float = 0.0
    """The part of the start-up allowance that a program used before its first move, beyond its limit."""
    stats: Mapping[str, float] = MappingProxyType({})
    """The numbers that came with the move."""


class Contestant(Protocol):
    """An agent in one game."""

    def move(self, position: Position) -> Move:
        """Return the agent's move. Raises FaultError."""

    def dismiss(self) -> None:
        """Tell the agent that the game is over, without waiting."""

    def end(self) -> None:
        """End what the agent has started in the game. Raises FaultError if it answered more than it was asked."""


def find_problem(position: Position, column: int) -> str | None:
    """Return what is illegal about a move; None if nothing is."""
    if position.is_open(column):
        return None
    try:
        position.play(column)
    except errors.IllegalMoveError as error:
        return str(error)
    return None


class PlayerContestant:
    """A built-in player or another Python object, in this process. `tend` is called while it thinks."""

    def __init__(self, spec: AgentSpec, player: Player, tend: Callable[[], None] = do_nothing) -> None:
        self._spec = spec
        self._player = player
        self._tend = tend

    def move(self, position: Position) -> Move:
        """Let the player choose. Raises FaultError."""
        limit = self._spec.time_limit
        usable_seconds = None if limit is None else limit - min(limit * MARGIN_SHARE, MAX_MARGIN_SECONDS)
        started_at = perf_counter()
        latest = float("inf") if limit is None else started_at + limit + (self._spec.grace or 0.0)

        def poll() -> None:
            if perf_counter() > latest:
                raise TimeoutError
            self._tend()

        def fault(kind: Ending, detail: str, trace: str = "") -> FaultError:
            return FaultError(kind, detail, stderr_tail=trace, elapsed_seconds=perf_counter() - started_at)

        try:
            column = choose(self._player, position, Limits(usable_seconds, poll)).column
            if perf_counter() > latest:
                raise TimeoutError
        except TimeoutError:
            elapsed_seconds = perf_counter() - started_at
            detail = f"no answer after {elapsed_seconds:.3f} s; its limit is {limit:g} s"
            raise fault(Ending.TIMED_OUT, detail) from None
        except errors.ChoiceError as error:
            raise fault(Ending.MALFORMED_REPLY, str(error)) from error
        except Exception as error:  # a player's defect loses its game and nothing more
            trace = traceback.format_exc()[-TRACEBACK_CHARACTERS:]
            raise fault(Ending.CRASHED, f"{type(error).__name__}: {error}", trace) from error
        if (problem := find_problem(position, column)) is not None:
            raise fault(Ending.ILLEGAL_MOVE, problem)
        return Move(column, perf_counter() - started_at)

    def dismiss(self) -> None:
        """Do nothing: a player has nothing to end."""

    def end(self) -> None:
        """Do nothing, for the same reason."""


def seat_player(spec: AgentSpec, seed: int, tend: Callable[[], None] = do_nothing) -> PlayerContestant:
    """Return a built-in player as a contestant; the seed makes a game of a random player repeatable."""
    assert spec.player is not None
    player = parse_player(spec.player, seed if find_built_in(spec.player).is_random else None)
    return PlayerContestant(spec, player, tend)
