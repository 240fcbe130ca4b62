"""The journal: games.jsonl in a run's folder, a line for each finished game. A crash loses at most the last line."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import BinaryIO, Self
from zlib import crc32

from pydantic import ValidationError

from connect4_agent import errors
from connect4_agent.arena.record import GameKey, GameRecord, contradiction_in

JOURNAL_NAME = "games.jsonl"
CHECKSUM_KEY = b',"checksum":"'
MAX_LINE_BYTES = 1 << 24

SYNC_SECONDS = 1.0
"""The time between two requests to bring the lines to the disk; a killed writer loses nothing either way."""

Say = Callable[[str], None]


def read_games(run: Path, note: Say, bad_line: Say | None = None) -> Iterator[GameRecord]:
    """Read the games of a run's journal as `read_lines` does."""
    return (record for _, record in read_lines(run, note, bad_line))


def read_lines(run: Path, note: Say, bad_line: Say | None = None) -> Iterator[tuple[int, GameRecord]]:
    """Read the games of a run's journal and the numbers of their lines, each game checked by replaying it.

    A half-written last line is left out and noted.

    A game that was lost by a fault may be followed by another record of the same game, which replaces it. A line that
    is not a valid record is given to `bad_line` and left out; without that, it raises RunFolderError.
    """
    path = run / JOURNAL_NAME
    seen: dict[int, tuple[GameKey, bool]] = {}
    """The key of every game by its number, and whether no later record may replace it."""
    with open_journal(run) as file:
        for number, (line, is_too_long) in enumerate(_lines(file), 1):
            if not line.endswith(b"\n"):
                note(f"line {number} of {path} is half-written and was left out")
                return
            try:
                if is_too_long:
                    raise ValueError(f"it is longer than {MAX_LINE_BYTES} bytes")
                record = parse_record(line)
                key_before, is_final = seen.get(record.game, (record.key, False))
                if key_before != record.key:
                    raise ValueError(f"game {record.game} was another game before")
                if is_final:
                    raise ValueError(f"game {record.game} appears twice, and no agent had lost it by a fault")
            except ValueError as error:
                told = f"line {number} of {path}: {error}"
                if bad_line is None:
                    raise errors.RunFolderError(told) from None
                bad_line(told)
                continue
            seen[record.game] = record.key, record.fault is None
            yield number, record


def _lines(file: BinaryIO) -> Iterator[tuple[bytes, bool]]:
    """Give the lines of a file, and whether each is too long; of such a line, only the end."""
    while line := file.readline(MAX_LINE_BYTES):
        is_too_long = False
        while not line.endswith(b"\n") and (more := file.readline(MAX_LINE_BYTES)):
            line, is_too_long = more, True
        yield line, is_too_long


def parse_record(line: bytes) -> GameRecord:
    """Return the record of a line, checked by replaying its game. Raises ValueError."""
    body, key, rest = line.rstrip(b"\n").rpartition(CHECKSUM_KEY)
    if not key:
        raise ValueError("it has no checksum")
    if rest != b"%08x" % crc32(body) + b'"}':
        raise ValueError("its checksum is wrong: the line was changed or damaged")
    try:
        record = GameRecord.model_validate_json(body + b"}")
    except ValidationError as error:
        problem = error.errors(include_url=False, include_context=False, include_input=False)[0]
        raise ValueError(f"{'.'.join(map(str, problem['loc'])) or 'the line'}: {problem['msg']}") from None
    if (contradiction := contradiction_in(record)) is not None:
        raise ValueError(f"game {record.game} {contradiction}")
    return record


def with_checksum(record: GameRecord) -> bytes:
    """Return a record as a line of the journal: JSON whose last key is a checksum of what is before it."""
    body = record.model_dump_json().encode()[:-1]
    return body + CHECKSUM_KEY + b"%08x" % crc32(body) + b'"}'


def open_journal(run: Path) -> BinaryIO:
    """Open the journal of a run for reading. Raises RunFolderError."""
    try:
        return open_in_run(run, JOURNAL_NAME)
    except OSError as error:
        reason = "no such folder" if not os.path.exists(run) else f"{JOURNAL_NAME}: {error.strerror}"
        raise errors.RunFolderError(f"{str(run)!r} is not a run folder: {reason}") from None


