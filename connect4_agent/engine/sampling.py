"""Different positions of random games, the same ones for the same seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from connect4_agent.engine.board import Board
from connect4_agent.engine.kernel import fours
from connect4_agent.rules.geometry import line_stride
from connect4_agent.rules.position import Position, all_cells, bottom_row, stride_of

MAX_MISSES = 20_000
"""After this many games in a row without a new position, there are hardly any more to be found."""


def sample(random: Random, discs: Sequence[int], width: int = 7, height: int = 6) -> Iterator[Position]:
    """Positions that are not over, with one of these numbers of discs, each as likely as the others.

    Half of the games are played at random. In the others, both players win at once if they can, and block the other's
    win if they must. A position comes once, and then neither again nor as its mirror image. It ends when no more
    positions are found.
    """
    known: set[int] = set()
    wanted = None
    misses = 0
    while misses < MAX_MISSES:
        drawn = random.choice(discs)  # even if it is not needed: the evaluation set was drawn like that
        wanted = drawn if wanted is None else wanted
        board = _played(random, wanted, width, height, is_careful=random.random() < 0.5)
        misses += 1
        if board is None:
            continue  # the game ended too early: another one, for as many discs
        wanted = None
        position = board.position
        key = position.canonical().key
        if key not in known:
            known.add(key)
            misses = 0
            yield position


def _played(random: Random, discs: int, width: int, height: int, is_careful: bool) -> Board | None:
    """A board with this many discs after random moves; None if the game has ended."""
    board = Board(width, height)
    for _ in range(discs):
        columns = board.legal()
        if not columns:
            return None
        forced = _forced_column(board) if is_careful else None
        board.push(random.choice(columns) if forced is None else forced)
    return None if board.is_over else board


def _forced_column(board: Board) -> int | None:
    """The leftmost column that wins at once; or else the leftmost in which the opponent would win at once."""
    own, opponent, size = board.own, board.opponent, (board.width, board.height)
    playable = (own | opponent) + bottom_row(*size) & all_cells(*size)
    stride = line_stride(*size)
    cells = fours.threats(own, stride) & playable or fours.threats(opponent, stride) & playable
    return ((cells & -cells).bit_length() - 1) // stride_of(board.height) if cells else None
