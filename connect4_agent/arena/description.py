"""run.json: what a run is: its description as given last, its agents' versions, and who was retried or put out."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from connect4_agent import errors
from connect4_agent.arena.config import RunConfig
from connect4_agent.arena.line_file import cannot_write, open_in_run
from connect4_agent.arena.record import Opening
from connect4_agent.arena.spec import explain
from connect4_agent.rules.position import Position

DESCRIPTION_NAME = "run.json"
OPENINGS_NAME = "openings.json"
"""The openings that games may begin with: some take long to find, and those of a file may be gone."""


Value = TypeVar("Value")


class RunDescription(BaseModel):
    """A run as it was described when it was last started."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    config: RunConfig
    versions: dict[str, str]
    """The version of every agent, by name."""
    retries: dict[str, int] = {}
    """The agents that got another chance, and the last game before that."""
    disqualified: tuple[str, ...] = ()


def read_description(run: Path) -> RunDescription | None:
    """The description of the run in a folder; None if there is none. Raises RunFolderError."""
    if not os.path.exists(run / DESCRIPTION_NAME):
        return None
    found = _read(run, DESCRIPTION_NAME, RunDescription.model_validate)
    if missing := [agent.name for agent in found.config.agents if agent.name not in found.versions]:
        raise errors.RunFolderError(f"{run / DESCRIPTION_NAME} cannot be used: versions: {missing[0]!r} has no version")
    return found


def read_run_openings(run: Path, config: RunConfig) -> tuple[Opening, ...]:
    """The openings of a run. Raises RunFolderError."""

    def checked(document: Any) -> tuple[Opening, ...]:
        openings = tuple(map(tuple, document))
        for opening in openings:
            Position(config.width, config.height).after(opening)
        if not openings:
            raise ValueError("it has no openings")
        return openings

    return _read(run, OPENINGS_NAME, checked)


def _read(run: Path, name: str, checked: Callable[[Any], Value]) -> Value:
    """A JSON file of a run, checked. Raises RunFolderError."""
    try:
        with open_in_run(run, name) as file:
            return checked(orjson.loads(file.read()))
    except OSError as error:
        raise errors.RunFolderError(f"{run / name} cannot be read: {error.strerror}") from None
    except ValidationError as error:
        raise errors.RunFolderError(f"{run / name} cannot be used: {explain(error)}") from None
    except (ValueError, TypeError, errors.Connect4Error) as error:
        raise errors.RunFolderError(f"{run / name} cannot be used: {error}") from None


def write_description(run: Path, description: RunDescription) -> None:
    """Keep the description of a run. Raises RunFolderError."""
    write_json(run / DESCRIPTION_NAME, description.model_dump(mode="json"), orjson.OPT_INDENT_2)


def write_run_openings(run: Path, openings: tuple[Opening, ...]) -> None:
    """Keep the openings of a run. Raises RunFolderError."""
    write_json(run / OPENINGS_NAME, openings)


def write_json(path: Path, document: Any, layout: int = 0) -> None:
    """Write a JSON document, the whole of it or nothing. Raises RunFolderError."""
    temporary = path.with_suffix(".tmp")
    try:
        temporary.write_bytes(orjson.dumps(document, option=layout | orjson.OPT_APPEND_NEWLINE))
        temporary.replace(path)
    except OSError as error:
        raise cannot_write(path, error) from None
