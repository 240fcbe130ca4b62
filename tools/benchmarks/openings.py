"""Openings: how much ratings vary over seeds, compared with what their intervals claim.

    python -m tools.benchmarks openings          13 players of near strengths, 8 seeds (--full: 64)

Every pairing without a reference plays from openings of its own. If all games of a tournament began alike, they would
share the luck of that opening, and the intervals would claim too much. 1 is a claim that holds.
"""

from __future__ import annotations

import io
import math
import tempfile
from pathlib import Path
from statistics import mean, variance

from connect4_agent.arena.config import DEFAULT_OPENINGS, make_config
from connect4_agent.arena.openings import make_openings
from connect4_agent.arena.record import GameRecord
from connect4_agent.arena.statistics.bradley_terry import rate
from connect4_agent.arena.statistics.ratings import Z_95
from connect4_agent.arena.tournament import run_tournament
from connect4_agent.jobs.progress import Progress
from connect4_agent.rules.notation import format_moves
from tools.benchmarks.tables import Figures

EVALUATORS = ("potential", "windows", "threat-parity")
SPECS = (
    *(f"negamax:depth={depth},evaluator={name}" for depth in (2, 3, 4, 5) for name in EVALUATORS),
    "greedy",
)
SEEDS = 8
FULL_SEEDS = 64
GAMES = 2


def run(*, quick: bool = True) -> Figures:
    """All figures of this part."""
    seeds = SEEDS if quick else FULL_SEEDS
    return [
        spread_over_seeds("an opening for each pairing", seeds, own_openings=True),
        spread_over_seeds("one opening for all, for comparison", seeds, own_openings=False),
    ]


def spread_over_seeds(what: str, seeds: int, *, own_openings: bool) -> dict[str, float | int | str]:
    """The standard deviation of ratings over seeds, divided by the standard error that their intervals claim."""
    names = list(SPECS)
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    within = count = 0
    for seed in range(seeds):
        rated = rate(names, points_of(play(seed, own_openings=own_openings)))
        for name in names:
            elo = rated[name].elo
            if elo.value is not None and elo.low is not None and elo.high is not None:
                found[name].append((elo.value, (elo.high - elo.low) / (2 * Z_95)))
    spread = mean(variance(value for value, _ in values) for values in found.values())
    claimed = mean(error**2 for values in found.values() for _, error in values)
    for values in found.values():
        centre = mean(value for value, _ in values)
        count += len(values)
        # The mean itself varies: the distance to it is smaller than that to the true value.
        scale = math.sqrt(len(values) / (len(values) - 1))
        within += sum(abs(value - centre) * scale <= Z_95 * error for value, error in values)
    return {
        "what": what,
        "agents": len(names),
        "seeds": seeds,
        "games": GAMES * len(names) * (len(names) - 1) // 2,
        "elo_deviation": round(math.sqrt(spread), 1),
        "claimed": round(math.sqrt(claimed), 1),
        "ratio": round(math.sqrt(spread / claimed), 3),
        "within_95": round(within / count, 3),
    }


def play(seed: int, *, own_openings: bool) -> list[GameRecord]:
    """The games of one tournament."""
    with tempfile.TemporaryDirectory() as folder:
        values = {"agents": [{"name": spec, "player": spec} for spec in SPECS], "games": GAMES, "seed": seed}
        if not own_openings:
            path = Path(folder) / "opening.txt"
            path.write_text(format_moves(make_openings(DEFAULT_OPENINGS, seed, 7, 6)[0]))
            values["openings"] = str(path)
        config = make_config(values, "openings")
        outcome = run_tournament(config, Path(folder) / "run", Progress("games", "play", io.StringIO()))
        return list(outcome.state.records)


def points_of(records: list[GameRecord]) -> dict[tuple[str, str], float]:
    """The points of every agent against every other."""
    points: dict[tuple[str, str], float] = {}
    for record in records:
        one, two = record.agents
        half = 0.5 if record.winner is None else float(record.winner == 1)
        points[one, two] = points.get((one, two), 0.0) + half
        points[two, one] = points.get((two, one), 0.0) + 1 - half
    return points
