"""The journal: games.jsonl in a run's folder, which holds every game that was played and is the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple
from zlib import crc32

from pydantic import ValidationError

from connect4_agent import errors
from connect4_agent.arena.run.line_file import LineFile, open_in_run
from connect4_agent.arena.run.record import GameRecord, contradiction_in

JOURNAL_NAME = "games.jsonl"
CHECKSUM_KEY = b',"checksum":"'
MAX_LINE_BYTES = 1 << 24


class Place(NamedTuple):
    """Where a line of a journal is."""

    start: int
    length: int


def read_games(
    run: Path, note: Callable[[str], None], bad_line: Callable[[str], None] | None = None
) -> Iterator[GameRecord]:
    """The games of a run's journal, each checked by replaying it, as `read_places` gives them."""
    for record, _ in read_places(run, note, bad_line):
        yield record


def read_places(
    run: Path, note: Callable[[str], None], bad_line: Callable[[str], None] | None = None
) -> Iterator[tuple[GameRecord, Place]]:
    """The games of a run's journal and the places of their lines; a half-written last line is left out and noted.

    A record of a game that is void or was lost on time may be followed by another one of the same game, which replaces
    it. A line that does not hold is given to `bad_line` and left out; without that, it raises RunFolderError.
    """
    seen: dict[int, GameRecord | None] = {}
    start = 0
    with open_journal(run) as file:
        for number, line in enumerate(_lines(file), 1):
            if not line.endswith(b"\n"):
                note(f"line {number} of {run / JOURNAL_NAME} is half-written and was left out")
                return
            place = Place(start, len(line))
            start += len(line)
            try:
                record = read_game(line, number, run / JOURNAL_NAME)
                if record.game in seen:
                    _check_replaced(seen[record.game], record, f"line {number} of {run / JOURNAL_NAME}")
            except errors.RunFolderError as error:
                if bad_line is None:
                    raise
                bad_line(str(error))
                continue
            seen[record.game] = record if record.may_be_replaced else None
            yield record, place


def _check_replaced(before: GameRecord | None, record: GameRecord, where: str) -> None:
    """Raise RunFolderError if a record cannot replace an earlier one of the same number; None is final."""
    if before is None:
        raise errors.RunFolderError(f"{where}: game {record.game} appears twice")
    if before.key != record.key:
        raise errors.RunFolderError(f"{where}: game {record.game} was another game before")


def open_journal(run: Path) -> BinaryIO:
    """The journal of a run, to be read. Raises RunFolderError."""
    try:
        return open_in_run(run, JOURNAL_NAME)
    except OSError as error:
        reason = "no such folder" if not run.exists() else f"{JOURNAL_NAME}: {error.strerror}"
        raise errors.RunFolderError(f"{str(run)!r} is not a run folder: {reason}") from None


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file; one that is too long is cut, and will not hold."""
    return iter(lambda: file.readline(MAX_LINE_BYTES), b"")


def read_game(line: bytes, number: int, journal: Path) -> GameRecord:
    """One line of a journal, checked by replaying its game. Raises RunFolderError."""
    try:
        record = GameRecord.model_validate_json(without_checksum(line))
    except ValidationError as error:
        problem = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(map(str, problem["loc"])) or "the line"
        raise errors.RunFolderError(f"line {number} of {journal}: {where}: {problem['msg']}") from None
    except ValueError as error:
        raise errors.RunFolderError(f"line {number} of {journal}: {error}") from None
    if (problem_found := contradiction_in(record)) is not None:
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
    """The journal of a run, open for more games. Raises RunFolderError if somebody else writes to it."""

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / JOURNAL_NAME
        self._file = LineFile(path)
        try:
            dropped = self._file.drop_half_line()
        except BaseException:
            self._file.close()
            raise
        if dropped:
            say(f"{path}: a half-written last line of {dropped} bytes is dropped; its game is played again")

    @property
    def is_empty(self) -> bool:
        """Whether it has no games."""
        return self._file.is_empty

    def append(self, record: GameRecord) -> Place:
        """Write a game; it is with the system, and safe from the runner's death, before this returns."""
        line = with_checksum(record)
        return Place(self._file.append(line), len(line) + 1)

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
