"""Exact search: time and nodes for each class of positions, beside a reference solver and bitbully, in one run.

The early classes are then solved by one thread and by two, in wall time: that needs two cores without other work.

CONNECT4_REFERENCE_SOLVER may name a program that takes a file of positions (moves and score on each line) and how many
of them to solve, solves each with a cold table, and ends with a line of the form
`positions N wrong W mean T ms max T ms nodes N ...`.
"""

from __future__ import annotations

import os
import re
import subprocess
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

from benchmarks.positions.make import CLASSES, FOLDER
from benchmarks.tables import Figures
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.engine.kernel.solver import Solver
from connect4_agent.engine.threads import TwoThreadSolver
from connect4_agent.rules.position import MOVE_SIGNS, Position

REFERENCE = "CONNECT4_REFERENCE_SOLVER"
LEAST_ROUNDS = 2
MOST_ROUNDS = 10
ROUNDS_SECONDS = 20.0
"""The most rounds for each solver, in turn; a third and later round starts only within this time. The fastest round
counts."""

QUICK_POSITIONS = 30

WON_AT_ONCE = "121212"
"""Solved before each position, without a search and without being counted. Clearing the table empties
the processor's caches. The table's entries should be cold, but not Python's own code around the call (some 10 us)."""

THREADED_CLASSES = ("early-later", "early-far")
THREADED_ROUNDS = 3
THREADED_GOAL = 1.5

BITBULLY_SECONDS = 10.0
"""The time for bitbully per class; it solves positions in order until the time is used up."""


class Measured(NamedTuple):
    """Means over the positions of a class, in processor time, since the machine may be busy."""

    milliseconds: float
    nodes: float


def read_class(path: Path) -> list[tuple[str, int]]:
    """The moves and scores of a file."""
    return [(moves, int(score)) for moves, score in map(str.split, path.read_text().splitlines())]


def measure(solver: Solver, positions: list[tuple[str, int]]) -> Measured:
    """Solve every position with a cold table; a wrong score ends the benchmark."""
    seconds = 0.0
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
            raise SystemExit(f"{moves}: score {score}, {expected} was expected")
    return Measured(seconds / len(positions) * 1000, (solver.nodes - nodes_before) / len(positions))


def measure_reference(program: str, path: Path, count: int) -> Measured:
    """The reference solver's own figures for the first `count` positions of a file."""
    result = subprocess.run([program, str(path), str(count)], capture_output=True, text=True, check=True)
    found = re.search(r"wrong 0 mean ([\d.]+) ms .* nodes ([\d.]+)", result.stdout)
    if found is None:
        raise SystemExit(f"{program} {path} ended with {result.stdout[-200:]!r}")
    return Measured(float(found[1]), float(found[2]))


def measure_bitbully(positions: list[tuple[str, int]]) -> Measured:
    """bitbully without a book, with a cold table."""
    from bitbully import BitBully, Board  # noqa: PLC0415  # of the dev extra

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


def measure_threads(name: str, positions: list[tuple[str, int]]) -> Figures:
    """The wall time of one thread and of two, each position's fastest of some rounds in turn, with a cold table."""
    solvers: tuple[Solver | TwoThreadSolver, ...] = (
        forms.new_solver(7, 6, form="narrow"),
        TwoThreadSolver(forms.new_solver(7, 6, form="narrow")),
    )
    seconds, nodes = [0.0, 0.0], [0, 0]
    for moves, expected in positions:
        position = Position.from_moves(moves)
        fastest = [(float("inf"), 0)] * len(solvers)
        for _ in range(THREADED_ROUNDS):
            for place, solver in enumerate(solvers):
                solver.clear()
                nodes_before = solver.nodes
                began = perf_counter()
                score = solver.score(position.own, position.opponent, do_nothing)
                fastest[place] = min(fastest[place], (perf_counter() - began, solver.nodes - nodes_before))
                if score != expected:
                    raise SystemExit(f"{moves}: score {score} with {place + 1} threads, {expected} was expected")
        for place, (elapsed, visited) in enumerate(fastest):
            seconds[place] += elapsed
            nodes[place] += visited
    return [
        {
            "what": name,
            "positions": len(positions),
            "one thread, wall ms": seconds[0] / len(positions) * 1000,
            "two threads, wall ms": seconds[1] / len(positions) * 1000,
            "times faster": seconds[0] / seconds[1],
            "goal": THREADED_GOAL,
            "nodes / one thread": nodes[1] / nodes[0],
        }
    ]


def run(*, quick: bool = True) -> Figures:
    """All figures of this part; a quick run takes a few positions of every class."""
    reference = os.environ.get(REFERENCE)
    solver = forms.new_solver(7, 6, form="narrow")
    rows: Figures = []
    for position_class in CLASSES:
        path = FOLDER / f"{position_class.name}.txt"
        positions = read_class(path)[: QUICK_POSITIONS if quick else None]
        own, others = [], []
        began = perf_counter()
        for number in range(MOST_ROUNDS):
            if number >= LEAST_ROUNDS and perf_counter() - began > ROUNDS_SECONDS:
                break
            own.append(measure(solver, positions))
            if reference:
                others.append(measure_reference(reference, path, len(positions)))
        best = min(own)
        best_other = min(others) if others else None
        bitbully = measure_bitbully(positions) if find_spec("bitbully") else None
        rows.append(
            {
                "what": position_class.name,
                "positions": len(positions),
                "ms": best.milliseconds,
                "nodes": best.nodes,
                "reference ms": best_other.milliseconds if best_other else None,
                "reference nodes": best_other.nodes if best_other else None,
                "time / reference": best.milliseconds / best_other.milliseconds if best_other else None,
                "bitbully ms": bitbully.milliseconds if bitbully else None,
                "bitbully / time": bitbully.milliseconds / best.milliseconds if bitbully else None,
            }
        )
    for name in THREADED_CLASSES:
        rows += measure_threads(name, read_class(FOLDER / f"{name}.txt")[: QUICK_POSITIONS if quick else None])
    return rows