def open_in_run(run: Path, name: str) -> BinaryIO:
    """Open a file of a run from elsewhere: an ordinary file, not a link to elsewhere. Raises OSError."""
    path = run / name
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not an ordinary file", str(path))
    return open(descriptor, "rb")


class LineFile:
    """A file of lines with one writer at a time, open for more lines and created if missing.

    Raises RunFolderError if another process writes to the file.
    """

    def __init__(self, path: Path) -> None:
        self._synced_at = monotonic()
        self._path = path
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT
        for name in ("O_BINARY", "O_NOFOLLOW", "O_NONBLOCK"):
            flags |= getattr(os, name, 0)
        try:
            self._file = os.open(path, flags, 0o666)
        except OSError as error:
            raise errors.RunFolderError(f"{path} cannot be written: {error.strerror}") from None
        try:
            if not stat.S_ISREG(os.fstat(self._file).st_mode):
                raise errors.RunFolderError(f"{path} cannot be written: it is not an ordinary file")
            _lock(self._file, path.parent)
            size = os.fstat(self._file).st_size
            self._size = self._find_end_of_lines(size)
            os.ftruncate(self._file, self._size)
        except BaseException:
            os.close(self._file)
            raise
        self.dropped_bytes = size - self._size
        """The length of a half-written last line that was cut off."""

    def _find_end_of_lines(self, end: int) -> int:
        """Return where the last complete line ends."""
        while end > 0:
            start = max(0, end - (1 << 16))
            os.lseek(self._file, start, os.SEEK_SET)
            newline = os.read(self._file, end - start).rfind(b"\n")
            if newline >= 0:
                return start + newline + 1
            end = start
        return 0

    @property
    def is_empty(self) -> bool:
        """Return whether there are no lines."""
        return self._size == 0

    def append_line(self, line: bytes) -> None:
        """Write a line; the system has it, safe from the writer's death, before this returns. Raises RunFolderError."""
        data = line + b"\n"
        try:
            while data:
                written = os.write(self._file, data)
                self._size += written
                data = data[written:]
            if monotonic() - self._synced_at >= SYNC_SECONDS:
                os.fsync(self._file)
                self._synced_at = monotonic()
        except OSError as error:
            raise cannot_write(self._path, error) from None

    def check_in_place(self) -> None:
        """Raise WorkerLostError if the path no longer leads to this file, or bytes of it are missing."""
        try:
            there = os.stat(self._path)
            is_same = os.path.samestat(there, os.fstat(self._file)) and there.st_size == self._size
        except OSError:
            is_same = False
        if not is_same:
            raise errors.WorkerLostError(
                f"{self._path} was removed, replaced or changed by another program during the run: do not trust it"
            )

    def close(self) -> None:
        """Bring all lines to the disk. Raises RunFolderError."""
        try:
            os.fsync(self._file)
        except OSError as error:
            raise cannot_write(self._path, error) from None
        finally:
            os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Journal(LineFile):
    """The journal of a run, open for more games."""

    def __init__(self, folder: Path, say: Say) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise errors.RunFolderError(f"{folder} cannot be a run's folder: {error.strerror}") from None
        super().__init__(folder / JOURNAL_NAME)
        self.folder = folder
        if dropped := self.dropped_bytes:
            path = folder / JOURNAL_NAME
            say(f"{path}: a half-written last line of {dropped} bytes is dropped; its game is played again")

    def append(self, record: GameRecord) -> None:
        """Write a game."""
        self.append_line(with_checksum(record))


def cannot_write(path: Path, error: OSError) -> errors.RunFolderError:
    """Return the error for a file of a run that cannot be written, as on a full disk."""
    return errors.RunFolderError(f"cannot write {path}: {error.strerror}; the same command resumes from what it holds")


def _lock(file: int, folder: Path) -> None:
    """Keep a second writer out; the lock goes with the process, however it ends."""
    try:
        import fcntl  # noqa: PLC0415  # not on every system
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise errors.RunFolderError(f"another runner is at work in {folder}") from None
