"""Boards of other sizes: nodes a second, and the depth reached in 0.1 s and 1 s, in each form of the kernel.

All forms of a board take turns, and the best of several rounds counts: the machine may be doing other things.
Times are processor time. The depth is that of the search that found the move, even if time ran out during it.
"""

from __future__ import annotations

from contextlib import suppress
from random import Random
from time import process_time

from connect4_agent.engine.kernel import forms
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.negamax import NegamaxPlayer
from connect4_agent.rules.position import Position
from tools.benchmarks.tables import Figures

SIZES = ((7, 6), (8, 7), (8, 8), (9, 7), (10, 10), (12, 9))
SECONDS = (0.1, 1.0)

LEAST_SHARE_OF_NARROW = 0.45
LEAST_TIMES_PLAIN = 40.0
"""The goals: on a board that both compiled forms can hold, and for the wide form on 9x7."""


class _OutOfProcessorTimeError(Exception):
    """The solver has had its time."""


def quiet_positions(width: int, height: int, count: int) -> list[Position]:
    """Positions of random games, an eighth full, in which nobody can win at once."""
    random = Random(f"{width}x{height}")
    positions: list[Position] = []
    while len(positions) < count:
        position = Position(width, height)
        while position.disc_count < width * height // 8 and not position.is_over:
            position = position.play(random.choice(position.legal_columns()))
        if not (position.is_over or position.winning_columns() or position.passed().winning_columns()):
            positions.append(position)
    return positions


def searched(position: Position, form: str, seconds: float) -> tuple[float, int]:
    """The nodes a second of a search that deepens for this long, and the depth that it reaches."""
    player = NegamaxPlayer(None, form=form, seconds=seconds)
    started = process_time()
    choice = player.choose(position, Limits(clock=process_time))
    elapsed = process_time() - started
    return choice.nodes / elapsed, choice.depth


def solved(position: Position, form: str, seconds: float) -> float:
    """The nodes a second of the solver, which need not finish."""
    solver = forms.new_solver(position.width, position.height, form)
    started = process_time()

    def poll() -> None:
        if process_time() - started > seconds:
            raise _OutOfProcessorTimeError

    with suppress(_OutOfProcessorTimeError):
        solver.score(position.own, position.opponent, poll)
    return solver.nodes / (process_time() - started)


def forms_of(width: int, height: int) -> list[str]:
    """The available forms that can hold such a board."""
    compiled = [form for form in forms.WORD_BITS if forms.fits(form, width, height) and forms.is_available(form)]
    return [*compiled, forms.PLAIN]


def run(*, quick: bool = True) -> Figures:
    """All figures of this part."""
    count, rounds = (2, 2) if quick else (5, 3)
    rows: Figures = []
    ratios: Figures = []
    for width, height in SIZES:
        positions = quiet_positions(width, height, count)
        names = forms_of(width, height)
        rates: dict[str, list[list[float]]] = {form: [[0.0] * count for _ in range(2)] for form in names}
        depths: dict[str, dict[float, list[int]]] = {form: {s: [0] * count for s in SECONDS} for form in names}
        for _ in range(rounds):
            for place, position in enumerate(positions):
                for form in names:
                    for seconds in SECONDS:
                        rate, depth = searched(position, form, seconds)
                        rates[form][0][place] = max(rates[form][0][place], rate)
                        depths[form][seconds][place] = max(depths[form][seconds][place], depth)
                    rates[form][1][place] = max(rates[form][1][place], solved(position, form, 0.3))
        for form in names:
            rows.append(
                {
                    "what": f"{width}x{height}, {form}",
                    "nodes_a_second": sum(rates[form][0]) / count,
                    **{f"depth_in_{s:g}_s": sum(depths[form][s]) / count for s in SECONDS},
                    "solver_nodes_a_second": sum(rates[form][1]) / count,
                }
            )
        for wanted, beside, goal in (
            (forms.WIDE, forms.NARROW, LEAST_SHARE_OF_NARROW),
            (forms.WIDE, forms.PLAIN, LEAST_TIMES_PLAIN),
        ):
            if wanted in names and beside in names:
                search, solver = (sum(rates[wanted][which]) / sum(rates[beside][which]) for which in range(2))
                what = f"{width}x{height}, {wanted} / {beside}"
                ratios.append({"what": what, "search": search, "solver": solver, "goal": goal})
    return rows + ratios
