"""Builds an opening book: which positions it holds, and their scores and moves, in work files that survive a stop.

A book has three parts. The complete part holds the score of every position up to some number of plies, the
move part the move and the score of every position one ply later: so the moves of the last scores follow, too. The
reply part holds the move and the score of every position that arises when one side plays by the book and the
other plays anything. No part holds positions in which the player to move wins at once: they need no book. And the move
part lacks those whose scores follow from a layer (layer.py): their moves then follow, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from connect4_agent import errors
from connect4_agent.bookmaking.work import BookBuild, WorkFile
from connect4_agent.engine.book import lookup
from connect4_agent.engine.book.layer import Layer, encode_layer, immediate_score
from connect4_agent.engine.book.library import book_for
from connect4_agent.engine.exact import ExactScores, ScoreBook, exact_scores
from connect4_agent.engine.kernel.order import middle_first
from connect4_agent.rules.position import USUAL_SIZE, Position, stride_of
from connect4_agent.rules.scores import score_at_once

PLIES, REPLY_PLIES = 8, 15
"""The depths of the book for the usual board."""

OTHER_PLIES, OTHER_REPLY_PLIES = 4, 10
"""The same for other boards: enough for small ones, and little enough for a first try on large ones."""


@dataclass(frozen=True, slots=True)
class BookPlan:
    """What a book should hold.

    `plies` is how deep the complete part goes, and `reply_plies` the reply part. A negative number leaves out the
    complete part, and with it the move part.
    """

    width: int
    height: int
    plies: int
    reply_plies: int

    @property
    def is_complete(self) -> bool:
        """Whether there is a complete part."""
        return self.plies >= 0

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return self.width, self.height

    @property
    def move_plies(self) -> int:
        """The ply after the complete part: solving takes longest there, and the earlier scores follow from it."""
        return self.plies + 1


def new_plan(width: int, height: int, plies: int | None = None, reply_plies: int | None = None) -> BookPlan:
    """A plan for boards of this size, with default depths for those not given. Raises BookError."""
    if not lookup.fits(width, height):
        raise errors.BookError(
            f"a book for {width} columns and {height} rows is not possible: "
            f"(rows + 1) x columns is {stride_of(height) * width}, and the maximum is {lookup.MAX_BITS}"
        )
    is_usual = (width, height) == USUAL_SIZE
    most = width * height - 2  # the move part is one ply deeper, and a column must be open there
    if most < 0:
        raise errors.BookError(f"a book for {width} columns and {height} rows is not possible: the board is too small")
    depths = []
    for name, given, default, limit in (
        ("plies", plies, PLIES if is_usual else OTHER_PLIES, most),
        ("reply plies", reply_plies, REPLY_PLIES if is_usual else OTHER_REPLY_PLIES, most + 1),
    ):
        if given is not None and given > limit:
            raise errors.BookError(f"{name} is {given}; the maximum is {limit} for {width} columns and {height} rows")
        depths.append(min(default, limit) if given is None else given)
    return BookPlan(width, height, *depths)


@dataclass(frozen=True, slots=True)
class KnownScores:
    """The scores of the complete part while the book is being built."""

    scores: dict[int, int]
    plies: int = PLIES
    size: tuple[int, int] = USUAL_SIZE

    @property
    def lookup(self) -> KnownScores:
        """Itself."""
        return self

    def may_know(self, discs: int) -> bool:
        """Whether a position with this many discs can be among them."""
        return discs <= self.plies

    def known(self, own: int, opponent: int) -> int | None:
        """The score of a position in which nobody can win at once, if it is known."""
        return self.scores.get(Position(*self.size, 1, own, opponent).canonical().key)


def build(folder: Path, book_build: BookBuild, plan: BookPlan, layer: Layer | None = None) -> bytes:
    """The file of a book to be used with this layer, from the folder's work files and whatever they still lack.

    The complete and the move part take most of the time. The names of the work files give the size and, where it
    matters, the plies, so one folder can serve several plans.
    """
    folder.mkdir(parents=True, exist_ok=True)
    begin = f"{plan.width}x{plan.height}"
    scores: dict[int, int] = {}
    moves: dict[int, int] = {}
    if plan.is_complete:
        with WorkFile(folder / f"{begin}-scores-{plan.plies}.txt") as work:
            _solve_complete_part(work, plan, book_build)
        scores = _back_up({key: score for key, (score,) in work.known.items()}, plan)
        with WorkFile(folder / f"{begin}-moves-{plan.move_plies}.txt") as work:
            positions = solve_move_part(work, KnownScores(scores, plan.plies, plan.size), plan, book_build, layer)
        moves = _move_values({position.key: work.known[position.key] for position in positions})
    replies: dict[int, int] = {}
    for first in (0, 1):
        with WorkFile(folder / f"{begin}-replies-{first + 1}.txt") as work:
            positions = solve_reply_part(work, KnownScores(scores, plan.plies, plan.size), plan, first, book_build)
        replies |= _move_values({position.key: work.known[position.key] for position in positions})
    return lookup.encode_book(
        plan.size,
        scores=({key: lookup.score_value(score) for key, score in scores.items()}, max(plan.plies, 0)),
        replies=(replies, plan.reply_plies),
        moves=({key: value for key, value in moves.items() if key not in replies}, plan.move_plies),
    )


def check_layer_plan(size: tuple[int, int], plies: int) -> None:
    """Raise BookError if such a layer is not possible."""
    width, height = size
    if not lookup.fits(width, height) or plies >= width * height:
        raise errors.BookError(
            f"a layer of {plies} plies for {width} columns and {height} rows is not possible: (rows + 1) x columns "
            f"may be at most {lookup.MAX_BITS}, and one cell must be empty"
        )


def build_layer(folder: Path, book_build: BookBuild, size: tuple[int, int], plies: int) -> bytes:
    """The file of the layer of this many plies, from the folder's work files and whatever they still lack.

    Scores that the book for this size knows are not solved again. Raises BookError.
    """
    check_layer_plan(size, plies)
    folder.mkdir(parents=True, exist_ok=True)
    positions = [position.canonical() for position in open_positions(*size, plies) if immediate_score(position) is None]
    with WorkFile(folder / f"{size[0]}x{size[1]}-layer-{plies}.txt") as work:
        book_build.solve_missing(f"scores of the layer of {plies} plies", positions, known_scores_of, work)
    return encode_layer(size, plies, {key: score for key, (score,) in work.known.items()})


def _move_values(known: Mapping[int, tuple[int, ...]]) -> dict[int, int]:
    return {key: lookup.move_value(column, score) for key, (column, score) in known.items()}


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


def solve_move_part(
    work: WorkFile, scores: ScoreBook, plan: BookPlan, book_build: BookBuild, layer: Layer | None = None
) -> list[Position]:
    """Find the move of every position of the next ply that the layer does not know, and return these positions.

    The scores of the ply before give bounds.
    """
    step = f"moves of all positions of {plan.move_plies} plies"
    positions = [
        position.canonical()
        for position in open_positions(*plan.size, plan.move_plies)
        if layer is None or layer.score(position) is None
    ]
    book_build.solve_missing(step, positions, partial(_moves_of, scores, ExactScores.first_best_column), work)
    return positions


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


def solve_reply_part(
    work: WorkFile, scores: ScoreBook, plan: BookPlan, first: int, book_build: BookBuild
) -> list[Position]:
    """Find the move of every position that arises when one side plays by the book and the other plays anything.

    `first` is 0 if the book's side moves first, else 1; returns all positions up to the plan's number of plies.
    """
    empty = Position(*plan.size)
    positions = [empty] if first == 0 else _after_any_reply([empty])
    every: list[Position] = []
    for ply in range(first, plan.reply_plies + 1, 2):
        step = f"moves of the {'second' if first else 'first'} player at ply {ply}"
        book_build.solve_missing(step, positions, partial(_moves_of, scores, ExactScores.best_trap), work)
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


def known_scores_of(positions: tuple[Position, ...]) -> list[tuple[int, ...]]:
    """The key and the score of each of the positions, from the book for their size or solved.

    Not from its layer: a layer that is built again would repeat the errors of the one before.
    """
    width, height = positions[0].width, positions[0].height
    exact = exact_scores(width, height, book=replace(book_for(width, height), read_layer=lookup.no_layer), threads=1)
    return [(position.key, exact.score(position)) for position in positions]


def scores_of(positions: tuple[Position, ...]) -> list[tuple[int, ...]]:
    """The key and the score of each of the positions, solved."""
    exact = exact_scores(positions[0].width, positions[0].height, book=lookup.EMPTY_BOOK, threads=1)
    return [(position.key, exact.score(position)) for position in positions]


def _moves_of(
    scores: ScoreBook, choose: Callable[[ExactScores, Position, int], int], positions: tuple[Position, ...]
) -> list[tuple[int, ...]]:
    """The key, the chosen column and the score of each of the positions."""
    exact = exact_scores(positions[0].width, positions[0].height, book=scores, threads=1)
    rows: list[tuple[int, ...]] = []
    for position in positions:
        score = exact.score(position)
        rows.append((position.key, choose(exact, position, score), score))
    return rows
