"""Versions: a fingerprint of an agent's files, so that a program that was changed is not taken for the old one."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict

from connect4_agent.arena.agents.spec import AgentSpec

MAX_FILES = 1000
MAX_BYTES = 50_000_000
DIGEST_CHARACTERS = 16
NOT_SOURCE = "__pycache__"


class Version(BaseModel):
    """One version of an agent."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: str
    """What the key of a game holds: a short hash, or what the description of the agent says."""
    files: dict[str, str] = {}
    """The files of a program with their hashes."""
    start: str = ""
    """A hash of its command line, environment and forms of start and request."""


class AgentVersions(BaseModel):
    """The versions of an agent that a run has seen, from the oldest to the newest."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    present: str
    known: tuple[Version, ...]
    changing: tuple[str, ...] = ()
    """Files that appeared or changed while the agent played, such as its own log: they make no new version."""

    @property
    def number(self) -> int:
        """The present version, counted from 1."""
        return [each.version for each in self.known].index(self.present) + 1

    def with_version(self, found: Version) -> AgentVersions:
        """After another start: the present version is a known one, or a new one."""
        present = [known for known in self.known if known.version == self.present]
        for known in (*present, *reversed(self.known)):
            # A version that was given, or is that of a built-in player, has no files to compare.
            has_same_files = (known.start, self._lasting(known)) == (found.start, self._lasting(found))
            if has_same_files if found.start else known.version == found.version:
                return self.model_copy(update={"present": known.version})
        kept = tuple(known for known in self.known if known.version != found.version)
        return self.model_copy(update={"present": found.version, "known": (*kept, found)})

    def with_changing(self, names: Iterable[str]) -> AgentVersions:
        """With more files that the agent changes itself."""
        return self.model_copy(update={"changing": tuple(sorted({*self.changing, *names}))})

    def changes(self) -> list[str]:
        """The files that differ between the present version and the one before it."""
        before, present = self.known[self.number - 2], self.known[self.number - 1]
        return differing(self._lasting(before), self._lasting(present))

    def _lasting(self, version: Version) -> dict[str, str]:
        return {name: digest for name, digest in version.files.items() if name not in self.changing}


def differing(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """The names of files that were added, removed or changed."""
    return sorted({name for name, _ in before.items() ^ after.items()})


def version_of(spec: AgentSpec, run: Path, others: Iterable[AgentSpec] = ()) -> tuple[Version, str | None]:
    """The version of an agent as it is now, and a warning if not all of its files were looked at.

    `run` is the folder of the run. Files that the commands of `others` name are theirs.
    """
    if spec.version is not None:
        return Version(version=spec.version), None
    if spec.command is None:
        return Version(version=spec.player or spec.python or spec.name), None
    start = _digest(_json([spec.command, spec.environment, spec.start, spec.request]))
    named = named_files(spec)
    theirs = {path.resolve() for other in others if other != spec for path in named_files(other).values()}
    folder = (
        Path(spec.directory) if spec.directory is not None else next((path.parent for path in named.values()), None)
    )
    warning = None
    paths = named
    if folder is not None:
        found = _files_below(folder.absolute(), run.absolute(), {path.suffix for path in named.values()})
        if found is None:
            warning = (
                f"{spec.name}: {folder} has more than {MAX_FILES} files or {MAX_BYTES // 1_000_000} MB; "
                f"a new version is only noticed if {', '.join(named) or 'its command'} changes"
            )
        else:
            mine = {path.resolve(): name for name, path in named.items()}
            paths = {
                name: path for name, path in found.items() if path.resolve() in mine or path.resolve() not in theirs
            }
            inside = {path.resolve() for path in paths.values()}
            paths |= {name: path for path, name in mine.items() if path not in inside}
    files = {name: digest for name, path in sorted(paths.items()) if (digest := _digest_of(path)) is not None}
    whole = _digest(_json([start, files]))
    return Version(version=whole[:8], files=files, start=start), warning


def named_files(spec: AgentSpec) -> dict[str, Path]:
    """The files that the words of a command name; a program that lies with the system's is not one of them."""
    base = Path(spec.directory or ".").absolute()
    first, *rest = spec.command or ("",)
    named = {word: base / word for word in rest if word and _is_file(base / word)}
    if not named and os.sep in first and _is_file(base / first):
        systems = {Path(part) for part in (*os.get_exec_path(), os.path.dirname(sys.executable))}
        if (base / first).parent not in systems:
            named = {first: base / first}
    return named


def missing_part(spec: AgentSpec) -> str | None:
    """What of a program is not there: its directory, or the program itself; None if nothing is missing."""
    if spec.command is None:
        return None
    base = Path(spec.directory or ".").absolute()
    if not base.is_dir():
        return f"its directory {base} does not exist"
    word = spec.command[0]
    if os.sep in word:
        return None if os.access(base / word, os.X_OK) and _is_file(base / word) else f"{base / word}: not found"
    path = spec.environment.get("PATH", os.environ.get("PATH"))
    return None if shutil.which(word, path=path) else f"{word}: not found in PATH"


def _files_below(folder: Path, run: Path, suffixes: set[str]) -> dict[str, Path] | None:
    """The files of a folder, by their relative names; None if there are too many.

    Where the run lies below it, there is more than the agent in it: only files of the same kinds as those named count.
    """
    is_shared = folder in run.parents
    found: dict[str, Path] = {}
    size = 0
    for path in _walk(folder, run):
        if is_shared and path.suffix not in suffixes:
            continue
        try:
            size += path.stat().st_size
        except OSError:  # a program has just removed it
            continue
        found[path.relative_to(folder).as_posix()] = path
        if len(found) > MAX_FILES or size > MAX_BYTES:
            return None
    return found


def _walk(folder: Path, run: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != NOT_SOURCE and name[0] != "." and Path(place, name) != run]
        for name in files:
            if name[0] != "." and _is_file(Path(place, name)):
                yield Path(place, name)


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def _digest_of(path: Path) -> str | None:
    try:
        return _digest(path.read_bytes()) if path.stat().st_size <= MAX_BYTES else f"{path.stat().st_size} bytes"
    except OSError:
        return None


def _json(document: Any) -> bytes:
    return orjson.dumps(document, option=orjson.OPT_SORT_KEYS)


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:DIGEST_CHARACTERS]
