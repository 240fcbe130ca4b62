"""What a check finds: one value with a verdict, the problems with their fixes, and the practice games."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Literal

from pydantic import BaseModel, ConfigDict, computed_field

from connect4_agent.arena.agents.spec import StartForm


class Tier(StrEnum):
    """How much a case matters."""

    REQUIRED = "required"
    """The arena and plain managers send it; an agent that fails here is not ready."""
    ROBUST = "robust"
    """Some managers send it; a failure is a remark."""


class Verdict(StrEnum):
    """Whether an agent can play."""

    READY = "ready"
    REMARKS = "ready, with remarks"
    NOT_READY = "not ready"


class Kind(StrEnum):
    """What can be wrong; a closed set."""

    WOULD_NOT_START = "would not start"
    CRASHED = "crashed"
    LEFT = "ended early"
    FOREIGN_PATH = "missing file"
    MISSING_MODULE = "missing module"
    PYTHON_2 = "Python 2"
    SYNTAX = "syntax error"
    LINE_ENDS = "Windows line ends"
    NOT_EXECUTABLE = "not executable"
    TOO_MUCH = "too much memory or too many processes"
    NOT_FLUSHED = "not flushed"
    READS_ALL = "reads all input first"
    HELD_BACK = "answers only at the end of input"
    TOO_SLOW = "too slow"
    SILENT = "no answer"
    NO_NEWLINE = "no newline"
    CHATTER = "text between the answers"
    TWO_ANSWERS = "two answers"
    SINGLE_QUOTES = "single quotes"
    NOT_JSON = "not JSON"
    NO_MOVE = "no move"
    NOT_WHOLE = "move is not an integer"
    OUTSIDE = "outside of the board"
    FULL_COLUMN = "full column"
    FROM_1 = "columns from 1"
    ROWS = "rows for columns"
    WRONG_SIDE = "wrong side"
    LINGERS = "does not end"
    EXIT_STATUS = "exit status"
    NOISY = "noisy"


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was wrong once, and what to do about it."""

    kind: Kind
    text: str
    fix: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What the agent made of a board."""

    grid: tuple[tuple[int, ...], ...]
    player: int
    move: int | None = None
    """The column that it named, legal or not; None if no answer could be read."""

    @property
    def open_columns(self) -> frozenset[int]:
        """The columns that could be played."""
        return frozenset(column for column, cells in enumerate(self.grid) if cells[0] == 0)


class Finding(_Value):
    """What came of one case or practice game. Text holds what was sent and received, undecodable bytes escaped."""

    name: str
    title: str
    tier: Tier
    status: Literal["passed", "failed", "skipped", "not run"]
    diagnosis: Diagnosis | None = None
    command: tuple[str, ...] = ()
    sent: str = ""
    received: str = ""
    stderr: str = ""
    """Its end."""
    stderr_bytes: int = 0
    answers: tuple[Answer, ...] = ()
    first_seconds: float | None = None
    """The time from the start of the process to its first answer."""
    is_game: bool = False
    """Whether it was a practice game."""

    @property
    def kind(self) -> Kind | None:
        """What was wrong."""
        return self.diagnosis.kind if self.diagnosis else None

    def failed(self, diagnosis: Diagnosis) -> Finding:
        """The same with this diagnosis."""
        return self.model_copy(update={"status": "failed", "diagnosis": diagnosis})


class Problem(_Value):
    """One thing to repair, however often it showed."""

    kind: Kind
    tier: Tier
    """The highest of the tiers in which it showed."""
    text: str
    fix: str
    cases: tuple[str, ...]
    games: int
    """The practice games that it cost."""
    example: Finding
    """The shortest one."""


@dataclass(slots=True)
class Opponent:
    """How the practice games against one built-in player ended."""

    name: str
    wins: int = 0
    draws: int = 0
    losses: int = 0


class Practice(_Value):
    """The practice games."""

    wanted: int
    played: int
    faults: int
    """The games that the agent lost by a fault."""
    opponents: tuple[Opponent, ...]
    slowest_ms: float
    """Of all its moves."""
    limit_ms: float
    elapsed_seconds: float
    note: str = ""
    """Why fewer games were played than wanted."""


class CheckResult(_Value):
    """The answer to "will this program play here?"."""

    agent: str
    command: tuple[str, ...]
    """As it is started for player 1."""
    directory: str | None
    """Where it runs, unless that is the current folder."""
    start: StartForm
    problems: tuple[Problem, ...]
    """The required ones first, then by the number of cases."""
    findings: tuple[Finding, ...]
    """All cases in their order."""
    practice: Practice | None
    """None if no game was tried."""

    @computed_field  # type: ignore[prop-decorator]
    @cached_property
    def verdict(self) -> Verdict:
        """Whether the agent can play."""
        if any(problem.tier is Tier.REQUIRED for problem in self.problems):
            return Verdict.NOT_READY
        return Verdict.REMARKS if self.problems else Verdict.READY

    def to_json(self) -> str:
        """The result as one line of JSON, without the boards that were answered."""
        boards = {"answers"}
        return self.model_dump_json(
            exclude={"problems": {"__all__": {"example": boards}}, "findings": {"__all__": boards}}
        )

    def count(self, tier: Tier, *statuses: str) -> int:
        """The number of cases of a tier that ended like this."""
        return sum(finding.tier is tier and finding.status in statuses for finding in self.findings)
