"""Players from outside the package: any object with `choose`, or a function from a position to a column."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any, Protocol

from connect4_agent import errors
from connect4_agent.engine.limits import NO_LIMITS, Limits
from connect4_agent.engine.players.player import Choice
from connect4_agent.rules.position import Position
from connect4_agent.text import short


class SupportsChoose(Protocol):
    """An object that chooses moves."""

    def choose(self, position: Position, limits: Limits, /) -> Choice | int:
        """Return the choice, or just its column."""


class ForeignPlayer:
    """A foreign object or function as a player, whose answers are checked.

    Raises BadValueError if it cannot be asked for moves.
    """

    def __init__(self, chooser: SupportsChoose | Callable[[Position], int]) -> None:
        _check(chooser)
        self.chooser = chooser

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
        """Return what the object chooses. Raises ChoiceError if that is neither a Choice nor a column."""
        chooser: Any = self.chooser
        answer = chooser.choose(position, limits) if hasattr(chooser, "choose") else chooser(position)
        column = answer.column if isinstance(answer, Choice) else answer
        if isinstance(column, bool) or not hasattr(column, "__index__"):
            raise errors.ChoiceError(
                f"{find_name(chooser)} chose {short(repr(answer))}; allowed are a Choice and a column, one of "
                f"{', '.join(map(str, position.legal_columns()))}"
            )
        number = index(column)
        return answer if isinstance(answer, Choice) else Choice(number)


def find_name(chooser: object) -> str:
    """Return the name of an object or function, for messages."""
    return str(getattr(chooser, "__name__", type(chooser).__name__))


def _check(chooser: object) -> None:
    """Raise BadValueError for what cannot choose moves, before it loses a game."""
    if isinstance(chooser, type):
        raise errors.BadValueError(f"{chooser.__name__} is a class; give an object of it: {chooser.__name__}(...)")
    if callable(choose := getattr(chooser, "choose", None)):
        if not _takes(choose, 2):
            name = find_name(chooser)
            raise errors.BadValueError(f"{name}.choose must take two arguments, a position and its limits")
    elif not callable(chooser):
        raise errors.BadValueError(
            f"{short(repr(chooser))} cannot choose moves; allowed are an object with choose(position, limits), and a "
            "function that takes a position and returns a column"
        )
    elif not _takes(chooser, 1):
        raise errors.BadValueError(f"{find_name(chooser)} must take one argument, a position")


def _takes(function: Callable[..., object], count: int) -> bool:
    """Check whether the function can be called with that many arguments, as far as its signature is known."""
    from inspect import signature  # noqa: PLC0415  # a server does without it

    try:
        signature(function).bind(*range(count))
    except TypeError:
        return False
    except ValueError:  # written in C, without a signature
        return True
    return True
