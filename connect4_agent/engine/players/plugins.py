"""Players and evaluators that other installed packages offer, as entry points."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint
from inspect import Parameter, signature
from typing import Any

from connect4_agent import errors
from connect4_agent.engine.players.foreign import ForeignPlayer
from connect4_agent.engine.players.player import Player
from connect4_agent.engine.players.position_evaluator import PositionEvaluator

PACKAGE = __name__.partition(".")[0]
PLAYERS = f"{PACKAGE}.players"
EVALUATORS = f"{PACKAGE}.evaluators"
"""The groups of entry points: connect4_agent.players and connect4_agent.evaluators."""

NAME = re.compile(r"[\w.-]+")
"""Possible names of entry points; a command line with a blank is not looked up."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """A player or evaluator of another package."""

    name: str
    package: str
    """The name and version of the package that offers it."""
    entry_point: EntryPoint

    def load(self) -> Any:
        """Load the object behind the entry point. Raises PluginError."""
        try:
            return self.entry_point.load()
        except (Exception, SystemExit) as error:
            reason = f"{type(error).__name__}: {error}"
            raise errors.PluginError(f"{self.name!r} of {self.package} cannot be loaded: {reason}") from error

    def summary(self) -> str:
        """The first line of its docstring. Raises PluginError."""
        return (getattr(self.load(), "__doc__", None) or "").strip().partition("\n")[0]

    def player(self, settings: dict[str, str], seed: int | None) -> Player:
        """The player: the object itself, or what a class or function returns when called with the settings.

        Settings are passed by keyword, as text, and so is `seed` if there is such a parameter. Raises PluginError.
        """
        offered = self.load()
        keywords: dict[str, Any] = {name.replace("-", "_"): value for name, value in settings.items()}
        try:
            if isinstance(offered, type) or not hasattr(offered, "choose"):
                parameters = signature(offered).parameters
                if "seed" in parameters and parameters["seed"].kind is not Parameter.POSITIONAL_ONLY:
                    keywords.setdefault("seed", seed)
                return ForeignPlayer(offered(**keywords))
            if keywords:
                raise errors.PluginError(f"{self.name!r} of {self.package} has no settings")
            return ForeignPlayer(offered)
        except errors.PluginError:
            raise
        except Exception as error:
            reason = str(error) if isinstance(error, errors.Connect4Error) else f"{type(error).__name__}: {error}"
            raise errors.PluginError(f"{self.name!r} of {self.package} cannot be made: {reason}") from error

    def evaluator(self) -> PositionEvaluator:
        """The evaluator. Raises PluginError."""
        try:
            return PositionEvaluator(self.load())
        except errors.EvaluatorError as error:
            raise errors.PluginError(f"{self.name!r} of {self.package}: {error}") from error


@cache
def plugins(group: str) -> dict[str, Plugin]:
    """The plugins of a group by name; if several share a name, that of the first package in alphabetical order."""
    from importlib.metadata import entry_points  # noqa: PLC0415  # it takes longer than most answers

    plugins: dict[str, Plugin] = {}
    for entry_point in sorted(entry_points(group=group), key=lambda point: point.dist.name if point.dist else ""):
        package = f"{entry_point.dist.name} {entry_point.dist.version}" if entry_point.dist else "an unnamed package"
        plugins.setdefault(entry_point.name, Plugin(entry_point.name, package, entry_point))
    return plugins


def find_plugin(group: str, name: str) -> Plugin | None:
    """The plugin of this name, if there is one."""
    return plugins(group).get(name) if NAME.fullmatch(name) else None
