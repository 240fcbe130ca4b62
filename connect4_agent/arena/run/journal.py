"""The journal: a run's folder, in which games.jsonl holds every finished game and is the truth."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO
from zlib import crc32

import orjson
from pydantic import ValidationError

from connect4_agent import __version__, errors
from connect4_agent.arena.agents.spec import explain
from connect4_agent.arena.config import RunConfig, are_drawn
from connect4_agent.arena.run.line_file import LineFile, cannot_write
from connect4_agent.arena.run.record import GameRecord, Opening, contradiction_in

JOURNAL_NAME = "games.jsonl"
CONFIG_FILE = "run.json"
OPENINGS_FILE = "openings.json"
"""The openings of a run that has drawn them at random: drawing them again would take longer than reading them."""

CHECKSUM_KEY = b',"checksum":"'
MAX_LINE_BYTES = 1 << 24


def read_games(
    run: Path, note: Callable[[str], None], bad_line: Callable[[str], None] | None = None
) -> Iterator[GameRecord]:
    """The games of a run's journal, each checked by replaying it; a half-written last line is left out and noted.

    A record that is due may be followed by another one of the same game, which replaces it. A line that does not hold
    is given to `bad_line` and left out; without that, it raises RunFolderError.
    """
    due: dict[int, bool] = {}
    with open_journal(run) as file:
        for number, line in enumerate(_lines(file), 1):
            if not line.endswith(b"\n"):
                note(f"line {number} of {run / JOURNAL_NAME} is half-written and was left out")
                return
            try:
                record = read_game(line, number, run / JOURNAL_NAME, due)
            except errors.RunFolderError as error:
                if bad_line is None:
                    raise
                bad_line(str(error))
                continue
            due[record.game] = record.is_due
            yield record


def open_journal(run: Path) -> BinaryIO:
    """The journal of a run, to be read. Raises RunFolderError."""
    try:
        return open_in_run(run, JOURNAL_NAME)
    except OSError as error:
        reason = "no such folder" if not run.exists() else f"{JOURNAL_NAME}: {error.strerror}"
        raise errors.RunFolderError(f"{str(run)!r} is not a run folder: {reason}") from None


def open_in_run(run: Path, name: str) -> BinaryIO:
    """A file of a run that may be somebody else's: an ordinary one, and no link to elsewhere. Raises OSError."""
    path = run / name
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not an ordinary file", str(path))
    return open(descriptor, "rb")


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file; one that is too long is cut, and will not hold."""
    return iter(lambda: file.readline(MAX_LINE_BYTES), b"")


def read_game(line: bytes, number: int, journal: Path, due: Mapping[int, bool] = MappingProxyType({})) -> GameRecord:
    """One line of a journal, checked by replaying its game. Raises RunFolderError.

    `due` has the games of earlier lines, and whether each may be replaced.
    """
    try:
        record = GameRecord.model_validate_json(without_checksum(line))
    except ValidationError as error:
        problem = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(map(str, problem["loc"])) or "the line"
        raise errors.RunFolderError(f"line {number} of {journal}: {where}: {problem['msg']}") from None
    except ValueError as error:
        raise errors.RunFolderError(f"line {number} of {journal}: {error}") from None
    problem_found = contradiction_in(record)
    if record.game in due and not due[record.game]:
        problem_found = "appears twice"
    if problem_found is not None:
        raise errors.RunFolderError(f"line {number} of {journal}: game {record.game} {problem_found}")
    return record


def with_checksum(record: GameRecord) -> bytes:
    """A record as a line of the journal: JSON whose last key is a checksum of what is before it."""
    body = record.model_dump_json().encode()[:-1]
    return body + CHECKSUM_KEY + b"%08x" % crc32(body) + b'"}'


def without_checksum(line: bytes) -> bytes:
    """The record of a line of the journal. Raises ValueError if the checksum is missing or wrong."""
    body, key, rest = line.rstrip(b"\n").rpartition(CHECKSUM_KEY)
    if not key:
        raise ValueError("it has no checksum")
    if rest != b"%08x" % crc32(body) + b'"}':
        raise ValueError("its checksum is wrong: the line was changed or damaged")
    return body + b"}"


class Journal:
    """The journal of a run, open for more games. Raises RunFolderError if the run cannot be continued."""

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
        self._file.append(with_checksum(record))

    def check_in_place(self) -> None:
        """Raise WorkerLostError if the file on disk is not the one that was written."""
        self._file.check_in_place()

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
        there = _read_description(self.folder)
        if there is None:
            if not self._file.is_empty:
                raise errors.RunFolderError(f"{self.folder} holds games, but no {CONFIG_FILE} that says whose")
            self._keep_openings(config, openings)
            _write(self.folder / CONFIG_FILE, {**described, "versions": {"connect4-agent": __version__}}, is_read=True)
            return
        if changes := list(_differences(there, described)):
            raise errors.RunFolderError(
                f"{self.folder} belongs to another run; what differs, there -> here:\n  "
                + "\n  ".join(changes)
                + "\nGive another folder with --out, or the run's own description."
            )
        self._keep_openings(config, openings)

    def _keep_openings(self, config: RunConfig, openings: Sequence[Opening]) -> None:
        if are_drawn(config.openings) and read_openings_of(self.folder) is None:
            _write(self.folder / OPENINGS_FILE, openings)


def read_openings_of(run: Path) -> tuple[Opening, ...] | None:
    """The openings that a run has drawn; None if they have to be drawn again."""
    try:
        digest = _read_json(run, CONFIG_FILE)["openings"]["sha256"]
        openings = tuple(tuple(map(int, opening)) for opening in _read_json(run, OPENINGS_FILE))
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return openings if _digest(openings) == digest else None


def _read_json(run: Path, name: str) -> Any:
    with open_in_run(run, name) as file:
        return orjson.loads(file.read())


def _read_description(run: Path) -> dict[str, Any] | None:
    """What CONFIG_FILE says of a run; None if there is no such file. Raises RunFolderError."""
    path = run / CONFIG_FILE
    try:
        there = _read_json(run, CONFIG_FILE)
        config = RunConfig.model_validate(there["config"])
        return {"config": config.model_dump(mode="json"), "openings": there["openings"]}
    except FileNotFoundError:
        return None
    except ValidationError as error:
        raise errors.RunFolderError(f"{path} cannot be used: {explain(error)}") from None
    except (orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise errors.RunFolderError(f"{path} cannot be read: {error!r}") from None
    except OSError as error:
        raise errors.RunFolderError(f"{path} cannot be read: {error.strerror}") from None


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
