"""Builds an opening book: which positions it holds, and their scores and moves, in work files that survive a stop.

A book has two parts. The complete part holds the score of every position up to some number of plies. The reply part
holds the move and the score of every position that arises when one side plays by the book and the other plays anything.
No part holds positions in which the player to move wins at once: they need no book.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from connect4_agent import errors
from connect4_agent.engine.book import files
from connect4_agent.engine.engine import engine_for
from connect4_agent.engine.kernel.book import Book
from connect4_agent.engine.kernel.order import middle_first
from connect4_agent.rules.geometry import stride_of
from connect4_agent.rules.position import USUAL_SIZE, Position
from tools.book.encoding import encode_book, encode_layer, immediate_score, move_value, score_at_once, score_value
from tools.book.work import BookBuild, WorkFile

PLIES, REPLY_PLIES = 8, 15
"""The depths of the book for the usual board."""

OTHER_PLIES, OTHER_REPLY_PLIES = 5, 10
"""The same for other boards: enough for small ones, and little enough for a first try on large ones."""


@dataclass(frozen=True, slots=True)
class BookPlan:
    """What a book should hold.

    `plies` is how deep the complete part goes, and `reply_plies` the reply part. A negative number leaves out the
    complete part.
    """

    width: int
    height: int
    plies: int
    reply_plies: int

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return self.width, self.height


def new_plan(width: int, height: int, plies: int | None = None, reply_plies: int | None = None) -> BookPlan:
    """A plan for boards of this size, with default depths for those not given. Raises BookError."""
    if not files.fits(width, height):
        raise errors.BookError(
            f"a book for {width} columns and {height} rows is not possible: "
            f"(rows + 1) x columns is {stride_of(height) * width}, and the maximum is {files.MAX_BITS}"
        )
    defaults = (PLIES, REPLY_PLIES) if (width, height) == USUAL_SIZE else (OTHER_PLIES, OTHER_REPLY_PLIES)
    most = width * height - 1  # a column must be open
    for name, given in (("plies", plies), ("reply plies", reply_plies)):
        if given is not None and given > most:
            raise errors.BookError(f"{name} is {given}; the maximum is {most} for {width} columns and {height} rows")
    return BookPlan(
        width,
        height,
        min(defaults[0], most) if plies is None else plies,
        min(defaults[1], most) if reply_plies is None else reply_plies,
    )


def build(folder: Path, book_build: BookBuild, plan: BookPlan) -> bytes:
    """The file of a book, from the folder's work files and whatever they still lack.

    The complete part takes most of the time. The names of the work files give the size and, where it matters, the
    plies, so one folder can serve several plans.
    """
    folder.mkdir(parents=True, exist_ok=True)
    begin = f"{plan.width}x{plan.height}"
    scores: dict[int, int] = {}
    if plan.plies >= 0:
        with WorkFile(folder / f"{begin}-scores-{plan.plies}.txt") as work:
            _solve_complete_part(work, plan, book_build)
        scores = _back_up({key: score for key, (score,) in work.known.items()}, plan)
    complete_part = {key: score_value(score) for key, score in scores.items()}, max(plan.plies, 0)
    without_replies = encode_book(plan.size, scores=complete_part)
    replies: dict[int, int] = {}
    for first in (0, 1):
        with WorkFile(folder / f"{begin}-replies-{first + 1}.txt") as work:
            positions = solve_reply_part(work, without_replies, plan, first, book_build)
        for position in positions:
            replies[position.key] = move_value(*work.known[position.key])
    return encode_book(plan.size, scores=complete_part, replies=(replies, plan.reply_plies))


def check_layer_plan(size: tuple[int, int], plies: int) -> None:
    """Raise BookError if such a layer is not possible."""
    width, height = size
    if not files.fits(width, height) or plies >= width * height:
        raise errors.BookError(
            f"a layer of {plies} plies for {width} columns and {height} rows is not possible: (rows + 1) x columns "
            f"may be at most {files.MAX_BITS}, and one cell must be empty"
        )


def build_layer(folder: Path, book_build: BookBuild, size: tuple[int, int], plies: int) -> bytes:
    """The file of the layer of this many plies, from the folder's work files and whatever they still lack."""
    check_layer_plan(size, plies)
    folder.mkdir(parents=True, exist_ok=True)
    positions = [position.canonical() for position in open_positions(*size, plies) if immediate_score(position) is None]
    with WorkFile(folder / f"{size[0]}x{size[1]}-layer-{plies}.txt") as work:
        book_build.solve_missing(f"scores of the layer of {plies} plies", positions, scores_of, work)
    return encode_layer(size, plies, {key: score for key, (score,) in work.known.items()})


