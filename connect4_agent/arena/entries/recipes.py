"""Recipes: how an entry is built and started, from its agent.toml or by convention."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from connect4_agent.arena.command_line import split_command
from connect4_agent.arena.confinement import is_own_command
from connect4_agent.arena.entries.unpacking import EntryError
from connect4_agent.arena.spec import StartForm, explain

DESCRIPTION = "agent.toml"
MAIN_NAMES = ("agent", "main", "player", "connect4", "connect_four", "bot")
"""The usual names of the file that is started, if there are several of its kind, the likeliest first."""

RUN_NAMES = ("run", "run.sh")
MAKEFILES = ("Makefile", "makefile")
BUILT_NAMES = ("run", "agent")
"""The program that a Makefile makes."""

PROBE_SECONDS = 20
CONVENTIONS = (
    "one program in Python, JavaScript, Racket, C, C++ or Java, or, for other languages, a file `run`, a Makefile, "
    "or an agent.toml that says how to build and run it"
)
JAVA_MAIN = re.compile(r"\bpublic\s+static\s+void\s+main\b|\bstatic\s+void\s+main\b")
JAVA_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)
PYTHON_2_SIGNS = ("Missing parentheses in call to 'print'", "Missing parentheses in call to 'exec'")


class Recipe(BaseModel):
    """The commands that build and start an entry, relative to its folder."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    run: tuple[str, ...] | None = None
    """The command. None until it is built: then a Makefile's program is looked for."""
    build: str | None = None
    """For a shell."""
    start: StartForm | None = None
    """None to find out."""
    remarks: tuple[str, ...] = ()
    """Remarks for the author."""

    @field_validator("run", mode="before")
    @classmethod
    def _split(cls, value: Any) -> Any:
        words = split_command(value)
        if words and is_own_command(words):
            raise ValueError("connect4-agent itself is not a program to hand in")
        if words and (os.path.isabs(words[0]) or ".." in Path(words[0]).parts):
            raise ValueError(f"{words[0]} is outside of the program's folder; name a command, or a file of the folder")
        return words


def recipe_of(folder: Path) -> Recipe:
    """Return how to build and start the entry in a folder, which is mended if that is certain. Raises EntryError."""
    mended = [path.name for path in sorted(folder.iterdir()) if path.is_file() and _mend_line_ends(path)]
    remarks = [
        f"the lines of {name} ended with CR LF (Windows), so its first line could not be understood; "
        "we removed the CR (git config core.autocrlf input)"
        for name in mended
    ]
    recipe = _described(folder) or _conventional(folder)
    return recipe.model_copy(update={"remarks": (*remarks, *recipe.remarks)})


def built_program(folder: Path) -> tuple[str, ...]:
    """Return the program that a build has made. Raises EntryError."""
    programs = [path for path in sorted(folder.iterdir()) if path.is_file() and os.access(path, os.X_OK)]
    named = [path for name in BUILT_NAMES for path in programs if path.name == name]
    compiled = named or [path for path in programs if not path.suffix]
    if not compiled:
        raise EntryError("`make` made no program; it should be called `run` or `agent`")
    if len(compiled) > 1 and not named:
        raise EntryError(f"`make` made {_names(compiled)}; the one to start should be called `run`")
    return (f"./{compiled[0].name}",)


