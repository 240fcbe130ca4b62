"""A file of lines with one writer at a time; a crash loses at most the line being written."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from time import monotonic
from typing import BinaryIO, Self

from connect4_agent import errors

SYNC_SECONDS = 1.0
"""How often the system is asked to bring the lines to the disk; a killed writer loses nothing either way."""


class LineFile:
    """Such a file, open for more lines and created if missing. Raises RunFolderError if somebody else writes to it."""

    def __init__(self, path: Path) -> None:
        self._synced_at = monotonic()
        self._path = path
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
        try:
            self._file = os.open(path, flags, 0o666)
        except OSError as error:
            raise cannot_write(path, error) from None
        try:
            _lock(self._file, path.parent)
            size = os.fstat(self._file).st_size
            self._size = self._end_of_lines(size)
            os.ftruncate(self._file, self._size)
        except BaseException:
            os.close(self._file)
            raise
        self.dropped_bytes = size - self._size
        """How much of a half-written last line was cut off."""

    def _end_of_lines(self, end: int) -> int:
        """Where the last complete line ends."""
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
        """Whether it has no lines."""
        return self._size == 0

    def append_line(self, line: bytes) -> int:
        """Write a line; the system has it, safe from the writer's death, before this returns. Raises RunFolderError.

        The place in the file where it begins.
        """
        start, data = self._size, line + b"\n"
        try:
            while data:
                written = os.write(self._file, data)
                self._size += written
                data = data[written:]
            if monotonic() - self._synced_at > SYNC_SECONDS:
                os.fsync(self._file)
                self._synced_at = monotonic()
        except OSError as error:
            raise cannot_write(self._path, error) from None
        return start

    def check_in_place(self) -> None:
        """Raise WorkerLostError if the path no longer leads to this file, or bytes of it are missing."""
        try:
            there = os.stat(self._path)
            is_same = os.path.samestat(there, os.fstat(self._file)) and there.st_size == self._size
        except OSError:
            is_same = False
        if not is_same:
            raise errors.WorkerLostError(
                f"{self._path} was removed, replaced or changed by somebody else during the run: do not trust it"
            )

    def close(self) -> None:
        """Bring everything to the disk. Raises RunFolderError."""
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


def open_in_run(run: Path, name: str) -> BinaryIO:
    """A file of a run that may be somebody else's: an ordinary one, and no link to elsewhere. Raises OSError."""
    path = run / name
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not an ordinary file", str(path))
    return open(descriptor, "rb")


def cannot_write(path: Path, error: OSError) -> errors.RunFolderError:
    """The error for a file of a run that cannot be written, as on a full disk."""
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
