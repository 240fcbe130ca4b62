"""Different positions of random games, the same ones for the same seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from connect4_agent.engine.kernel import fours
from connect4_agent.rules.geometry import board_cells, bottom_cells, column_cells, line_stride
from connect4_agent.rules.position import Position

MAX_MISSES = 20_000
"""After this many games in a row without a new position, there are hardly any more to be found."""


def sample(random: Random, discs: Sequence[int], width: int = 7, height: int = 6) -> Iterator[Position]:
    """Yield positions that are not over, with one of these numbers of discs, each as likely as the others.

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
        position = _played(random, wanted, width, height, is_careful=random.random() < 0.5)
        misses += 1
        if position is None:
            continue  # the game ended too early: another one, for as many discs
        wanted = None
        key = position.canonical().key
        if key not in known:
            known.add(key)
            misses = 0
            yield position


def _played(random: Random, discs: int, width: int, height: int, is_careful: bool) -> Position | None:
    """Return a position with this many discs after random moves; None if the game has ended."""
    stride, bottom, board = line_stride(width, height), bottom_cells(width, height), board_cells(width, height)
    columns = [column_cells(height, column) for column in range(width)]
    mover = waiting = 0
    for _ in range(discs):
        playable = (mover | waiting) + bottom & board
        if not playable or fours.has_four(waiting, stride):
            return None
        forced = is_careful and (fours.threats(mover, stride) & playable or fours.threats(waiting, stride) & playable)
        cell = forced & -forced or random.choice([cell for cells in columns if (cell := playable & cells)])
        mover, waiting = waiting, mover | cell
    player = 1 + discs % 2
    position = Position(width, height, player, *((mover, waiting) if player == 1 else (waiting, mover)))
    return None if position.is_over else position
