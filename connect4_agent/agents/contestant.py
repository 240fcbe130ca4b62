"""Contestants: an agent in one game, behind one interface, whether it is a built-in player or a process."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable
from multiprocessing.util import Finalize
from time import perf_counter, thread_time
from typing import Protocol

from connect4_agent import errors
from connect4_agent.agents.agent_process import AgentProcess, Reply
from connect4_agent.agents.core_times import CoreTimes
from connect4_agent.agents.faults import FaultError, FaultKind
from connect4_agent.agents.spec import Agent, RequestForm
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.player import Player, choose
from connect4_agent.engine.players.registry import built_in_of, parse_player
from connect4_agent.engine.threads import VARIABLE as THREADS_VARIABLE
from connect4_agent.engine.threads import limited_to
from connect4_agent.rules.position import Position
from connect4_agent.wire.replies import read_move
from connect4_agent.wire.request import request_of

MARGIN_SHARE = 0.1
LONGEST_MARGIN_SECONDS = 0.02
"""A built-in player gets a limit that is shorter by a tenth, but by no more than this: it has to return in time."""

TRACEBACK_BYTES = 4096
"""How much is kept of the traceback of a player that raised, from its end."""

FAIR_THREADS = 1
"""The threads of a search: every agent has one core. A program's own `environment` may say otherwise."""

MOST_IDLE = 16
"""How many processes that outlive their games are kept waiting in one runner."""


class Contestant(Protocol):
    """An agent in one game."""

    core_times: CoreTimes | None
    """What a program had of the machine's cores in this game, known at its end; None if nobody tells."""

    def move(self, position: Position) -> tuple[int, float]:
        """The column that it plays, legal, and the seconds that it took. Raises FaultError."""

    def end_game(self) -> None:
        """Tell it that the game is over."""

    def leave(self) -> None:
        """Let it go. Raises FaultError if it turns out to have answered more than it was asked."""


def new_contestant(
    agent: Agent, player: int, width: int, height: int, seed: int, *, keep: bool, forgives_waiting: bool = False
) -> Contestant:
    """The agent as player number `player`. `keep` lets a process that need not restart wait for its next game.

    If waiting is forgiven, the time for which a program or a built-in player waits for a core does not count.
    """
    if agent.python is not None:
        return BuiltInContestant(agent, agent.python)
    if agent.player is not None:
        return BuiltInContestant(agent, built_in_player(agent.player, seed), forgives_waiting=forgives_waiting)
    command = agent.command_for(player, width, height)
    return Program(agent, command, keep=keep and not agent.restart, forgives_waiting=forgives_waiting)


def checked(position: Position, column: int) -> str | None:
    """What is illegal about the move; None if nothing is."""
    try:
        position.play(column)
    except errors.IllegalMoveError as error:
        return str(error)
    return None


