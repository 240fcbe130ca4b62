"""Programs that speak the protocol, as players for Python programs."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Literal, Self, TypeVar

from connect4_agent import errors
from connect4_agent.agents.contestant import Program
from connect4_agent.agents.faults import FaultError
from connect4_agent.agents.spec import (
    DEFAULT_GRACE_SECONDS,
    DEFAULT_STARTUP_SECONDS,
    Agent,
    RequestForm,
    StartForm,
    command_words,
)
from connect4_agent.api.players import check_question
from connect4_agent.arena.run.config import DEFAULT_LIMIT_SECONDS
from connect4_agent.engine.limits import NO_LIMITS, Limits
from connect4_agent.engine.players.player import Choice
from connect4_agent.rules.position import Position
from connect4_agent.text import short


def agent(
    command: str | Sequence[str],
    *,
    limit_seconds: float | None = DEFAULT_LIMIT_SECONDS,
    grace_seconds: float = DEFAULT_GRACE_SECONDS,
    startup_seconds: float = DEFAULT_STARTUP_SECONDS,
    directory: str | os.PathLike[str] | None = None,
    environment: Mapping[str, str] | None = None,
    start: Literal["bare", "flags", "words"] = "bare",
    request: Literal["full", "grid"] = "full",
) -> ProgramPlayer:
    """A program that speaks the JSON line protocol, as a player; guarded as in the arena.

    It is started when it is asked for its first move. At the end of the `with` block, or by `close()`, it is stopped,
    together with everything that it started.

    Args:
        command: The command line as you would type it, or a list of words. No shell reads it.
        limit_seconds: The time for a move; None for no limit.
        grace_seconds: How much later than its limit an answer may come.
        startup_seconds: The time to start, in addition to the time for the first move.
        directory: Where the program runs; None for the current directory.
        environment: Variables to add to this process's environment.
        start: What is added to the command line: nothing, `--player 1 --width 7 --height 6`, or `1 1 7 7 6 6`.
        request: What a request holds: all four keys, or the grid alone.

    Raises:
        AgentError: The command cannot be found or is a built-in player, or another value cannot be used.

    Example:
        >>> import connect4_agent as c4
        >>> with c4.agent("connect4-agent --level easy", limit_seconds=1.0) as bot:
        ...     bot.choose(c4.Position.from_moves("4455")).column
        2
    """
    return ProgramPlayer(
        Agent(
            name=_text_of(command),
            command=_words_of(command),
            environment=tuple(sorted((environment or {}).items())),
            directory=None if directory is None else os.fspath(directory),
            start=_one_of(StartForm, "start", start),
            request=_one_of(RequestForm, "request", request),
            limit_seconds=None if limit_seconds is None else _seconds("limit_seconds", limit_seconds),
            grace_seconds=_seconds("grace_seconds", grace_seconds, is_zero_allowed=True),
            startup_seconds=_seconds("startup_seconds", startup_seconds),
        )
    )


class ProgramPlayer:
    """A program as a player, made by `agent`. It is a context manager that stops the program at its end.

    In a match or tournament it plays like its command line: every game gets a new process.
    """

    def __init__(self, spec: Agent) -> None:
        self.spec = spec
        self._program: Program | None = None
        self._command: tuple[str, ...] = ()
        self._is_closed = False

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
        """The program's move, within the shorter of its own limit and the caller's.

        Raises FaultError if the program is late, crashes, does not start, or answers with anything but a legal move. It
        is then stopped, and started again for the next move.
        """
        check_question(position, limits)
        if self._is_closed:
            raise errors.AgentError(
                f"agent {self.spec.name!r} is closed: it cannot be asked after the end of its block"
            )
        command = self.spec.command_for(position.player, position.width, position.height)
        if self._program is not None and command != self._command:  # it was started for another player or board
            self._stop()
        try:
            if self._program is None:
                self._program, self._command = Program(self.spec, command, keep=False), command
            column, _ = self._program.move(position, limits.poll, limits.shorter(self.spec.limit_seconds))
        except BaseException:  # its next answer might belong to this question
            self._stop()
            raise
        return Choice(column, line=(column,))

    def close(self) -> None:
        """Stop the program and everything that it started. Raises FaultError if it printed too many moves."""
        self._is_closed = True
        program, self._program = self._program, None
        if program is not None:
            program.leave()

    def _stop(self) -> None:
        program, self._program = self._program, None
        if program is not None:
            with suppress(FaultError):
                program.leave()

    def __enter__(self) -> Self:
        """The player itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Stop the program, without hiding an error that ended the block."""
        if kind is None:
            self.close()
        else:
            self._is_closed = True
            self._stop()

    def __repr__(self) -> str:
        """The command line."""
        return f"agent({self.spec.name!r})"


def _text_of(command: str | Sequence[str]) -> str:
    if isinstance(command, str):
        return command
    try:
        return shlex.join(command)
    except TypeError:
        raise errors.AgentError(
            f"command is {short(repr(command))}; allowed are a command line and a list of its words"
        ) from None


def _words_of(command: str | Sequence[str]) -> tuple[str, ...]:
    """The words of the command. Raises AgentError."""
    if not isinstance(command, str):
        return tuple(command)
    words = command_words(command)
    if words is None:
        raise errors.AgentError(f"{command!r} is a player of this package, not a program: use player({command!r})")
    return words


Form = TypeVar("Form", StartForm, RequestForm)


def _one_of(forms: type[Form], name: str, value: str) -> Form:
    try:
        return forms(value)
    except ValueError:
        allowed = " and ".join(repr(form.value) for form in forms)
        raise errors.AgentError(f"{name} is {short(repr(value))}; allowed are {allowed}") from None


def _seconds(name: str, value: float, *, is_zero_allowed: bool = False) -> float:
    """A time. Raises AgentError if it is not one."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not (0 < value < float("inf") or (is_zero_allowed and value == 0)):
        least = "from 0 on" if is_zero_allowed else "above 0"
        raise errors.AgentError(f"{name} is {short(repr(value))}; allowed are numbers {least}")
    return float(value)
