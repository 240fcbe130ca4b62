"""The fixed-ply search: nodes a second, compiled and interpreted, on the same positions in one run."""

from __future__ import annotations

import random
import statistics
from time import perf_counter
from typing import TYPE_CHECKING

from connect4_agent.engine import speed
from connect4_agent.engine.players import Limits, NegamaxPlayer
from connect4_agent.position import Position

if TYPE_CHECKING:
    from benchmarks.tables import Figures

POSITIONS = 30
DEPTH = 6


def middle_game(generator: random.Random) -> Position:
    """An unfinished position after 8 to 20 random plies, with no win at once for either side."""
    while True:
        position = Position()
        for _ in range(generator.randint(8, 20)):
            if position.is_over:
                break
            position = position.play(generator.choice(position.legal_columns()))
        if not (position.is_over or position.winning_columns() or position.passed().winning_columns()):
            return position


def run() -> Figures:
    """All figures of this part."""
    generator = random.Random(1)
    positions = [middle_game(generator) for _ in range(POSITIONS)]
    rates: dict[bool, list[float]] = {True: [], False: []}
    milliseconds: dict[bool, list[float]] = {True: [], False: []}
    forms = (True, False) if speed.is_compiled() else (False,)
    players = {compiled: NegamaxPlayer(DEPTH, compiled=compiled) for compiled in forms}
    for position in positions:
        for compiled, player in players.items():
            begun = perf_counter()
            nodes = player.choose(position, Limits()).nodes
            elapsed = perf_counter() - begun
            rates[compiled].append(nodes / elapsed)
            milliseconds[compiled].append(elapsed * 1e3)
    compiled_rate, interpreted_rate = (
        statistics.median(rates[form]) if rates[form] else None for form in (True, False)
    )
    ratio = compiled_rate / interpreted_rate if compiled_rate and interpreted_rate else None
    return [
        {
            "what": f"nodes a second, {DEPTH} plies, {POSITIONS} middle games (median)",
            "compiled": compiled_rate,
            "interpreted": interpreted_rate,
            "ratio": ratio,
        },
        {
            "what": f"a move of {DEPTH} plies, ms (median)",
            "compiled": statistics.median(milliseconds[True]) if milliseconds[True] else None,
            "interpreted": statistics.median(milliseconds[False]),
        },
    ]
