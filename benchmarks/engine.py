"""Speed of the search: compiled over interpreted, a full 8-ply move, and what each technique saves.

python -m benchmarks.engine
"""

from __future__ import annotations

import sys
from random import Random
from time import process_time
from typing import TYPE_CHECKING, Any

from connect4_agent.engine import speed
from connect4_agent.engine.evaluate import DEFAULT_EVALUATOR, EVALUATORS
from connect4_agent.engine.negamax import LEVELS, NegamaxPlayer
from connect4_agent.engine.player import Limits
from connect4_agent.engine.search import do_nothing, middle_first
from connect4_agent.position import Position

if TYPE_CHECKING:
    from connect4_agent.engine.search import Search

HARD_PLIES = LEVELS["hard"]


def quiet_positions(count: int, fewest_discs: int, most_discs: int) -> list[Position]:
    """Positions of random games on 7x6 with so many discs in which nobody can win at once."""
    random = Random(1)
    positions: list[Position] = []
    while len(positions) < count:
        position = Position()
        for _ in range(random.randint(fewest_discs, most_discs)):
            if position.is_over:
                break
            position = position.play(random.choice(position.legal_columns()))
        if not (position.is_over or position.winning_columns() or position.passed().winning_columns()):
            positions.append(position)
    return positions


def nodes_a_second(positions: list[Position], depth: int, evaluator: str, compiled: bool) -> float:
    """The rate at which a search of this depth visits nodes, the table's first use left out."""
    player = NegamaxPlayer(depth, evaluator, compiled=compiled)
    player.choose(positions[0], Limits())
    started = process_time()
    nodes = sum(player.choose(position, Limits()).nodes for position in positions)
    return nodes / (process_time() - started)


def times_of_moves(positions: list[Position], compiled: bool) -> tuple[float, float]:
    """Mean and longest processor time of a move of level hard, in seconds."""
    player = NegamaxPlayer(HARD_PLIES, compiled=compiled)
    seconds = []
    for position in positions:
        started = process_time()
        player.choose(position, Limits())
        seconds.append(process_time() - started)
    return sum(seconds) / len(seconds), max(seconds)


def nodes_of(search: Search, position: Position, depth: int, deepen: bool) -> int:
    """The nodes of one search."""
    columns = middle_first(position.width)
    order = [rank for rank in range(position.width) if position.is_open(columns[rank])]
    search.prepare(do_nothing)
    for plies in range(1 if deepen else depth, depth + 1):
        _, ranks = search.best_ranks(position.own, position.opponent, plies, order, every_tie=False)
        best = min(ranks)
        order = [best, *(rank for rank in order if rank != best)]
    return search.nodes


def worth_of_techniques(positions: list[Position], depth: int) -> dict[str, float]:
    """Mean nodes of a search with everything as the players have it, and with one thing changed at a time."""
    table_size = NegamaxPlayer.DEEP_TABLE_SIZE
    variants: dict[str, tuple[str, int, bool]] = {
        "as played: threats first, table, one search": ("threats", table_size, False),
        "without the table": ("threats", 0, False),
        "ordering: from the centre": ("centre", table_size, False),
        "ordering: by column score": ("chains", table_size, False),
        "without ordering: left to right": ("left-to-right", table_size, False),
        "with iterative deepening": ("threats", table_size, True),
        "deepening, ordering from the centre": ("centre", table_size, True),
        "deepening, left to right": ("left-to-right", table_size, True),
        "deepening without the table": ("threats", 0, True),
        "neither table nor ordering nor deepening": ("left-to-right", 0, False),
    }
    nodes = {}
    for name, (ordering, size, deepen) in variants.items():
        search = speed.new_search(7, 6, DEFAULT_EVALUATOR, size, compiled=True, ordering=ordering)
        nodes[name] = sum(nodes_of(search, position, depth, deepen) for position in positions) / len(positions)
    return nodes


def run(move_positions: int = 100, technique_positions: int = 20) -> dict[str, Any]:
    """Measure; print tables and give their figures."""
    positions = quiet_positions(move_positions, 8, 20)
    few = positions[:technique_positions]
    rates = {}
    print(
        "| evaluator | compiled, million nodes/s | interpreted, thousand nodes/s | ratio |\n| --- | --- | --- | --- |"
    )
    for name in EVALUATORS:
        fast = nodes_a_second(few, 10, name, compiled=True)
        slow = nodes_a_second(few[:5], 6, name, compiled=False)
        rates[name] = {"compiled": fast, "interpreted": slow, "ratio": fast / slow}
        print(f"| {name} | {fast / 1e6:.1f} | {slow / 1e3:.0f} | {fast / slow:.0f} |")
    print(f"\n| {HARD_PLIES}-ply moves, {move_positions} positions each | form | mean ms | longest ms |")
    print("| --- | --- | --- | --- |")
    moves = {}
    for stage, discs in (("opening", (1, 7)), ("middle game", (8, 20)), ("endgame", (21, 34))):
        staged = quiet_positions(move_positions, *discs)
        for form, compiled in (("compiled", True), ("interpreted", False)):
            mean, longest = times_of_moves(staged, compiled)
            moves[f"{stage}, {form}"] = {"mean_ms": 1000 * mean, "longest_ms": 1000 * longest}
            print(f"| {stage}: {discs[0]} to {discs[1]} discs | {form} | {1000 * mean:.2f} | {1000 * longest:.2f} |")
    print(f"\n| mean nodes over {len(few)} positions | 8 plies | 12 plies |\n| --- | --- | --- |")
    techniques = {depth: worth_of_techniques(few, depth) for depth in (8, 12)}
    for name in techniques[8]:
        print(f"| {name} | {techniques[8][name]:,.0f} | {techniques[12][name]:,.0f} |")
    return {"nodes_a_second": rates, "hard_move": moves, "nodes_at_8": techniques[8], "nodes_at_12": techniques[12]}


if __name__ == "__main__":
    run()
    sys.exit(0)
