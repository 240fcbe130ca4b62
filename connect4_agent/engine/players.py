"""The built-in players by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.engine.evaluate import DEFAULT_EVALUATOR, EVALUATORS
from connect4_agent.engine.negamax import DEFAULT_LEVEL, LEVELS, NegamaxPlayer
from connect4_agent.engine.player import (
    LARGE_BOARD_SECONDS,
    Choice,
    Limits,
    Player,
    centre_shortcut,
    choose_anyway,
    obvious_column,
    random_source,
)
from connect4_agent.engine.simple import FirstOpenPlayer, GreedyPlayer, RandomPlayer

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "BUILT_IN_PLAYERS",
    "DEFAULT_LEVEL",
    "LARGE_BOARD_SECONDS",
    "LEVELS",
    "BuiltIn",
    "Choice",
    "FirstOpenPlayer",
    "GreedyPlayer",
    "Limits",
    "NegamaxPlayer",
    "Player",
    "RandomPlayer",
    "built_in_of",
    "centre_shortcut",
    "choose_anyway",
    "obvious_column",
    "parse_depth",
    "parse_evaluator",
    "parse_player",
    "parse_seconds",
    "random_source",
]

Settings = dict[str, str]


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A built-in player: what it does, the settings that it takes, and how it is made from them and a seed."""

    summary: str
    build: Callable[[Settings, int | None], Player]
    settings: tuple[str, ...] = ()
    is_level: bool = False
    is_random: bool = False
    """Whether it chooses by chance without a seed; others only choose among equals, and only with one."""


def built_in_of(spec: str) -> BuiltIn:
    """The built-in player whose name a text such as `negamax:depth=6` begins with."""
    name = spec.partition(":")[0]
    if name not in BUILT_IN_PLAYERS:
        raise errors.PlayerSpecError(f"there is no built-in player {name!r}; there are {', '.join(BUILT_IN_PLAYERS)}")
    return BUILT_IN_PLAYERS[name]


def parse_player(spec: str, seed: int | None = None) -> Player:
    """The built-in player that a text such as `random`, `hard` or `negamax:depth=6` describes."""
    built_in = built_in_of(spec)
    settings = _parse_settings(spec, spec.partition(":")[2])
    for key in settings:
        if key not in built_in.settings:
            allowed = ", ".join(built_in.settings) or "none"
            raise errors.PlayerSpecError(f"player {spec!r} has no setting {key!r}; allowed: {allowed}")
    return built_in.build(settings, seed)


def parse_depth(text: str) -> int:
    """A number of plies."""
    return _parse_count(text, "depth", "plies")


def parse_evaluator(text: str) -> str:
    """The name of an evaluator."""
    if text not in EVALUATORS:
        raise errors.PlayerSpecError(f"evaluator is {text!r}; there are {', '.join(EVALUATORS)}")
    return text


def parse_seconds(text: str) -> float:
    """A time limit."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise errors.PlayerSpecError(f"time limit is {text!r}; allowed is a number of seconds above 0")
    return seconds


def _parse_count(text: str, name: str, unit: str) -> int:
    try:
        count = int(text)
    except ValueError:
        count = 0
    if count < 1:
        raise errors.PlayerSpecError(f"{name} is {text!r}; allowed is a whole number of {unit}, 1 or more")
    return count


def _parse_settings(spec: str, text: str) -> Settings:
    settings = {}
    for setting in filter(None, text.split(",")):
        key, equals, value = setting.partition("=")
        if not equals:
            raise errors.PlayerSpecError(f"{setting!r} in player {spec!r} is not of the form name=value")
        settings[key] = value
    return settings


def _negamax(settings: Settings, seed: int | None) -> Player:
    seconds = parse_seconds(settings["time-limit"]) if "time-limit" in settings else None
    depth: int | None
    if "depth" in settings:
        depth = parse_depth(settings["depth"])
    else:
        depth = LEVELS[DEFAULT_LEVEL] if seconds is None else None
    evaluator = parse_evaluator(settings.get("evaluator", DEFAULT_EVALUATOR))
    return NegamaxPlayer(depth, evaluator, seed, seconds=seconds)


def _monte_carlo(settings: Settings, seed: int | None) -> Player:
    from connect4_agent.engine.montecarlo import MonteCarloPlayer  # noqa: PLC0415  # a server starts without it

    playouts = _parse_count(settings["playouts"], "playouts", "games") if "playouts" in settings else None
    seconds = parse_seconds(settings["time-limit"]) if "time-limit" in settings else None
    return MonteCarloPlayer(playouts, seconds, seed)


def _perfect(settings: Settings, seed: int | None) -> Player:
    from connect4_agent.engine.perfect import PerfectPlayer  # noqa: PLC0415  # a server starts without it

    ties = settings.get("ties", "traps")
    if ties not in ("traps", "plain"):
        raise errors.PlayerSpecError(f"ties is {ties!r}; allowed are traps and plain")
    return PerfectPlayer(seed, plain_ties=ties == "plain")


def _level(name: str, depth: int) -> BuiltIn:
    summary = f"searches {depth} plies{' (the default)' if name == DEFAULT_LEVEL else ''}"
    return BuiltIn(summary, lambda _, seed: NegamaxPlayer(depth, seed=seed), is_level=True)


BUILT_IN_PLAYERS: dict[str, BuiltIn] = {
    **{name: _level(name, depth) for name, depth in LEVELS.items()},
    "perfect": BuiltIn("plays perfectly: the book, then exact search", _perfect, settings=("ties",), is_level=True),
    "negamax": BuiltIn(
        "searches to any depth with any evaluator", _negamax, settings=("depth", "evaluator", "time-limit")
    ),
    "monte-carlo": BuiltIn(
        "plays random games from each column, takes the best one",
        _monte_carlo,
        settings=("playouts", "time-limit"),
        is_random=True,
    ),
    "greedy": BuiltIn(
        "wins, else blocks, else makes the best windows", lambda _, seed: GreedyPlayer(seed), is_random=True
    ),
    "random": BuiltIn("plays any open column", lambda _, seed: RandomPlayer(seed), is_random=True),
    "first-open": BuiltIn("plays the leftmost open column", lambda *_: FirstOpenPlayer()),
}
"""Every player that `parse_player` knows, the levels among them."""
