"""Strength: games between built-in players, from paired random openings.

    python -m benchmarks.strength                 every match of docs/strength.md (--quick: a tenth of the games)
    python -m benchmarks.strength levels          the levels against simple players and against each other
    python -m benchmarks.strength evaluators      the evaluators against each other, at equal depth and equal time
    python -m benchmarks.strength SPEC SPEC -n N  one match

Each opening is played twice, sides swapped. Elo differences are from the first player's side, with a 95 %
interval from the pairs of games.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from random import Random
from time import perf_counter

from connect4_agent.engine.evaluate import EVALUATORS
from connect4_agent.engine.players import Limits, Player, parse_player
from connect4_agent.position import Position

OPENING_PLIES = (2, 3, 4)
SEED = 2024
EQUAL_DEPTHS = (4, 8)
EQUAL_SECONDS = 0.01


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A match from the first player's side."""

    name: str
    opponent: str
    wins: int
    draws: int
    losses: int
    distinct: int
    pair_points: tuple[float, ...]
    lost_openings: tuple[str, ...]
    seconds: float

    @property
    def games(self) -> int:
        """All games."""
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """The points, a draw being half of one, per game."""
        return (self.wins + self.draws / 2) / self.games

    @property
    def elo(self) -> tuple[float, float, float]:
        """Elo difference and its 95 % interval, from the mean and variance of a pair's points (two games each)."""
        count = len(self.pair_points)
        mean = sum(self.pair_points) / count / 2
        variance = sum((points / 2 - mean) ** 2 for points in self.pair_points) / max(1, count - 1)
        error = 1.96 * math.sqrt(variance / count)
        return _elo(mean), _elo(mean - error), _elo(mean + error)


def _elo(share: float) -> float:
    if share <= 0:
        return -math.inf
    return math.inf if share >= 1 else -400 * math.log10(1 / share - 1)


def random_openings(count: int, seed: int) -> list[tuple[int, ...]]:
    """Openings of 2 to 4 random plies that leave nobody an immediate win; different ones as long as there are any."""
    random = Random(seed)
    openings: list[tuple[int, ...]] = []
    seen: set[tuple[int, ...]] = set()
    repeats = 0
    while len(openings) < count:
        columns: list[int] = []
        position = Position()
        for _ in range(random.choice(OPENING_PLIES)):
            columns.append(random.choice(position.legal_columns()))
            position = position.play(columns[-1])
        if position.winning_columns() or position.passed().winning_columns():
            continue
        opening = tuple(columns)
        if opening in seen and repeats < 1000:
            repeats += 1
            continue
        seen.add(opening)
        openings.append(opening)
    return openings


def play_game(first: Player, second: Player, opening: tuple[int, ...]) -> tuple[list[int], int]:
    """One game: its columns, and 1 or 2 for the player who won, the first or second to move; 0 for a draw."""
    position = Position()
    columns = list(opening)
    for column in opening:
        position = position.play(column)
    movers = (first, second)
    while not position.is_over:
        column = movers[position.player - 1].choose(position, Limits()).column
        columns.append(column)
        position = position.play(column)
    return columns, position.winner or 0


def play_match(name: str, opponent: str, games: int, seed: int = SEED) -> MatchResult:
    """A match of so many games (an even number) between two players described by their specs."""
    started = perf_counter()
    results: Counter[float] = Counter()
    played = set()
    pair_points = []
    lost = []
    lasting = {spec: parse_player(spec) for spec in (name, opponent) if not _is_random(spec)}
    for index, opening in enumerate(random_openings(games // 2, seed)):
        points = 0.0
        for side in (1, 2):
            # A new seed for each game: players with a random element must not repeat themselves.
            game_seed = seed + 2 * index + side
            ours, theirs = (lasting.get(spec) or parse_player(spec, game_seed) for spec in (name, opponent))
            columns, winner = play_game(*((ours, theirs) if side == 1 else (theirs, ours)), opening)
            played.add(tuple(columns))
            result = 0.5 if winner == 0 else float(winner == side)
            results[result] += 1
            points += result
            if result == 0.0:
                lost.append("".join(str(column + 1) for column in columns[: len(opening)]) + f" as {side}")
        pair_points.append(points)
    return MatchResult(
        name, opponent, results[1.0], results[0.5], results[0.0], len(played), tuple(pair_points), tuple(lost),
        perf_counter() - started,
    )  # fmt: skip


def _is_random(spec: str) -> bool:
    return spec.partition(":")[0] in ("random", "greedy", "monte-carlo")


def row_of(result: MatchResult) -> str:
    """A result as a row of the table in the docs."""
    middle, low, high = (_shown_elo(elo) for elo in result.elo)
    interval = "n/a" if middle == "n/a" else f"{middle} ({low} to {high})"
    return (
        f"| {result.name} | {result.opponent} | {result.games} | {result.wins} / {result.draws} / {result.losses} "
        f"| {result.share:.1%} | {interval} | {result.distinct} | {result.seconds:.0f} |"
    )


def _shown_elo(elo: float) -> str:
    return f"{elo:+.0f}" if math.isfinite(elo) else "n/a"


HEADER = (
    "| player | opponent | games | W / D / L | points | Elo (95 %) | distinct games | seconds |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- |"
)


def evaluator_matches(games: int) -> list[tuple[str, str, int]]:
    """Every evaluator against every other, at equal depths and at equal time."""
    settings = [*(f"depth={depth}" for depth in EQUAL_DEPTHS), f"time-limit={EQUAL_SECONDS}"]
    return [
        (f"negamax:evaluator={a},{setting}", f"negamax:evaluator={b},{setting}", games)
        for setting in settings
        for a, b in combinations(EVALUATORS, 2)
    ]


def level_matches(quick: bool) -> list[tuple[str, str, int]]:
    """The levels against the simple players and against each other."""
    scale = 10 if quick else 1
    return [
        ("hard", "random", 1000 // scale),
        ("hard", "first-open", 40 // scale),
        ("hard", "greedy", 40 // scale),
        ("hard", "monte-carlo:time-limit=0.1", 40 // scale),
        ("easy", "random", 200 // scale),
        ("medium", "easy", 200 // scale),
        ("hard", "medium", 200 // scale),
    ]


def run(matches: list[tuple[str, str, int]]) -> list[MatchResult]:
    """Play the matches and print a row for each as it ends."""
    print(HEADER)
    results = []
    for name, opponent, games in matches:
        results.append(play_match(name, opponent, games))
        print(row_of(results[-1]), flush=True)
    for result in results:
        if result.lost_openings and result.name == "hard":
            print(f"\n{result.name} lost to {result.opponent} from: {', '.join(result.lost_openings)}")
    return results


def main() -> int:
    """Play what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength", description=__doc__.partition("\n")[0])
    parser.add_argument("players", nargs="*", help="levels, evaluators, or two specs; all by default")
    parser.add_argument("-n", "--games", type=int, default=200, help="games of a match of two specs (default: 200)")
    parser.add_argument("--quick", action="store_true", help="a tenth of the games")
    options = parser.parse_args()
    evaluator_games = 20 if options.quick else 200
    if options.players == ["evaluators"]:
        run(evaluator_matches(evaluator_games))
    elif options.players == ["levels"]:
        run(level_matches(options.quick))
    elif len(options.players) == 2:
        run([(options.players[0], options.players[1], options.games)])
    elif not options.players:
        run(level_matches(options.quick) + evaluator_matches(evaluator_games))
    else:
        parser.error(f"{' '.join(options.players)}: give two specs, or levels, or evaluators, or nothing")
    return 0


if __name__ == "__main__":
    sys.exit(main())
