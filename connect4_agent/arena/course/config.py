"""The description of a course: the keys of course.toml, and the roster of the class."""

from __future__ import annotations

import csv
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from connect4_agent import errors
from connect4_agent.arena.agents.spec import DEFAULT_GRACE_SECONDS, DEFAULT_STARTUP_SECONDS, Grants, Seconds, explain
from connect4_agent.arena.config import DEFAULT_OPENINGS, is_openings_file, read_toml
from connect4_agent.arena.entries.unpacking import plain_name
from connect4_agent.engine.players.registry import parse_player

CONFIG_NAME = "course.toml"
REFERENCES = ("random", "greedy", "easy", "medium", "hard")
DEFAULT_WORTH = {"random": 10.0, "greedy": 15.0, "easy": 15.0, "medium": 10.0}
ROSTER_KEYS = ("entry", "name", "id", "e-mail", "group")

EvenNumber = Annotated[int, Field(ge=2, le=10_000, multiple_of=2)]
Points = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Grades(BaseModel):
    """The points of a grade, for what is proven."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ready: Points = 40.0
    """For a program that passes the check."""
    beats: dict[str, Points] | None = None
    """For each reference that it beats, at the confidence of the course."""
    rank: Points = 10.0
    """From the last rank, which gets nothing, to the first.

    The middle of the range of ranks counts; of an entry that is paused, its end.
    """


class CourseConfig(Grants):
    """One course; every key has a default."""

    title: str = "Connect Four"
    deadline: datetime | None = None
    """Later versions are kept as late, and not played unless they are accepted."""
    limit_seconds: Seconds = 1.0
    grace_seconds: Annotated[float, Field(ge=0, allow_inf_nan=False, strict=True)] = DEFAULT_GRACE_SECONDS
    startup_seconds: Seconds = DEFAULT_STARTUP_SECONDS
    references: tuple[str, ...] = REFERENCES
    reference_games: EvenNumber = 20
    """Of every entry against every reference."""
    games: EvenNumber = 2
    """Of every pair of entries."""
    openings: str = DEFAULT_OPENINGS
    seed: int | None = Field(default=None, ge=-(2**63), lt=2**63)
    """For the openings. By default a secret of the course: known openings would tell who is behind an alias."""
    confidence: float = Field(default=0.95, gt=0.5, lt=1)
    names: Literal["real", "alias"] = "real"
    """What entries are called on pages for everybody."""
    roster: str | None = None
    """A CSV file beside this one, with the columns entry, name, id, e-mail and group, or some of them."""
    grades: Grades = Grades()

    def is_late(self, moment: datetime) -> bool:
        """Whether something was handed in after the deadline."""
        return self.deadline is not None and moment > self.deadline

    @property
    def worth(self) -> dict[str, float]:
        """The points for beating each reference."""
        if self.grades.beats is not None:
            return self.grades.beats
        return {name: worth for name, worth in DEFAULT_WORTH.items() if name in self.references}

    @field_validator("deadline")
    @classmethod
    def _in_some_zone(cls, value: datetime | None) -> datetime | None:
        return value if value is None or value.tzinfo is not None else value.astimezone()

    @field_validator("references")
    @classmethod
    def _check_references(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for spec in value:
            try:
                parse_player(spec)
            except errors.PlayerSpecError as error:
                raise ValueError(str(error)) from None
        if len(set(value)) < len(value):
            raise ValueError("a reference appears twice")
        return value

    @model_validator(mode="after")
    def _check_grades(self) -> Self:
        if unknown := [name for name in self.worth if name not in self.references]:
            raise ValueError(f"grades.beats has {unknown[0]!r}, which is not one of the references")
        return self


def read_course_config(submissions: Path, given: Path | None = None) -> CourseConfig:
    """The description in this file, or else in course.toml beside the submissions, or the defaults. Raises ArenaError.

    A roster's path is relative to the file.
    """
    path = given or submissions.absolute().parent / CONFIG_NAME
    if not path.exists():
        if given is not None:
            raise errors.ArenaError(f"cannot read {path}: no such file")
        if (inside := submissions / CONFIG_NAME).exists():
            raise errors.ArenaError(f"{inside} would be taken for an entry: move it to {path}, or give --config")
        return CourseConfig()
    try:
        config = CourseConfig.model_validate(read_toml(path))
    except ValidationError as error:
        raise errors.ArenaError(f"{path}: {explain(error)}") from None
    beside = path.absolute().parent
    if config.roster is not None:
        config = config.model_copy(update={"roster": str(beside / config.roster)})
    if is_openings_file(config.openings):
        config = config.model_copy(update={"openings": str(beside / config.openings)})
    return config


def read_roster(config: CourseConfig) -> dict[str, dict[str, str]]:
    """The rows of the course's roster by the name of their entry; empty if there is none. Raises ArenaError."""
    path = config.roster
    if path is None:
        return {}
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            header = file.readline().lower()
            separator = max(",;\t", key=header.count)  # that of Excel depends on the country
            keys = [key.strip() for key in next(csv.reader([header], delimiter=separator), [])]
            rows = list(csv.DictReader(file, keys, delimiter=separator))
    except OSError as error:
        raise errors.ArenaError(f"cannot read {path}: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise errors.ArenaError(f"{path} is not a CSV file: {error}") from None
    roster: dict[str, dict[str, str]] = {}
    for number, row in enumerate(rows, 2):
        values = {key: value or "" for key, value in row.items() if key in ROSTER_KEYS}
        name = plain_name(values.get("entry", "")) if values.get("entry", "").strip() else ""
        if not name:
            raise errors.ArenaError(
                f"{path}, line {number}: there is no entry; the columns are {', '.join(ROSTER_KEYS)}"
            )
        if name in roster:
            raise errors.ArenaError(f"{path}, line {number}: entry {name!r} appears twice")
        roster[name] = values
    return roster
