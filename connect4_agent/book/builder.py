"""Computing the opening book: which positions it holds, and what is known of them, in work files that survive a stop.

The book has three parts. The complete part holds the score of every position of up to COMPLETE_PLIES plies. The
likely part holds the move and the score of many positions of one ply more, where the solver takes longest. The
reply part holds the move and the score of every position that arises when one side plays by the book and the
other anything. Positions in which the player to move wins at once are in none: nobody needs a book there.
"""

from __future__ import annotations

import threading
from functools import cache, partial
from operator import itemgetter
from typing import TYPE_CHECKING

from connect4_agent.book import lookup
from connect4_agent.book.work import Progress, WorkFile, solve_missing
from connect4_agent.engine import speed
from connect4_agent.engine.exact import ExactScores, canonical
from connect4_agent.engine.search import do_nothing, middle_first
from connect4_agent.position import Position

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from connect4_agent.engine.exact import ScoreBook
    from connect4_agent.executor import Executor

COMPLETE_PLIES = 8
REPLY_PLIES = (16, 15)
"""How deep the reply part goes where the book's side moves first, and where it moves second."""

LIKELY_PLIES = COMPLETE_PLIES + 1
LIKELY_POSITIONS = 4_000
"""How many positions of so many plies have an entry: those that random play leads to most often."""


class KnownScores:
    """The scores of the complete part while the book is being made."""

    def __init__(self, scores: dict[int, int]) -> None:
        self.scores = scores

    def score(self, position: Position) -> int | None:
        """The score of a position in which nobody can win at once, if it is known."""
        if position.disc_count > COMPLETE_PLIES:
            return None
        return self.scores.get(canonical(position).key)


def build(folder: Path, where: Executor, report: Callable[[Progress], None], complete: bool = True) -> bytes:
    """The book's file, from what the folder's work files hold and what is still missing there.

    Without `complete` the complete and the likely part are left out; they take most of the time.
    """
    folder.mkdir(parents=True, exist_ok=True)
    scores: dict[int, int] = {}
    likely: dict[int, int] = {}
    if complete:
        with WorkFile(folder / "scores.txt") as work:
            solve_complete_part(work, where, report)
        scores = back_up({key: score for key, (score,) in work.known.items()})
        with WorkFile(folder / "likely.txt") as work:
            likely = _move_bytes(work, solve_likely_part(work, KnownScores(scores), where, report))
    replies: dict[int, int] = {}
    for first, plies in enumerate(REPLY_PLIES):
        with WorkFile(folder / f"replies-{first + 1}.txt") as work:
            replies |= _move_bytes(work, solve_reply_part(work, KnownScores(scores), plies, first, where, report))
    return lookup.encode_book(
        scores=({key: lookup.score_byte(score) for key, score in scores.items()}, COMPLETE_PLIES if complete else 0),
        replies=(replies, max(REPLY_PLIES)),
        likely=({key: byte for key, byte in likely.items() if key not in replies}, LIKELY_PLIES if complete else 0),
    )


def _move_bytes(work: WorkFile, positions: Iterable[Position]) -> dict[int, int]:
    return {position.key: lookup.move_byte(*work.known[position.key]) for position in positions}


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


def likely_positions(plies: int, count: int) -> list[Position]:
    """The positions of so many plies in which nobody can win at once, mirror images once, likeliest first.

    Likely is what random play leads to in which any column is played that does not end the game.
    """
    start = Position()
    found = {start.key: (start, 1.0)}
    for _ in range(start.disc_count, plies):
        before, found = found, {}
        for position, chance in before.values():
            after = [canonical(position.play(column)) for column in position.legal_columns()]
            going_on = [each for each in after if not each.is_over]
            for each in going_on:
                _, so_far = found.get(each.key, (each, 0.0))
                found[each.key] = (each, so_far + chance / len(going_on))
    wanted = [(-chance, key, each) for key, (each, chance) in found.items() if not each.winning_columns()]
    return [each for _, _, each in sorted(wanted, key=itemgetter(0, 1))[:count]]


def solve_complete_part(work: WorkFile, where: Executor, report: Callable[[Progress], None]) -> None:
    """Find the score of every position of COMPLETE_PLIES plies."""
    step = f"scores of all positions of {COMPLETE_PLIES} plies"
    solve_missing(step, map(canonical, open_positions(COMPLETE_PLIES)), scores_of, work, where, report)


def solve_likely_part(
    work: WorkFile, scores: ScoreBook, where: Executor, report: Callable[[Progress], None]
) -> list[Position]:
    """Find the moves of the likeliest positions of LIKELY_PLIES plies; all of them are returned."""
    wanted = likely_positions(LIKELY_PLIES, LIKELY_POSITIONS)
    step = f"moves of likely positions of {LIKELY_PLIES} plies"
    solve_missing(step, wanted, partial(first_moves_of, scores), work, where, report)
    return wanted


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


def solve_reply_part(
    work: WorkFile, scores: ScoreBook, plies: int, first: int, where: Executor, report: Callable[[Progress], None]
) -> list[Position]:
    """Find the move of every position that arises when one side plays by the book and the other anything.

    `first` is 0 where the book's side moves first, else 1; positions of up to `plies` plies are taken, and
    all of them are returned.
    """
    positions = [Position()] if first == 0 else after_any_reply([Position()])
    every: list[Position] = []
    for ply in range(first, plies + 1, 2):
        step = f"moves of the {'second' if first else 'first'} player at ply {ply}"
        solve_missing(step, positions, partial(trap_moves_of, scores), work, where, report)
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
