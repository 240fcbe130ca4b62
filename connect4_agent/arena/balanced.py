"""Balanced openings: positions of given numbers of plies that are proven to be drawn under perfect play.

They come from the book if it has the scores of all positions of that many plies. Else the solver looks for them among
positions of random plies, with a bound in nodes and not in seconds: the same openings must be found again when a run is
resumed, on whatever machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from connect4_agent import errors
from connect4_agent.arena.random_plies import RandomPlies
from connect4_agent.arena.run.record import Opening
from connect4_agent.engine.book import lookup
from connect4_agent.engine.book.library import book_for
from connect4_agent.engine.book.lookup import Book
from connect4_agent.engine.exact import ExactScores
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.limits import NodeBound
from connect4_agent.rules.position import Position, stride_of

MOST_NODES = {forms.NARROW: 20_000_000, forms.WIDE: 8_000_000, forms.PLAIN: 60_000}
"""The nodes that the solver may visit to prove one position drawn or not, by its form: about 3 seconds."""

MOST_TIMES = 30
"""How many times as many it may visit in all."""

MOST_UNPROVEN = 3
"""After this many positions in a row that were too hard, the board counts as too hard."""

MOST_DRAWS = 1000
"""How many random plies in a row may lead to nothing new."""


def balanced_openings(
    lengths: range, count: int, seed: int, width: int, height: int, book: Book | None = None
) -> tuple[Opening, ...]:
    """That many openings to drawn positions in a random order.

    No position comes twice, seen in a mirror or not, until all that are known were used; then they come seen in a
    mirror, then again from the beginning. Raises OpeningsError if none is known.
    """
    book = book_for(width, height) if book is None else book
    source = Random(f"balanced openings {seed} {lengths[0]}-{lengths[-1]}")
    if book.scores and lengths[-1] <= book.scores.plies:
        found = _openings_of_book(lengths, count, source, book)
    else:
        found = list(_proven_openings(lengths, count, source, Position(width, height), book))
    openings = [*found, *(tuple(width - 1 - column for column in columns) for columns in found)]
    return tuple(openings[number % len(openings)] for number in range(count))


def _openings_of_book(lengths: range, count: int, source: Random, book: Book) -> list[Opening]:
    positions = drawn_positions(lengths, book)
    if not positions:
        raise errors.OpeningsError(
            f"there are no balanced openings of {lengths[-1]} plies: no position that early is drawn"
        )
    source.shuffle(positions)
    return [columns_to(position) for position in positions[:count]]


def drawn_positions(lengths: range, book: Book) -> list[Position]:
    """Every position of these numbers of discs that can be reached and is drawn under perfect play, mirror images once.

    The player to move cannot win with the next disc, or it would not be drawn; from five discs on the other one
    may threaten to, which has an answer.
    """
    drawn = lookup.score_value(0)
    found = (
        lookup.position_with_key(key, book.width, book.height) for key, value in book.scores.items() if value == drawn
    )
    return [position for position in found if position.disc_count in lengths]


def _proven_openings(lengths: range, count: int, source: Random, empty: Position, book: Book) -> Iterator[Opening]:
    """Openings to different positions that the solver proves drawn, as many as are wanted and can be found."""
    size = empty.width, empty.height
    name = f"balanced openings of {_plies_text(lengths)} plies on {size[0]} columns and {size[1]} rows"
    if not forms.fits_compiled(*size):
        raise errors.OpeningsError(f"{name} cannot be found: the board is too large for proofs")
    solver = forms.new_solver(*size)  # a fresh one: what is found must not depend on what was solved before
    most_nodes = MOST_NODES[forms.solver_form(*size)]
    bound = NodeBound(solver, most_nodes)
    exact = ExactScores(solver, book, bound.poll)
    drawing = RandomPlies(source, lengths, *size)
    seen: set[int] = set()
    found = unproven = draws = 0
    while found < count and draws < MOST_DRAWS and unproven < MOST_UNPROVEN and solver.nodes < MOST_TIMES * most_nodes:
        draws += 1
        drawn = drawing.draw()
        if drawn is None or drawn[1] in seen:
            continue
        draws = 0
        columns, key = drawn
        position = empty.after(columns)
        seen.add(key)
        bound.renew()
        try:
            is_drawn = exact.is_above(position, -1) and not exact.is_above(position, 0)
        except errors.TooHardError:
            unproven += 1
            continue
        unproven = 0
        if is_drawn:
            found += 1
            yield columns
    if not found:
        reason = (
            "the solver cannot prove such early positions" if unproven else f"none of the {len(seen)} tried is drawn"
        )
        raise errors.OpeningsError(f"no {name} were found: {reason}")


def _plies_text(lengths: range) -> str:
    return f"{lengths[0]}" if len(lengths) == 1 else f"{lengths[0]} to {lengths[-1]}"


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
        for before in last.predecessors():
            if before.key not in seen:
                seen.add(before.key)
                disc = last.occupied ^ before.occupied
                waiting.append((before, ((disc.bit_length() - 1) // stride, *columns)))
    raise errors.OpeningsError(f"no moves lead to this position:\n{position}")
