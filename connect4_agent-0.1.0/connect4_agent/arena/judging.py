"""Judging a run: the solver judges every move of its games, on as many cores as there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from itertools import takewhile
from math import inf
from pathlib import Path

from connect4_agent import errors
from connect4_agent.arena.journal import LineFile, read_games
from connect4_agent.arena.judged_moves import (
    JUDGED_NAME,
    can_be_judged,
    format_game,
    game_key,
    read_judgements,
)
from connect4_agent.engine.engine import engine_for
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.limits import NodeBound
from connect4_agent.jobs.executor import Executor, SchedulerLostError, for_computing, is_lost_worker, run_jobs
from connect4_agent.jobs.interrupts import Stop, stop_on_interrupt
from connect4_agent.jobs.progress import Progress
from connect4_agent.reasons.explain import explain_mistakes
from connect4_agent.reasons.judge import JudgedGame, judge
from connect4_agent.rules.position import USUAL_SIZE, Position

MAX_NODES = 5_000_000
MAX_PLAIN_NODES = 50_000
"""What the solver may visit for one position of a board other than 7x6, compiled and plain: about a second. The first
position, from the end, that takes more ends the judging of its game: those before it are harder still."""

STOPPING = "Stopping: games that have begun are judged to their end. Ctrl-C again ends it at once."

Columns = tuple[int, ...]
Game = tuple[int, int, Columns]
"""The board's columns and rows, and the moves."""


def judge_run(run: Path, progress: Progress, jobs: int = 1, dask_address: str | None = None) -> bool:
    """Judge the games of the journal that have not been judged yet; each is kept as soon as it is judged.

    False if Ctrl-C has stopped it before all were judged.

    Raises RunFolderError, ArenaError, OSError, and ImportError if Dask is asked for and not there.
    """
    first_games: dict[bytes, int] = {}
    """The first game with the same moves, by their key."""
    on_large_boards = 0
    for record in read_games(run, progress.say, progress.say):
        if can_be_judged(record):
            first_games.setdefault(game_key(record.width, record.height, record.columns), record.game)
        on_large_boards += not forms.fits_compiled(record.width, record.height)
    if on_large_boards:
        progress.say(
            f"{on_large_boards} games are not judged: their board is too large for the solver, which holds up to "
            f"{max(forms.WORD_BITS.values())} bits, (height + 1) x width"
        )
    judgements = read_judgements(run, progress.say)
    missing = {key: game for key, game in first_games.items() if key not in judgements}
    if not missing:
        return True
    stop = Stop()
    with LineFile(run / JUDGED_NAME) as file:
        executor = for_computing(min(jobs, len(missing)), dask_address)
        progress.begin(len(first_games), len(first_games) - len(missing))
        try:
            with stop_on_interrupt(stop, STOPPING):
                for finished, game in enumerate(_judge_missing(missing, progress, executor, stop), 1):
                    file.append_line(format_game(game))
                    progress.count(len(first_games) - len(missing) + finished)
        except SchedulerLostError as error:
            raise errors.ArenaError(f"{error}; the same command judges the games that are left") from error
        finally:
            executor.close()
            progress.end()
    return not stop.is_asked


def _judge_missing(
    missing: dict[bytes, int], progress: Progress, executor: Executor, stop: Stop
) -> Iterator[JudgedGame]:
    """Judge the games with these keys, each as soon as possible."""
    games = ((key[0], key[1], tuple(key[2:])) for key in missing)
    for (width, height, columns), future in judge_each(games, executor, stop, judge_game):
        try:
            yield future.result()
        except (errors.IllegalMoveError, errors.GameOverError) as error:
            progress.say(f"game {missing[game_key(width, height, columns)]} cannot be judged: {error}")


def judge_each(
    games: Iterable[Game], executor: Executor, stop: Stop, judge_one: Callable[[Game], JudgedGame]
) -> Iterator[tuple[Game, Future[JudgedGame]]]:
    """Yield the games with what became of judging them, until a stop is asked for. Raises WorkerLostError."""
    for game, future in run_jobs(executor, judge_one, takewhile(lambda _: not stop.is_asked, games)):
        error = future.exception()
        if error is not None and is_lost_worker(error):
            raise errors.WorkerLostError(f"a worker process has died ({error})") from error
        yield game, future


def judge_game(game: Game) -> JudgedGame:
    """Judge the moves as `score_game` does, and look for the short reasons of mistakes on 7x6."""
    judged = score_game(game)
    size = game[:2]
    looks_for_reasons = size == USUAL_SIZE and forms.form_for(*size) != forms.PLAIN
    return explain_mistakes(judged) if looks_for_reasons else judged


def score_game(game: Game) -> JudgedGame:
    """Judge the moves from the empty board on.

    All of them on 7x6, however long it takes; on other boards the last ones, as far back as they can be proven.
    """
    width, height, columns = game
    max_nodes = MAX_PLAIN_NODES if forms.solver_form(width, height) == forms.PLAIN else MAX_NODES
    engine = engine_for(width, height)
    bound = NodeBound(engine, inf if (width, height) == USUAL_SIZE else max_nodes)
    return judge(Position(width, height), columns, poll=bound.poll, after_score=bound.renew, engine=engine)
