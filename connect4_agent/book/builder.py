"""Computing the opening book: which positions it holds, and what is known of them, in work files that survive a stop.

The book has three parts. The complete part holds the score of every position of up to COMPLETE_PLIES plies, the
move part the move and the score of every position of one ply more: so the moves of the last scores follow, too. The
reply part holds the move and the score of every position that arises when one side plays by the book and the
other anything. Positions in which the player to move wins at once are in none: nobody needs a book there.
"""

from __future__ import annotations

import threading
from functools import cache, partial
from typing import TYPE_CHECKING

from connect4_agent.book import lookup
from connect4_agent.book.work import WorkFile, Workshop
from connect4_agent.engine import speed
from connect4_agent.engine.exact import ExactScores, canonical
from connect4_agent.engine.search import do_nothing, middle_first
from connect4_agent.position import Position

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from connect4_agent.engine.exact import ScoreBook

COMPLETE_PLIES = 8
REPLY_PLIES = (16, 15)
"""How deep the reply part goes where the book's side moves first, and where it moves second."""

MOVE_PLIES = COMPLETE_PLIES + 1
"""The ply after the complete part: there the solver would take longest, and from there the last scores follow."""


class KnownScores:
    """The scores of the complete part while the book is being made."""

    def __init__(self, scores: dict[int, int]) -> None:
        self.scores = scores

    def score(self, position: Position) -> int | None:
        """The score of a position in which nobody can win at once, if it is known."""
        if position.disc_count > COMPLETE_PLIES:
            return None
        return self.scores.get(canonical(position).key)


def build(folder: Path, shop: Workshop, complete: bool = True) -> bytes:
    """The book's file, from what the folder's work files hold and what is still missing there.

    Without `complete` the complete and the move part are left out; they take most of the time.
    """
    folder.mkdir(parents=True, exist_ok=True)
    scores: dict[int, int] = {}
    moves: dict[int, int] = {}
    if complete:
        with WorkFile(folder / "scores.txt") as work:
            solve_complete_part(work, shop)
        scores = back_up({key: score for key, (score,) in work.known.items()})
        with WorkFile(folder / "moves.txt") as work:
            solve_move_part(work, KnownScores(scores), shop)
        moves = _move_bytes(work.known)
    replies: dict[int, int] = {}
    for first, plies in enumerate(REPLY_PLIES):
        with WorkFile(folder / f"replies-{first + 1}.txt") as work:
            positions = solve_reply_part(work, KnownScores(scores), plies, first, shop)
        replies |= _move_bytes({position.key: work.known[position.key] for position in positions})
    return lookup.encode_book(
        scores=({key: lookup.score_byte(score) for key, score in scores.items()}, COMPLETE_PLIES if complete else 0),
        replies=(replies, max(REPLY_PLIES)),
        moves=({key: byte for key, byte in moves.items() if key not in replies}, MOVE_PLIES if complete else 0),
    )


def _move_bytes(known: Mapping[int, tuple[int, ...]]) -> dict[int, int]:
    return {key: lookup.move_byte(column, score) for key, (column, score) in known.items()}


def open_positions(plies: int) -> Iterator[Position]:
    """Every position of so many plies in which nobody has four or can win at once, mirror images once.

    They come in the order of a depth-first walk: neighbours share most of their future, which the solver's
    table then knows already.
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
                key = canonical(after).key
                if key not in seen and after.winner is None:
                    seen.add(key)
                    yield from walk(after)

    return walk(Position())


def solve_complete_part(work: WorkFile, shop: Workshop) -> None:
    """Find the score of every position of COMPLETE_PLIES plies."""
    step = f"scores of all positions of {COMPLETE_PLIES} plies"
    shop.solve_missing(step, map(canonical, open_positions(COMPLETE_PLIES)), scores_of, work)


def solve_move_part(work: WorkFile, scores: ScoreBook, shop: Workshop) -> None:
    """Find the move of every position of MOVE_PLIES plies; what is known of the ply before bounds the scores."""
    step = f"moves of all positions of {MOVE_PLIES} plies"
    positions = map(canonical, open_positions(MOVE_PLIES))
    shop.solve_missing(step, positions, partial(first_moves_of, scores), work)


def back_up(scores: dict[int, int]) -> dict[int, int]:
    """The scores of all positions of up to COMPLETE_PLIES plies, from those of the last ply alone."""
    found = dict(scores)
    for plies in range(COMPLETE_PLIES - 1, -1, -1):
        for position in open_positions(plies):
            found[canonical(position).key] = max(
                -score_of_child(position.play(column), found) for column in position.legal_columns()
            )
    return found


def score_of_child(position: Position, scores: dict[int, int]) -> int:
    """The score of a position in which nobody has four: a win at once, or what the scores say."""
    if position.winning_columns():
        return (position.empty_count + 1) // 2
    return scores[canonical(position).key]


def solve_reply_part(work: WorkFile, scores: ScoreBook, plies: int, first: int, shop: Workshop) -> list[Position]:
    """Find the move of every position that arises when one side plays by the book and the other anything.

    `first` is 0 where the book's side moves first, else 1; positions of up to `plies` plies are taken, and
    all of them are returned.
    """
    positions = [Position()] if first == 0 else after_any_reply([Position()])
    every: list[Position] = []
    for ply in range(first, plies + 1, 2):
        step = f"moves of the {'second' if first else 'first'} player at ply {ply}"
        shop.solve_missing(step, positions, partial(trap_moves_of, scores), work)
        every += positions
        positions = after_any_reply(position.play(work.known[position.key][0]) for position in positions)
    return every


def after_any_reply(positions: Iterable[Position]) -> list[Position]:
    """The positions one ply on in which the game goes on and the player to move cannot win at once, each once."""
    found: dict[int, Position] = {}
    for position in positions:
        if position.is_over:
            continue
        for column in position.legal_columns():
            after = canonical(position.play(column))
            if after.key not in found and not after.is_over and not after.winning_columns():
                found[after.key] = after
    return list(found.values())


class _Worker(threading.local):
    """A solver for each thread; its table stays warm from one chunk to the next."""

    def __init__(self) -> None:
        self.solver = speed.new_solver(lookup.WIDTH, lookup.HEIGHT)


@cache
def _worker() -> _Worker:
    return _Worker()


def scores_of(positions: tuple[Position, ...]) -> list[tuple[int, ...]]:
    """The key and the score of each of the positions, solved."""
    exact = ExactScores(_worker().solver, None, do_nothing)
    return [(position.key, exact.score(position)) for position in positions]


def first_moves_of(scores: ScoreBook, positions: tuple[Position, ...]) -> list[tuple[int, ...]]:
    """The key, the best column nearest the centre and the score of each of the positions."""
    return _moves_of(scores, positions, ExactScores.first_best_column)


def trap_moves_of(scores: ScoreBook, positions: tuple[Position, ...]) -> list[tuple[int, ...]]:
    """The key, the column by the rule for traps and the score of each of the positions."""
    return _moves_of(scores, positions, ExactScores.best_trap)


def _moves_of(
    scores: ScoreBook, positions: tuple[Position, ...], choose: Callable[[ExactScores, Position, int], int]
) -> list[tuple[int, ...]]:
    exact = ExactScores(_worker().solver, scores, do_nothing)
    found: list[tuple[int, ...]] = []
    for position in positions:
        score = exact.score(position)
        found.append((position.key, choose(exact, position, score), score))
    return found
