"""Contestants: an agent in one game, behind one interface, whether it is a built-in player or a program."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import NamedTuple, Protocol

from connect4_agent import errors
from connect4_agent.arena.faults import Ending, FaultError
from connect4_agent.arena.spec import AgentSpec
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.player import Player, choose
from connect4_agent.engine.players.registry import built_in_of, parse_player
from connect4_agent.rules.position import Position

MARGIN_SHARE = 0.1
MAX_MARGIN_SECONDS = 0.02
"""A built-in player gets a limit that is shorter by a tenth, but by no more than this: it has to return in time."""

TRACEBACK_CHARACTERS = 4096
"""How much is kept of the traceback of a player that raised, from its end."""


class Move(NamedTuple):
    """A legal column, and the time that it took."""

    column: int
    elapsed_seconds: float
    startup_seconds: float = 0.0
    """How much of its start-up allowance a program used before its first move, beyond its limit."""


class Contestant(Protocol):
    """An agent in one game."""

    def move(self, position: Position) -> Move:
        """Its move. Raises FaultError."""


class Seats(Protocol):
    """Makes contestants for one game after the other, and ends what belongs to them."""

    def begin_game(self, specs: Sequence[AgentSpec]) -> None:
        """Prepare a game between these agents."""

    def seat(self, spec: AgentSpec, player: int, width: int, height: int, seed: int) -> Contestant:
        """The agent as player number `player`. Raises FaultError if it does not start."""

    def end_game(self) -> dict[int, FaultError]:
        """End the programs of the game; what players turn out to have done wrong, by their numbers."""


def problem_of(position: Position, column: int) -> str | None:
    """What is illegal about the move; None if nothing is."""
    if position.is_open(column):
        return None
    try:
        position.play(column)
    except errors.IllegalMoveError as error:
        return str(error)
    return None


class BuiltInContestant:
    """A built-in player or another Python object, in this process. `tend` is called while it thinks."""

    def __init__(self, spec: AgentSpec, player: Player, tend: Callable[[], None] = do_nothing) -> None:
        self._spec = spec
        self._player = player
        self._tend = tend

    def move(self, position: Position) -> Move:
        """Let the player choose."""
        limit = self._spec.time_limit
        usable_seconds = None if limit is None else limit - min(limit * MARGIN_SHARE, MAX_MARGIN_SECONDS)
        started_at = perf_counter()
        latest = float("inf") if limit is None else started_at + limit + (self._spec.grace or 0.0)

        def poll() -> None:
            if perf_counter() > latest:
                raise TimeoutError
            self._tend()

        try:
            column = choose(self._player, position, Limits(usable_seconds, poll)).column
            if perf_counter() > latest:
                raise TimeoutError
        except TimeoutError:
            elapsed_seconds = perf_counter() - started_at
            detail = f"no answer after {elapsed_seconds:.3f} s; its limit is {limit:g} s"
            raise FaultError(Ending.TIMED_OUT, detail, elapsed_seconds=elapsed_seconds) from None
        except errors.ChoiceError as error:
            elapsed_seconds = perf_counter() - started_at
            raise FaultError(Ending.MALFORMED_REPLY, str(error), elapsed_seconds=elapsed_seconds) from error
        except Exception as error:  # a player's defect loses its game and nothing more
            elapsed_seconds = perf_counter() - started_at
            trace = traceback.format_exc()[-TRACEBACK_CHARACTERS:]
            detail = f"{type(error).__name__}: {error}"
            raise FaultError(Ending.CRASHED, detail, stderr_tail=trace, elapsed_seconds=elapsed_seconds) from error
        elapsed_seconds = perf_counter() - started_at
        if (problem := problem_of(position, column)) is not None:
            raise FaultError(Ending.ILLEGAL_MOVE, problem, elapsed_seconds=elapsed_seconds)
        return Move(column, elapsed_seconds)


_players = threading.local()


def built_in_player(spec: str, seed: int) -> Player:
    """The player of this description.

    One that is random anyway gets the game's seed, so that the game can be repeated. Any other stays what the
    server plays without a seed, and is used again in the thread's next game: a search brings large tables with it.
    """
    if built_in_of(spec).is_random:
        return parse_player(spec, seed)
    players: dict[str, Player] = _players.__dict__.setdefault("players", {})
    if spec not in players:
        players[spec] = parse_player(spec)
    return players[spec]
