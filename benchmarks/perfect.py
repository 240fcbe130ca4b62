"""The perfect player: how long replies take, from the empty board and in random positions by number of discs."""

from __future__ import annotations

from random import Random
from time import perf_counter
from typing import TYPE_CHECKING

from benchmarks.positions.make import random_moves
from connect4_agent.book import lookup
from connect4_agent.engine.perfect import PerfectPlayer
from connect4_agent.engine.player import Limits
from connect4_agent.position import Position

if TYPE_CHECKING:
    from benchmarks.tables import Figures

GAMES = 50
POSITIONS = 50
"""Random positions for every number of discs; they are few, since a full table of them takes hours."""

QUICK_SHARE = 10
"""A quick run plays and asks a tenth of that."""


def run(*, quick: bool = True) -> Figures:
    """All figures of this part."""
    share = QUICK_SHARE if quick else 1
    rows = [_row(f"replies from the empty board, player {side}", _game_times(side, GAMES // share)) for side in (1, 2)]
    random = Random(1)
    # Without the complete part of the book, the first plies take seconds each.
    first = 0 if lookup.shipped_book().scores.values else 8
    for discs in range(first, 42, 2):
        rows.append(_row(f"random positions, {discs} discs", _position_times(random, discs, POSITIONS // share)))
    return rows


def _row(what: str, times_ms: list[float]) -> dict[str, object]:
    ordered = sorted(times_ms)
    return {
        "what": what,
        "replies": len(ordered),
        "mean ms": sum(ordered) / len(ordered),
        "99 % ms": ordered[(len(ordered) * 99 - 1) // 100],
        "most ms": ordered[-1],
    }


def _timed_column(player: PerfectPlayer, position: Position, times_ms: list[float]) -> int:
    began = perf_counter()
    column = player.choose(position, Limits()).column
    times_ms.append((perf_counter() - began) * 1000)
    return column


def _game_times(side: int, games: int) -> list[float]:
    """Games against a random player; the perfect one has to win or draw as the openings' scores say."""
    random = Random(side)
    player = PerfectPlayer()
    times_ms: list[float] = []
    for _ in range(games):
        position = Position()
        while not position.is_over:
            if position.player == side:
                position = position.play(_timed_column(player, position, times_ms))
            else:
                position = position.play(random.choice(position.legal_columns()))
        if side == 1 and position.winner != 1:
            raise SystemExit(f"the first player did not win:\n{position}")
    return times_ms


def _position_times(random: Random, discs: int, count: int) -> list[float]:
    """One player for all, as a server would have it; positions in which somebody wins at once take no time."""
    player = PerfectPlayer()
    times_ms: list[float] = []
    while len(times_ms) < count:
        moves = random_moves(random, discs)
        if moves is not None:
            _timed_column(player, Position.from_moves(moves), times_ms)
    return times_ms
