"""AgentSpec: who plays and what it may use, the same value in a TOML file, in the API and in a worker."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable
from enum import StrEnum
from functools import cache
from operator import index
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from connect4_agent import errors
from connect4_agent.arena.command_line import PYTHON_FILE, command_words, split_command, split_name
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.text import did_you_mean, escaped, short

MAX_NAME = 100
"""The longest name of an agent, in characters."""

DEFAULT_TIME_LIMIT = 10.0
DEFAULT_STARTUP = 10.0
DEFAULT_PROCESSES = 64
MIN_GRACE = 0.25
MAX_SECONDS = 1e9
"""The longest time that can be given or recorded: thirty years."""

SIZE = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)([KMG])", re.IGNORECASE)
BYTES = {"K": 1000, "M": 1000_000, "G": 1000_000_000}
MIN_MEMORY_BYTES = BYTES["M"]
MAX_DEFAULT_MEMORY_BYTES = 2 * BYTES["G"]

Seconds = Annotated[float, Field(gt=0, le=MAX_SECONDS, allow_inf_nan=False, strict=True)]


def _escape(value: Any) -> Any:
    """Return a text on one line, with control characters written out; anything else as it is."""
    return escaped(value) if isinstance(value, str) else value


# Escaped before its length is checked: an escaped name must be valid where it is read again.
AgentName = Annotated[str, BeforeValidator(_escape)]
"""The name of an agent; signs that change a terminal's state, or the direction of writing, are written out."""


def _plain_int(value: Any) -> Any:
    """One of NumPy's whole numbers as a plain one; anything else as it is."""
    try:
        return value if isinstance(value, bool) else index(value)
    except TypeError:
        return value


WholeNumber = Annotated[int, BeforeValidator(_plain_int), Field(strict=True)]
Count = Annotated[WholeNumber, Field(ge=1)]


HOST = str(Path(__file__).parent / "agents" / "host.py")
"""The file that a Python file's interpreter runs; it calls the function, or starts the program, that the file holds."""

DEFAULT_PYTHON = "python3"


class StartForm(StrEnum):
    """What an agent gets on its command line; managers differ."""

    BARE = "bare"
    FLAGS = "flags"
    """--player 1 --width 7 --height 6."""
    WORDS = "words"
    """1 1 7 7 6 6."""


class RequestForm(StrEnum):
    """What a request line holds."""

    FULL = "full"
    """grid, height, player and width."""
    GRID = "grid"


class Isolation(StrEnum):
    """What separates a program from the rest of the machine, from the weakest to the strongest."""

    NONE = "none"
    """Nothing but its own worker process."""
    PROCESSES = "processes"
    """It sees no processes but its own; files and network are as they are."""
    FULL = "full"
    """Files are read-only as well, /tmp is its own, and there is no network."""


def parse_size(text: str) -> int:
    """Return the bytes of a size such as 500M or 2G. Raises ValueError."""
    match = SIZE.fullmatch(text)
    size = int(float(match[1]) * BYTES[match[2].upper()]) if match is not None else 0
    if size < MIN_MEMORY_BYTES:
        raise ValueError(f"{text!r} is not a size; allowed are sizes such as 500M or 2G, from 1M on")
    return size


def check_size(text: str) -> str:
    """Return a size such as 500M as it is. Raises ValueError if it is not one."""
    parse_size(text)
    return text


class TimeLimits(BaseModel):
    """The seconds that an agent has. A run says them for all its agents, and an agent for itself."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    time_limit: Seconds | None = None
    """The time for a move."""
    grace: Annotated[float, Field(ge=0, le=MAX_SECONDS, allow_inf_nan=False, strict=True)] | None = None
    """An answer that is late by up to this time counts. Default: half of the limit, at least 0.25 s."""
    startup: Seconds | None = None
    """The time for starting a process, in addition to that of its first move."""


class Grants(TimeLimits):
    """The time and resources that agents may use; None leaves one open."""

    memory: Annotated[str, AfterValidator(check_size)] | None = None
    """What all processes of a program may use together, such as 500M."""
    processes: Count | None = None
    """How many processes and threads a program may have at a time."""
    isolation: Isolation | None = None
    pass_env: tuple[str, ...] | None = None
    """The names of variables of the manager's environment that programs get, too."""


