"""What runs in Pyodide under node: compiles bytecode for its Python, and counts nodes. Imports nothing of tools."""

from __future__ import annotations

import compileall
import json
import sys
from pathlib import Path

GAMES = (("7x6", "257771314744"), ("7x6", "7474135447"), ("8x8", "256542125562432755342775"))
"""Board sizes, and moves that lead to positions to solve; the last one needs the wide form."""


def compile_all(folder: Path) -> None:
    """Replace the sources below a folder by bytecode, without docstrings."""
    if not compileall.compile_dir(folder, quiet=1, legacy=True, optimize=2, stripdir=str(folder)):
        raise SystemExit(f"{folder} could not be compiled")
    for source in folder.rglob("*.py"):
        source.unlink()


def count_nodes() -> list[tuple[str, int, int]]:
    """Return the form, the score and the nodes of the solver for each of the positions, without a book."""
    from connect4_agent.engine.kernel import forms  # noqa: PLC0415  # bytecode is compiled without the package
    from connect4_agent.rules.position import Position  # noqa: PLC0415

    found = []
    for size, moves in GAMES:
        width, height = map(int, size.split("x"))
        position = Position.from_moves(moves, width, height)
        solver = forms.new_solver(width, height)
        score = solver.score(position.own, position.opponent, lambda: None)
        found.append((forms.solver_form(width, height), score, solver.nodes))
    return found


if __name__ == "__main__":
    action, path = sys.argv[1:]
    if action == "compile":
        compile_all(Path(path))
    else:
        sys.path.insert(0, path)
        print(json.dumps(count_nodes()))
