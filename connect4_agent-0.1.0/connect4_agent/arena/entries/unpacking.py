"""Unpacking: an entry's folder, archive or file, copied to where it can be built and run."""

from __future__ import annotations

import errno
import lzma
import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from connect4_agent import errors
from connect4_agent.arena.journal import cannot_write
from connect4_agent.arena.versions import IGNORED
from connect4_agent.text import escaped

CHUNK_BYTES = 1 << 16
MAX_FILES = 1000
MAX_BYTES = 50_000_000

OTHER_ARCHIVES = (".rar", ".7z", ".tar", ".tar.gz", ".tgz", ".gz", ".tar.bz2", ".tar.xz", ".bz2", ".xz", ".zst")
BAD_ARCHIVE = zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, ValueError

OUR_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EMFILE, errno.ENFILE, errno.EIO)
"""Errors of the machine, for any file."""


class EntryError(errors.ArenaError):
    """An entry that cannot be used; the message is for its author."""


def copy_entry(path: Path, target: Path) -> None:
    """Copy an entry into a new folder; an archive is unpacked.

    Raises EntryError, or ArenaError if the copy cannot be written; then the new folder is removed.
    """
    room = _Room()
    try:
        target.mkdir(parents=True)
        if path.is_dir() and not path.is_symlink():
            _copy_folder(path, target, room)
        elif not stat.S_ISREG(path.lstat().st_mode):
            raise EntryError(f"{path.name} is not an ordinary file")
        elif path.suffix.lower() == ".zip" or zipfile.is_zipfile(path):
            _unpack(path, target, room)
        elif path.name.lower().endswith(OTHER_ARCHIVES):
            raise EntryError(f"{path.name}: of all archives, only .zip is unpacked: hand in a .zip or a folder")
        else:
            _copy_file(path, target / path.name, room)
        _unwrap(target)
        if not any(target.iterdir()):
            raise EntryError("it is empty: there is no program in it")
    except (OSError, EntryError) as error:
        shutil.rmtree(target, ignore_errors=True)
        raise (error if isinstance(error, EntryError) else _explained(error, path, target)) from None


def _explained(error: OSError, path: Path, target: Path) -> errors.ArenaError:
    """Return the error of the machine, or the author's."""
    if error.errno in OUR_ERRORS:
        return cannot_write(target.parent, error)
    if error.errno in (errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR):
        return EntryError(f"it holds a name that cannot be used: {error.strerror}")
    if error.filename is not None and str(error.filename).startswith(str(target)):
        return cannot_write(Path(error.filename), error)
    return EntryError(f"{escaped(str(error.filename or path.name))} cannot be read: {error.strerror}")


class _Room:
    """The files and bytes that may still be copied of an entry."""

    def __init__(self) -> None:
        self.files = MAX_FILES
        self.bytes = MAX_BYTES

    def take_file(self) -> None:
        self.files -= 1
        if self.files < 0:
            raise EntryError(f"it has more than {MAX_FILES} files; leave out what the program does not need")

    def take(self, count: int) -> None:
        self.bytes -= count
        if self.bytes < 0:
            raise EntryError(f"it has more than {MAX_BYTES // 1_000_000} MB; leave out what the program does not need")


def _visible(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if not path.name.startswith(".") and path.name not in IGNORED:
            yield path


def _copy_folder(folder: Path, target: Path, room: _Room) -> None:
    for path in _visible(folder):
        if path.is_symlink():
            raise EntryError(f"{path.name} is a symbolic link; hand in the file itself")
        if path.is_dir():
            (target / path.name).mkdir()
            _copy_folder(path, target / path.name, room)
        elif path.is_file():
            _copy_file(path, target / path.name, room)


def _copy_file(path: Path, target: Path, room: _Room) -> None:
    room.take_file()
    room.take(path.stat().st_size)
    shutil.copy(path, target)


def _unpack(path: Path, target: Path, room: _Room) -> None:
    """Unpack an archive; what it says about its own sizes is not trusted."""
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                parts = PurePosixPath(member.filename.replace("\\", "/")).parts
                if any(part in IGNORED or (part.startswith(".") and part != "..") for part in parts):
                    continue
                if not parts or ".." in parts or parts[0].startswith("/") or ":" in parts[0]:
                    raise EntryError(f"{path.name} holds a path outside of it: {escaped(member.filename)}")
                if stat.S_ISLNK(member.external_attr >> 16):
                    raise EntryError(f"{path.name} holds a symbolic link: {escaped(member.filename)}")
                place = target.joinpath(*parts)
                room.take_file()
                if member.filename.endswith(("/", "\\")):
                    place.mkdir(parents=True, exist_ok=True)
                    continue
                place.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(member) as packed, open(place, "xb") as file:
                    while chunk := packed.read(CHUNK_BYTES):
                        room.take(len(chunk))
                        file.write(chunk)
                if member.external_attr >> 16 & 0o111:
                    place.chmod(0o755)
    except BAD_ARCHIVE as error:
        raise EntryError(f"{path.name} cannot be unpacked: {error}") from None
    except FileExistsError as error:
        raise EntryError(f"{path.name} holds {Path(error.filename).name} twice") from None


def _unwrap(target: Path) -> None:
    """Lift the contents of a folder that is alone: many archives hold one."""
    inside = list(target.iterdir())
    if len(inside) == 1 and inside[0].is_dir():
        alone = inside[0].rename(target.with_name(f"{target.name}.inside"))
        target.rmdir()
        alone.rename(target)
        _unwrap(target)