class BuiltInContestant:
    """A built-in player or another Python object, in this process."""

    core_times: CoreTimes | None = None

    def __init__(self, agent: Agent, player: Player, *, forgives_waiting: bool = False) -> None:
        self._agent = agent
        self._player = player
        self._clock = thread_time if forgives_waiting else perf_counter
        limit = agent.limit_seconds
        self._told_seconds = None if limit is None else limit - min(limit * MARGIN_SHARE, LONGEST_MARGIN_SECONDS)

    def move(self, position: Position) -> tuple[int, float]:
        """Let the player choose."""
        limit, clock = self._agent.limit_seconds, self._clock
        allowed_seconds = float("inf") if limit is None else limit + self._agent.grace_seconds
        started_at, ran_before = perf_counter(), thread_time()
        latest = clock() + allowed_seconds

        def poll() -> None:
            if clock() > latest:
                raise TimeoutError

        def timed_out() -> FaultError:
            # A built-in player never sleeps: the time in which it did not run it waited for a core.
            is_machine_busy = self._agent.python is None and thread_time() - ran_before <= allowed_seconds
            return self._timed_out(perf_counter() - started_at, is_machine_busy=is_machine_busy)

        try:
            with limited_to(FAIR_THREADS):
                column = choose(self._player, position, Limits(self._told_seconds, poll)).column
        except TimeoutError:
            raise timed_out() from None
        except errors.ChoiceError as error:
            detail = str(error)
            raise FaultError(FaultKind.MALFORMED_REPLY, detail, elapsed_seconds=perf_counter() - started_at) from error
        except Exception as error:  # a player's defect loses its game and nothing more
            elapsed_seconds = perf_counter() - started_at
            trace = traceback.format_exc().encode(errors="replace")[-TRACEBACK_BYTES:]
            detail = f"{type(error).__name__}: {error}"
            raise FaultError(FaultKind.CRASHED, detail, stderr_tail=trace, elapsed_seconds=elapsed_seconds) from error
        if clock() > latest:
            raise timed_out()
        elapsed_seconds = perf_counter() - started_at
        if (problem := checked(position, column)) is not None:
            raise FaultError(FaultKind.ILLEGAL_MOVE, problem, elapsed_seconds=elapsed_seconds)
        return column, elapsed_seconds

    def _timed_out(self, elapsed_seconds: float, *, is_machine_busy: bool) -> FaultError:
        detail = f"no answer after {elapsed_seconds:.3f} s; its limit is {self._agent.limit_seconds:g} s"
        if is_machine_busy:
            detail += "; it waited for a core"
        return FaultError(FaultKind.TIMED_OUT, detail, elapsed_seconds=elapsed_seconds, is_machine_busy=is_machine_busy)

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

    def __init__(self, agent: Agent, command: tuple[str, ...], *, keep: bool, forgives_waiting: bool = False) -> None:
        self._agent = agent
        self._forgives_waiting = forgives_waiting
        self._keep = keep
        self._key = (agent, command)
        self._is_at_fault = False
        self._process = (_idle.take(self._key) if keep else None) or AgentProcess(
            command,
            {THREADS_VARIABLE: str(FAIR_THREADS), **dict(agent.environment)},
            agent.directory,
            agent.startup_seconds,
            agent.confinement,
        )
        self._times_before = self._process.core_times() if self._process.has_answered else None
        self.core_times: CoreTimes | None = None

    def move(
        self, position: Position, poll: Callable[[], None] | None = None, limit_seconds: float | None = None
    ) -> tuple[int, float]:
        """Ask the process, with another limit than its own if one is given.

        `poll` is called now and then while it thinks, and may raise to end that.
        """
        agent = self._agent
        request = request_of(position, grid_only=agent.request is RequestForm.GRID)
        try:
            reply = self._process.ask(
                request,
                limit_seconds or agent.limit_seconds,
                agent.grace_seconds,
                poll,
                forgives_waiting=self._forgives_waiting,
            )
            column = self._column(position, reply)
        except FaultError:
            self._is_at_fault = True
            raise
        if agent.pause_waiting:
            self._process.pause()
        return column, reply.elapsed_seconds

    def _column(self, position: Position, reply: Reply) -> int:
        try:
            column = read_move(reply.line)
        except errors.ReplyError as error:
            raise self._process.refused(FaultKind.MALFORMED_REPLY, str(error), reply) from None
        if (problem := checked(position, column)) is not None:
            raise self._process.refused(FaultKind.ILLEGAL_MOVE, problem, reply)
        return column

    def end_game(self) -> None:
        """Close its input, unless it is to play on."""
        times = self._process.core_times()
        self.core_times = times.since(self._times_before) if times and self._times_before else times
        self._process.resume()
        if not self._keep:
            self._process.end_input()

    def leave(self) -> None:
        """Stop the process, or keep it for its next game."""
        if self._keep and not self._is_at_fault and self._process.is_usable:
            if self._agent.pause_waiting:
                self._process.pause()
            _idle.give(self._key, self._process)
            return
        for line in self._process.stop():
            if not self._is_at_fault and _is_move(line):
                # One answer too many: which of the moves played were answers to their requests, nobody can tell.
                raise FaultError(
                    FaultKind.MALFORMED_REPLY, "it printed more answers than there were requests", reply=line
                )


def _is_move(line: bytes) -> bool:
    try:
        read_move(line)
    except errors.ReplyError:
        return False
    return True


class IdleProcesses:
    """The processes that wait for their next game, the longest waiting one first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[tuple[object, AgentProcess]] = []
        self._is_registered = False

    def take(self, key: object) -> AgentProcess | None:
        """A process for this agent and command line, if one waits."""
        with self._lock:
            for index, (waiting_key, process) in enumerate(self._waiting):
                if waiting_key == key:
                    del self._waiting[index]
                    return process
        return None

    def give(self, key: object, process: AgentProcess) -> None:
        """Let a process wait; where too many do, the first of them is stopped."""
        with self._lock:
            if not self._is_registered:
                # Workers of multiprocessing run these at their end, and not those of atexit.
                Finalize(None, self.stop_all, exitpriority=10)
                self._is_registered = True
            self._waiting.append((key, process))
            surplus = self._waiting[:-MOST_IDLE]
            del self._waiting[:-MOST_IDLE]
        for _, old in surplus:
            old.stop()

    def stop_all(self) -> None:
        """Stop all that wait."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for _, process in waiting:
            process.end_input()
        for _, process in waiting:
            process.stop()


_idle = IdleProcesses()
stop_idle = _idle.stop_all
