"""The perfect player: time for replies and for a first answer, and memory, beside bitbully with its book."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from functools import partial
from random import Random
from time import perf_counter
from typing import TypeVar

from connect4_agent.engine.book import files
from connect4_agent.engine.engine import engine_for
from connect4_agent.engine.limits import Limits
from connect4_agent.engine.players.perfect import PerfectPlayer
from connect4_agent.engine.players.registry import parse_player
from connect4_agent.reasons.judge import judge
from connect4_agent.rules.notation import MOVE_SIGNS
from connect4_agent.rules.position import USUAL_SIZE, Position
from connect4_agent.server.request import make_request
from tools.benchmarks import server
from tools.benchmarks.positions.make import SecondOpinion
from tools.benchmarks.tables import Figures

Result = TypeVar("Result")

GAMES = 500
POSITIONS = 1000
STARTS = 50
QUICK_SHARE = 100
"""A quick run plays and asks a hundredth as much, and starts a tenth as many processes."""

BITBULLY_SECONDS = 15.0
"""The time for bitbully per number of discs; it answers positions in order until the time is used up."""

MEMORY_DISCS = 13
"""The first number of discs that the book does not know; the solver visits tens of thousands of positions."""
MEMORY_REQUESTS = 100
LEVELS = ("easy", "hard", "perfect")


def run(*, quick: bool = True) -> Figures:
    """All figures of this part."""
    share = QUICK_SHARE if quick else 1
    rows = [game_row(side, GAMES // share) for side in (1, 2)]
    bitbully = SecondOpinion()
    rows += [position_row(discs, POSITIONS // share, bitbully) for discs in range(42)]
    rows += [columns_row(discs, POSITIONS // share) for discs in range(42)]
    rows += [judge_row(GAMES // share), book_row()]
    rows += start_rows(STARTS // 10 if quick else STARTS)
    rows += [memory_row(level) for level in LEVELS]
    return rows


def game_row(side: int, games: int) -> dict[str, object]:
    """The times of all replies in games from the empty board against a random player."""
    random = Random(side)
    player = PerfectPlayer()
    times_ms: list[float] = []
    for _ in range(games):
        position = Position()
        while not position.is_over:
            if position.player == side:
                column = timed(partial(_column, player, position), times_ms)
            else:
                column = random.choice(position.legal_columns())
            position = position.play(column)
    return {"what": f"from the empty board as player {side}", "games": games, **_figures("", times_ms)}


def position_row(discs: int, count: int, bitbully: SecondOpinion) -> dict[str, object]:
    """The times of replies to random positions by one player, as in a server."""
    random = Random(f"replies {discs}")
    player = PerfectPlayer()
    own_ms: list[float] = []
    other_ms: list[float] = []
    for _ in range(count):
        moves = random_game(random, discs)
        timed(partial(_column, player, Position.from_moves(moves)), own_ms)
        if sum(other_ms) < BITBULLY_SECONDS * 1000:
            timed(partial(bitbully.best_column, moves), other_ms)
    return {
        "what": f"random positions, {discs} discs",
        **_figures("", own_ms),
        "bitbully positions": len(other_ms),
        **_figures("bitbully ", other_ms),
    }


def columns_row(discs: int, count: int) -> dict[str, object]:
    """The times for the scores of all columns of random positions, as hints need them, in one process."""
    random = Random(f"columns {discs}")
    engine = engine_for(*USUAL_SIZE)
    times_ms: list[float] = []
    for _ in range(count):
        timed(partial(engine.column_scores, Position.from_moves(random_game(random, discs))), times_ms)
    return {"what": f"all columns, {discs} discs", **_figures("", times_ms)}


def judge_row(count: int) -> dict[str, object]:
    """The times for judging games of hard against medium, from random openings of two plies."""
    random = Random(1)
    players = {1: parse_player("hard"), 2: parse_player("medium")}
    times_ms: list[float] = []
    for _ in range(max(count // 5, 5)):
        begin = position = Position.from_moves(random_game(random, 2))
        columns = []
        while not position.is_over:
            columns.append(players[position.player].choose(position, Limits()).column)
            position = position.play(columns[-1])
        timed(lambda begin=begin, columns=columns: judge(begin, columns), times_ms)  # type: ignore[misc]
    return {"what": "judging a game of hard against medium", "games": len(times_ms), **_figures("", times_ms)}


def book_row() -> dict[str, object]:
    """How long a process takes to read the book and to look up a reply; the best of several fresh reads."""
    times_ms: list[float] = []
    position = Position.from_moves("4")
    for _ in range(20):
        timed(lambda: files.book_for.__wrapped__(*USUAL_SIZE).reply(position.own, position.opponent), times_ms)
    return {"what": "reading the book and looking up a reply, ms", "least ms": min(times_ms)}


def random_game(random: Random, discs: int) -> str:
    """The moves of a random game that is not over after this many discs: any of the columns that do not end it."""
    while True:
        position, moves = Position(), ""
        while len(moves) < discs:
            going_on = [column for column in position.legal_columns() if not position.play(column).is_over]
            if not going_on:
                break
            column = random.choice(going_on)
            position, moves = position.play(column), moves + MOVE_SIGNS[column]
        else:
            return moves


def start_rows(count: int) -> Figures:
    """From the start of a process to its first answer, when it has to search or to read the book."""
    line = make_request(Position.from_moves("44")) + b"\n"
    commands = {"hard": server.AGENT, "perfect": [*server.AGENT, "--level", "perfect"]}
    seconds = server.first_answers(commands, line, count)
    return [server.compared("start to first answer, ms", seconds, "perfect", "hard", 1e3, goal=1.3)]


def memory_row(level: str) -> dict[str, object]:
    """The memory of a server after many different requests, when its tables are filled."""
    random = Random(1)
    with server.start([*server.AGENT, "--level", level]) as process:
        for _ in range(MEMORY_REQUESTS):
            position = Position.from_moves(random_game(random, MEMORY_DISCS))
            server.ask(process, make_request(position) + b"\n")
        # Not from wait4: that reports at least what this process used when it started the other one.
        resident = subprocess.run(["ps", "-o", "rss=", "-p", str(process.pid)], capture_output=True, check=True)
        assert process.stdin is not None
        process.stdin.close()
    return {"what": f"memory of a server at level {level}, MB", "after the requests": int(resident.stdout) * 1024 / 1e6}


def timed(function: Callable[[], Result], times_ms: list[float]) -> Result:
    """What the function returns; the time it took is added to `times_ms`."""
    began = perf_counter()
    result = function()
    times_ms.append((perf_counter() - began) * 1000)
    return result


def _column(player: PerfectPlayer, position: Position) -> int:
    return player.choose(position, Limits()).column


def _figures(prefix: str, times_ms: list[float]) -> dict[str, object]:
    ordered = sorted(times_ms)
    return {
        f"{prefix}mean ms": sum(ordered) / len(ordered),
        f"{prefix}99 % ms": ordered[(len(ordered) * 99 - 1) // 100],
        f"{prefix}most ms": ordered[-1],
    }
