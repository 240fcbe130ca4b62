"""python -m tools.benchmarks.empty_boards: which empty boards the solver can prove.

Every board of up to 64 bits for which the solver runs compiled is tried with a cold table, up to PROVABLE_NODES; no
larger one of at least four columns and rows is within reach. A board is left out as too hard if one with two columns or
two rows less was: a larger board of the same parity takes more nodes. The results are printed as the table of
solved_boards.md, beside those that others have published; engine/limits.py has the highest board of each width. With
sizes such as 6x7 10x4, only these boards are proven and printed, however long it takes, with a table of 2 GB.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.solver import Solver
from connect4_agent.engine.limits import PROVABLE_NODES
from connect4_agent.rules.geometry import LARGEST_SIDE
from tools.benchmarks.positions.make import plies_to_end

LARGE_INDEX_BITS = 26
"""For the table of a board that takes billions of nodes: 2 GB."""

PUBLISHED = {4: "==-=----", 5: "====+", 6: "==-+-", 7: "==+", 8: "==", 9: "=", 10: "=", 11: "="}
"""By the rows, from 4 columns on: whether the first player draws, loses or wins, as John Tromp has published it."""

PUBLISHED_PLIES = {
    (6, 4): 24,
    (8, 4): 32,
    (9, 4): 36,
    (10, 4): 40,
    (8, 5): 39,
    (6, 6): 36,
    (7, 6): 41,
    (8, 6): 48,
    (6, 7): 41,
}
"""By columns and rows, for boards that are won or lost: the move that ends the game, as Christophe Steininger has
published it."""


class Proof(NamedTuple):
    """The score of an empty board, and what it took to find it."""

    score: int
    nodes: int


class _TooManyNodesError(Exception):
    """The board is too hard."""


def prove(width: int, height: int, most_nodes: int = PROVABLE_NODES) -> Proof | None:
    """The score of the empty board, if it can be proven within this many nodes."""
    return _prove(forms.new_solver(width, height), most_nodes)


def _prove(solver: Solver, most_nodes: int) -> Proof | None:
    def poll() -> None:
        if solver.nodes > most_nodes:
            raise _TooManyNodesError

    try:
        score = solver.score(0, 0, poll)
    except _TooManyNodesError:
        return None
    return Proof(score, solver.nodes)


def published_result(width: int, height: int) -> str | None:
    """The published result of a board: `+`, `=` or `-`."""
    results = PUBLISHED.get(height, "")
    return results[width - 4] if 0 <= width - 4 < len(results) else None


def table_line(width: int, height: int, proof: Proof) -> str:
    """A board's line of the table in tools/benchmarks/solved_boards.md."""
    result = "=+-"[(proof.score > 0) - (proof.score < 0)]
    score = f"{proof.score:+}" if proof.score else "0"
    cells = [
        f"{width}x{height}",
        result,
        score,
        str(plies_to_end(proof.score, width * height)),
        f"{proof.nodes:,}",
        published_result(width, height) or "",
        str(PUBLISHED_PLIES.get((width, height), "")),
    ]
    return f"| {' | '.join(cells)} |"


def print_boards(sizes: list[str]) -> None:
    """Prove the boards of these sizes, and print their lines."""
    for size in sizes:
        width, height = map(int, size.split("x"))
        proof = _prove(forms.new_solver(width, height, index_bits=LARGE_INDEX_BITS), sys.maxsize)
        assert proof is not None
        print(table_line(width, height, proof), flush=True)


def main() -> None:
    """Try every board, print the table."""
    too_hard: set[tuple[int, int]] = set()
    for height in range(1, LARGEST_SIDE + 1):
        for width in range(1, LARGEST_SIDE + 1):
            if not forms.fits(forms.NARROW, width, height):
                break
            if forms.solver_form(width, height) == forms.PLAIN:
                continue
            is_hopeless = (width - 2, height) in too_hard or (width, height - 2) in too_hard
            proof = None if is_hopeless else prove(width, height)
            if proof is None:
                too_hard.add((width, height))
                continue
            print(table_line(width, height, proof), flush=True)


if __name__ == "__main__":
    print_boards(sys.argv[1:]) if sys.argv[1:] else main()
