"""The journal: a run's folder, in which games.jsonl holds every finished game and is the truth."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

import orjson
from pydantic import ValidationError

from connect4_agent import __version__, errors
from connect4_agent.arena.run.config import RunConfig, are_drawn, explain
from connect4_agent.arena.run.line_file import LineFile, cannot_write
from connect4_agent.arena.run.record import GameRecord, Opening

JOURNAL_NAME = "games.jsonl"
CONFIG_FILE = "run.json"
OPENINGS_FILE = "openings.json"
"""The openings of a run that has drawn them at random: drawing them again would take longer than reading them."""


def read_games(run: Path, note: Callable[[str], None]) -> Iterator[GameRecord]:
    """The games of a run's journal, one at a time; a half-written last line is left out and noted.

    Attempts at games that were played again are among them, see `GameRecord.is_replayed`.
    """
    journal = run / JOURNAL_NAME
    seen: set[int] = set()
    with open_journal(run) as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                note(f"line {number} of {journal} is half-written and was left out")
                return
            record = read_game(line, number, journal, seen)
            if not record.is_replayed:
                seen.add(record.game)
            yield record


def open_journal(run: Path) -> BinaryIO:
    """The journal of a run, to be read. Raises RunFolderError."""
    try:
        return (run / JOURNAL_NAME).open("rb")
    except OSError as error:
        reason = "no such folder" if not run.exists() else f"{JOURNAL_NAME}: {error.strerror}"
        raise errors.RunFolderError(f"{str(run)!r} is not a run folder: {reason}") from None


def read_game(line: bytes, number: int, journal: Path, known: Container[int] = ()) -> GameRecord:
    """One line of a journal, with a game that is not among the known ones. Raises RunFolderError."""
    try:
        record = GameRecord.model_validate_json(line)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(map(str, found["loc"])) or "the line"
        raise errors.RunFolderError(f"line {number} of {journal}: {place}: {found['msg']}") from None
    if record.game in known:
        raise errors.RunFolderError(f"line {number} of {journal}: game {record.game} appears twice")
    return record


class Journal:
    """The journal of a run, open for more games. Raises JournalError if the run cannot be continued."""

    def __init__(
        self, folder: Path, config: RunConfig, openings: Sequence[Opening], say: Callable[[str], None]
    ) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / JOURNAL_NAME
        self._file = LineFile(path)
        try:
            self._check_config(config, openings)
            dropped = self._file.drop_half_line()
        except BaseException:
            self._file.close()
            raise
        if dropped:
            say(f"{path}: a half-written last line of {dropped} bytes is dropped; its game is played again")

    def append(self, record: GameRecord) -> None:
        """Write a game; it is with the system, and safe from the runner's death, before this returns."""
        self._file.append(record.model_dump_json().encode())

    def close(self) -> None:
        """Bring everything to the disk."""
        self._file.close()

    def __enter__(self) -> Journal:
        """The journal itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    def _check_config(self, config: RunConfig, openings: Sequence[Opening]) -> None:
        """Keep the run's description beside its games; refuse to continue with another one."""
        described = {
            "config": config.model_dump(mode="json"),
            "openings": {"count": len(openings), "sha256": _digest(openings)},
        }
        kept = _read_description(self.folder)
        if kept is None:
            if not self._file.is_empty:
                raise errors.JournalError(f"{self.folder} holds games, but no {CONFIG_FILE} that says whose")
            self._keep_openings(config, openings)
            _write(self.folder / CONFIG_FILE, {**described, "versions": {"connect4-agent": __version__}}, is_read=True)
            return
        kept["config"] = kept["config"].model_dump(mode="json")
        if changes := list(_differences(kept, described)):
            raise errors.JournalError(
                f"{self.folder} belongs to another run; what differs, there -> here:\n  "
                + "\n  ".join(changes)
                + "\nGive another folder with --out, or the run's own description."
            )
        self._keep_openings(config, openings)

    def _keep_openings(self, config: RunConfig, openings: Sequence[Opening]) -> None:
        if are_drawn(config.openings) and read_openings_of(self.folder) is None:
            _write(self.folder / OPENINGS_FILE, openings)


def read_config_of(run: Path) -> RunConfig:
    """The description of the run in a folder. Raises JournalError if there is none that can be used."""
    kept = _read_description(run)
    if kept is None:
        raise errors.JournalError(f"{str(run)!r} is not a run folder: it has no {CONFIG_FILE}")
    config: RunConfig = kept["config"]
    return config


def read_openings_of(run: Path) -> tuple[Opening, ...] | None:
    """The openings that a run has drawn; None if they have to be drawn again."""
    try:
        kept = orjson.loads((run / OPENINGS_FILE).read_bytes())
        is_made_by = orjson.loads((run / CONFIG_FILE).read_bytes())["openings"]["sha256"]
        openings = tuple(tuple(map(int, opening)) for opening in kept)
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return openings if _digest(openings) == is_made_by else None


def _read_description(run: Path) -> dict[str, Any] | None:
    """What CONFIG_FILE says of a run, its config as such; None if there is no such file. Raises JournalError."""
    path = run / CONFIG_FILE
    try:
        kept = orjson.loads(path.read_bytes())
        # Keys that a later version has added get their defaults.
        return {"config": RunConfig.model_validate(kept["config"]), "openings": kept["openings"]}
    except FileNotFoundError:
        return None
    except ValidationError as error:
        raise errors.JournalError(f"{path} cannot be used: {explain(error)}") from None
    except (orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise errors.JournalError(f"{path} cannot be read: {error!r}") from None
    except OSError as error:
        raise errors.JournalError(f"{path} cannot be read: {error.strerror}") from None


def _write(path: Path, document: Any, *, is_read: bool = False) -> None:
    """Write a JSON document, the whole of it or nothing; `is_read` by people, too."""
    layout = orjson.OPT_INDENT_2 if is_read else 0
    temporary = path.with_suffix(".tmp")
    try:
        temporary.write_bytes(orjson.dumps(document, option=layout | orjson.OPT_APPEND_NEWLINE))
        temporary.replace(path)
    except OSError as error:
        raise cannot_write(path, error) from None


def _digest(openings: Sequence[Opening]) -> str:
    return sha256(orjson.dumps(openings)).hexdigest()


def _differences(there: Any, here: Any, path: str = "") -> Iterator[str]:
    """The values in which two JSON documents differ, each with its path."""
    if isinstance(there, dict) and isinstance(here, dict):
        for key in {**there, **here}:
            yield from _differences(there.get(key), here.get(key), f"{path}.{key}" if path else key)
    elif isinstance(there, list) and isinstance(here, list):
        for index in range(max(len(there), len(here))):
            one, two = (values[index] if index < len(values) else None for values in (there, here))
            yield from _differences(one, two, f"{path}[{index}]")
    elif there != here:
        yield f"{path.removeprefix('config.')}: {orjson.dumps(there).decode()} -> {orjson.dumps(here).decode()}"
