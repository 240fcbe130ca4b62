"""Balanced openings: every drawn position of so many plies on the usual board, as the opening book knows them."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.book import lookup
from connect4_agent.position import Position, stride_of

if TYPE_CHECKING:
    from connect4_agent.book.lookup import Book

Opening = tuple[int, ...]


def balanced_openings(lengths: range, count: int, seed: int, book: Book | None = None) -> tuple[Opening, ...]:
    """So many openings to drawn positions in a random order.

    No position comes twice, seen in a mirror or not, until all were used; then they come seen in a mirror, then
    again from the beginning. Raises OpeningsError where there are none, or the book does not know them all.
    """
    book = lookup.shipped_book() if book is None else book
    if lengths[-1] > book.scores.plies:
        raise errors.OpeningsError(
            f"balanced openings of {lengths[-1]} plies are not known; "
            f"the book holds the scores of all positions of up to {book.scores.plies} plies"
        )
    positions = drawn_positions(lengths, book)
    if not positions:
        raise errors.OpeningsError(
            f"there are no balanced openings of {lengths[-1]} plies: no position that early is drawn"
        )
    Random(f"balanced openings {seed} {lengths[0]}-{lengths[-1]}").shuffle(positions)
    openings: list[Opening] = []
    for number in range(min(count, 2 * len(positions))):
        turn, place = divmod(number, len(positions))
        columns = columns_to(positions[place])
        openings.append(columns if turn == 0 else tuple(lookup.WIDTH - 1 - column for column in columns))
    return tuple(openings[number % len(openings)] for number in range(count))


def drawn_positions(lengths: range, book: Book) -> list[Position]:
    """Every position of so many discs that can be reached and is drawn under perfect play, mirror images once.

    The player to move cannot win with the next disc, or it would not be drawn; from five discs on the other one
    may threaten to, which has an answer.
    """
    drawn = lookup.score_byte(0)
    found = (lookup.position_of(key) for key, value in book.scores.items() if value == drawn)
    return [position for position in found if position.disc_count in lengths]


def columns_to(position: Position) -> Opening:
    """Moves that lead to a position in which nobody has four, found by taking them back one by one.

    Nobody has four on the way either: discs only come.
    """
    stride = stride_of(position.height)
    # What is left to take back, and what has been; a column may be the wrong one, so others wait.
    waiting: list[tuple[Position, Opening]] = [(position, ())]
    seen: set[int] = set()
    while waiting:
        last, columns = waiting.pop()
        if not last.occupied:
            return columns
        for column in range(position.width):
            cells = last.occupied >> column * stride & (1 << position.height) - 1
            disc = (cells + 1 >> 1) << column * stride
            before = Position(last.width, last.height, 3 - last.player, last.discs_1 & ~disc, last.discs_2 & ~disc)
            if disc & last.opponent and before.key not in seen:
                seen.add(before.key)
                waiting.append((before, (column, *columns)))
    raise errors.OpeningsError(f"no moves lead to this position:\n{position}")
