"""The queries of the web interface's addresses (after the question mark), call by call."""

from __future__ import annotations

import datetime
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from connect4_agent.engine.puzzles import LAST_NUMBER, PuzzleLevel, PuzzleTheme, read_day
from connect4_agent.rules.position import LARGEST_SIDE

LONGEST_SPEC = 200
"""The longest description of a player that is read."""

SEED_BITS = 63

Seed = Annotated[int, Field(ge=-(1 << SEED_BITS), lt=1 << SEED_BITS)]


def _read_day(text: object) -> object:
    return read_day(text) if isinstance(text, str) else text


# Puzzles begin with 2026; a pattern is all that a schema can say about that.
_DAYS = {"type": "string", "format": "date", "pattern": r"^(202[6-9]|20[3-9]\d|2[1-9]\d\d|[3-9]\d\d\d)-"}
Day = Annotated[datetime.date, BeforeValidator(_read_day), WithJsonSchema(_DAYS)]


def _read_flag(text: object) -> object:
    return {"true": True, "false": False}.get(text, text) if isinstance(text, str) else text


Flag = Annotated[bool, Field(strict=True), BeforeValidator(_read_flag)]
"""Only `true` or `false`, spelled exactly so."""


class Query(BaseModel):
    """The query of an address."""

    model_config = ConfigDict(extra="forbid", defer_build=True)


class MoveQuery(Query):
    """How to find a move."""

    player: str = Field("hard", max_length=LONGEST_SPEC, description="a built-in player or an agent of the server")
    time_limit: float | None = Field(
        None,
        gt=0,
        allow_inf_nan=False,
        description="seconds to think, at most; the server's own limit applies if it is shorter",
    )
    seed: Seed | None = Field(None, description="choose among equal moves at random, repeatably")
    explain: Flag = Field(False, description="add score, depth, nodes, time and line")  # noqa: FBT003


class AnalyzeQuery(Query):
    """How long an analysis may take, and whether it continues to the end of the game."""

    time_limit: float | None = Field(None, gt=0, allow_inf_nan=False, description="seconds, at most")
    explain: Flag = Field(False, description="find the whole line, not only its first column")  # noqa: FBT003


class ExplainQuery(Query):
    """What to explain, and how long it may take."""

    column: int | None = Field(
        None, ge=0, lt=LARGEST_SIDE, description="the column to explain, counted from 0; default: the position"
    )
    time_limit: float | None = Field(None, gt=0, allow_inf_nan=False, description="seconds, at most")


class PuzzleQuery(Query):
    """Which puzzle."""

    seed: int | None = Field(
        None, ge=1, le=LAST_NUMBER, description="its number; default: a random one, named in the reply"
    )
    theme: PuzzleTheme | None = Field(None, description="why the answer is right; default: any but `trap`")
    level: PuzzleLevel | None = Field(None, description="how deep it is; default: any that the theme has")


class DayQuery(Query):
    """Which day's puzzle."""

    date: Day | None = Field(None, description="such as 2027-01-31; default: today, by the server's clock")
