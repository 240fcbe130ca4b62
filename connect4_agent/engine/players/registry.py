"""The built-in players by name."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from connect4_agent import errors
from connect4_agent.engine.kernel.evaluators import DEFAULT_EVALUATOR, EVALUATORS
from connect4_agent.engine.kernel.order import DEFAULT_ORDER, ORDERS
from connect4_agent.engine.players.negamax import DEFAULT_LEVEL, LEVELS, NegamaxPlayer
from connect4_agent.engine.players.simple import FirstOpenPlayer, GreedyPlayer, OnePlyPlayer, RandomPlayer
from connect4_agent.text import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from connect4_agent.engine.players.player import Player

    Settings = dict[str, Any]


class BuiltIn(NamedTuple):
    """A built-in player: what it does, the settings that it takes, and how it is made from them and a seed."""

    summary: str
    build: Callable[[Settings, int | None], Player]
    settings: Mapping[str, str] = MappingProxyType({})
    """The names of the settings with their defaults, empty where there is none."""
    is_level: bool = False
    is_random: bool = False
    """True if it plays at random even without a seed. Other players use the seed only to break ties."""


def find_built_in(spec: str) -> BuiltIn:
    """Return the player whose name a text such as `negamax:depth=6` begins with."""
    name = spec if spec in BUILT_IN_PLAYERS else spec.partition(":")[0]
    if name in BUILT_IN_PLAYERS:
        return BUILT_IN_PLAYERS[name]
    if name == "level":
        raise errors.PlayerSpecError(f"there is no player {spec!r}; the levels are {LADDER}")
    hint = did_you_mean(spec, BUILT_IN_PLAYERS) or did_you_mean(name, BUILT_IN_PLAYERS)
    listed = ", ".join([*(known for known in BUILT_IN_PLAYERS if not known.startswith("level:")), LADDER])
    raise errors.PlayerSpecError(f"there is no built-in player {name!r}{hint}; there are {listed}")


def parse_player(spec: str, seed: int | None = None) -> Player:
    """Return the built-in player that a text such as `random`, `hard` or `negamax:depth=6` describes."""
    built_in = find_built_in(spec)
    settings: Settings = {}
    for setting in filter(None, "" if spec in BUILT_IN_PLAYERS else spec.partition(":")[2].split(",")):
        name, equals, text = setting.partition("=")
        if not equals:
            raise errors.PlayerSpecError(f"{setting!r} in player {spec!r} is not of the form name=value")
        if name not in built_in.settings:
            allowed = ", ".join(built_in.settings) or "none"
            raise errors.PlayerSpecError(f"player {spec!r} has no setting {name!r}; allowed: {allowed}")
        settings[name] = _READERS[name](text)
    return built_in.build(settings, seed)


def parse_depth(text: str) -> int:
    """Return a number of plies."""
    return _parse_count(text, "depth", "plies")


def parse_evaluator(text: str) -> str:
    """Return the name of a built-in evaluator. Raises PlayerSpecError for other names."""
    return _parse_name(text, "evaluator", EVALUATORS)


def parse_seconds(text: str) -> float:
    """Return a time limit."""
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


def _parse_name(text: str, name: str, names: Iterable[str]) -> str:
    if text not in names:
        raise errors.PlayerSpecError(f"{name} is {text!r}{did_you_mean(text, names)}; there are {', '.join(names)}")
    return text


_READERS: dict[str, Callable[[str], Any]] = {
    "depth": parse_depth,
    "evaluator": parse_evaluator,
    "order": lambda text: _parse_name(text, "order", ORDERS),
    "playouts": lambda text: _parse_count(text, "playouts", "games"),
    "ties": lambda text: _parse_name(text, "ties", ("traps", "plain")),
    "time-limit": parse_seconds,
}
"""The function that reads each setting from its text."""


def _negamax(settings: Settings, seed: int | None) -> Player:
    seconds = settings.get("time-limit")
    depth = settings.get("depth", LEVELS[DEFAULT_LEVEL] if seconds is None else None)
    order = settings.get("order", DEFAULT_ORDER)
    return NegamaxPlayer(depth, settings.get("evaluator", DEFAULT_EVALUATOR), seed, seconds=seconds, move_order=order)


def _monte_carlo(settings: Settings, seed: int | None) -> Player:
    from connect4_agent.engine.players import monte_carlo  # noqa: PLC0415  # a server starts without it

    playouts = settings.get("playouts", monte_carlo.DEFAULT_PLAYOUTS)
    return monte_carlo.MonteCarloPlayer(playouts, settings.get("time-limit"), seed)


def _longest_run(*_: object) -> Player:
    from connect4_agent.engine.players.longest_run import LongestRunPlayer  # noqa: PLC0415  # a server starts without it

    return LongestRunPlayer()


def _perfect(settings: Settings, seed: int | None) -> Player:
    from connect4_agent.engine.players.perfect import PerfectPlayer  # noqa: PLC0415  # a server starts without it

    return PerfectPlayer(seed, plain_ties=settings.get("ties") == "plain", seconds=settings.get("time-limit"))


def _level(name: str, depth: int) -> BuiltIn:
    summary = f"looks {depth} plies ahead{' (the default)' if name == DEFAULT_LEVEL else ''}"
    return BuiltIn(summary, lambda _, seed: NegamaxPlayer(depth, seed=seed), is_level=True)


def _ladder(number: int, summary: str) -> BuiltIn:
    def build(_: Settings, seed: int | None) -> Player:
        from connect4_agent.engine.players.levels import LevelPlayer  # noqa: PLC0415  # a server starts without it

        return LevelPlayer(number, seed)

    return BuiltIn(summary, build, is_level=True, is_random=True)


LADDER_SUMMARIES = (
    "overlooks more fours than it sees",
    "overlooks three fours in ten",
    "overlooks one four in eight",
    "stops every four, but plans badly",
    "thinks one move ahead, but judges roughly",
    "thinks one move ahead; weaker than easy",
    "thinks two moves ahead; nearly as strong as easy",
    "thinks seven discs ahead; about as strong as medium",
    "plays every other move perfectly; stronger than hard",
    "plays perfectly: any of the best moves",
)
"""The levels of the ladder in words, from level 1 on; levels.py has their numbers."""

LADDER = f"level:1 to level:{len(LADDER_SUMMARIES)}"

BUILT_IN_PLAYERS: dict[str, BuiltIn] = {
    **{name: _level(name, depth) for name, depth in LEVELS.items()},
    "perfect": BuiltIn(
        "plays what the book or the solver proves, else searches",
        _perfect,
        settings={"ties": "traps", "time-limit": ""},
        is_level=True,
    ),
    **{f"level:{number}": _ladder(number, summary) for number, summary in enumerate(LADDER_SUMMARIES, 1)},
    "negamax": BuiltIn(
        "searches to any depth with any evaluator",
        _negamax,
        settings={
            "depth": f"{LEVELS[DEFAULT_LEVEL]}; with time-limit alone, as deep as time allows",
            "evaluator": DEFAULT_EVALUATOR,
            "order": DEFAULT_ORDER,
            "time-limit": "",
        },
    ),
    "monte-carlo": BuiltIn(
        "plays random games from each column, takes the best one",
        _monte_carlo,
        settings={"playouts": "1000", "time-limit": ""},
        is_random=True,
    ),
    "greedy": BuiltIn(
        "wins, else blocks, else makes the best windows", lambda _, seed: GreedyPlayer(seed), is_random=True
    ),
    "one-ply": BuiltIn(
        "plays the leftmost column that makes or blocks a four, else any",
        lambda _, seed: OnePlyPlayer(seed),
        is_random=True,
    ),
    "longest-run": BuiltIn("looks 6 plies ahead for its own longest run, plays the middle one of equals", _longest_run),
    "random": BuiltIn("plays any open column", lambda _, seed: RandomPlayer(seed), is_random=True),
    "first-open": BuiltIn("plays the leftmost open column", lambda *_: FirstOpenPlayer()),
    "stupid": BuiltIn("another name of first-open", lambda *_: FirstOpenPlayer()),
}
"""Every player that `parse_player` knows, the levels among them."""
