"""The web interface's own requests and replies; those that it shares with the line protocol are in protocol.py."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from connect4_agent.arena.record import GameRecord  # noqa: TC001  # pydantic reads the annotations
from connect4_agent.engine.judging import Mistake  # noqa: TC001
from connect4_agent.position import LARGEST_SIDE

LONGEST_SPEC = 200
"""The longest description of a player that is read."""

MOST_GAMES = 1000
"""The most games that one call gives."""

SEED_BITS = 63


def _read_whole(value: object) -> object:
    """The integer that a JSON number such as 7.0 is."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Side = Annotated[int, Field(strict=True, ge=1, le=LARGEST_SIDE), BeforeValidator(_read_whole)]
ColumnNumber = Annotated[int, Field(strict=True, ge=0, lt=LARGEST_SIDE), BeforeValidator(_read_whole)]
PlayerNumber = Annotated[int, Field(strict=True, ge=1, le=2), BeforeValidator(_read_whole)]


def _read_flag(text: object) -> object:
    return {"true": True, "false": False}.get(text, text) if isinstance(text, str) else text


Flag = Annotated[bool, Field(strict=True), BeforeValidator(_read_flag)]
"""True or false, and no other word for either."""


class Query(BaseModel):
    """What follows the question mark of an address."""

    model_config = ConfigDict(extra="forbid", defer_build=True)


class MoveQuery(Query):
    """How a move is to be found."""

    player: str = Field("hard", max_length=LONGEST_SPEC, description="a built-in player or an agent of the server")
    time_limit: float | None = Field(
        None,
        gt=0,
        allow_inf_nan=False,
        description="seconds to think, at the most; more than the server's limit is cut",
    )
    seed: int | None = Field(
        None, ge=-(1 << SEED_BITS), lt=1 << SEED_BITS, description="choose among equal moves at random, repeatably"
    )
    explain: Flag = Field(False, description="add score, depth, nodes, time and line")  # noqa: FBT003


class AnalyzeQuery(Query):
    """How long an analysis may take."""

    time_limit: float | None = Field(None, gt=0, allow_inf_nan=False, description="seconds, at the most")


class GamesQuery(Query):
    """Which games of a run."""

    offset: int = Field(0, ge=0, lt=1 << SEED_BITS, description="how many games to leave out, by their number")
    limit: int = Field(100, ge=1, le=MOST_GAMES, description="how many games to give")


class Model(BaseModel):
    """A body of the interface."""

    model_config = ConfigDict(defer_build=True, use_attribute_docstrings=True)


class AnalysisReply(Model):
    """What perfect play makes of a position: scores are from the side to move, null where nothing is known for sure."""

    exact: bool
    """False: time ran out. `best` is then what a search likes, and only proven scores are given."""
    score: int | None
    """0 is a draw, +k a win with the winner's k-th last disc, -k a loss likewise."""
    verdict: str | None
    """The score in words: `wins in 3 moves`, `draws`, `loses in 5 moves`."""
    scores: list[int | None]
    """The score if this column is played, from left to right."""
    verdicts: list[str | None]
    best: list[int]
    """The columns that keep the score, counted from 0, the nearest to the centre first."""
    line: list[int]
    """The play that both sides' best moves lead to."""
    nodes: int
    elapsed_ms: float


class JudgeRequest(Model):
    """A game from the empty board."""

    model_config = ConfigDict(strict=True, extra="forbid")

    columns: list[ColumnNumber] = Field(max_length=LARGEST_SIDE * LARGEST_SIDE)
    """The columns played, counted from 0."""
    width: Side = 7
    height: Side = 6
    first: PlayerNumber = 1
    """The player who began."""


class JudgedMoveReply(Model):
    """What a move did to the score of its position; both are from the side that made it."""

    column: int
    score_before: int | None
    """What the position was worth; null where time ran out."""
    score: int | None
    """What the move left of it."""
    mistake: Mistake | None


class JudgeReply(Model):
    """Every move of a game, judged."""

    moves: list[JudgedMoveReply]
    exact: bool
    """False: time ran out, and the scores of the first moves are not known."""


class PlayerEntry(Model):
    """A built-in player."""

    name: str
    description: str
    is_level: bool
    settings: list[str]
    """What can be set behind the name: `negamax:depth=6`."""


class LimitsEntry(Model):
    """What the server grants."""

    largest_side: int
    longest_seconds: float


class PlayersReply(Model):
    """Who can be asked for moves."""

    players: list[PlayerEntry]
    agents: list[str]
    """The command line agents that the server was started with."""
    default_player: str
    has_run: bool
    """Whether the server was started with a run."""
    limits: LimitsEntry
    version: str


class GamesReply(Model):
    """Some of a run's games, ordered by their number."""

    total: int
    """How many games the run has so far."""
    offset: int
    games: list[GameRecord]


AnyJson = dict[str, Any]
