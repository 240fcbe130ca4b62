"""Versions: a fingerprint of an agent's files, so that a program that was changed is not taken for the old one."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import orjson

from connect4_agent import errors
from connect4_agent.arena.run import DESCRIPTION_NAME
from connect4_agent.arena.spec import AgentSpec

MAX_FILES = 10_000

IGNORED = ("__MACOSX", "__pycache__", "node_modules", "venv", "Thumbs.db", "desktop.ini")
"""Folders and files that no author has written; hidden ones are left out, too."""


def find_version(spec: AgentSpec) -> str:
    """Return the version of an agent as it is now: what its description says, or a fingerprint of a program.

    Raises AgentError if a program's directory has too many files.
    """
    if spec.version is not None:
        return spec.version
    if spec.command is None:
        return spec.player or spec.python_object or spec.name
    files = _named_files(spec)
    if spec.directory is not None:
        folder = Path(spec.directory)
        for path in _files_below(folder):
            files[path.relative_to(folder).as_posix()] = path
            if len(files) > MAX_FILES:
                raise errors.AgentError(
                    f"agent {spec.name!r}: {folder} has more than {MAX_FILES} files; "
                    "give the agent a directory of its own, or a `version`"
                )
    digests = {name: _hash_file(path) for name, path in files.items()}
    known = [spec.command, spec.python, spec.env, spec.start, spec.request, digests]
    return hashlib.sha256(orjson.dumps(known, option=orjson.OPT_SORT_KEYS)).hexdigest()[:8]


def _named_files(spec: AgentSpec) -> dict[str, Path]:
    """Return the files that the words of a command name; a program that is found in PATH is not one of them."""
    base = Path(spec.directory or ".")
    first, *rest = spec.command or ("",)
    if spec.python_file is not None:
        rest.append(spec.python_file)
    elif os.sep in first and str((base / first).parent) not in os.get_exec_path():
        rest.append(first)
    return {word: base / word for word in rest if os.path.isfile(base / word)}


def missing_part(spec: AgentSpec) -> str | None:
    """Return what of a program is not there: its directory, or the program itself; None if nothing is missing."""
    if spec.command is None:
        return None
    base = Path(spec.directory or ".").absolute()
    if not base.is_dir():
        return f"its directory {base} does not exist"
    if spec.python_file is not None and not (base / spec.python_file).is_file():
        return f"{base / spec.python_file}: not found"
    word = spec.words[0]
    if os.sep in word:
        return None if os.access(base / word, os.X_OK) and os.path.isfile(base / word) else f"{base / word}: not found"
    path = spec.env.get("PATH", os.environ.get("PATH"))
    return None if shutil.which(word, path=path) else f"{word}: not found in PATH"


def _files_below(folder: Path) -> Iterator[Path]:
    """Give the files of a directory, without runs, and without TOML files: they may describe the tournament itself."""
    for place, folders, files in os.walk(folder):
        if DESCRIPTION_NAME in files:
            folders.clear()
            continue
        folders[:] = [name for name in folders if name[0] != "." and name not in IGNORED]
        for name in files:
            path = Path(place, name)
            if name[0] != "." and name not in IGNORED and path.suffix != ".toml" and path.is_file():
                yield path


def _hash_file(path: Path) -> str:
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return str(error.strerror)