def _described(folder: Path) -> Recipe | None:
    try:
        values = tomllib.loads((folder / DESCRIPTION).read_text("utf-8"))
        recipe = Recipe.model_validate({key: value for key, value in values.items() if key != "remarks"})
    except FileNotFoundError:
        return None
    except OSError as error:
        raise EntryError(f"{DESCRIPTION} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise EntryError(f"{DESCRIPTION} is not TOML: {error}") from None
    except ValidationError as error:
        raise EntryError(f"{DESCRIPTION}: {explain(error)}") from None
    if recipe.run is None and recipe.build is None:
        raise EntryError(f"{DESCRIPTION} has neither `run` nor `build`")
    return recipe


def _conventional(folder: Path) -> Recipe:
    files = [path for path in sorted(folder.iterdir()) if path.is_file()]
    for path in files:
        if path.name in RUN_NAMES:
            path.chmod(0o755)
            return Recipe(run=(f"./{path.name}",))
    if any(path.name in MAKEFILES for path in files):
        return Recipe(build="make")
    programs = [path for path in files if path.suffix in KINDS]
    present = [kind for kind in LANGUAGES if any(KINDS[path.suffix] == kind for path in programs)]
    if len(present) == 1:
        return LANGUAGES[present[0]][1](programs)
    if present:
        raise EntryError(f"it has programs in {' and '.join(present)}; say in {DESCRIPTION} which one to run")
    scripts = [path for path in files if path.read_bytes()[:2] == b"#!"]
    if len(scripts) == 1:
        scripts[0].chmod(0o755)
        return Recipe(run=(f"./{scripts[0].name}",))
    if notebooks := [path for path in files if path.suffix == ".ipynb"]:
        raise EntryError(
            f"{notebooks[0].name} is a notebook, which a tournament cannot start: export it as a .py file (Jupyter: "
            "File > Save and Export Notebook As > Executable Script) that reads requests from standard input"
        )
    raise EntryError(f"we recognise no program in {_names(files) or 'it'}; it needs {CONVENTIONS}")


def _python(paths: list[Path]) -> Recipe:
    main = _main_of(paths, lambda path: "__main__" in _text(path))
    for path in paths:
        problem = _syntax_error(path)
        if problem is None:
            continue
        if not any(sign in (problem.msg or "") for sign in PYTHON_2_SIGNS):
            raise EntryError(f"{path.name}, line {problem.lineno}: {problem.msg}")
        says = f"{path.name}, line {problem.lineno}: print without brackets: this is Python 2"
        python = next(filter(_runs, filter(None, map(shutil.which, ("python2.7", "python2")))), None)
        if python is None:
            raise EntryError(f"{says}, which is not installed here; Python 3 writes print(...)")
        return Recipe(run=(os.path.basename(python), main.name), remarks=(says,))
    return Recipe(run=(main.name,))


def _runs(python: str) -> bool:
    """Check whether an interpreter works: pyenv leaves names of interpreters that are not installed."""
    try:
        return (
            subprocess.run([python, "-c", ""], capture_output=True, check=False, timeout=PROBE_SECONDS).returncode == 0
        )
    except (OSError, subprocess.TimeoutExpired):
        return False


def _script(interpreter: str, paths: list[Path]) -> Recipe:
    return Recipe(run=(interpreter, _main_of(paths).name))


def _compiled(compiler: str, paths: list[Path]) -> Recipe:
    sources = " ".join(path.name for path in paths if re.fullmatch(r"[\w.-]+", path.name))
    if len(sources.split()) != len(paths):
        raise EntryError(f"{_names(paths)}: names of files to compile may have letters, digits, _, - and .")
    return Recipe(build=f"{compiler} -O2 -o agent {sources} -lm", run=("./agent",))


def _java(paths: list[Path]) -> Recipe:
    main = _main_of(paths, lambda path: JAVA_MAIN.search(_text(path)) is not None)
    package = JAVA_PACKAGE.search(_text(main))
    name = f"{package[1]}.{main.stem}" if package else main.stem
    return Recipe(build="javac -d . *.java", run=("java", name))


LANGUAGES: dict[str, tuple[tuple[str, ...], Callable[[list[Path]], Recipe]]] = {
    "Python": ((".py",), _python),
    "JavaScript": ((".js", ".mjs", ".cjs"), partial(_script, "node")),
    "Racket": ((".rkt",), partial(_script, "racket")),
    "C": ((".c",), partial(_compiled, "cc")),
    "C++": ((".cpp", ".cc", ".cxx"), partial(_compiled, "c++")),
    "Java": ((".java",), _java),
}
KINDS = {ending: kind for kind, (endings, _) in LANGUAGES.items() for ending in endings}


def _main_of(paths: list[Path], looks_like_main: Callable[[Path], bool] | None = None) -> Path:
    """Return the file that is started. Raises EntryError."""
    if len(paths) == 1:
        return paths[0]
    by_name = [path for name in MAIN_NAMES for path in paths if path.stem.lower() == name]
    if by_name:
        return by_name[0]
    if looks_like_main is not None:
        likely = [path for path in paths if looks_like_main(path)]
        if len(likely) == 1:
            return likely[0]
    raise EntryError(f"it has {_names(paths)}; call the one to start agent{paths[0].suffix}, or add {DESCRIPTION}")


def _syntax_error(path: Path) -> SyntaxError | None:
    """Return the syntax error of a file that is not Python 3; None if there is none."""
    try:
        with warnings.catch_warnings(action="ignore"):
            compile(path.read_bytes(), path.name, "exec", dont_inherit=True)
    except SyntaxError as error:
        return error
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        return SyntaxError(str(error), (path.name, 1, 0, ""))
    return None


def _text(path: Path) -> str:
    return path.read_text("utf-8", errors="replace")


def _names(paths: Sequence[Path]) -> str:
    return _listed([path.name for path in paths])


def _listed(names: Sequence[str], most: int = 5) -> str:
    """Return some names, and how many more there are."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def _mend_line_ends(path: Path) -> bool:
    """Remove the carriage returns of a script that they keep from starting; whether there were any."""
    with open(path, "rb") as file:
        is_broken = re.match(rb"#![^\n]*\r\n", file.read(300)) is not None
    if is_broken:
        path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n"))
    return is_broken
