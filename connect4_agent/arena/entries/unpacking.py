"""Unpacking: a folder, archive or file that was handed in, copied to where it can be built and run."""

from __future__ import annotations

import bz2
import errno
import gzip
import hashlib
import io
import lzma
import os
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, Any

from connect4_agent import errors
from connect4_agent.arena.journal import cannot_write
from connect4_agent.arena.versions import IGNORED
from connect4_agent.text import escaped

CHUNK_BYTES = 1 << 16
MAX_FILES = 1000
MAX_BYTES = 50_000_000
MAX_TAR_BYTES = 4 * MAX_BYTES
"""The most that is read of a tar archive, with the members that are ignored."""

TAR_FILES: dict[str, Callable[[Path], Any]] = {
    ".tar": partial(open, mode="rb"),
    ".tar.gz": gzip.open,
    ".tgz": gzip.open,
    ".tar.bz2": bz2.open,
    ".tar.xz": lzma.open,
}
ARCHIVES = (".zip", *TAR_FILES)
OTHER_ARCHIVES = (".rar", ".7z", ".gz", ".bz2", ".xz", ".zst")
BAD_ARCHIVE = zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, RuntimeError, ValueError

OUR_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EMFILE, errno.ENFILE, errno.EIO)
"""Errors of the machine, for any file."""

PROGRAM_STARTS = (b"#!", b"\x7fELF")
"""The first bytes of executable files: many archives and file systems lose the mark that says so."""


class EntryError(errors.ArenaError):
    """An entry that cannot be used; the message is for its author."""


def is_ignored(name: str) -> bool:
    """Return whether a file or folder of this name is not part of what was handed in."""
    return name in IGNORED or (name.startswith(".") and name not in (".", ".."))


def read_name(name: str) -> str:
    """Return a file's name as text: its bytes are UTF-8, else Latin-1."""
    data = os.fsencode(name)
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def copy_entry(path: Path, target: Path) -> None:
    """Copy an entry into a new folder; an archive is unpacked.

    Raises EntryError, or ArenaError if the copy cannot be written; then the new folder is removed.
    """
    copy, name = _Copy(target), path.name.lower()
    try:
        target.mkdir(parents=True)
        if path.is_dir() and not path.is_symlink():
            copy.add_folder(path)
        elif not stat.S_ISREG(path.lstat().st_mode):
            raise EntryError(f"{path.name} is not an ordinary file")
        elif name.endswith(".zip"):
            copy.add_zip(path)
        elif ending := next((ending for ending in TAR_FILES if name.endswith(ending)), None):
            copy.add_tar(TAR_FILES[ending](path))
        elif name.endswith(OTHER_ARCHIVES):
            raise EntryError(f"{path.name} cannot be unpacked; accepted are a folder, {', '.join(ARCHIVES)}")
        else:
            with path.open("rb") as file:
                copy.add(read_name(path.name), file)
        _unwrap(target)
        if not any(target.iterdir()):
            raise EntryError("it is empty: there is no program in it")
    except BAD_ARCHIVE as error:
        shutil.rmtree(target, ignore_errors=True)
        raise EntryError(f"{escaped(path.name)} cannot be unpacked: {error}") from None
    except (OSError, EntryError) as error:
        shutil.rmtree(target, ignore_errors=True)
        raise (error if isinstance(error, EntryError) else _explained(error, path, target)) from None


def _explained(error: OSError, path: Path, target: Path) -> errors.ArenaError:
    """Return the error of the machine, or the author's."""
    if error.errno is None:  # as gzip and bz2 raise it
        return EntryError(f"{escaped(path.name)} cannot be unpacked: {error}")
    if error.errno in OUR_ERRORS:
        return cannot_write(target.parent, error)
    if error.errno in (errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR):
        return EntryError(f"it holds a name that cannot be used: {error.strerror}")
    if error.errno == errno.EEXIST:
        return EntryError(f"it holds {escaped(Path(error.filename).name)} twice")
    if error.filename is not None and str(error.filename).startswith(str(target)):
        return cannot_write(Path(error.filename), error)
    return EntryError(f"{escaped(str(error.filename or path.name))} cannot be read: {error.strerror or error}")


def fingerprint(folder: Path) -> str:
    """Return a fingerprint of the names and contents of a folder's files."""
    files = sorted((path.relative_to(folder).as_posix(), path) for path in folder.rglob("*") if path.is_file())
    known = hashlib.sha256()
    for name, path in files:
        known.update(repr((name, hashlib.sha256(path.read_bytes()).hexdigest())).encode())
    return known.hexdigest()[:8]


