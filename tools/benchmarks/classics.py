"""The classic agents of docs/classics.md: 40 games from the empty board against each of three simple players."""

from __future__ import annotations

from tools.benchmarks.strength import Match, play_match
from tools.benchmarks.tables import Figures

CLASSICS = (
    "one-ply",
    "negamax:evaluator=potential,order=centre",
    "longest-run",
    "perfect",
    "negamax:evaluator=positional,order=evaluation,time-limit=0.05",
)

OPPONENTS = ("monte-carlo", "random", "stupid")

GAMES = 40


def run(*, quick: bool = True) -> Figures:  # noqa: ARG001  # a minute or two
    """Play all pairings; both agents begin half of the games."""
    rows: Figures = []
    for player in CLASSICS:
        for opponent in OPPONENTS:
            row, _ = play_match(Match("empty board", player, opponent, (player, opponent), GAMES, "empty"))
            rows.append({key: row[key] for key in ("what", "player", "opponent", "games", "wins", "draws", "losses")})
    return rows
