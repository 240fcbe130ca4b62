"""Strength: matches of the arena between built-in players.

    python -m tools.benchmarks.strength                 every match of docs/strength.md (--quick: a tenth of the games)
    python -m tools.benchmarks.strength levels          the levels against simple players and against each other
    python -m tools.benchmarks.strength ladder          each of the ten levels against the one below, and a beginner
    python -m tools.benchmarks.strength evaluators      the evaluators against each other, at equal depth and equal time
    python -m tools.benchmarks.strength positions       players and evaluators on the evaluation set, without games
    python -m tools.benchmarks.strength SPEC SPEC -n N  one match

Each is what `connect4-agent match` plays with the same openings and seed, one game at a time. Elo differences are
from the player's side, with the 95 % interval from its pairs of games.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import connect4_agent as c4
from connect4_agent import errors
from connect4_agent.api import play_match as play_api_match
from connect4_agent.arena.config import make_config
from connect4_agent.arena.record import GameRecord
from connect4_agent.arena.report.tally import report_on
from connect4_agent.arena.tournament import run_tournament
from connect4_agent.engine.kernel.evaluators import DEFAULT_EVALUATOR, EVALUATORS
from connect4_agent.engine.players.levels import LADDER
from connect4_agent.engine.players.negamax import DEFAULT_LEVEL
from connect4_agent.engine.players.registry import BUILT_IN_PLAYERS
from connect4_agent.jobs.progress import Progress
from connect4_agent.rules.notation import MOVE_SIGNS
from connect4_agent.rules.position import Position
from tools.benchmarks.tables import Figures, as_tables

OPENINGS = "random:2-4"
SEED = 2024
FRESH_OPENINGS = "random:8"
"""The ladder was tuned with shorter openings: these are new to it."""
EQUAL_DEPTHS = (4, 8)
EQUAL_SECONDS = 0.01
RANDOM_PLAYERS = ("random", "level:")


@dataclass(frozen=True, slots=True)
class Match:
    """Two players, named as a table shows them and described by their specs, and how many games they play."""

    what: str
    player: str
    opponent: str
    specs: tuple[str, str]
    games: int
    openings: str = OPENINGS


def level_matches(scale: int = 1) -> list[Match]:
    """The levels against the simple players and against each other, with the games divided by `scale`."""
    pairings = [
        ("hard", "random", 1000),
        ("hard", "first-open", 40),
        ("hard", "greedy", 40),
        ("hard", "monte-carlo", 200),
        ("easy", "random", 200),
        ("medium", "easy", 200),
        ("hard", "medium", 200),
    ]
    return [Match("levels", one, two, (one, two), games // scale) for one, two, games in pairings]


def ladder_matches(scale: int = 1) -> list[Match]:
    """Each of the ten levels against the one below it, from two kinds of openings; then against named levels."""
    ladder = [name for name in BUILT_IN_PLAYERS if name.startswith("level:")]
    neighbours = [(high, low) for low, high in pairwise(("random", *ladder))]
    named = [("level:7", "easy"), ("level:8", "medium"), ("level:9", "hard")]
    games = 400 // scale
    return [
        *(Match("ladder", *pair, pair, games) for pair in neighbours),
        *(Match(f"ladder, {FRESH_OPENINGS}", *pair, pair, games, FRESH_OPENINGS) for pair in neighbours),
        *(Match("ladder", *pair, pair, games) for pair in named),
    ]


def casual(position: Position) -> int:
    """A model of a beginner: takes a win, blocks four threats of five, otherwise plays at random near the centre."""
    source = casual_source
    if wins := position.winning_columns():
        return source.choice(wins)
    threats = position.passed().winning_columns()
    if threats and source.random() < 0.8:
        return source.choice(threats)
    columns = position.legal_columns()
    (column,) = source.choices(columns, [1 + min(each, position.width - 1 - each) for each in columns])
    return column


casual_source = Random(SEED)


def play_beginner(scale: int = 1) -> Figures:
    """The beginner's points against the lower half of the ladder."""
    rows: Figures = []
    for level in range(1, 6):
        casual_source.seed(SEED + level)
        result = play_api_match(casual, f"level:{level}", games=400 // scale, openings=OPENINGS, seed=SEED)
        points = (result.wins + result.draws / 2) / (400 // scale)
        counts = {"wins": result.wins, "draws": result.draws, "losses": result.losses}
        rows.append(
            {"what": "beginner", "player": "casual", "opponent": f"level:{level}", **counts, "points_share": points}
        )
    return rows


def evaluator_matches(scale: int = 1) -> list[Match]:
    """The default evaluator against every other at equal depths and equal time; then the rest, at equal depths."""
    depths = [f"depth={depth}" for depth in EQUAL_DEPTHS]
    others = [name for name in EVALUATORS if name != DEFAULT_EVALUATOR]
    pairings = [
        (setting, DEFAULT_EVALUATOR, name) for setting in (*depths, f"time-limit={EQUAL_SECONDS}") for name in others
    ]
    pairings += [(setting, one, two) for setting in depths for one, two in combinations(others, 2)]
    return [
        Match(what, one, two, (f"negamax:evaluator={one},{what}", f"negamax:evaluator={two},{what}"), 200 // scale)
        for what, one, two in pairings
    ]


def play_match(match: Match, seed: int = SEED) -> tuple[dict[str, Any], list[GameRecord]]:
    """The figures of a match, and its games."""
    names = (match.player, match.opponent if match.opponent != match.player else f"{match.opponent} #2")
    agents = [{"name": name, "player": spec} for name, spec in zip(names, match.specs, strict=True)]
    config = make_config({"agents": agents, "games": match.games, "openings": match.openings, "seed": seed}, match.what)
    started = perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        outcome = run_tournament(config, Path(folder), Progress("games", "play", io.StringIO()))
        records = list(outcome.state.records)
        report = report_on({match.what: outcome.state})
    if outcome.was_stopped:
        raise KeyboardInterrupt
    if report.faults or outcome.failures:
        raise RuntimeError(f"{names[0]} - {names[1]}: {report.faults or outcome.failures}; not a measure of strength")
    pairing = report.pairings[0]
    row = {
        "what": match.what,
        "player": pairing.a,
        "opponent": pairing.b,
        "games": pairing.games,
        "wins": pairing.wins,
        "draws": pairing.draws,
        "losses": pairing.losses,
        "points_share": pairing.points / pairing.games,
        "elo": pairing.elo.value,
        "elo_low": pairing.elo.low,
        "elo_high": pairing.elo.high,
        "distinct_games": pairing.distinct_games,
        "seconds": round(perf_counter() - started, 1),
    }
    return row, records


def lost_openings(records: Iterable[GameRecord], name: str) -> str:
    """The openings from which an agent lost, each with its side: 1 made the opening's first move."""
    lost = []
    for record in records:
        seat = record.agents.index(name) + 1
        if record.winner == 3 - seat:
            opening = "".join(MOVE_SIGNS[column] for column in record.opening)
            lost.append(f"{opening} as {1 if seat == record.first else 2}")
    return ", ".join(lost)


def position_players(*, quick: bool = False) -> list[str]:
    """Who is measured on the evaluation set: simple players, levels, and the evaluators at equal depths."""
    levels = ["random", "first-open", "greedy", "easy", "medium", "hard"]
    if quick:
        return levels
    ladder = [f"level:{number}" for number in LADDER]
    searches = [f"negamax:evaluator={name},depth={depth}" for depth in EQUAL_DEPTHS for name in EVALUATORS]
    return [*levels, "perfect", *ladder, *searches]


def evaluate(players: list[str]) -> Figures:
    """How well players choose on the evaluation set; those that choose at random have the seed 1."""
    rows: Figures = []
    for spec in players:
        found = c4.evaluate(c4.player(spec, seed=1 if spec.startswith(RANDOM_PLAYERS) else None))
        overall, by_result = found.overall, found.by_result
        rows.append(
            {
                "what": found.positions.name,
                "player": spec,
                "optimal_share": overall.optimal.value,
                "95_%": f"{overall.optimal.low:.1%} to {overall.optimal.high:.1%}",
                "keeps_share": overall.keeps.value,
                "95_% ": f"{overall.keeps.low:.1%} to {overall.keeps.high:.1%}",
                "keeps_wins_share": by_result["win"].keeps.value,
                "keeps_draws_share": by_result["draw"].keeps.value,
                "score_lost": overall.lost.value,
            }
        )
        print(f"{spec}: {found!r}", file=sys.stderr, flush=True)
    return rows


def play(matches: list[Match]) -> Figures:
    """Play the matches; a row for each, then the openings from which the strongest level lost to other players."""
    rows: Figures = []
    lost: Figures = []
    for match in matches:
        row, records = play_match(match)
        rows.append(row)
        print(f"{match.what}: {row['player']} - {row['opponent']}: {row['seconds']} s", file=sys.stderr, flush=True)
        if match.player == DEFAULT_LEVEL and row["losses"]:
            openings = lost_openings(records, match.player)
            lost.append({"what": f"{match.player} lost to {match.opponent}", "from": openings})
    return rows + lost


def run(*, quick: bool = True) -> Figures:
    """All matches; `quick` with a tenth of the games, and the evaluators other than the default one left out."""
    positions = evaluate(position_players(quick=quick))
    if quick:
        matches = [match for match in evaluator_matches(10) if match.player == DEFAULT_EVALUATOR]
        return [*positions, *play(level_matches(10) + ladder_matches(10) + matches)]
    return [*positions, *play(level_matches() + ladder_matches() + evaluator_matches()), *play_beginner()]


def main() -> int:
    """Play what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tools.benchmarks.strength", description=__doc__.partition("\n")[0])
    parser.add_argument(
        "players", nargs="*", help="levels, ladder, evaluators, positions, or two specs; default: all matches"
    )
    parser.add_argument("-n", "--games", type=int, default=200, help="games of a match of two specs (default: 200)")
    parser.add_argument("--quick", action="store_true", help="a tenth of the games")
    options = parser.parse_args()
    scale = 10 if options.quick else 1
    if options.players == ["positions"]:
        print(as_tables("strength", evaluate(position_players(quick=options.quick))))
        return 0
    if options.players == ["evaluators"]:
        matches = evaluator_matches(scale)
    elif options.players == ["ladder"]:
        matches = ladder_matches(scale)
    elif options.players == ["levels"]:
        matches = level_matches(scale)
    elif len(options.players) == 2:
        one, two = options.players
        matches = [Match("match", one, two, (one, two), options.games)]
    elif not options.players:
        matches = level_matches(scale) + ladder_matches(scale) + evaluator_matches(scale)
    else:
        names = " ".join(options.players)
        parser.error(f"{names}: give two specs, or levels, ladder, evaluators, positions, or nothing")
    try:
        rows = play(matches)
        if any(match.what.startswith("ladder") for match in matches):
            rows += play_beginner(scale)
        print(as_tables("strength", rows))
    except errors.ArenaError as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
