"""Speed of the search: the narrow form against the plain one, a full 8-ply move, and what each technique saves."""

from __future__ import annotations

from random import Random
from time import process_time

from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.evaluators import DEFAULT_EVALUATOR, EVALUATORS
from connect4_agent.engine.kernel.order import DEFAULT_ORDER, ORDERS, do_nothing, middle_first
from connect4_agent.engine.kernel.search import Search
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.negamax import LEVELS, NegamaxPlayer
from connect4_agent.rules.position import Position
from tools.benchmarks.tables import Figures

HARD_PLIES = LEVELS["hard"]

STAGES = {"opening": (1, 7), "middle game": (8, 20), "endgame": (21, 34)}
"""The fewest and most discs of each."""

VARIANTS = {
    "as played: table, one search, by threats": (True, False, DEFAULT_ORDER),
    "without the table": (False, False, DEFAULT_ORDER),
    "with iterative deepening": (True, True, DEFAULT_ORDER),
    "deepening without the table": (False, True, DEFAULT_ORDER),
    **{f"by {order}": (True, False, order) for order in ORDERS if order != DEFAULT_ORDER},
}
"""Whether there is a table, whether the search deepens, the order of moves: as played, then one thing changed."""


def quiet_positions(count: int, fewest_discs: int, most_discs: int) -> list[Position]:
    """Positions of random games on 7x6 with this many discs in which nobody can win at once."""
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


def nodes_a_second(positions: list[Position], depth: int, evaluator: str, form: str) -> float:
    """The nodes a second of a search of this depth, not counting the first use of the table."""
    player = NegamaxPlayer(depth, evaluator, form=form)
    player.choose(positions[0], Limits())
    started = process_time()
    nodes = sum(player.choose(position, Limits()).nodes for position in positions)
    return nodes / (process_time() - started)


def times_of_moves(positions: list[Position], form: str) -> tuple[float, float]:
    """Mean and longest processor time of a move at level hard, in seconds."""
    player = NegamaxPlayer(HARD_PLIES, form=form)
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


def mean_nodes(positions: list[Position], depth: int, has_table: bool, deepen: bool, move_order: str) -> float:
    """Mean nodes of a search with some of the techniques."""
    table_size = NegamaxPlayer.DEEP_TABLE_SIZE if has_table else 0
    search = forms.new_search(7, 6, DEFAULT_EVALUATOR, table_size, move_order=move_order)
    return sum(nodes_of(search, position, depth, deepen) for position in positions) / len(positions)


def run(*, quick: bool = True) -> Figures:
    """All figures of this part; without compiled code, those that need it are missing."""
    count, few = 20 if quick else 100, 20
    is_compiled = forms.is_compiled()
    middle_games = quiet_positions(few, *STAGES["middle game"])
    rows: Figures = []
    for name in EVALUATORS:
        fast = nodes_a_second(middle_games, 10, name, form=forms.NARROW) if is_compiled else None
        slow = nodes_a_second(middle_games, 6, name, form=forms.PLAIN)
        ratio = None if fast is None else fast / slow
        rows.append({"what": f"nodes a second, {name}", "narrow": fast, "plain": slow, "ratio": ratio})
    for stage, discs in STAGES.items():
        positions = quiet_positions(count, *discs)
        what = f"{HARD_PLIES}-ply move, {stage}: {discs[0]} to {discs[1]} discs"
        row: dict[str, object] = {"what": what, "positions": count}
        for form in (forms.NARROW, forms.PLAIN):
            mean, longest = times_of_moves(positions, form) if is_compiled or form == forms.PLAIN else (None, None)
            row[f"{form}_mean_ms"] = None if mean is None else 1000 * mean
            row[f"{form}_longest_ms"] = None if longest is None else 1000 * longest
        rows.append(row)
    for name, variant in VARIANTS.items():
        row = {"what": f"nodes, {name}", "positions": few}
        for depth in (8, 12):
            is_feasible = is_compiled or depth == 8
            row[f"at_{depth}_plies"] = round(mean_nodes(middle_games, depth, *variant)) if is_feasible else None
        rows.append(row)
    return rows
