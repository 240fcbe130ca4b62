"""The value that a check gives: a verdict, the problems with their fixes, and the practice games."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from string import Template
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, computed_field

from connect4_agent.arena.spec import StartForm

LANGUAGES = {
    "Python": {
        "loop": "for line in sys.stdin",
        "json": 'print(json.dumps({"move": column}), flush=True)',
        "flush": "print(..., flush=True)",
        "debug": "print(..., file=sys.stderr)",
    },
    "JavaScript": {
        "loop": "readline.createInterface({input: process.stdin}).on('line', ...)",
        "json": "console.log(JSON.stringify({move: column}))",
        "flush": "console.log(...)",
        "debug": "console.error(...)",
    },
    "Java": {
        "loop": "while ((line = in.readLine()) != null)",
        "json": r'out.println("{\"move\": " + column + "}")',
        "flush": "out.flush(), or new PrintWriter(System.out, true)",
        "debug": "System.err.println(...)",
    },
    "C and C++": {
        "loop": "while (fgets(...)), or while (std::getline(std::cin, line))",
        "json": r'printf("{\"move\": %d}\n", column)',
        "flush": "fflush(stdout), or std::cout << std::flush",
        "debug": "fprintf(stderr, ...), or std::cerr",
    },
    "Racket": {
        "loop": "(for ([line (in-lines)]) ...)",
        "json": "(displayln (jsexpr->string (hasheq 'move column)))",
        "flush": "(flush-output)",
        "debug": "(eprintf ...)",
    },
}
"""The code to read lines, print an answer, flush it, and print debug text, by the language of a program."""


class Verdict(StrEnum):
    """The answer to the question whether an agent can play."""

    READY = "ready"
    REMARKS = "ready, with remarks"
    NOT_READY = "not ready"


class Tier(StrEnum):
    """The weight of a case: an agent that fails a required one is not ready, a robust one is worth a remark."""

    REQUIRED = "required"
    ROBUST = "robust"


class Kind(StrEnum):
    """The kinds of problems; a closed set."""

    WOULD_NOT_START = "would not start"
    CRASHED = "crashed"
    LEFT = "ended early"
    TOO_MUCH = "too much memory or too many processes"
    NOT_FLUSHED = "not flushed"
    TOO_SLOW = "too slow"
    SILENT = "no answer"
    NO_NEWLINE = "no newline"
    CHATTER = "text between the answers"
    TWO_ANSWERS = "two answers"
    NOT_JSON = "not JSON"
    NO_MOVE = "no move"
    NOT_WHOLE = "move is not an integer"
    ILLEGAL = "illegal column"
    FROM_1 = "columns from 1"
    ROWS = "rows for columns"
    WRONG_SIDE = "wrong side"
    BAD_END = "bad end"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A problem of one case, and what to do about it."""

    kind: Kind
    text: str
    fix: str
    """The words of `in_language` begin with `$`."""

    def in_language(self, language: str) -> Diagnosis:
        """Return the diagnosis with a fix in the language of the program."""
        words = {key: f"{language}: {word}" for key, word in LANGUAGES[language].items()}
        return replace(self, fix=Template(self.fix).safe_substitute(words))


@dataclass(frozen=True, slots=True)
class Answer:
    """The column that an agent named for a board, legal or not; None if no answer could be read."""

    grid: tuple[tuple[int, ...], ...]
    player: int
    move: int | None = None

    @property
    def open_columns(self) -> frozenset[int]:
        """The columns that could be played."""
        return frozenset(column for column, cells in enumerate(self.grid) if cells[0] == 0)


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Finding(_Value):
    """The result of one case or practice game. Text holds what was sent and received, undecodable bytes escaped."""

    name: str
    title: str
    tier: Tier
    diagnosis: Diagnosis | None = None
    """The problem; None if the agent passed."""
    command: tuple[str, ...] = ()
    sent: str = ""
    received: str = ""
    stderr: str = ""
    answers: tuple[Answer, ...] = ()
    first_seconds: float | None = None
    """The time from the start of the process to its first answer."""
    slowest_seconds: float = 0.0
    """The time of the slowest answer, without the start."""
    result: Literal["won", "drawn", "lost"] | None = None
    """The result of a practice game, unless the agent failed."""

    @property
    def kind(self) -> Kind | None:
        """The kind of what was wrong."""
        return self.diagnosis.kind if self.diagnosis else None

    def but(self, **changes: Any) -> Finding:
        """Return the same finding with some values changed."""
        return self.model_copy(update=changes)


class Problem(_Value):
    """One thing to repair, the cases and practice games in which it showed, and the shortest example."""

    kind: Kind
    tier: Tier
    text: str
    fix: str
    seen_in: tuple[str, ...]
    example: Finding


class CheckResult(_Value):
    """The answer to "will this program play here?"."""

    agent: str
    command: tuple[str, ...]
    """The command line as player 1."""
    directory: str | None
    start: StartForm
    problems: tuple[Problem, ...]
    """The problems, the required ones first."""
    findings: tuple[Finding, ...]
    """The cases that were tried, in their order."""
    games: tuple[Finding, ...]
    """The practice games."""
    not_run: int
    """The number of cases that make no sense before the problems are repaired."""
    wanted_games: int

    @computed_field  # type: ignore[prop-decorator]
    @cached_property
    def verdict(self) -> Verdict:
        """Return the verdict: can the agent play?"""
        if any(problem.tier is Tier.REQUIRED for problem in self.problems):
            return Verdict.NOT_READY
        return Verdict.REMARKS if self.problems else Verdict.READY
