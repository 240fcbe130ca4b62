"""python -m tools.benchmarks.positions.make [CLASS ...]: write the sets of positions anew, the same ones every time.

A class is a range of discs and a range of plies to the end under perfect play. Positions are reached by random
legal play; nobody can win at once. Scores come from the solver with its rules off, and bitbully's book of 12 plies
with distances has to agree with each of them.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random

from bitbully import Board

from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.engine.kernel.solver import Solver
from connect4_agent.rules.notation import MOVE_SIGNS
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import moves_to_end

FOLDER = Path(__file__).parent
POSITIONS = 200
SEED = 42


@dataclass(frozen=True, slots=True)
class PositionClass:
    """Positions with so many discs whose end is so many plies away, both ends included."""

    name: str
    discs: tuple[int, int]
    plies: tuple[int, int]


CLASSES = (
    PositionClass("late-soon", (29, 40), (1, 13)),
    PositionClass("middle-soon", (15, 28), (1, 13)),
    PositionClass("middle-later", (15, 28), (14, 27)),
    PositionClass("early-soon", (8, 14), (1, 13)),
    PositionClass("early-later", (8, 14), (14, 27)),
    PositionClass("early-far", (8, 14), (28, 42)),
)
"""Nothing below 8 discs: there the book knows every score, and random play hardly leaves its first positions."""


def plies_to_end(score: int, empty_count: int) -> int:
    """How many more discs are played by perfect players."""
    moves = moves_to_end(score, empty_count)
    if moves is None:
        return empty_count
    return 2 * moves - (1 if score > 0 else 0)


def random_moves(random: Random, discs: int) -> str | None:
    """A random game of so many discs, if it is not over by then and nobody can win at once."""
    position = Position()
    moves = ""
    for _ in range(discs):
        column = random.choice(position.legal_columns())
        position = position.play(column)
        moves += MOVE_SIGNS[column]
        if position.is_over:
            return None
    return None if position.winning_columns() else moves


def make(position_class: PositionClass, classify: Solver, solver: Solver, second_opinion: SecondOpinion) -> list[str]:
    """The lines of one class. `classify` may use the rules; what is written comes from the other two."""
    random = Random(f"{SEED} {position_class.name}")
    found: dict[int, str] = {}
    while len(found) < POSITIONS:
        moves = random_moves(random, random.randint(*position_class.discs))
        if moves is None:
            continue
        position = Position.from_moves(moves)
        score = classify.score(position.own, position.opponent, do_nothing)
        least, most = position_class.plies
        if position.key in found or not least <= plies_to_end(score, position.empty_count) <= most:
            continue
        plain = solver.score(position.own, position.opponent, do_nothing)
        other = second_opinion.score(moves)
        if not score == plain == other:
            raise SystemExit(f"{moves}: {score} with rules, {plain} without, {other} by bitbully")
        found[position.key] = f"{moves} {plain}"
    return list(found.values())


class SecondOpinion:
    """bitbully with its book of 12 plies with distances."""

    def __init__(self) -> None:
        from bitbully import BitBully, Board  # noqa: PLC0415

        self._agent = BitBully(opening_book="12-ply-dist")
        self._board = Board

    def score(self, moves: str) -> int:
        """The score after these moves."""
        return int(self._agent.mtdf(self._position(moves)))

    def best_column(self, moves: str) -> int:
        """The column that it would play after these moves."""
        return int(self._agent.best_move(self._position(moves)))

    def _position(self, moves: str) -> Board:
        return self._board([MOVE_SIGNS.index(sign) for sign in moves])


def main() -> None:
    """Write the files."""
    classify = forms.new_solver(7, 6, form="narrow")
    solver = forms.new_solver(7, 6, form="narrow", with_rules=False)
    second_opinion = SecondOpinion()
    for position_class in CLASSES:
        if sys.argv[1:] and position_class.name not in sys.argv[1:]:
            continue
        lines = make(position_class, classify, solver, second_opinion)
        (FOLDER / f"{position_class.name}.txt").write_text("\n".join(lines) + "\n")
        print(f"{position_class.name}: {len(lines)} positions", flush=True)


if __name__ == "__main__":
    main()
