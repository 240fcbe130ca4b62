"""Contestants of a Python program, described as the arena needs them."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from connect4_agent import errors
from connect4_agent.agents.spec import command_words
from connect4_agent.api.players import NamedPlayer
from connect4_agent.api.programs import ProgramPlayer
from connect4_agent.arena.run.config import LONGEST_NAME
from connect4_agent.engine.players.foreign import ForeignPlayer, SupportsChoose, name_of
from connect4_agent.engine.players.player import Player
from connect4_agent.jobs.executor import in_processes
from connect4_agent.rules.position import Position
from connect4_agent.text import escaped, short

Contestant: TypeAlias = str | SupportsChoose | Callable[[Position], int]
"""What can take part in a match or tournament.

A player's description such as `"hard"`, a command line such as `"node bot.js"`, an object with
`choose(position, limits)` that returns a `Choice` or a column, or a function that takes a position and returns a
column.
"""


@dataclass(frozen=True, slots=True)
class Described:
    """A contestant as the arena needs it."""

    default_name: str
    values: dict[str, Any]
    """The keys of a tournament's description, without the name."""
    player: Player | None = None
    """The Python object itself."""


def described(contestant: Contestant) -> Described:
    """The contestant for the arena. Raises AgentError or BadValueError if it cannot take part."""
    if isinstance(contestant, str):
        command = command_words(contestant)
        return Described(contestant, {"player": contestant} if command is None else {"command": command})
    if isinstance(contestant, ProgramPlayer):
        return Described(contestant.spec.name, _program_values(contestant))
    if isinstance(contestant, NamedPlayer) and contestant.seed is None and contestant.evaluator is None:
        return Described(contestant.spec, {"player": contestant.spec})
    if isinstance(contestant, NamedPlayer):
        return Described(repr(contestant), {"python": short(repr(contestant), 200)}, contestant)
    player = ForeignPlayer(contestant)
    kind = contestant if hasattr(contestant, "__qualname__") else type(contestant)
    label = f"{kind.__module__}.{kind.__qualname__}"
    return Described(name_of(contestant), {"python": label}, player)


def _program_values(contestant: ProgramPlayer) -> dict[str, Any]:
    spec = contestant.spec
    return {
        "command": spec.command,
        "environment": dict(spec.environment),
        "directory": spec.directory,
        "start": spec.start,
        "request": spec.request,
        "time_limit_seconds": spec.limit_seconds,
        "startup_seconds": spec.startup_seconds,
    }


def names_for(contestants: list[Described]) -> list[str]:
    """A name for each: the default one, followed by a number if that is taken."""
    names: list[str] = []
    for each in contestants:
        whole = escaped(each.default_name) or "?"
        name = whole[:LONGEST_NAME]
        number = 2
        while name in names:
            suffix = f" #{number}"
            name = whole[: LONGEST_NAME - len(suffix)] + suffix
            number += 1
        names.append(name)
    return names


def check_workers(players: Mapping[str, Player]) -> None:
    """Try in a worker process whether there can be any, and whether each object arrives there.

    Raises WorkerLostError or PickleError. An object that does not arrive would take its worker, and its games, with it.
    """
    for name, player in players.items():
        try:
            pickle.dumps(player)
        except Exception as error:
            raise _not_portable(name, f"{type(error).__name__}: {error}") from error
    executor = in_processes(1)
    try:
        if executor.submit(bool, None).exception() is not None:
            raise errors.WorkerLostError(
                "worker processes cannot be started here: a program that sets jobs must be a file, and play its "
                'matches under `if __name__ == "__main__":`'
            )
        for name, player in players.items():
            if executor.submit(callable, player).exception() is not None:
                raise _not_portable(name, "they cannot import it")
    finally:
        executor.close()


def _not_portable(name: str, reason: str) -> errors.PickleError:
    return errors.PickleError(
        f"agent {name!r} cannot be sent to worker processes: {reason}. Use jobs=1, which plays in this process, or "
        "define the class or function at the top level of a module"
    )
