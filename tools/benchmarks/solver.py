"""Exact search: time and nodes for each class of positions, or for the files of a folder, beside bitbully in one run.

CONNECT4_OTHER_SOLVER may name the program of another solver, which then solves the same positions in turn. It takes a
file of positions and how many of them to solve, solves each with a cold table, and ends with a line of the form
`positions N wrong W mean T ms max T ms nodes N ...`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

from connect4_agent import errors
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.engine.kernel.solver import Solver
from connect4_agent.rules.notation import MOVE_SIGNS
from connect4_agent.rules.position import Position
from tools.benchmarks.positions.make import CLASSES, FOLDER
from tools.benchmarks.tables import Figures

OTHER = "CONNECT4_OTHER_SOLVER"
MAX_ROUNDS = 10
ROUNDS_SECONDS = 20.0
"""The rounds for each solver, in turn; a second and later round starts only within this time. The fastest round
counts."""

QUICK_POSITIONS = 30

WON_AT_ONCE = "121212"
"""Solved before each position, without a search and without being counted. Clearing the table empties
the processor's caches. The table's entries should be cold, but not Python's own code around the call (some 10 us)."""

BITBULLY_SECONDS = 10.0
"""The time for bitbully per class; it solves positions in order until the time is used up."""


class Measured(NamedTuple):
    """Means over the positions of a class, in processor time, since the machine may be busy."""

    milliseconds: float
    nodes: float
    wrong: tuple[str, ...] = ()
    """The positions for which the score was not that of the file."""


def read_set(path: Path) -> list[tuple[str, int]]:
    """The moves and scores of a file; a line that cannot be solved ends the benchmark."""
    positions = []
    try:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            positions.append(_read_line(line, f"{path}, line {number}"))
    except (OSError, UnicodeDecodeError) as error:
        raise SystemExit(f"{path} cannot be read: {error}") from None
    if not positions:
        raise SystemExit(f"{path} has no positions")
    return positions


def _read_line(line: str, where: str) -> tuple[str, int]:
    try:
        moves, score = line.split()
        expected = int(score)
    except ValueError:
        raise SystemExit(f"{where}: {line[:80]!r} is not of the form MOVES SCORE, such as '4455 18'") from None
    try:
        position = Position.from_moves(moves)
    except errors.Connect4Error as error:
        raise SystemExit(f"{where}: {error}") from None
    if position.is_over:
        raise SystemExit(f"{where}: the game {moves} is over")
    return moves, expected


def measure(solver: Solver, positions: list[tuple[str, int]]) -> Measured:
    """Solve every position with a cold table."""
    seconds = 0.0
    wrong = []
    decided = Position.from_moves(WON_AT_ONCE)
    nodes_before = solver.nodes
    for moves, expected in positions:
        position = Position.from_moves(moves)
        solver.clear()
        for asked in (decided, position):
            own, opponent = asked.own, asked.opponent
            began = process_time()
            score = solver.score(own, opponent, do_nothing)
            elapsed = process_time() - began
        seconds += elapsed
        if score != expected:
            wrong.append(moves)
    return Measured(seconds / len(positions) * 1000, (solver.nodes - nodes_before) / len(positions), tuple(wrong))


def measure_other(program: str, path: Path, count: int) -> Measured:
    """The other solver's own figures for the first `count` positions of a file."""
    result = subprocess.run([program, str(path), str(count)], capture_output=True, text=True, check=True)
    found = re.search(r"wrong 0 mean ([\d.]+) ms .* nodes ([\d.]+)", result.stdout)
    if found is None:
        raise SystemExit(f"{program} {path} ended with {result.stdout[-200:]!r}")
    return Measured(float(found[1]), float(found[2]))


def measure_bitbully(positions: list[tuple[str, int]]) -> Measured:
    """bitbully without a book, with a cold table."""
    from bitbully import BitBully, Board  # noqa: PLC0415  # of the group dev

    agent = BitBully(opening_book=None)
    decided = Board([MOVE_SIGNS.index(sign) for sign in WON_AT_ONCE])
    seconds, nodes, count = 0.0, 0, 0
    for moves, _ in positions:
        board = Board([MOVE_SIGNS.index(sign) for sign in moves])
        agent.reset_transposition_table()
        for asked in (decided, board):
            agent.reset_node_counter()
            began = process_time()
            agent.mtdf(asked)
            elapsed = process_time() - began
        seconds += elapsed
        nodes += agent.get_node_counter()
        count += 1
        if seconds > BITBULLY_SECONDS:
            break
    return Measured(seconds / count * 1000, nodes / count)


def measure_file(path: Path, positions: list[tuple[str, int]]) -> dict[str, Any]:
    """The row of a file, or of the first positions of it: all solvers, in turn."""
    other = os.environ.get(OTHER)
    solver = forms.new_solver(7, 6, form="narrow")
    own: list[Measured] = []
    others: list[Measured] = []
    began = perf_counter()
    while not own or (len(own) < MAX_ROUNDS and perf_counter() - began < ROUNDS_SECONDS):
        own.append(measure(solver, positions))
        if other:
            others.append(measure_other(other, path, len(positions)))
    best = min(own)
    row = {
        "what": path.stem,
        "positions": len(positions),
        "right": len(positions) - len(best.wrong),
        "ms": best.milliseconds,
        "nodes": best.nodes,
    }
    if others:
        best_other = min(others)
        row |= {
            "other_ms": best_other.milliseconds,
            "other_nodes": best_other.nodes,
            "times_as_fast": best_other.milliseconds / best.milliseconds,
        }
    if find_spec("bitbully"):
        bitbully = measure_bitbully(positions)
        row |= {
            "bitbully_ms": bitbully.milliseconds,
            "times_as_fast_as_bitbully": bitbully.milliseconds / best.milliseconds,
        }
    if best.wrong:
        found = f"{len(best.wrong)} of {len(positions)} scores differ from the solver's"
        print(f"{path}: {found}; the first is that of {best.wrong[0]}", file=sys.stderr)
    return row


def run_sets(folder: Path) -> Figures:
    """The figures for every file of a folder; all files are read before the first is solved."""
    paths = sorted(path for path in folder.iterdir() if path.is_file()) if folder.is_dir() else []
    if not paths:
        raise SystemExit(f"{folder} is not a folder with files of positions")
    sets = {path: read_set(path) for path in paths}
    return [measure_file(path, positions) for path, positions in sets.items()]


def run(*, quick: bool = True) -> Figures:
    """All figures of this part; a quick run takes a few positions of every class."""
    count = QUICK_POSITIONS if quick else None
    paths = [FOLDER / f"{position_class.name}.txt" for position_class in CLASSES]
    return [measure_file(path, read_set(path)[:count]) for path in paths]
