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
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pydantic import BaseModel, ConfigDict

from connect4_agent import errors
from connect4_agent.arena.agents.versions import MAX_BYTES, MAX_FILES
from connect4_agent.text import escaped

CHUNK_BYTES = 1 << 16
MAX_NAME_BYTES = 200
"""Of an entry's name, which is also that of its folder; the system allows 255 for a file."""

IGNORED = ("__MACOSX", "__pycache__", "node_modules")
"""Folders that no author has written."""

MOODLE = re.compile(r"(?P<name>[^_]+)_(?P<number>\d+)_assignsubmission_(?P<kind>[a-z]+)_?(?P<file>.*)")
CANVAS = re.compile(r"(?P<name>[^_]+)_(?:LATE_)?(?P<student>\d+)_(?P<number>\d+)_(?P<file>.+)")
"""How the bulk downloads of these systems name what a student has handed in.

Moodle's number is the student's; Canvas has one for the student and one for the submission.
"""


class EntryError(errors.ArenaError):
    """An entry that cannot be used; the message is for its author."""


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
    return Submission(origin, tuple(sorted(paths)), max(map(_changed_at, paths)))


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
    return Origin(name=plain_name(path.name if path.is_dir() else path.stem), file=_normal(path.name)), 0


def plain_name(text: str) -> str:
    """A name without blanks around it and harmless to show, with letters as every system but macOS writes them."""
    return _normal(text.strip()).encode()[:MAX_NAME_BYTES].decode(errors="ignore").strip() or "?"


def _normal(text: str) -> str:
    return escaped(unicodedata.normalize("NFC", text))


def _changed_at(path: Path) -> float:
    """The newest modification below a path, as far as it can be read."""
    times = [path.lstat().st_mtime]
    for parent, _, files in os.walk(path):
        times += [os.lstat(os.path.join(parent, file)).st_mtime for file in files]
    return max(times)


def copy_submission(submission: Submission, target: Path) -> None:
    """Copy a submission into a new folder, archives unpacked. Raises EntryError; then the folder is removed."""
    target.mkdir(parents=True)
    room = _Room()
    try:
        for path in _opened(submission.paths):
            if path.is_dir() and not path.is_symlink():
                _copy_folder(path, target, room)
            elif path.is_file() and zipfile.is_zipfile(path):
                _unpack(path, target, room)
            elif path.suffix == ".zip":
                raise EntryError(f"{path.name} is not a zip archive, or it is damaged")
            else:
                _copy_file(path, target / _file_name(path), room)
        _unwrap(target)
        if not any(target.iterdir()):
            raise EntryError("it is empty: there is no program in it")
    except OSError as error:
        shutil.rmtree(target, ignore_errors=True)
        if error.errno in (errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR):
            raise EntryError(f"it holds a name that cannot be used: {error.strerror}") from None
        if error.filename is not None and str(error.filename).startswith(str(target)):
            raise errors.ArenaError(f"cannot write {error.filename}: {error.strerror}") from None
        raise EntryError(
            f"{escaped(str(error.filename or submission.origin.name))} cannot be read: {error.strerror}"
        ) from None
    except EntryError:
        shutil.rmtree(target, ignore_errors=True)
        raise


def _opened(paths: Sequence[Path]) -> list[Path]:
    """The same, but an archive that is alone in a folder instead of the folder."""
    if len(paths) == 1 and paths[0].is_dir():
        inside = list(_visible(paths[0]))
        if len(inside) == 1 and inside[0].suffix == ".zip":
            return inside
    return list(paths)


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
                if member.is_dir():
                    place.mkdir(parents=True, exist_ok=True)
                    continue
                place.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(member) as packed, open(place, "xb") as file:
                    while chunk := packed.read(CHUNK_BYTES):
                        room.take(len(chunk))
                        file.write(chunk)
                if member.external_attr >> 16 & 0o111:
                    place.chmod(0o755)
    except (
        zipfile.BadZipFile,
        zlib.error,
        lzma.LZMAError,
        EOFError,
        NotImplementedError,
        RuntimeError,
        ValueError,
    ) as error:
        raise EntryError(f"{path.name} cannot be unpacked: {error}") from None
    except FileExistsError as error:
        raise EntryError(f"{path.name} holds {Path(error.filename).name} twice") from None


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
