"""The judge: lets the solver judge every move of a run's games, on as many cores as there are."""

from __future__ import annotations

import threading
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass, field
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING

from connect4_agent import errors, executor
from connect4_agent.arena.judgements import HEIGHT, JUDGED_NAME, WIDTH, JudgedGame, can_be_judged, read_judgements
from connect4_agent.arena.line_file import LineFile
from connect4_agent.arena.report import read_games
from connect4_agent.engine import speed
from connect4_agent.engine.judging import judge
from connect4_agent.interrupts import Stop, stop_on_interrupt
from connect4_agent.position import Position

if TYPE_CHECKING:
    from pathlib import Path

    from connect4_agent.arena.progress import Progress
    from connect4_agent.executor import Executor

MOST_KNOWN = 200_000
"""So many scores a worker remembers before it begins anew, some 30 MB; the solver's table remembers more."""

STOPPING = "Stopping: games that have begun are judged to their end. Ctrl-C again ends it at once."

Columns = tuple[int, ...]


@dataclass(slots=True)
class _Games:
    """Which games there are; those with the same moves count once."""

    missing: dict[bytes, int] = field(default_factory=dict)
    """The columns of what is to be judged, each with the first game that has them."""
    judged: set[bytes] = field(default_factory=set)
    on_other_boards: int = 0


def judge_run(run: Path, progress: Progress, jobs: int = 1, dask_address: str | None = None) -> bool:
    """Judge the games that have not been judged yet; each is kept as soon as it is judged.

    False where Ctrl-C has stopped it before all were judged.

    Raises RunFolderError, ArenaError, OSError, and ImportError where Dask is asked for and not there.
    """
    known = read_judgements(run, progress.say)
    games = _Games()
    for record in read_games(run, progress.say):
        columns = bytes(record.columns) if can_be_judged(record) else b""
        if not columns:
            games.on_other_boards += (record.width, record.height) != (WIDTH, HEIGHT)
        elif columns in known:
            games.judged.add(columns)
        else:
            games.missing.setdefault(columns, record.game)
    if games.on_other_boards:
        progress.say(
            f"{games.on_other_boards} games are not judged: "
            f"only those on {WIDTH} columns and {HEIGHT} rows can be, in reasonable time"
        )
    if not games.missing:
        return True
    stop = Stop()
    with LineFile(run / JUDGED_NAME) as file:
        file.drop_half_line()
        where = executor.for_computing(min(jobs, len(games.missing)), dask_address)
        progress.begin(len(games.missing) + len(games.judged), len(games.judged))
        try:
            with stop_on_interrupt(stop, STOPPING):
                _judge_missing(games, file, progress, where, stop)
        finally:
            where.close()
            progress.end()
    return not stop.is_asked


def _judge_missing(games: _Games, file: LineFile, progress: Progress, where: Executor, stop: Stop) -> None:
    finished = len(games.judged)
    jobs = takewhile(lambda _: not stop.is_asked, map(tuple, games.missing))
    for columns, future in executor.run_jobs(where, scores_of, jobs):
        try:
            scores = future.result()
        except BrokenExecutor as error:
            raise errors.WorkerLostError(f"a worker process has died ({error})") from error
        except (errors.IllegalMoveError, errors.GameOverError) as error:
            progress.say(f"game {games.missing[bytes(columns)]} cannot be judged: {error}")
            continue
        file.append(JudgedGame(columns=columns, scores=scores).model_dump_json().encode())
        finished += 1
        progress.count(finished)


class _Worker(threading.local):
    """A solver for each thread, and the scores that it has found: games of a tournament begin alike."""

    def __init__(self) -> None:
        self.solver = speed.new_solver(WIDTH, HEIGHT)
        self.known: dict[int, int] = {}


@cache
def _worker() -> _Worker:
    return _Worker()


def scores_of(columns: Columns) -> Columns:
    """The exact scores of the positions that these moves lead through, from the empty board to the last one."""
    worker = _worker()
    if len(worker.known) > MOST_KNOWN:
        worker.known.clear()
    moves = judge(Position(WIDTH, HEIGHT), columns, solver=worker.solver, known=worker.known)
    return (moves[0].score_before, *(-move.score for move in moves))
