"""The judge: lets the solver judge every move of a run's games, on as many cores as there are."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from math import inf
from pathlib import Path

from connect4_agent import errors
from connect4_agent.arena.run.journal import read_games
from connect4_agent.arena.run.judged_moves import (
    JUDGED_NAME,
    JudgedGame,
    Scores,
    can_be_judged,
    game_key,
    read_judgements,
)
from connect4_agent.arena.run.line_file import LineFile
from connect4_agent.arena.run.record import GameRecord
from connect4_agent.engine.exact import exact_scores
from connect4_agent.engine.judge import judge_backwards
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.limits import NodeBound
from connect4_agent.engine.threads import limited_to
from connect4_agent.jobs.executor import Executor, SchedulerLostError, for_computing, is_lost_worker, run_jobs
from connect4_agent.jobs.interrupts import Stop, stop_on_interrupt
from connect4_agent.jobs.progress import Progress
from connect4_agent.rules.position import USUAL_SIZE, Position

MOST_KNOWN = 200_000
"""A worker forgets its scores when it has this many, some 30 MB; the solver's table remembers more."""

MOST_NODES = 5_000_000
MOST_PLAIN_NODES = 50_000
"""What the solver may visit for one position of a board other than 7x6, compiled and plain: about a second. The first
position, from the end, that takes more ends the judging of its game: those before it are harder still."""

STOPPING = "Stopping: games that have begun are judged to their end. Ctrl-C again ends it at once."

Columns = tuple[int, ...]
Game = tuple[int, int, Columns]
"""The board's columns and rows, and the moves."""


@dataclass(slots=True)
class GamesToJudge:
    """Which games of a run can be judged; those with the same moves count once."""

    first_games: dict[bytes, int] = field(default_factory=dict)
    """The key of each, with the first game that has it."""
    on_large_boards: int = 0

    def add(self, record: GameRecord) -> None:
        """One more game."""
        if record.is_due:
            return
        if can_be_judged(record):
            self.first_games.setdefault(game_key(record.width, record.height, record.columns), record.game)
        else:
            self.on_large_boards += not forms.fits_compiled(record.width, record.height)


def judge_run(
    run: Path, progress: Progress, jobs: int = 1, dask_address: str | None = None, games: GamesToJudge | None = None
) -> bool:
    """Judge the games that have not been judged yet; each is kept as soon as it is judged.

    Without `games`, those of the journal. False if Ctrl-C has stopped it before all were judged.

    Raises RunFolderError, ArenaError, OSError, and ImportError if Dask is asked for and not there.
    """
    known = read_judgements(run, progress.say)
    if games is None:
        games = GamesToJudge()
        for record in read_games(run, progress.say, progress.say):
            games.add(record)
    if games.on_large_boards:
        progress.say(
            f"{games.on_large_boards} games are not judged: their board is too large for the solver, which holds up to "
            f"{max(forms.WORD_BITS.values())} bits, (height + 1) x width"
        )
    missing = {key: game for key, game in games.first_games.items() if key not in known}
    if not missing:
        return True
    stop = Stop()
    with LineFile(run / JUDGED_NAME) as file:
        file.drop_half_line()
        executor = for_computing(min(jobs, len(missing)), dask_address)
        progress.begin(len(games.first_games), len(games.first_games) - len(missing))
        try:
            with stop_on_interrupt(stop, STOPPING):
                for finished in _judge_missing(missing, file, progress, executor, stop):
                    progress.count(len(games.first_games) - len(missing) + finished)
        except SchedulerLostError as error:
            raise errors.ArenaError(f"{error}; the same command judges the games that are left") from error
        finally:
            executor.close()
            progress.end()
    return not stop.is_asked


def _judge_missing(
    missing: dict[bytes, int], file: LineFile, progress: Progress, executor: Executor, stop: Stop
) -> Iterator[int]:
    """Judge the games with these keys; how many have been judged, after each."""
    finished = 0
    jobs = takewhile(lambda _: not stop.is_asked, ((key[0], key[1], tuple(key[2:])) for key in missing))
    for (width, height, columns), future in run_jobs(executor, scores_of, jobs):
        error = future.exception()
        if error is not None and is_lost_worker(error):
            raise errors.WorkerLostError(f"a worker process has died ({error})") from error
        try:
            scores = future.result()
        except (errors.IllegalMoveError, errors.GameOverError) as error:
            progress.say(f"game {missing[game_key(width, height, columns)]} cannot be judged: {error}")
            continue
        game = JudgedGame(columns=columns, scores=scores, width=width, height=height)
        file.append(game.model_dump_json(exclude_defaults=True).encode())
        finished += 1
        yield finished


class _Found(threading.local):
    """The scores that each thread has found on boards of one size: games of a tournament begin alike."""

    def __init__(self) -> None:
        self.size = USUAL_SIZE
        self.scores: dict[int, int] = {}


_found = _Found()


@limited_to(1)  # games are judged on every core; and a limit of nodes must end a search at the same place every time
def scores_of(game: Game) -> Scores:
    """The exact scores of the positions that these moves lead through, from the empty board to the last one.

    All of them on 7x6, however long it takes; on other boards the last ones, as far back as they can be proven.
    """
    width, height, columns = game
    if _found.size != (width, height) or len(_found.scores) > MOST_KNOWN:
        _found.size = width, height
        _found.scores.clear()
    most_nodes = MOST_PLAIN_NODES if forms.solver_form(width, height) == forms.PLAIN else MOST_NODES
    # The solver of this thread is the one that the judge asks.
    bound = NodeBound(exact_scores(width, height), inf if (width, height) == USUAL_SIZE else most_nodes)
    backwards: list[int] = []
    try:
        for move in judge_backwards(Position(width, height), columns, poll=bound.poll, known=_found.scores):
            if not backwards:
                backwards.append(-move.score)
            backwards.append(move.score_before)
            bound.renew()
    except errors.TooHardError:
        pass
    return (*[None] * (len(columns) + 1 - len(backwards)), *reversed(backwards))
