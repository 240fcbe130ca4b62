"""Recipes: how an entry is built and started, from its agent.toml or by what lies in its folder."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from connect4_agent.arena.command_line import split_command
from connect4_agent.arena.confinement import is_own_command
from connect4_agent.arena.entries.unpacking import EntryError
from connect4_agent.arena.spec import MAX_NAME, AgentName, RequestForm, Seconds, StartForm, explain
from connect4_agent.text import escaped

DESCRIPTION = "agent.toml"
MAIN_NAMES = ("agent", "main", "bot", "player")
"""The usual names of the file that is started, the likeliest first."""

MAKEFILES = ("Makefile", "makefile")
BUILT = "agent"
"""The program that a Makefile makes."""

ACCEPTED = (
    "a Python file (agent.py, main.py, bot.py, player.py, or the only one), a file that begins with #!, a Makefile "
    "that makes `agent`, a program in Java, C, C++, JavaScript or Racket, a .jar, or an agent.toml with `command`"
)
MAKES_AGENT = re.compile(rf"^([^\s#:=]+ +)*{BUILT}( [^:=\n]*)?:(?!=)", re.MULTILINE)
JAVA_MAIN = re.compile(r"\bstatic\s+void\s+main\b")
JAVA_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)
PLAIN_NAME = re.compile(r"[\w.-]+")


class Recipe(BaseModel):
    """The way to build and start an entry: the keys of an agent.toml. Paths are relative to the entry's folder."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: AgentName | None = Field(default=None, min_length=1, max_length=MAX_NAME)
    command: tuple[str, ...]
    build: str | None = None
    """For a shell, in the entry's folder."""
    directory: str = "."
    python: str | None = None
    env: dict[str, str] = {}
    start: StartForm | None = None
    """None to find out."""
    request: RequestForm = RequestForm.FULL
    time_limit: Seconds | None = None
    startup: Seconds | None = None

    @field_validator("command", mode="before")
    @classmethod
    def _split(cls, value: Any) -> Any:
        words = split_command(value)
        if words and is_own_command(words):
            raise ValueError("connect4-agent itself cannot be handed in")
        return words

    @field_validator("command", "directory")
    @classmethod
    def _check_inside(cls, value: Any) -> Any:
        word = value if isinstance(value, str) else value[0]
        if os.path.isabs(word) or ".." in Path(word).parts:
            raise ValueError(f"{word} is outside of the entry's folder")
        return value


def find_recipe(folder: Path) -> Recipe:
    """Return how to build and start the entry in a folder. Raises EntryError."""
    try:
        return Recipe.model_validate(tomllib.loads((folder / DESCRIPTION).read_text("utf-8-sig")))
    except FileNotFoundError:
        return _find_program(folder)
    except OSError as error:
        raise EntryError(f"{DESCRIPTION} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise EntryError(f"{DESCRIPTION} is not TOML: {error}") from None
    except ValidationError as error:
        raise EntryError(f"{DESCRIPTION}: {explain(error, Recipe.model_fields)}") from None


def _find_program(folder: Path) -> Recipe:
    files = [path for path in sorted(folder.iterdir()) if path.is_file()]
    if any(MAKES_AGENT.search(_read_text(path)) for path in files if path.name in MAKEFILES):
        return Recipe(build=f"make {BUILT}", command=(f"./{BUILT}",))
    by_language: dict[str, list[Path]] = {}
    for path in files:
        if (language := LANGUAGES.get(path.suffix.lower())) is not None:
            by_language.setdefault(language, []).append(path)
    named = [name for name, paths in by_language.items() if any(path.stem.lower() in MAIN_NAMES for path in paths)]
    if len(chosen := named or [*by_language]) == 1:
        return RECIPES[chosen[0]](by_language[chosen[0]])
    if chosen:
        raise EntryError(f"it has programs in {' and '.join(sorted(chosen))}; say in {DESCRIPTION} which one to start")
    if scripts := [path for path in files if path.read_bytes()[:2] == b"#!"]:
        return Recipe(command=(f"./{_choose_main(scripts).name}",))
    if notebooks := [path for path in files if path.suffix == ".ipynb"]:
        raise EntryError(
            f"{notebooks[0].name} is a notebook; export it as a .py file (File > Save and Export Notebook As)"
        )
    raise EntryError(f"found: {_list_names(files) or 'no file'}; accepted: {ACCEPTED}")


def _run_compiled(compiler: str, paths: list[Path]) -> Recipe:
    sources = [path.name for path in paths if PLAIN_NAME.fullmatch(path.name)]
    if len(sources) < len(paths):
        raise EntryError(f"{_list_names(paths)}: names of files to compile may have letters, digits, _, - and .")
    return Recipe(build=f"{compiler} -O2 -o {BUILT} {' '.join(sources)} -lm", command=(f"./{BUILT}",))


def _run_java(paths: list[Path]) -> Recipe:
    main = _choose_main([path for path in paths if JAVA_MAIN.search(_read_text(path))] or paths)
    package = JAVA_PACKAGE.search(_read_text(main))
    return Recipe(build="javac -d . *.java", command=("java", f"{package[1]}.{main.stem}" if package else main.stem))


RECIPES: dict[str, Callable[[list[Path]], Recipe]] = {
    "Python": lambda paths: Recipe(command=(_choose_main(paths).name,)),
    "JavaScript": lambda paths: Recipe(command=("node", _choose_main(paths).name)),
    "Racket": lambda paths: Recipe(command=("racket", _choose_main(paths).name)),
    "Java (a .jar)": lambda paths: Recipe(command=("java", "-jar", _choose_main(paths).name)),
    "Java": _run_java,
    "C": lambda paths: _run_compiled("cc", paths),
    "C++": lambda paths: _run_compiled("c++", paths),
}
LANGUAGES = {
    ".py": "Python", ".js": "JavaScript", ".mjs": "JavaScript", ".cjs": "JavaScript", ".rkt": "Racket",
    ".jar": "Java (a .jar)", ".java": "Java", ".c": "C", ".cpp": "C++", ".cc": "C++", ".cxx": "C++",
}  # fmt: skip


def _choose_main(paths: Sequence[Path]) -> Path:
    """Return the file that is started: the only one, or the one with a usual name. Raises EntryError."""
    named = [path for name in MAIN_NAMES for path in paths if path.stem.lower() == name]
    if len(paths) > 1 and not named:
        suffix = paths[0].suffix
        raise EntryError(f"it has {_list_names(paths)}; call the one to start {BUILT}{suffix}, or add {DESCRIPTION}")
    return (named or paths)[0]


def _read_text(path: Path) -> str:
    return path.read_text("utf-8", errors="replace")


def _list_names(paths: Sequence[Path], most: int = 5) -> str:
    """Return some names, and how many more there are."""
    names = ", ".join(escaped(path.name) for path in paths[:most])
    return names + (f" and {len(paths) - most} more" if len(paths) > most else "")