DEFAULTS = Grants(time_limit=DEFAULT_TIME_LIMIT, startup=DEFAULT_STARTUP, processes=DEFAULT_PROCESSES)


def default_grace(time_limit: float | None) -> float:
    """Return the grace for a time limit: half of it, at least 0.25 s."""
    return max(MIN_GRACE, (time_limit or 0.0) / 2)


class AgentSpec(Grants):
    """A built-in player (`player`), a program or Python file (`command`), or an object of the API (`python_object`)."""

    name: AgentName = Field(min_length=1, max_length=MAX_NAME)
    player: str | None = None
    """A built-in player, such as `hard` or `negamax:depth=6`."""
    command: tuple[str, ...] | None = None
    """A program that speaks the protocol, or a Python file such as bot.py or bot.py:choose: a text as one would type
    it, or a list of words. No shell reads it."""
    python: str | None = Field(default=None, min_length=1)
    """The interpreter of a Python file (default: the python3 of the PATH)."""
    python_object: str | None = None
    """What a Python object is, in words: it takes part in runs that a Python program has started, and in no others."""
    version: Annotated[str, BeforeValidator(_escape)] | None = Field(default=None, min_length=1, max_length=MAX_NAME)
    """Which version of the agent this is. Without it, a program's files decide."""
    env: dict[str, str] = {}
    """Variables for the program, with their values."""
    directory: str | None = None
    """Where the command runs, relative to the TOML file. Without it, where the manager was started."""
    start: StartForm = StartForm.BARE
    request: RequestForm = RequestForm.FULL

    @field_validator("name")
    @classmethod
    def _check_name(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("the name is blank")
        return value

    @field_validator("command", mode="before")
    @classmethod
    def _split_command(cls, value: Any) -> Any:
        return split_command(value)

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
    def _check_kind(self) -> Self:
        if (self.player, self.command, self.python_object).count(None) != 2:
            raise ValueError("give either player or command")
        if self.command is None:
            common = {"name", "player", "python_object", "version", "time_limit", "grace"}
            given = [
                name
                for name, field in type(self).model_fields.items()
                if name not in common and name != "command" and getattr(self, name) != field.default
            ]
            if given:
                kind = "built-in player" if self.python_object is None else "Python object"
                raise ValueError(f"a {kind} has no {', '.join(given)}")
        elif self.python is not None and self.python_file is None:
            raise ValueError('python is the interpreter of a Python file: command = "bot.py" or "bot.py:choose"')
        return self

    @property
    def is_program(self) -> bool:
        """Whether it is started as a process."""
        return self.command is not None

    @property
    def time_limits(self) -> TimeLimits:
        """The limits as a record holds them."""
        return TimeLimits(time_limit=self.time_limit, grace=self.grace, startup=self.startup)

    def with_defaults(self, run: Grants = DEFAULTS) -> Self:
        """Return the agent with what the run grants to all its agents, then the defaults, where it says nothing."""
        names = Grants.model_fields if self.is_program else ("time_limit", "grace")
        values = {
            name: value
            for grants in (DEFAULTS, run, self)
            for name in names
            if (value := getattr(grants, name)) is not None
        }
        return self.model_copy(update={"grace": default_grace(values["time_limit"]), **values})

    @property
    def python_file(self) -> str | None:
        """The Python file that is to be called, without a name in it; None for any other command."""
        match = PYTHON_FILE.fullmatch(self.command[0]) if self.command else None
        return match[1] if match is not None else None

    @property
    def words(self) -> tuple[str, ...]:
        """The command as it is started: a Python file comes after its interpreter and the host."""
        command = self.command or ()
        return command if self.python_file is None else (self.python or DEFAULT_PYTHON, HOST, *command)

    def command_for(self, player: int, width: int, height: int) -> tuple[str, ...]:
        """The command line for a game."""
        command = self.words
        if self.start is StartForm.FLAGS:
            return (*command, "--player", str(player), "--width", str(width), "--height", str(height))
        if self.start is StartForm.WORDS:
            return (*command, *(str(number) for number in (player, width, height) for _ in range(2)))
        return command


def new_spec(values: dict[str, Any]) -> AgentSpec:
    """Return an agent from its fields. Raises AgentError."""
    try:
        return AgentSpec.model_validate(values)
    except ValidationError as error:
        raise errors.AgentError(explain(error)) from None


def parse_agent(text: str, name: str | None = None) -> AgentSpec:
    """Return the agent that an AGENT of the command line is: [NAME=]PLAYER, COMMAND or FILE.py. Raises AgentError."""
    own_name, rest = split_name(text)
    kind = "player" if (command := command_words(rest)) is None else "command"
    return new_spec({"name": name or own_name or agent_name(rest), kind: command or rest})


def distinct_names(names: list[str]) -> list[str]:
    """Return the names, cut to the longest that is allowed, with a number after one that is taken."""
    made: list[str] = []
    for text in names:
        made.append(agent_name(text, made))
    return made


def agent_name(text: str, taken: Collection[str] = ()) -> str:
    """Return a name for an agent: the text, escaped, then cut to MAX_NAME, with a number after it if it is taken."""
    whole = escaped(text) or "?"
    name = whole[:MAX_NAME]
    number = 2
    while name in taken:
        suffix = f" #{number}"
        name = whole[: MAX_NAME - len(suffix)] + suffix
        number += 1
    return name


@cache
def default_memory_bytes() -> int:
    """Return 2 GB, or half of the machine's memory if that is less."""
    try:
        machine_bytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return MAX_DEFAULT_MEMORY_BYTES
    return min(MAX_DEFAULT_MEMORY_BYTES, machine_bytes // 2)


ALLOWED = {
    "bool_type": "true and false",
    "dict_type": "a table of names and values",
    "enum": "{expected}",
    "finite_number": "a finite number",
    "float_type": "a number",
    "greater_than": "numbers above {gt:g}",
    "greater_than_equal": "numbers from {ge:g} on",
    "int_type": "a whole number",
    "less_than": "numbers below {lt}",
    "less_than_equal": "numbers up to {le}",
    "literal_error": "{expected}",
    "multiple_of": "even numbers: every opening is played twice",
    "string_too_long": "at most {max_length} characters",
    "string_too_short": "at least {min_length} character",
    "string_type": "a text",
    "too_short": "at least {min_length}",
    "tuple_type": "a list",
}
"""What is allowed where pydantic finds an error of this type."""


def explain(error: ValidationError, keys: Iterable[str] = ()) -> str:
    """What pydantic found, each with the path of its key; `keys` are those beside an agent's own."""
    names = [*AgentSpec.model_fields, *keys]
    return "; ".join(
        _explain_one(problem, names)
        for problem in error.errors(include_url=False)
        # pydantic does not count an item that has a problem of its own.
        if problem["type"] != "too_short" or len(problem["input"]) < problem["ctx"]["min_length"]
    )


def _explain_one(problem: Any, names: list[str]) -> str:
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in problem["loc"]).lstrip(".")
    kind, value, context = problem["type"], problem["input"], problem.get("ctx", {})
    if kind == "missing":
        return f"{path} is missing"
    if kind == "extra_forbidden":
        return f"{path} is not a known key{did_you_mean(str(problem['loc'][-1]), names)}"
    if kind in ALLOWED:
        shown = f"has {len(value)}" if kind == "too_short" else f"is {short(repr(value))}"
        hint = did_you_mean(str(value), re.findall(r"'([^']*)'", context.get("expected", "")))
        return f"{path} {shown}{hint}; allowed: {ALLOWED[kind].format(**context)}"
    message = problem["msg"].removeprefix("Value error, ")
    shown = "" if isinstance(value, (dict, list, BaseModel)) else f" (it is {short(repr(value))})"
    return f"{path}: {message}{shown}" if path else message
