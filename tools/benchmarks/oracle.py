"""Exact scores of all columns through the Python API, one position at a time and many at once, beside bitbully.

All positions come from random games; bitbully has its default book, of 12 plies with distances. Times are processor
time, except where two threads are compared with one.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import perf_counter, process_time
from typing import TypeVar

from bitbully import BitBully, Board

import connect4_agent as c4
from connect4_agent.engine.book.files import book_for
from connect4_agent.engine.engine import MAX_DISCS_BOUNDED
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.oracle import Oracle
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.rules.notation import parse_moves
from connect4_agent.rules.position import USUAL_SIZE
from tools.benchmarks.perfect import random_game
from tools.benchmarks.tables import Figures

DISCS = range(4, 38)
POSITIONS = 200
MANY = 4000
QUICK_SHARE = 10

FIRST_SOLVED = 12
"""From this many discs on, the book has few scores of columns; before that, the solver alone takes seconds."""

BITBULLY_SECONDS = 10.0
"""The time for bitbully per number of discs; it answers positions in order until the time is used up."""

Result = TypeVar("Result")


def run(*, quick: bool = True) -> Figures:
    """All figures of this part."""
    share = QUICK_SHARE if quick else 1
    bitbully = BitBully()
    c4.analyze(c4.Position.from_moves("44444412"))  # book and layer are read
    rows = [one_by_one_row(discs, POSITIONS // share, bitbully) for discs in DISCS]
    return [*rows, *many_rows(MANY // share, bitbully)]


def one_by_one_row(discs: int, count: int, bitbully: BitBully) -> dict[str, object]:
    """The mean time of `analyze` for positions with this many discs, beside bitbully and the solver alone."""
    random = Random(f"oracle {discs}")
    games = [random_game(random, discs) for _ in range(count)]
    positions = [c4.Position.from_moves(moves) for moves in games]
    analyses, own = timed(lambda: [c4.analyze(position) for position in positions])
    alone = forms.new_oracle(*USUAL_SIZE, None, forms.new_solver(*USUAL_SIZE), 0)
    is_solved = discs >= FIRST_SOLVED
    solver = timed(lambda: [solve_columns(alone, position) for position in positions])[1] if is_solved else None
    other: list[float] = []
    for moves, analysis in zip(games, analyses, strict=True):
        if sum(other) < BITBULLY_SECONDS:
            board = Board(list(parse_moves(moves)))
            scores, seconds = timed(lambda board=board: bitbully.score_all_moves(board))  # type: ignore[misc]
            other.append(seconds)
            assert scores == {column: score for column, score in enumerate(analysis.scores) if score is not None}
    return {
        "what": f"analyze, {discs} discs",
        "ms": 1000 * own / count,
        "solver_alone_ms": None if solver is None else 1000 * solver / count,
        "bitbully_positions": len(other),
        "bitbully_ms": 1000 * sum(other) / len(other),
        "bitbully_/_ms": sum(other) / len(other) / (own / count),
    }


def solve_columns(oracle: Oracle, position: c4.Position) -> bool:
    """Solve the position after every column, without a book."""
    return oracle.score_columns(position.own, position.opponent, do_nothing, [None] * position.width)


def many_rows(count: int, bitbully: BitBully) -> Figures:
    """Many positions at once: beside the kernel alone and bitbully in a loop, with two threads, and only who wins."""
    random = Random("many")
    games = [random_game(random, random.choice(DISCS)) for _ in range(count)]
    positions = [c4.Position.from_moves(moves) for moves in games]
    boards = [Board(list(parse_moves(moves))) for moves in games]
    c4.analyze_many(positions[:1])
    scores, own = timed(lambda: c4.analyze_many(positions, jobs=1))
    kernel = timed(lambda: scored_by_kernel(positions))[1]
    weak = timed(lambda: c4.analyze_many(positions, jobs=1, weak=True))[1]
    answers, other = timed(lambda: [bitbully.score_all_moves(board) for board in boards])
    assert all(
        row[column] == score for row, answer in zip(scores, answers, strict=True) for column, score in answer.items()
    )
    one, two = (timed(lambda jobs=jobs: c4.analyze_many(positions, jobs=jobs), perf_counter)[1] for jobs in (1, 2))  # type: ignore[misc]
    what = f"analyze_many, {count} positions of {DISCS[0]} to {DISCS[-1]} discs"
    return [
        {
            "what": f"{what}, ms each",
            "ms": 1000 * own / count,
            "weak_ms": 1000 * weak / count,
            "kernel_ms": 1000 * kernel / count,
            "bitbully_ms": 1000 * other / count,
        },
        {"what": "time / kernel's time", "ratio": own / kernel, "goal": 1.1},
        {"what": "two threads: times as fast as one", "ratio": one / two, "goal": 1.8},
        {"what": "times as fast as bitbully", "ratio": other / own, "goal": 3.0},
    ]


def scored_by_kernel(positions: list[c4.Position]) -> list[int]:
    """All columns of different positions in one call of the kernel, in the order in which analyze_many solves them."""
    solver = forms.new_solver(*USUAL_SIZE)
    oracle = forms.new_oracle(*USUAL_SIZE, book_for(*USUAL_SIZE), solver, MAX_DISCS_BOUNDED)
    different = sorted({(each.key, each.own, each.opponent) for each in map(c4.Position.canonical, positions)})
    _, owns, opponents = map(list, zip(*different, strict=True))
    return oracle.score_many(owns, opponents, solver, do_nothing, weak=False)


def timed(call: Callable[[], Result], clock: Callable[[], float] = process_time) -> tuple[Result, float]:
    """What a call gives, and the seconds it takes."""
    started = clock()
    result = call()
    return result, clock() - started
