"""Proof of strength: games of the perfect player with every move judged by the solver, and a second opinion.

Opponents get a different seed for each game, so that few games are the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from connect4_agent.arena.openings import make_openings
from connect4_agent.arena.record import Opening
from connect4_agent.engine.engine import engine_for
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.perfect import PerfectPlayer
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.reasons.judge import judge
from connect4_agent.rules.position import Position
from tools.benchmarks.perfect import random_game
from tools.benchmarks.positions.make import SecondOpinion
from tools.benchmarks.tables import Figures

GAMES = 250
"""The number of games for every opponent and kind of opening, half of them moving first."""
POSITIONS = 10_000
QUICK_SHARE = 50

OPPONENTS = ("random", "greedy", "monte-carlo:playouts=300", "hard")
OPENINGS = ("empty", "balanced:4", "balanced:6")
SEED = 2026


@dataclass(slots=True)
class Score:
    """The results of a series of games, for the perfect player on one side."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    moves: int = 0
    mistakes: int = 0


def run(*, quick: bool = True) -> Figures:
    """All figures of this part."""
    share = QUICK_SHARE if quick else 1
    rows: Figures = []
    for opponent in OPPONENTS:
        for openings in OPENINGS:
            rows += series(opponent, openings, GAMES // share)
    rows.append(second_opinion_row(POSITIONS // share))
    return rows


def series(opponent: str, openings: str, games: int) -> Figures:
    """The perfect player against one opponent, first and second to move after the openings in turn."""
    starts = make_openings(openings, SEED, 7, 6)
    perfect = PerfectPlayer()
    scores = {1: Score(), 2: Score()}
    seen: dict[int, set[tuple[int, ...]]] = {1: set(), 2: set()}
    for game in range(games):
        side = 1 + game % 2
        opening = starts[game // 2 % len(starts)]
        columns = play(perfect, opponent, opening, side, seed=game)
        seen[side].add(columns)
        count(scores[side], columns, opening, side)
    return [
        {
            "what": f"{'first' if side == 1 else 'second'} against {opponent}, {openings}",
            "games": games // 2 + (side == 1 and games % 2),
            "distinct": len(seen[side]),
            "wins": score.wins,
            "draws": score.draws,
            "losses": score.losses,
            "moves": score.moves,
            "mistakes": score.mistakes,
        }
        for side, score in scores.items()
    ]


def play(perfect: PerfectPlayer, opponent: str, opening: Opening, side: int, seed: int) -> tuple[int, ...]:
    """The columns of a game; the perfect player makes the first move after the opening if its side is 1."""
    other = parse_player(opponent, seed)
    columns = list(opening)
    position = after(opening)
    turn = 1
    while not position.is_over:
        player = perfect if turn == side else other
        columns.append(player.choose(position, Limits()).column)
        position = position.play(columns[-1])
        turn = 3 - turn
    return tuple(columns)


def count(score: Score, columns: tuple[int, ...], opening: Opening, side: int) -> None:
    """Add a game: its result, and the solver's judgement of the perfect player's moves."""
    start = after(opening)
    perfect_number = start.player if side == 1 else 3 - start.player
    winner = after(columns).winner
    score.wins += winner == perfect_number
    score.losses += winner == 3 - perfect_number
    score.draws += winner is None
    own_moves = judge(start, columns[len(opening) :]).moves[side - 1 :: 2]
    score.moves += len(own_moves)
    score.mistakes += sum(move.mistake is not None for move in own_moves)


def after(columns: tuple[int, ...]) -> Position:
    """The position after these columns."""
    position = Position()
    for column in columns:
        position = position.play(column)
    return position


def second_opinion_row(count: int) -> dict[str, object]:
    """Random positions with any number of discs: the scores of book and solver beside bitbully's."""
    random = Random(SEED)
    bitbully = SecondOpinion()
    engine = engine_for(7, 6)
    different = 0
    for _ in range(count):
        moves = random_game(random, random.randrange(42))
        different += engine.score(Position.from_moves(moves)) != bitbully.score(moves)
    return {"what": "scores beside bitbully's (12 plies, distances)", "positions": count, "different": different}
