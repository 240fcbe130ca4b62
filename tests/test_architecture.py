"""Dependencies between the package's parts point one way."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import connect4_agent

if TYPE_CHECKING:
    from collections.abc import Sequence

PACKAGE = Path(connect4_agent.__file__).parent

MAY_IMPORT = {
    "errors": set(),
    "position": {"errors"},
    "protocol": {"errors", "position"},
    "book.lookup": {"errors", "position"},
    "engine": {"errors", "position", "book.lookup"},
    "book": {"errors", "position", "book.lookup", "engine", "executor", "interrupts"},
    "server": {"errors", "position", "protocol", "engine"},
    "executor": set(),
    "interrupts": set(),
    "adapters": {"errors", "position", "engine", "book.lookup", "server", "__version__"},
    "arena": {"errors", "position", "protocol", "book.lookup", "engine", "executor", "interrupts", "__version__"},
    "play": {"errors", "position", "protocol", "engine", "server", "executor", "arena", "__version__"},
    "commands": {
        "errors",
        "position",
        "protocol",
        "engine",
        "book",
        "book.lookup",
        "server",
        "executor",
        "interrupts",
        "arena",
        "adapters",
        "play",
        "cli",
        "__version__",
    },
    "cli": {"commands"},
    "__init__": {"position", "engine"},
    "__main__": {"cli"},
}
"""What each part may import of the package, besides itself."""

FILES_APART = {"book.lookup"}
"""Files that are a part by themselves: the book is read by the engine, and built with it."""


def part_of(path: Path) -> str:
    return part_named(path.relative_to(PACKAGE).with_suffix("").parts)


def part_named(names: Sequence[str]) -> str:
    """The part that a module belongs to, by its name below the package."""
    module = ".".join(names[:2])
    return module if module in FILES_APART else names[0]


def imported_parts(path: Path) -> set[str]:
    """The parts of the package that a file imports at any level, other than its own."""
    package = ["connect4_agent", *path.relative_to(PACKAGE).parts[:-1]]
    parts = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = [*base, *(node.module.split(".") if node.module else [])]
            names = [".".join([*module, alias.name]) for alias in node.names]
        else:
            continue
        for name in names:
            if name.startswith("connect4_agent."):
                parts.add(part_named(name.split(".")[1:]))
    return parts - {part_of(path)}


def test_every_part_imports_only_what_stands_below_it() -> None:
    files = sorted(PACKAGE.rglob("*.py"))
    assert {part_of(file) for file in files} == set(MAY_IMPORT)
    wrong = {
        str(file.relative_to(PACKAGE)): sorted(extra)
        for file in files
        if (extra := imported_parts(file) - MAY_IMPORT[part_of(file)])
    }
    assert wrong == {}


def test_an_import_the_wrong_way_would_be_seen() -> None:
    assert imported_parts(PACKAGE / "server.py") == {"errors", "protocol", "engine", "position"}


def test_every_file_begins_with_a_sentence_that_says_its_duty() -> None:
    for file in PACKAGE.rglob("*.py"):
        duty = ast.get_docstring(ast.parse(file.read_text()))
        assert duty, file
        assert duty.splitlines()[0].endswith("."), file
