"""The description of a tournament: the keys of its TOML file."""

from __future__ import annotations

import shlex
import tomllib
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from connect4_agent import errors
from connect4_agent.agents.confinement import DEFAULT_PROCESSES, Confinement
from connect4_agent.agents.spec import DEFAULT_GRACE_SECONDS, DEFAULT_STARTUP_SECONDS, Agent, RequestForm, StartForm
from connect4_agent.engine.kernel.forms import WORD_BITS, fits_compiled
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.rules.position import LARGEST_SIDE
from connect4_agent.text import escaped, short

EMPTY = "empty"
RANDOM = "random"
BALANCED = "balanced"

DEFAULT_PLIES = 4
"""About a thousand different positions on the usual board, most of them still balanced."""

LONGEST_NAME = 100
"""Of an agent, in characters."""

DEFAULT_GAMES = 20
DEFAULT_LIMIT_SECONDS = 10.0

Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Side = Annotated[int, Field(ge=1, le=LARGEST_SIDE)]


class Format(StrEnum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"
    """Everybody meets everybody."""
    GAUNTLET = "gauntlet"
    """The first agent meets all others."""


class AgentConfig(BaseModel):
    """One agent: a player by its description, a command, or a Python object."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, AfterValidator(escaped)] = Field(min_length=1, max_length=LONGEST_NAME)
    player: str | None = None
    """A built-in player, such as `hard` or `negamax:depth=6`."""
    command: tuple[str, ...] | None = None
    """A program that speaks the protocol: a text as one would type it, or a list of words. No shell reads it."""
    python: str | None = None
    """What a Python object is, in words: it takes part in runs that a Python program has started, and in no others."""
    environment: dict[str, str] = {}
    """What is added to the manager's own environment."""
    directory: str | None = None
    """Where the command runs; as seen from the TOML file. Without it, where the manager was started."""
    start: StartForm = StartForm.BARE
    """bare, flags (--player 1 --width 7 --height 6 are added) or words (1 1 7 7 6 6 are added)."""
    request: RequestForm = RequestForm.FULL
    """full (all four keys) or grid (nothing else)."""
    time_limit_seconds: Seconds | None = None
    startup_seconds: Seconds | None = None
    restart_per_game: bool = True

    @field_validator("name")
    @classmethod
    def _check_name(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("the name is blank")
        return value

    @field_validator("command", mode="before")
    @classmethod
    def _split_command(cls, value: Any) -> Any:
        words = shlex.split(value) if isinstance(value, str) else value
        if words is not None and not words:
            raise ValueError("the command is empty")
        return words

    @field_validator("player")
    @classmethod
    def _check_player(cls, value: str | None) -> str | None:
        if value is not None:
            try:
                parse_player(value)
            except errors.PlayerSpecError as error:
                raise ValueError(str(error)) from None
        return value

    @model_validator(mode="after")
    def _check_kind(self) -> AgentConfig:
        if (self.player, self.command, self.python).count(None) != 2:
            raise ValueError("give either player or command")
        if self.command is None:
            alien = ("environment", "directory", "start", "request", "startup_seconds", "restart_per_game")
            given = [name for name in alien if getattr(self, name) != type(self).model_fields[name].default]
            if given:
                kind = "built-in player" if self.python is None else "Python object"
                raise ValueError(f"a {kind} has no {', '.join(given)}")
        return self


class RunConfig(BaseModel):
    """One tournament: all that its games depend on."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Format = Format.ROUND_ROBIN
    """round-robin, or gauntlet: the first agent meets all others."""
    games: int = Field(default=DEFAULT_GAMES, ge=2, multiple_of=2)
    """For every pairing; even, since every opening is played twice."""
    openings: str = f"{RANDOM}:{DEFAULT_PLIES}"
    """random:PLIES, balanced:PLIES, either with FEWEST-MOST, empty, or a file of move strings as seen from the TOML."""
    seed: int = 0
    width: Side = 7
    height: Side = 6
    time_limit_seconds: Seconds = DEFAULT_LIMIT_SECONDS
    """For a move, where the agent has no limit of its own."""
    grace_seconds: float = Field(default=DEFAULT_GRACE_SECONDS, ge=0, allow_inf_nan=False)
    startup_seconds: Seconds = DEFAULT_STARTUP_SECONDS
    memory_mb: int | None = Field(default=None, ge=1)
    """What each program may use, all its processes together; without it, 2000 or half of the machine's memory."""
    processes: int = Field(default=DEFAULT_PROCESSES, ge=1)
    """How many processes each program may have at a time."""
    isolate: bool = False
    """Whether programs run in namespaces of their own (Linux, with bubblewrap)."""
    pause_waiting: bool = False
    """Whether a program is stopped while its opponent thinks."""
    adjudicate: bool = False
    """Whether games end by their exact result, under perfect play, as soon as few cells are empty."""
    agents: tuple[AgentConfig, ...] = Field(min_length=2)

    @field_validator("agents")
    @classmethod
    def _check_names(cls, value: tuple[AgentConfig, ...]) -> tuple[AgentConfig, ...]:
        names = [agent.name for agent in value]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"more than one agent has the name {twice[0]!r}")
        return value

    @model_validator(mode="after")
    def _check_solvable(self) -> RunConfig:
        if self.adjudicate and not fits_compiled(self.width, self.height):
            raise ValueError(
                f"games on {self.width} columns and {self.height} rows cannot be adjudicated; "
                f"the rows and one, times the columns, may be {max(WORD_BITS.values())} at the most"
            )
        return self

    def agents_to_play(self, kept_safe: tuple[str, ...] = ()) -> tuple[Agent, ...]:
        """The agents with what the tournament grants all of them; isolated ones cannot write to what is kept safe."""
        return tuple(
            Agent(
                name=agent.name,
                player=agent.player,
                command=agent.command or (),
                environment=tuple(sorted(agent.environment.items())),
                directory=agent.directory,
                start=agent.start,
                request=agent.request,
                limit_seconds=agent.time_limit_seconds or self.time_limit_seconds,
                grace_seconds=self.grace_seconds,
                startup_seconds=agent.startup_seconds or self.startup_seconds,
                restart=agent.restart_per_game,
                confinement=Confinement(self.memory_mb, self.processes, self.isolate, kept_safe),
                pause_waiting=self.pause_waiting,
            )
            for agent in self.agents
        )


def read_config(path: Path, seed: int | None = None) -> RunConfig:
    """The tournament that a TOML file describes; `seed` is put in place of its own. Raises ConfigError."""
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise errors.ConfigError(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise errors.ConfigError(f"{path} is not TOML: {error}") from None
    if seed is not None:
        values["seed"] = seed
    config = make_config(values, str(path))
    agents = tuple(
        agent.model_copy(update={"directory": str(path.parent.absolute() / agent.directory)})
        if agent.directory is not None
        else agent
        for agent in config.agents
    )
    openings = config.openings
    if is_openings_file(openings):
        openings = str(path.parent.absolute() / openings)
    return config.model_copy(update={"agents": agents, "openings": openings})


def is_openings_file(source: str) -> bool:
    """Whether the openings are in a file of this name."""
    return source != EMPTY and source.partition(":")[0] not in (RANDOM, BALANCED)


def are_drawn(source: str) -> bool:
    """Whether the openings are drawn at random, which takes a while."""
    return source.partition(":")[0] == RANDOM


def make_config(values: dict[str, Any], place: str) -> RunConfig:
    """Check the description of a tournament. Raises ConfigError with the path of every bad key."""
    try:
        return RunConfig.model_validate(values)
    except ValidationError as error:
        raise errors.ConfigError(f"{place}: {explain(error)}") from None


def explain(error: ValidationError) -> str:
    """What pydantic found, each with the path of its key."""
    return "; ".join(_explain_one(found) for found in error.errors(include_url=False))


def _explain_one(found: Any) -> str:
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in found["loc"]).lstrip(".")
    message = found["msg"].removeprefix("Value error, ")
    if found["type"] == "missing":
        return f"{path} is missing"
    if found["type"] == "extra_forbidden":
        return f"{path} is not a known key"
    shown = f" (it is {short(repr(found['input']))})" if not isinstance(found["input"], (dict, list, BaseModel)) else ""
    return f"{path}: {message}{shown}" if path else message