def open_positions(width: int, height: int, plies: int) -> Iterator[Position]:
    """Every position of this many plies in which nobody has four or can win at once; of mirror images, only one.

    They come in the order of a depth-first walk: neighbours share most of their continuations, which the
    solver's table then already knows.
    """
    seen: set[int] = set()

    def walk(position: Position) -> Iterator[Position]:
        if position.disc_count == plies:
            if not position.winning_columns():
                yield position
            return
        for column in middle_first(position.width):
            if position.is_open(column):
                after = position.play(column)
                key = after.canonical().key
                if key not in seen and after.winner is None:
                    seen.add(key)
                    yield from walk(after)

    return walk(Position(width, height))


def _solve_complete_part(work: WorkFile, plan: BookPlan, book_build: BookBuild) -> None:
    step = f"scores of all positions of {plan.plies} plies"
    positions = (position.canonical() for position in open_positions(*plan.size, plan.plies))
    book_build.solve_missing(step, positions, scores_of, work)


def _back_up(scores: dict[int, int], plan: BookPlan) -> dict[int, int]:
    """The scores of all positions up to this many plies, from those of the last ply alone."""
    all_scores = dict(scores)
    for plies in range(plan.plies - 1, -1, -1):
        for position in open_positions(*plan.size, plies):
            all_scores[position.canonical().key] = max(
                -_known_score(position.play(column), all_scores) for column in position.legal_columns()
            )
    return all_scores


def _known_score(position: Position, scores: dict[int, int]) -> int:
    score = score_at_once(position)
    return scores[position.canonical().key] if score is None else score


def solve_reply_part(work: WorkFile, book: bytes, plan: BookPlan, first: int, book_build: BookBuild) -> list[Position]:
    """Find the move of every position that arises when one side plays by the book and the other plays anything.

    `book` is the file of a book with the complete part.
    `first` is 0 if the book's side moves first, else 1; returns all positions up to the plan's number of plies.
    """
    empty = Position(*plan.size)
    positions = [empty] if first == 0 else _after_any_reply([empty])
    every: list[Position] = []
    for ply in range(first, plan.reply_plies + 1, 2):
        step = f"moves of the {'second' if first else 'first'} player at ply {ply}"
        book_build.solve_missing(step, positions, partial(_moves_of, book), work)
        every += positions
        positions = _after_any_reply(position.play(work.known[position.key][0]) for position in positions)
    return every


def _after_any_reply(positions: Iterable[Position]) -> list[Position]:
    """The positions one ply later that are not over and in which the player to move cannot win at once, each once."""
    by_key: dict[int, Position] = {}
    for position in positions:
        if position.is_over:
            continue
        for column in position.legal_columns():
            after = position.play(column).canonical()
            if after.key not in by_key and not after.is_over and not after.winning_columns():
                by_key[after.key] = after
    return list(by_key.values())


def scores_of(positions: tuple[Position, ...]) -> list[tuple[int, ...]]:
    """The key and the score of each of the positions, solved."""
    engine = engine_for(positions[0].width, positions[0].height, book=files.EMPTY_BOOK)
    return [(position.key, engine.score(position)) for position in positions]


def _moves_of(book: bytes, positions: tuple[Position, ...]) -> list[tuple[int, ...]]:
    """The key, the column to play and the score of each of the positions."""
    engine = engine_for(positions[0].width, positions[0].height, book=_decoded(book))
    rows: list[tuple[int, ...]] = []
    for position in positions:
        score = engine.score(position)
        rows.append((position.key, engine.best_trap(position, score), score))
    return rows


@lru_cache(maxsize=1)
def _decoded(data: bytes) -> Book:
    """Decode a book once, so that its engine stays warm."""
    return files.decode_book(data, "the book without replies")
