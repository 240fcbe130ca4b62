"""The layers of the package: imports point one way."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import connect4_agent

PACKAGE = Path(connect4_agent.__file__).parent

ORDER = """
    errors, text < rules
    < engine.kernel < engine.book < engine.engine < engine.limits < engine.players < engine
    < server
    < drawing < reasons < jobs
    < arena.statistics, arena.faults < arena.command_line < arena.spec < arena.config < arena.record
    < arena.journal < arena.judged_moves, arena.openings, arena.schedule < arena.run < arena.progress, arena.versions
    < arena.confinement, arena.processes < arena.process < arena.worker < arena.agents < arena.referee
    < arena.tournament < arena.judging < arena.report < arena.check < arena.entries < arena
    < ui, lab, harnesses
    < api < commands < cli, __init__ < __main__
"""
LAYERS = [[part.strip() for part in layer.split(",")] for layer in ORDER.split("<")]
"""From the ground up. A part is a module, or a package without those of its modules that are parts by themselves.

It may import from itself and from the layers before its own, and from nothing else.
"""

KEEPS_OUT = {
    "engine.kernel": {"os.path", "pathlib", "threading", "time"},
    "engine.players": {"os", "select", "subprocess"},
    "arena.referee": {"connect4_agent.arena.journal", "os", "pathlib"},
    "arena.report": {"connect4_agent.arena.agents", "connect4_agent.jobs.executor", "multiprocessing", "subprocess"},
    "arena.record": {"connect4_agent.engine.kernel.solver", "os", "pathlib"},
}
"""What else a part or a module must not import, though its layer would allow it."""

FIRST_RING = {"cli", "errors", "text", "rules", "engine", "server"}
SERVER_COMMAND = {
    "connect4_agent.commands.serve",
    "connect4_agent.commands.shared",
    "connect4_agent.commands.shared.options",
}

DYNAMIC_NAME = re.compile(r"connect4_agent(\.\w+)+\.?")
"""A module of the package, or the beginning of its name, as text."""


def module_name(path: Path) -> str:
    """The dotted name below the package; that of a package for its __init__.py."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def modules() -> dict[str, Path]:
    return {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def prefixes(name: str) -> Iterator[str]:
    """The name, then each package around it."""
    while name:
        yield name
        name = name.rpartition(".")[0]


def part_of(name: str) -> str | None:
    """The part that a name below the package belongs to; None if no layer has it."""
    parts = {part for layer in LAYERS for part in layer}
    return next((prefix for prefix in prefixes(name) if prefix in parts), None)


def imported_names(path: Path) -> Iterator[str]:
    """The full names of what a file imports at any level; modules of the package also where text names them."""
    package = ["connect4_agent", *path.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = [*base, *(node.module.split(".") if node.module else [])]
            yield from (".".join([*module, alias.name]) for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and DYNAMIC_NAME.fullmatch(node.value):
            yield node.value.rstrip(".")


def imported_parts(path: Path) -> set[str | None]:
    """The parts of the package that a file imports, other than its own; anybody may know the version."""
    names = {
        name.removeprefix("connect4_agent.")
        for name in imported_names(path)
        if name.startswith("connect4_agent.") and name != "connect4_agent.__version__"
    }
    return {part_of(name) for name in names} - {part_of(module_name(path))}


def test_every_module_belongs_to_a_layer() -> None:
    assert [name for name in modules() if part_of(name) is None] == []


def imported_modules(name: str) -> set[str]:
    """The modules of the package that a module imports, below the package."""
    known = modules()
    found = set()
    for imported in imported_names(known[name]):
        below = imported.removeprefix("connect4_agent.")
        module = next((prefix for prefix in prefixes(below) if prefix in known), None)
        if imported.startswith("connect4_agent.") and module is not None:
            found.add(module)
    return found - {name}


def test_every_part_imports_only_from_the_layers_before_its_own() -> None:
    levels = {part: level for level, layer in enumerate(LAYERS) for part in layer}
    upward = {
        (name, other)
        for name in modules()
        for other in imported_modules(name)
        if (one := part_of(name)) != (two := part_of(other)) and levels[two or ""] >= levels[one or ""]
    }
    assert upward == set()


def test_modules_import_each_other_in_one_direction() -> None:
    graph = {name: imported_modules(name) for name in modules()}
    reachable = {name: set(others) for name, others in graph.items()}
    for between in graph:
        for name, others in reachable.items():
            if between in others:
                reachable[name] = others | reachable[between]
    cycles = {
        frozenset(other for other in others if name in reachable[other])
        for name, others in reachable.items()
        if name in others
    }
    assert cycles == set()


@pytest.mark.parametrize("command", ["serve", "move", "players"])
def test_the_commands_of_the_first_ring_import_nothing_else(command: str) -> None:
    seen, waiting = set(), {f"commands.{command}"}
    while waiting:
        seen.add(name := waiting.pop())
        waiting |= imported_modules(name) - seen
    shared = {"commands.shared", "commands.shared.options", "commands.shared.output"}
    others = {name for name in seen if name.split(".")[0] not in FIRST_RING}
    assert others - shared <= {"__init__", "commands", f"commands.{command}"}


def test_what_a_part_keeps_out_is_not_imported_there() -> None:
    wrong = {
        name: found
        for name, path in modules().items()
        for prefix in prefixes(name)
        if (found := {each for each in imported_names(path) if KEEPS_OUT.get(prefix, set()) & set(prefixes(each))})
    }
    assert wrong == {}


@pytest.mark.parametrize(
    ("source", "parts"),
    [
        ("from connect4_agent.arena import referee", {"arena.referee"}),
        ("from connect4_agent.rules.position import Position", {"rules"}),
        ("def f():\n    import connect4_agent.server.loop", {"server"}),
        ("from ..report import html", {"arena.report"}),
        ("from ...drawing import svg", {"drawing"}),
        ("import_module(f'connect4_agent.commands.{name}')", {"commands"}),
        ("files('connect4_agent.ui')", {"ui"}),
        ("from connect4_agent import __version__, errors", {"errors"}),
        ("from connect4_agent.arena.config import RunConfig", {"arena.config"}),
        ("from connect4_agent.arena.run import RunState", set()),
        ("from connect4_agent.nowhere import nothing", {None}),
    ],
)
def test_imports_are_seen_at_any_level_and_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, parts: set[str | None]
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "PACKAGE", tmp_path)
    path = tmp_path / "arena" / "run" / "config.py"
    path.parent.mkdir(parents=True)
    path.write_text(source)
    assert imported_parts(path) == parts


def test_every_import_inside_a_function_says_why() -> None:
    lines = [line for path in modules().values() for line in path.read_text().splitlines()]
    late = [line for line in lines if "PLC0415" in line]
    assert late
    assert [line for line in late if not re.search(r"# noqa: PLC0415  # \w", line)] == []


def test_commands_import_at_the_top() -> None:
    """The chosen command alone is loaded; of these, only the server loads what its options need."""
    late = {name for name, path in modules().items() if name.startswith("commands") and "PLC0415" in path.read_text()}
    assert late <= {"commands.serve", "commands.shared.options"}


def test_every_file_begins_with_a_sentence_that_says_its_duty() -> None:
    for file in PACKAGE.rglob("*.py"):
        duty = ast.get_docstring(ast.parse(file.read_text()))
        assert duty, file
        assert duty.splitlines()[0].endswith("."), file


def test_a_server_loads_nothing_but_the_first_ring() -> None:
    program = (
        "import sys; from connect4_agent.cli import main; main([]); print(*sys.modules, sep='\\n', file=sys.stderr)"
    )
    lines = b'{"grid":[[0,0]],"height":2,"width":1,"player":1}\nno JSON\n{"grid":[[0,0],[1,0]],"height":2}\n'
    done = subprocess.run([sys.executable, "-c", program], input=lines, capture_output=True, check=True)
    assert len(done.stdout.splitlines()) == 3
    names = {name for name in done.stderr.decode().split() if name.startswith("connect4_agent.")}
    others = {name for name in names if name.split(".")[1] not in FIRST_RING}
    assert others == {"connect4_agent.commands", *SERVER_COMMAND}


def test_reading_a_journal_loads_no_solver() -> None:
    program = "import sys, connect4_agent.arena.journal; print(*sys.modules, sep='\\n')"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    modules_loaded = loaded.stdout.split()
    assert "connect4_agent.arena.record" in modules_loaded
    assert [name for name in modules_loaded if name.startswith("connect4_agent.") and name.endswith(".solver")] == []
