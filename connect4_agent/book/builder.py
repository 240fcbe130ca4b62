"""Computing the opening book: which positions it holds, and what is known of them, in work files that survive a stop.

The book has two parts. The complete part holds the score of every position of up to COMPLETE_PLIES plies. The
reply part holds the move and the score of every position that arises when one side plays by the book and the
other anything. Positions in which the player to move wins at once are in neither: nobody needs a book there.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from connect4_agent.book import lookup
from connect4_agent.engine import speed
from connect4_agent.engine.exact import ExactScores, canonical
from connect4_agent.engine.search import do_nothing, middle_first
from connect4_agent.executor import run_jobs
from connect4_agent.position import Position

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from connect4_agent.engine.exact import ScoreBook
    from connect4_agent.executor import Executor

Job = TypeVar("Job")
Result = TypeVar("Result")

COMPLETE_PLIES = 8
REPLY_PLIES = (16, 15)
"""How deep the reply part goes where the book's side moves first, and where it moves second."""

CHUNK_POSITIONS = 8
"""How many neighbours of the walk a worker solves between two reports."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one step of the work is."""

    step: str
    done: int
    total: int


class WorkFile:
    """Lines of `key value ...`, appended and flushed as they come; a line cut short by a stop is dropped."""

    def __init__(self, path: Path) -> None:
        self.known: dict[int, tuple[int, ...]] = {}
        if path.exists():
            text = path.read_text("ascii")
            whole = text[: text.rfind("\n") + 1]
            for line in whole.splitlines():
                key, *values = map(int, line.split())
                self.known[key] = tuple(values)
            if whole != text:
                path.write_text(whole, "ascii")
        self._file = path.open("a", encoding="ascii")

    def add(self, found: Iterable[tuple[int, ...]]) -> None:
        """Keep these lines."""
        lines = []
        for key, *values in found:
            self.known[key] = tuple(values)
            lines.append(" ".join(map(str, (key, *values))) + "\n")
        self._file.write("".join(lines))
        self._file.flush()

    def __enter__(self) -> WorkFile:
        """The file, open for more."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of the file."""
        self._file.close()


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

    Without `complete` the complete part is left out; it takes most of the time.
    """
    folder.mkdir(parents=True, exist_ok=True)
    scores: dict[int, int] = {}
    if complete:
        with WorkFile(folder / "scores.txt") as work:
            solve_complete_part(work, where, report)
        scores = back_up({key: score for key, (score,) in work.known.items()})
    replies: dict[int, int] = {}
    for first, plies in enumerate(REPLY_PLIES):
        with WorkFile(folder / f"replies-{first + 1}.txt") as work:
            positions = solve_reply_part(work, KnownScores(scores), plies, first, where, report)
        for position in positions:
            column, score = work.known[position.key]
            replies[position.key] = lookup.reply_byte(column, score)
    score_bytes = {key: lookup.score_byte(score) for key, score in scores.items()}
    return lookup.encode_book(score_bytes, COMPLETE_PLIES if complete else 0, replies, max(REPLY_PLIES))


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


def solve_complete_part(work: WorkFile, where: Executor, report: Callable[[Progress], None]) -> None:
    """Find the score of every position of COMPLETE_PLIES plies."""
    wanted = list(open_positions(COMPLETE_PLIES))
    missing = [position for position in wanted if canonical(position).key not in work.known]
    done = len(wanted) - len(missing)
    step = f"scores of all positions of {COMPLETE_PLIES} plies"
    report(Progress(step, done, len(wanted)))
    for found in fan_out(where, scores_of, _chunks(missing, CHUNK_POSITIONS)):
        work.add(found)
        done += len(found)
        report(Progress(step, done, len(wanted)))


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
        missing = [position for position in positions if position.key not in work.known]
        done = len(positions) - len(missing)
        step = f"moves of the {'second' if first else 'first'} player at ply {ply}"
        report(Progress(step, done, len(positions)))
        for found in fan_out(where, partial(_moves_of, scores), _chunks(missing, CHUNK_POSITIONS)):
            work.add(found)
            done += len(found)
            report(Progress(step, done, len(positions)))
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


def fan_out(where: Executor, function: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
    """The function's results for all jobs, as they come."""
    for _, future in run_jobs(where, function, jobs):
        yield future.result()


def _chunks(positions: Iterable[Position], size: int) -> Iterator[tuple[Position, ...]]:
    source = iter(positions)
    while chunk := tuple(islice(source, size)):
        yield chunk


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
    return [(canonical(position).key, exact.score(position)) for position in positions]


def _moves_of(scores: ScoreBook, positions: tuple[Position, ...]) -> list[tuple[int, ...]]:
    exact = ExactScores(_worker().solver, scores, do_nothing)
    found: list[tuple[int, ...]] = []
    for position in positions:
        score = exact.score(position)
        found.append((position.key, exact.best_trap(position, score), score))
    return found
