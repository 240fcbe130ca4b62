"""Naive versions of the evaluators, which walk over cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import takewhile

from connect4_agent.rules.position import Position

Cells = dict[tuple[int, int], int]
"""Every cell of the board by column and row, the bottom row being 0: 1 the mover's disc, -1 the opponent's, 0 empty."""

DIRECTIONS = ((0, 1), (1, -1), (1, 0), (1, 1))


def cells_of(position: Position) -> Cells:
    signs = {0: 0, position.player: 1, 3 - position.player: -1}
    return {
        (column, position.height - 1 - index): signs[cell]
        for column, line in enumerate(position.grid())
        for index, cell in enumerate(line)
    }


def walk(column: int, row: int, direction: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """The cells after this one in a direction, without end."""
    while True:
        column, row = column + direction[0], row + direction[1]
        yield column, row


def count_along(cells: Cells, start: tuple[int, int], direction: tuple[int, int], kinds: set[int]) -> int:
    """How many cells of these kinds follow the start without a gap."""
    follow = takewhile(lambda cell: cells.get(cell, 9) in kinds, walk(*start, direction))
    return len(list(follow))


def reverse(direction: tuple[int, int]) -> tuple[int, int]:
    return -direction[0], -direction[1]


def chains(cells: Cells, who: int) -> Iterator[tuple[int, tuple[int, int], bool]]:
    """Length, direction and whether it can become four, of every chain of a player's discs."""
    for cell, disc in cells.items():
        for direction in DIRECTIONS:
            if disc == who and count_along(cells, cell, reverse(direction), {who}) == 0:
                room = 1 + sum(count_along(cells, cell, way, {who, 0}) for way in (direction, reverse(direction)))
                yield 1 + count_along(cells, cell, direction, {who}), direction, room >= 4


def windows(cells: Cells) -> Iterator[list[int]]:
    for column, row in cells:
        for direction in DIRECTIONS:
            places = [(column + k * direction[0], row + k * direction[1]) for k in range(4)]
            if all(place in cells for place in places):
                yield [cells[place] for place in places]


def run_through(cells: Cells, cell: tuple[int, int], who: int) -> int:
    """The longest run that a disc of this player in this cell would stand in."""
    return 1 + max(
        count_along(cells, cell, direction, {who}) + count_along(cells, cell, reverse(direction), {who})
        for direction in DIRECTIONS
    )


def naive_longest_run(cells: Cells) -> int:
    return max((length for length, _, _ in chains(cells, 1)), default=0)


def naive_potential(cells: Cells) -> int:
    total = 0
    for cell, disc in cells.items():
        for who in (1, -1):
            run = run_through(cells, cell, who) if disc == 0 else 0
            total += who * (10 * (run >= 4) + 5 * (run >= 3) + 2 * (run >= 2))
    return total


def naive_open_chains(cells: Cells) -> int:
    return sum(
        who * sum(n * 10**n for n in range(1, length + 1))
        for who in (1, -1)
        for length, _, alive in chains(cells, who)
        if alive
    )


def naive_positional(cells: Cells) -> int:
    width = 1 + max(column for column, _ in cells)
    centres = {(width - 1) // 2, width // 2}
    total = 0
    for (column, row), disc in cells.items():
        distance = min(abs(column - centre) for centre in centres)
        total += disc * ({0: 30, 1: 15, 2: 5}.get(distance, 2) - 5 * row)
    for who in (1, -1):
        for length, direction, alive in chains(cells, who):
            if alive and length in (2, 3):
                total += who * {2: 5, 3: 15}[length] * (4 if direction == (0, 1) else 5) // 5
    return total


def naive_windows(cells: Cells) -> int:
    total = 0
    for window in windows(cells):
        own, other, empty = (window.count(kind) for kind in (1, -1, 0))
        total += 10 * (own == 3 and empty == 1) + 2 * (own == 2 and empty == 2) - 5 * (other == 3 and empty == 1)
    return total


def is_playable(cells: Cells, cell: tuple[int, int]) -> bool:
    return cells[cell] == 0 and cells.get((cell[0], cell[1] - 1), 1) != 0


def naive_threat_parity(cells: Cells) -> int:
    threats = {
        who: {cell for cell, disc in cells.items() if disc == 0 and run_through(cells, cell, who) >= 4}
        for who in (1, -1)
    }
    now = {who: {cell for cell in threats[who] if is_playable(cells, cell)} for who in (1, -1)}
    if now[1]:
        return 1000
    if len(now[-1]) > 1 or any((column, row + 1) in threats[-1] for column, row in now[-1]):
        return -1000
    total = -15 if now[-1] else 0
    discs = list(cells.values())
    mover_began = discs.count(1) == discs.count(-1)
    for who in (1, -1):
        # Row 0 is the first one, an odd row.
        suiting_remainder, suiting_worth = (0, 28) if (who == 1) == mover_began else (1, 18)
        later = threats[who] - now[who]
        others = threats[-who] - now[-who]
        alive = {(c, r) for c, r in later if not any((c, below) in others for below in range(r))}
        for column, row in alive:
            total += who * (suiting_worth if row % 2 == suiting_remainder else 8)
            total += who * 10 * ((column, row - 1) in alive)
        for window in windows(cells):
            if -who not in window:
                total += who * {1: 2, 2: 5}.get(window.count(who), 0)
    return total


NAIVE: dict[str, Callable[[Cells], int]] = {
    "threat-parity": naive_threat_parity,
    "windows": naive_windows,
    "potential": naive_potential,
    "positional": naive_positional,
    "open-chains": naive_open_chains,
    "longest-run": naive_longest_run,
}
