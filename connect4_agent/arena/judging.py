"""Judging a run: the solver judges every move of its games, on as many cores as there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import nullcontext
from itertools import takewhile
from math import inf
from pathlib import Path

from connect4_agent import errors
from connect4_agent.arena.journal import LineFile
from connect4_agent.arena.judged_moves import JUDGED_NAME, Judgements, format_game, game_key
from connect4_agent.arena.run import RunState
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
"""The nodes for one position of a board other than 7x6, compiled and plain: about a second. The first
position, from the end, that takes more ends the judging of its game: those before it are harder still."""

STOPPING = "Stopping: games that have begun are judged to their end. Ctrl-C again ends it at once."

Columns = tuple[int, ...]
Game = tuple[int, int, Columns]
"""The board's columns and rows, and the moves."""


def judge_run(
    run: Path | None,
    state: RunState,
    progress: Progress,
    jobs: int = 1,
    dask_address: str | None = None,
    *,
    handles_interrupts: bool = True,
) -> RunState:
    """Return a run with its games judged; in a folder, each judgement is kept as soon as it is made.

    The first Ctrl-C lets games that have begun be judged: then some games stay unjudged. If interrupts are not handled,
    it raises KeyboardInterrupt. Raises RunFolderError, ArenaError, OSError, and ImportError if Dask is not there.
    """
    on_large_boards = sum(not forms.fits_compiled(record.width, record.height) for record in state.records)
    if on_large_boards:
        progress.say(
            f"{on_large_boards} games are not judged: their board is too large for the solver, which holds up to "
            f"{max(forms.WORD_BITS.values())} bits, (height + 1) x width"
        )
    missing = dict.fromkeys((record.width, record.height, record.columns) for record in state.unjudged)
    if not missing:
        return state
    before = len({record.columns for record in state.records if record.judged is not None})
    judgements: Judgements = {}
    stop = Stop()
    with nullcontext() if run is None else LineFile(run / JUDGED_NAME) as file:
        executor = for_computing(min(jobs, len(missing)), dask_address)
        progress.begin(before + len(missing), before)
        try:
            with stop_on_interrupt(stop, STOPPING) if handles_interrupts else nullcontext():
                for game, future in judge_each(missing, executor, stop, judge_game):
                    judgements[game_key(*game)] = judged = future.result()
                    if file is not None:
                        file.append_line(format_game(judged))
                    progress.count(before + len(judgements))
        except SchedulerLostError as error:
            raise errors.ArenaError(f"{error}; the same command judges the games that are left") from error
        finally:
            executor.close()
            progress.end()
    return state.with_judgements(judgements)


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
