"""Entries: the submissions of a class, found in a folder and copied to where they are safe."""

from __future__ import annotations

import errno
import lzma
import os
import re
import shutil
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pydantic import BaseModel, ConfigDict

from connect4_agent import errors
from connect4_agent.arena.agents.versions import MAX_BYTES, MAX_FILES
from connect4_agent.arena.run.line_file import cannot_write
from connect4_agent.text import escaped

CHUNK_BYTES = 1 << 16
MAX_NAME_BYTES = 200
"""Of an entry's name, which is also that of its folder; the system allows 255 for a file."""

IGNORED = ("__MACOSX", "__pycache__", "node_modules", "Thumbs.db", "desktop.ini")
"""Folders and files that no author has written."""

OTHER_ARCHIVES = (".rar", ".7z", ".tar", ".tar.gz", ".tgz", ".gz", ".tar.bz2", ".tar.xz", ".bz2", ".xz", ".zst")
BAD_ARCHIVE = zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, ValueError
MAX_NESTED = 3
"""How many archives may be one in the other."""

OUR_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EMFILE, errno.ENFILE, errno.EIO)
"""Errors of the machine, whichever file they are about."""

MOODLE = re.compile(r"(?P<name>[^_]+)_(?P<number>\d+)_assignsubmission_(?P<kind>[a-z]+)_?(?P<file>.*)")
CANVAS = re.compile(r"(?P<name>[^_]+)_(?:LATE_)?(?P<student>\d+)_(?P<number>\d+)_(?P<file>.+)")
"""How the bulk downloads of these systems name what a student has handed in.

Moodle's number is the student's; Canvas has one for the student and one for the submission.
"""


class EntryError(errors.ArenaError):
    """An entry that cannot be used; the message is for its author."""


class EntryGoneError(errors.ArenaError):
    """A submission that somebody removed while it was read."""


class Origin(BaseModel):
    """Whose submission it is: what an entry is known by when it is handed in again."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = ""
    """As it was handed in; several may have the same."""
    student: str = ""
    """The student's number in a bulk download."""
    file: str = ""
    """Else the name of the folder, archive or file."""


@dataclass(frozen=True, slots=True)
class Submission:
    """What one student has handed in: a folder, an archive, or files."""

    origin: Origin
    paths: tuple[Path, ...]
    changed_at: float
    """The newest modification of its files, in seconds since 1970."""

    @property
    def is_there(self) -> bool:
        """Whether nobody has removed it."""
        return all(os.path.lexists(path) for path in self.paths)


def find_submissions(folder: Path) -> list[Submission]:
    """The submissions in a folder, sorted by name. Raises ArenaError if there are none.

    Each folder, archive or file is one, named after it. In a bulk download the student's name counts, all files of one
    submission belong together, and of several submissions the newest counts.
    """
    found: dict[Origin, dict[int, list[Path]]] = {}
    for path in _visible(folder):
        origin, number = _origin_of(path)
        found.setdefault(origin, {}).setdefault(number, []).append(path)
    if not found:
        raise errors.ArenaError(f"{folder} holds no submissions: each folder, .zip or file in it is one")
    return [
        _submission(origin, groups[max(groups)])
        for origin, groups in sorted(found.items(), key=lambda pair: (*pair[0].model_dump().values(),))
    ]


def one_submission(path: Path) -> Submission:
    """A folder, archive or file as the one submission that it is. Raises ArenaError."""
    if not path.exists():
        raise errors.ArenaError(f"cannot read {path}: no such file or folder")
    return _submission(_origin_of(path.resolve())[0], [path])


def _submission(origin: Origin, paths: Sequence[Path]) -> Submission:
    return Submission(origin, tuple(sorted(paths)), max(map(_changed_at, paths), default=0.0))


def _visible(folder: Path) -> Iterator[Path]:
    try:
        for path in sorted(folder.iterdir()):
            if not path.name.startswith(".") and path.name not in IGNORED:
                yield path
    except OSError as error:
        raise errors.ArenaError(f"cannot read {folder}: {error.strerror}") from None


def _origin_of(path: Path) -> tuple[Origin, int]:
    """Whose submission a path is, and the number of the submission."""
    if match := MOODLE.fullmatch(path.name):
        return Origin(name=plain_name(match["name"]), student=match["number"]), 0
    if match := CANVAS.fullmatch(path.name):
        return Origin(name=plain_name(match["name"]), student=match["student"]), int(match["number"])
    stem = path.name if path.is_dir() else path.name.removesuffix(_ending(path))
    return Origin(name=plain_name(stem), file=_normal(path.name)), 0


def _ending(path: Path) -> str:
    """The ending of a file's name; that of an archive may have two parts."""
    endings = (ending for ending in OTHER_ARCHIVES if path.name.lower().endswith(ending))
    return path.name[-max(map(len, endings), default=len(path.suffix)) :] if path.suffix else ""


