"""Foreign input of the web interface: the queries of its addresses, and the bodies that only it has."""

from __future__ import annotations

import datetime
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from connect4_agent.reasons.explanation import Plan
from connect4_agent.rules.geometry import LARGEST_SIDE
from connect4_agent.ui.puzzles import LAST_NUMBER, PuzzleLevel, PuzzleTheme, read_day

LONGEST_SPEC = 200
"""The longest description of a player that is read."""

SEED_BITS = 63
MAX_MOVES = LARGEST_SIDE * LARGEST_SIDE


def _read_day(text: object) -> object:
    return read_day(text) if isinstance(text, str) else text


def _read_flag(text: object) -> object:
    return {"true": True, "false": False}.get(text, text) if isinstance(text, str) else text


Day = Annotated[datetime.date, BeforeValidator(_read_day)]
Flag = Annotated[bool, Field(strict=True), BeforeValidator(_read_flag)]
"""Only `true` or `false`, spelled exactly so."""

Seed = Annotated[int, Field(ge=-(1 << SEED_BITS), lt=1 << SEED_BITS)]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
ColumnNumber = Annotated[int, Field(ge=0, lt=LARGEST_SIDE)]
Side = Annotated[int, Field(ge=1, le=LARGEST_SIDE)]
CellNumbers = Annotated[list[ColumnNumber], Field(min_length=2, max_length=2)]
"""The column and the row of a cell."""


class Query(BaseModel):
    """The query of an address without keys."""

    model_config = ConfigDict(extra="forbid", defer_build=True)


class MoveQuery(Query):
    """How to find a move."""

    player: str = Field("hard", max_length=LONGEST_SPEC)
    time_limit: Seconds | None = None
    seed: Seed | None = None
    explain: Flag = False


class AnalyzeQuery(Query):
    """How long an analysis may take, and whether it continues to the end of the game."""

    time_limit: Seconds | None = None
    explain: Flag = False


class SolveQuery(Query):
    """The moves of a game on the usual board, with columns counted from 1."""

    pos: str = Field(max_length=LONGEST_SPEC)


class ExplainQuery(Query):
    """What to explain, the position or a column, and how long it may take."""

    column: ColumnNumber | None = None
    time_limit: Seconds | None = None


class PuzzleQuery(Query):
    """Which puzzle; what is not given is chosen at random."""

    seed: Annotated[int, Field(ge=1, le=LAST_NUMBER)] | None = None
    theme: PuzzleTheme | None = None
    level: PuzzleLevel | None = None


class DayQuery(Query):
    """Which day's puzzle."""

    date: Day | None = None


class Body(BaseModel):
    """The body of a call."""

    model_config = ConfigDict(strict=True, extra="forbid", defer_build=True)


class GameBody(Body):
    """A game from the empty board, or from a position that was set up."""

    columns: list[ColumnNumber] = Field(max_length=MAX_MOVES)
    width: Side = 7
    height: Side = 6
    first: Annotated[int, Field(ge=1, le=2)] = 1
    """The player who began."""
    grid: list[list[int]] | None = None
    """The position that was set up, as in the line protocol; `width` and `height` are then its own."""


class PlanModel(Body):
    """A plan as the reason of an explanation has it."""

    kept: list[CellNumbers] = Field([], max_length=LARGEST_SIDE)
    answers: list[Annotated[list[CellNumbers], Field(min_length=2, max_length=2)]] = Field(
        default=[], max_length=MAX_MOVES
    )
    spare: ColumnNumber | None = None

    def plan(self) -> Plan:
        """Return the plan itself."""
        answers = (((one[0], one[1]), (two[0], two[1])) for one, two in self.answers)
        return Plan(tuple((column, row) for column, row in self.kept), tuple(answers), self.spare)


class PlanBody(GameBody):
    """A game in which the plan's side is to move."""

    columns: list[ColumnNumber] = Field(min_length=1, max_length=MAX_MOVES)
    plan: PlanModel
