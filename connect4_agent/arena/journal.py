"""The journal: a run's folder, in which games.jsonl holds every finished game and is the truth."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

import orjson
from pydantic import ValidationError

from connect4_agent import __version__, errors
from connect4_agent.arena.config import RunConfig, explain
from connect4_agent.arena.line_file import LineFile
from connect4_agent.arena.report import JOURNAL_NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from types import TracebackType

    from connect4_agent.arena.openings import Opening
    from connect4_agent.arena.record import GameRecord

CONFIG_FILE = "run.json"


class Journal:
    """The journal of a run that goes on. Raises JournalError where it cannot."""

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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def _check_config(self, config: RunConfig, openings: Sequence[Opening]) -> None:
        """Keep the run's description beside its games; refuse to go on with another one."""
        path = self.folder / CONFIG_FILE
        described = {
            "config": config.model_dump(mode="json"),
            "openings": {"count": len(openings), "sha256": _digest(openings)},
        }
        try:
            kept = orjson.loads(path.read_bytes())
            # Keys that a later version has added get their defaults.
            kept = {
                "config": RunConfig.model_validate(kept["config"]).model_dump(mode="json"),
                "openings": kept["openings"],
            }
        except FileNotFoundError:
            if not self._file.is_empty:
                raise errors.JournalError(f"{self.folder} holds games, but no {CONFIG_FILE} that says whose") from None
            whole = {**described, "versions": {"connect4-agent": __version__}}
            temporary = path.with_suffix(".tmp")
            temporary.write_bytes(orjson.dumps(whole, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
            temporary.replace(path)
            return
        except (orjson.JSONDecodeError, KeyError, TypeError) as error:
            raise errors.JournalError(f"{path} cannot be read: {error!r}") from None
        except ValidationError as error:
            raise errors.JournalError(f"{path} cannot be used: {explain(error)}") from None
        if changes := list(_differences(kept, described)):
            raise errors.JournalError(
                f"{self.folder} belongs to another run; what differs, there -> here:\n  "
                + "\n  ".join(changes)
                + "\nGive another folder with --out, or the run's own description."
            )


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
