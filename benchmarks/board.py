"""Moves on a mutable Board, beside Position and bitbully's board: what self-play and a search in Python cost."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import process_time

import bitbully

import connect4_agent as c4
from benchmarks.perfect import random_game
from benchmarks.tables import Figures
from connect4_agent.rules.position import columns_of

GAMES = 20_000
DISCS = 20


def run(*, quick: bool = True) -> Figures:
    """All figures of this part."""
    random = Random("board")
    games = [columns_of(random_game(random, DISCS)) for _ in range(GAMES // (10 if quick else 1))]
    ways: dict[str, Callable[[tuple[int, ...]], object]] = {
        "Board.push": push_all,
        "Board.push, and pop of each move": push_and_pop,
        "Position.play": lambda columns: c4.Position().after(columns),
        "bitbully.Board.play": play_with_bitbully,
    }
    rows: Figures = []
    push_and_pop(games[0])  # loads the board
    for what, play in ways.items():
        started = process_time()
        for columns in games:
            play(columns)
        rows.append({"what": what, "moves_a_second": len(games) * DISCS / (process_time() - started)})
    plies, seconds = random_games(len(games))
    rows.append({"what": "random games: Board(), legal, choice, push", "moves_a_second": plies / seconds})
    push = pushes_a_second(len(games))
    return [*rows, {"what": "Board.push alone, a second", "ratio": push, "goal": 2_000_000.0}]


def push_all(columns: tuple[int, ...]) -> None:
    """Play a game on a new board."""
    board = c4.Board()
    for column in columns:
        board.push(column)


def push_and_pop(columns: tuple[int, ...]) -> None:
    """Play a game and take it back, on a new board."""
    board = c4.Board()
    for column in columns:
        board.push(column)
    for _ in columns:
        board.pop()


def play_with_bitbully(columns: tuple[int, ...]) -> None:
    """Play a game on a new board of bitbully's, which cannot take moves back in place."""
    board = bitbully.Board()
    for column in columns:
        board.play(column)


def random_games(count: int) -> tuple[int, float]:
    """The moves of random games, and the seconds they take."""
    choice = Random("games").choice
    plies = 0
    started = process_time()
    for _ in range(count):
        board = c4.Board()
        while columns := board.legal():
            board.push(choice(columns))
            plies += 1
    return plies, process_time() - started


def pushes_a_second(count: int) -> float:
    """How many times a second `push` runs in a loop; taking the moves back is not counted."""
    board = c4.Board()
    push, pop = board.push, board.pop
    columns = [3] * 6 + [2] * 6
    seconds = 0.0
    for _ in range(count):
        started = process_time()
        for column in columns:
            push(column)
        seconds += process_time() - started
        for _ in columns:
            pop()
    return count * len(columns) / seconds
