"""The description of a run: the keys of a tournament's TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Self

from pydantic import Field, StrictBool, ValidationError, field_validator, model_validator

from connect4_agent import errors
from connect4_agent.arena.spec import (
    AgentName,
    AgentSpec,
    Grants,
    WholeNumber,
    explain,
)
from connect4_agent.engine.kernel.forms import WORD_BITS, fits_compiled
from connect4_agent.rules.geometry import LARGEST_SIDE

EMPTY = "empty"
RANDOM = "random"
BALANCED = "balanced"

DEFAULT_PLIES = 4
"""About a thousand different positions on the usual board, most of them still balanced."""

DEFAULT_OPENINGS = f"{RANDOM}:{DEFAULT_PLIES}"
DEFAULT_GAMES = 20
DEFAULT_SPRT_GAMES = 10_000
"""The number for a match that a sequential test ends: it rarely needs all of them."""

MAX_ELO = 1000
MAX_GAMES = 100_000
"""The most games of a run; each takes 4 kB of memory while the run is read or played."""

Side = Annotated[WholeNumber, Field(ge=1, le=LARGEST_SIDE)]


class Format(StrEnum):
    """The rule for who meets whom."""

    ROUND_ROBIN = "round-robin"
    """Every agent meets every other."""
    GAUNTLET = "gauntlet"
    """The references meet all others."""


class First(StrEnum):
    """The agent that begins the first of an opening's two games; the other one begins the second."""

    ALTERNATE = "alternate"
    """The agents take turns."""
    RANDOM = "random"
    """The agent is drawn for every opening."""


class RunConfig(Grants):
    """One run: all that its games depend on. What it grants goes to every agent that says nothing itself."""

    format: Format = Format.ROUND_ROBIN
    references: tuple[AgentName, ...] = ()
    """The agents of a gauntlet that meet all others, but not each other. Default: the first agent."""
    among_themselves: StrictBool | None = None
    """True if the other agents of a gauntlet meet each other, too. Default: they do if references are named."""
    games: WholeNumber = Field(default=DEFAULT_GAMES, ge=2, le=MAX_GAMES, multiple_of=2)
    """The games for every pairing; even, since every opening is played twice."""
    openings: str = DEFAULT_OPENINGS
    """random:PLIES, balanced:PLIES, either with FEWEST-MOST, empty, or a file of move strings beside the TOML file."""
    first: First = First.ALTERNATE
    sprt: tuple[float, float] | None = None
    """Two Elo differences between the first agent and the second: the games end as soon as one of them is refuted."""
    seed: WholeNumber = Field(default=0, ge=-(2**63), lt=2**63)
    width: Side = 7
    height: Side = 6
    adjudicate: StrictBool = False
    """True if games end by their exact result, under perfect play, as soon as few cells are empty."""
    disqualified: tuple[AgentName, ...] = ()
    """The agents that play no more; their remaining games count as lost."""
    agents: tuple[AgentSpec, ...] = Field(min_length=2)

    @field_validator("agents")
    @classmethod
    def _check_names(cls, value: tuple[AgentSpec, ...]) -> tuple[AgentSpec, ...]:
        names = [agent.name for agent in value]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"more than one agent has the name {twice[0]!r}")
        return value

    @model_validator(mode="after")
    def _check_size(self) -> Self:
        if self.adjudicate and not fits_compiled(self.width, self.height):
            raise ValueError(
                f"games on {self.width} columns and {self.height} rows cannot be adjudicated; "
                f"the rows and one, times the columns, may be {max(WORD_BITS.values())} at the most"
            )
        if self.game_count > MAX_GAMES:
            raise ValueError(f"{self.game_count} games in all; allowed are {MAX_GAMES}")
        return self

    @model_validator(mode="after")
    def _check_named(self) -> Self:
        names = [agent.name for agent in self.agents]
        for key in ("references", "disqualified"):
            if unknown := [name for name in getattr(self, key) if name not in names]:
                raise ValueError(f"{key}: there is no agent {unknown[0]!r}; the agents are {', '.join(names)}")
        gauntlets = {"references": (), "among_themselves": None}
        if self.format is not Format.GAUNTLET and (
            given := [key for key, value in gauntlets.items() if getattr(self, key) != value]
        ):
            raise ValueError(f'{given[0]} is for format = "gauntlet"')
        if self.format is Format.GAUNTLET and len(self.reference_names) == len(names):
            raise ValueError("references: all agents are references, so no game would be played")
        return self

    @model_validator(mode="after")
    def _check_sprt(self) -> Self:
        if self.sprt is not None and (len(self.agents) != 2 or not -MAX_ELO <= self.sprt[0] < self.sprt[1] <= MAX_ELO):
            raise ValueError(
                f"sprt is {list(self.sprt)} for {len(self.agents)} agents; allowed are two Elo differences, the lower "
                f"one first, between -{MAX_ELO} and {MAX_ELO}, for two agents"
            )
        return self

    @property
    def reference_names(self) -> tuple[str, ...]:
        """The agents that meet all others in a gauntlet."""
        return self.references or (self.agents[0].name,)

    @property
    def others_meet(self) -> bool:
        """True if agents that are not references meet each other in a gauntlet."""
        return bool(self.references) if self.among_themselves is None else self.among_themselves

    @property
    def game_count(self) -> int:
        """The number of games of the run."""
        references = len(set(self.reference_names)) if self.format is Format.GAUNTLET else 0
        others = len(self.agents) - references
        among_others = others * (others - 1) // 2 if not references or self.others_meet else 0
        return (references * others + among_others) * self.games

    def has_pairing(self, one: str, two: str) -> bool:
        """Return whether two agents play against each other."""
        if self.format is Format.ROUND_ROBIN:
            return True
        references = len({one, two} & set(self.reference_names))
        return references == 1 or (not references and self.others_meet)


def read_toml(path: Path) -> dict[str, Any]:
    """Return the values of a TOML file. Raises ArenaError."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise errors.ArenaError(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise errors.ArenaError(f"{path} is not TOML: {error}") from None
    except RecursionError:
        raise errors.ArenaError(f"{path} is nested too deeply") from None


def read_config(path: Path, values_instead: Mapping[str, Any] = MappingProxyType({})) -> RunConfig:
    """Return the tournament that a TOML file describes, with some of its values replaced. Raises ArenaError."""
    config = make_config({**read_toml(path), **values_instead}, str(path))
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
    """Return whether the openings are in a file of this name."""
    return source != EMPTY and source.partition(":")[0] not in (RANDOM, BALANCED)


def make_config(values: dict[str, Any], where: str) -> RunConfig:
    """Check the description of a run. Raises ArenaError with the path of every bad key."""
    try:
        return RunConfig.model_validate(values)
    except ValidationError as error:
        raise errors.ArenaError(f"{where}: {explain(error, RunConfig.model_fields)}") from None
