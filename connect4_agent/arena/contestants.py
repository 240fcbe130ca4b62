"""Contestants: an agent in one game, behind one interface, whether it is a built-in player or a process."""

from __future__ import annotations

import threading
from multiprocessing.util import Finalize
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from connect4_agent import errors, protocol
from connect4_agent.arena.agents import RequestForm
from connect4_agent.arena.child import Child, FaultError, Reply
from connect4_agent.arena.record import Ending
from connect4_agent.engine.players import Limits, built_in_of, parse_player

if TYPE_CHECKING:
    from collections.abc import Callable

    from connect4_agent.arena.agents import Agent
    from connect4_agent.engine.players import Player
    from connect4_agent.position import Position

MARGIN_SHARE = 0.1
LONGEST_MARGIN_SECONDS = 0.02
"""A built-in player is told a limit that is shorter by a tenth, but by no more than this: it has to come back, too."""

MOST_IDLE = 16
"""How many processes that outlive their games are kept waiting in one runner."""


class Contestant(Protocol):
    """An agent in one game."""

    def move(self, position: Position) -> tuple[int, float]:
        """The column that it plays, legal, and the seconds that it took. Raises FaultError."""

    def end_game(self) -> None:
        """Tell it that the game is over."""

    def leave(self) -> None:
        """Let it go. Raises FaultError if it turns out to have answered more than it was asked."""


def contestant(agent: Agent, player: int, width: int, height: int, seed: int, *, keep: bool) -> Contestant:
    """The agent as player number `player`. `keep` lets a process that need not restart wait for its next game."""
    if agent.player is not None:
        return BuiltIn(agent, agent.player, seed)
    return Program(agent, agent.command_for(player, width, height), keep=keep and not agent.restart)


def checked(position: Position, column: int) -> str | None:
    """What is illegal about the move; None if nothing is."""
    try:
        position.play(column)
    except errors.IllegalMoveError as error:
        return str(error)
    return None


class BuiltIn:
    """A built-in player, in this process."""

    def __init__(self, agent: Agent, spec: str, seed: int) -> None:
        self._agent = agent
        self._player = built_in_player(spec, seed)
        limit = agent.limit_seconds
        self._told_seconds = None if limit is None else limit - min(limit * MARGIN_SHARE, LONGEST_MARGIN_SECONDS)

    def move(self, position: Position) -> tuple[int, float]:
        """Let the player choose."""
        limit, started_at = self._agent.limit_seconds, perf_counter()
        latest = float("inf") if limit is None else started_at + limit + self._agent.grace_seconds

        def poll() -> None:
            if perf_counter() > latest:
                raise TimeoutError

        try:
            column = self._player.choose(position, Limits(self._told_seconds, poll)).column
        except TimeoutError:
            raise self._timed_out(perf_counter() - started_at) from None
        except Exception as error:  # a player's defect loses its game and nothing more
            detail = f"{type(error).__name__}: {error}"
            raise FaultError(Ending.CRASHED, detail, elapsed_seconds=perf_counter() - started_at) from error
        now = perf_counter()
        if now > latest:
            raise self._timed_out(now - started_at)
        if (problem := checked(position, column)) is not None:
            raise FaultError(Ending.ILLEGAL_MOVE, problem, elapsed_seconds=now - started_at)
        return column, now - started_at

    def _timed_out(self, elapsed_seconds: float) -> FaultError:
        detail = f"no answer after {elapsed_seconds:.3f} s; its limit is {self._agent.limit_seconds:g} s"
        return FaultError(Ending.TIMED_OUT, detail, elapsed_seconds=elapsed_seconds)

    def end_game(self) -> None:
        """Nothing to do."""

    def leave(self) -> None:
        """Nothing to do."""


_players = threading.local()


def built_in_player(spec: str, seed: int) -> Player:
    """The player of this description.

    One that is random anyway gets the game's seed, so that the game can be repeated. Any other stays what the
    server plays without a seed, and is kept for the thread's next game: a search brings large tables with it.
    """
    if built_in_of(spec).is_random:
        return parse_player(spec, seed)
    kept: dict[str, Player] = _players.__dict__.setdefault("kept", {})
    if spec not in kept:
        kept[spec] = parse_player(spec)
    return kept[spec]


class Program:
    """An agent as a process."""

    def __init__(self, agent: Agent, command: tuple[str, ...], *, keep: bool) -> None:
        self._agent = agent
        self._keep = keep
        self._key = (agent, command)
        self._is_at_fault = False
        self._child = (_idle.take(self._key) if keep else None) or Child(
            command, dict(agent.environment), agent.directory, agent.startup_seconds
        )

    def move(
        self, position: Position, poll: Callable[[], None] | None = None, limit_seconds: float | None = None
    ) -> tuple[int, float]:
        """Ask the process, with another limit than its own if one is given.

        `poll` is called now and then while it thinks, and may raise to end that.
        """
        agent = self._agent
        request = protocol.request_of(position, grid_only=agent.request is RequestForm.GRID)
        try:
            reply = self._child.ask(request, limit_seconds or agent.limit_seconds, agent.grace_seconds, poll)
            return self._column(position, reply), reply.elapsed_seconds
        except FaultError:
            self._is_at_fault = True
            raise

    def _column(self, position: Position, reply: Reply) -> int:
        try:
            column = protocol.read_move(reply.line)
        except errors.ReplyError as error:
            raise self._child.refused(Ending.MALFORMED_REPLY, str(error), reply) from None
        if (problem := checked(position, column)) is not None:
            raise self._child.refused(Ending.ILLEGAL_MOVE, problem, reply)
        return column

    def end_game(self) -> None:
        """Close its input, unless it is to play on."""
        if not self._keep:
            self._child.end_input()

    def leave(self) -> None:
        """Stop the process, or keep it for its next game."""
        if self._keep and not self._is_at_fault and self._child.is_usable:
            _idle.give(self._key, self._child)
            return
        for line in self._child.stop():
            if not self._is_at_fault and _is_move(line):
                # One answer too many: which of the moves played were answers to their requests, nobody can tell.
                raise FaultError(Ending.MALFORMED_REPLY, "it printed more answers than it was asked for", reply=line)


def _is_move(line: bytes) -> bool:
    try:
        protocol.read_move(line)
    except errors.ReplyError:
        return False
    return True


class IdleChildren:
    """The processes that wait for their next game, the longest waiting one first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[tuple[object, Child]] = []
        self._is_registered = False

    def take(self, key: object) -> Child | None:
        """A process for this agent and command line, if one waits."""
        with self._lock:
            for index, (waiting_key, child) in enumerate(self._waiting):
                if waiting_key == key:
                    del self._waiting[index]
                    return child
        return None

    def give(self, key: object, child: Child) -> None:
        """Let a process wait; where too many do, the first of them is stopped."""
        with self._lock:
            if not self._is_registered:
                # Workers of multiprocessing run these at their end, and not those of atexit.
                Finalize(None, self.stop_all, exitpriority=10)
                self._is_registered = True
            self._waiting.append((key, child))
            surplus = self._waiting[:-MOST_IDLE]
            del self._waiting[:-MOST_IDLE]
        for _, old in surplus:
            old.stop()

    def stop_all(self) -> None:
        """Stop whatever waits."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for _, child in waiting:
            child.end_input()
        for _, child in waiting:
            child.stop()


_idle = IdleChildren()
stop_idle = _idle.stop_all