class _Copy:
    """The copy of an entry while it is made; what an archive says about its own sizes is not trusted."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._files = MAX_FILES
        self._bytes = MAX_BYTES

    def add(self, name: str, source: IO[bytes]) -> None:
        """Copy a file to a path in the new folder."""
        self._files -= 1
        if self._files < 0:
            raise EntryError(f"it has more than {MAX_FILES} files; leave out what the program does not need")
        place = self._place(name)
        place.parent.mkdir(parents=True, exist_ok=True)
        first = chunk = source.read(CHUNK_BYTES)
        with place.open("xb") as file:
            while chunk:
                self._bytes -= len(chunk)
                if self._bytes < 0:
                    limit = f"{MAX_BYTES // 1_000_000} MB"
                    raise EntryError(f"it has more than {limit}; leave out what the program does not need")
                file.write(chunk)
                chunk = source.read(CHUNK_BYTES)
        if first.startswith(PROGRAM_STARTS):
            place.chmod(0o755)

    def _place(self, name: str) -> Path:
        parts = PurePosixPath(name.replace("\\", "/")).parts
        if not parts or ".." in parts or parts[0].startswith("/") or parts[0].endswith(":"):
            raise EntryError(f"it holds a path outside of it: {escaped(name)}")
        return self._target.joinpath(*parts)

    def add_folder(self, folder: Path, before: str = "") -> None:
        """Copy a folder's files."""
        for path in sorted(folder.iterdir()):
            name = before + read_name(path.name)
            if is_ignored(path.name):
                continue
            if path.is_symlink():
                raise EntryError(f"{escaped(name)} is a symbolic link; hand in the file itself")
            if path.is_dir():
                self.add_folder(path, f"{name}/")
            elif path.is_file():
                with path.open("rb") as file:
                    self.add(name, file)

    def add_zip(self, path: Path) -> None:
        """Unpack a zip archive."""
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                is_utf_8 = member.flag_bits & 0x800  # else zipfile has read the name as code page 437
                name = member.filename if is_utf_8 else read_name(os.fsdecode(member.filename.encode("cp437")))
                if self._wants(name, is_link=stat.S_ISLNK(member.external_attr >> 16)):
                    with archive.open(member) as file:
                        self.add(name, file)

    def add_tar(self, stream: IO[bytes]) -> None:
        """Unpack a tar archive."""
        with stream, tarfile.open(fileobj=_Bounded(stream), mode="r|", encoding="utf-8") as archive:
            for member in archive:
                is_file = self._wants(member.name, is_link=member.issym() or member.islnk())
                if is_file and member.isfile() and (file := archive.extractfile(member)) is not None:
                    self.add(read_name(member.name), file)

    def _wants(self, name: str, *, is_link: bool) -> bool:
        """Return whether a member of an archive is a file to copy. Raises EntryError if it must not be there."""
        parts = PurePosixPath(name.replace("\\", "/")).parts
        if not parts or any(map(is_ignored, parts)):
            return False
        if is_link:
            raise EntryError(f"it holds a symbolic link: {escaped(name)}; hand in the file itself")
        self._place(name)
        return not name.endswith(("/", "\\"))


class _Bounded(io.RawIOBase):
    """A stream of which no more than MAX_TAR_BYTES are read: a few bytes of an archive may unpack to any number."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._left = MAX_TAR_BYTES

    def read(self, size: int = -1) -> bytes:
        """Read that many bytes."""
        data = self._stream.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise EntryError(f"it unpacks to more than {MAX_TAR_BYTES // 1_000_000} MB")
        return data


def _unwrap(target: Path) -> None:
    """Lift the contents of a folder that is alone: many archives hold one."""
    inside = list(target.iterdir())
    while len(inside) == 1 and inside[0].is_dir():
        alone = inside[0].rename(target.with_name(f"{target.name}.inside"))
        target.rmdir()
        inside = list(alone.rename(target).iterdir())


def entry_name(path: Path) -> str:
    """Return the name of an entry: that of its folder, or of its file without the ending."""
    name = read_name(path.name)
    if path.is_dir():
        return name
    ending = next((ending for ending in ARCHIVES if name.lower().endswith(ending)), Path(name).suffix)
    return name[: len(name) - len(ending)]