def plain_name(text: str) -> str:
    """A name without blanks around it and harmless to show, with letters as every system but macOS writes them."""
    return _normal(text.strip()).encode()[:MAX_NAME_BYTES].decode(errors="ignore").strip() or "?"


def _normal(text: str) -> str:
    return escaped(unicodedata.normalize("NFC", text))


def _changed_at(path: Path) -> float:
    """The newest modification below a path, as far as it can be read."""
    newest = 0.0
    for place in (str(path), *(os.path.join(parent, file) for parent, _, files in os.walk(path) for file in files)):
        with suppress(OSError):  # it may be removed just now
            newest = max(newest, os.lstat(place).st_mtime)
    return newest


def copy_submission(submission: Submission, target: Path) -> None:
    """Copy a submission into a new folder, archives unpacked.

    Raises EntryError, EntryGoneError, or ArenaError if it cannot be written; then the folder is removed.
    """
    room = _Room()
    try:
        target.mkdir(parents=True)
        for path in submission.paths:
            if path.is_dir() and not path.is_symlink():
                _copy_folder(path, target, room)
            elif path.is_file() and zipfile.is_zipfile(path):
                _unpack(path, path.name, target, room)
            else:
                _copy_file(path, target / _file_name(path), room)
        _unwrap(target)
        _unpack_alone(target, room)
        if not any(target.iterdir()):
            raise EntryError("it is empty: there is no program in it")
    except (OSError, EntryError) as error:
        shutil.rmtree(target, ignore_errors=True)
        raise (error if isinstance(error, EntryError) else _explained(error, submission, target)) from None


def _explained(error: OSError, submission: Submission, target: Path) -> errors.ArenaError:
    """Whose error it is: the machine's, nobody's because the submission is gone, or the author's."""
    if error.errno in OUR_ERRORS:
        return cannot_write(target.parent, error)
    if not submission.is_there:
        return EntryGoneError(f"{submission.origin.name} was removed while it was copied")
    if error.errno in (errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR):
        return EntryError(f"it holds a name that cannot be used: {error.strerror}")
    if error.filename is not None and str(error.filename).startswith(str(target)):
        return cannot_write(Path(error.filename), error)
    return EntryError(f"{escaped(str(error.filename or submission.origin.name))} cannot be read: {error.strerror}")


class _Room:
    """What may still be copied of an entry."""

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
    if not stat.S_ISREG(path.lstat().st_mode):
        raise EntryError(f"{path.name} is not an ordinary file")
    room.take_file()
    room.take(path.stat().st_size)
    shutil.copy(path, target)


def _unpack(path: Path, name: str, target: Path, room: _Room) -> None:
    """Unpack an archive of that name; what it says about its own sizes is not trusted."""
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                parts = PurePosixPath(member.filename.replace("\\", "/")).parts
                if any(part in IGNORED or (part.startswith(".") and part != "..") for part in parts):
                    continue
                if not parts or ".." in parts or parts[0].startswith("/") or ":" in parts[0]:
                    raise EntryError(f"{name} holds a path outside of it: {escaped(member.filename)}")
                if stat.S_ISLNK(member.external_attr >> 16):
                    raise EntryError(f"{name} holds a symbolic link: {escaped(member.filename)}")
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
        raise EntryError(f"{name} cannot be unpacked: {error}") from None
    except FileExistsError as error:
        raise EntryError(f"{name} holds {Path(error.filename).name} twice") from None


def _unpack_alone(target: Path, room: _Room) -> None:
    """Unpack an archive that is all there is, such as one in another."""
    for _ in range(MAX_NESTED):
        inside = list(target.iterdir())
        if len(inside) != 1 or not inside[0].is_file():
            return
        (alone,) = inside
        ending = _ending(alone).lower()
        if ending in OTHER_ARCHIVES:
            raise EntryError(f"{alone.name}: of all archives, only .zip is unpacked: hand in a .zip or a folder")
        if ending != ".zip":
            return
        if not zipfile.is_zipfile(alone):
            raise EntryError(f"{alone.name} is not a zip archive, or it is damaged")
        packed = alone.rename(target.with_name(f"{target.name}.packed"))
        try:
            _unpack(packed, alone.name, target, room)
        finally:
            packed.unlink()
        _unwrap(target)


def _file_name(path: Path) -> str:
    """The file's own name, without what a bulk download puts before it."""
    for pattern in (MOODLE, CANVAS):
        if (match := pattern.fullmatch(path.name)) and match["file"]:
            return re.sub(r"-\d+(?=\.\w+$)", "", match["file"]) if pattern is CANVAS else match["file"]
    return path.name


def _unwrap(target: Path) -> None:
    """Lift the contents of a folder that is alone: many archives hold one."""
    inside = list(target.iterdir())
    if len(inside) == 1 and inside[0].is_dir():
        alone = inside[0].rename(target.with_name(f"{target.name}.inside"))
        target.rmdir()
        alone.rename(target)
        _unwrap(target)
