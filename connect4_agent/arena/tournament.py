"""The tournament: plays what the journal does not hold yet of a schedule."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from connect4_agent import errors, executor
from connect4_agent.arena import contestants, referee
from connect4_agent.arena.forfeits import Forfeits
from connect4_agent.arena.journal import Journal
from connect4_agent.arena.openings import make_openings
from connect4_agent.arena.report import read_games
from connect4_agent.arena.schedule import Schedule
from connect4_agent.interrupts import Stop, stop_on_interrupt

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from connect4_agent.arena.config import RunConfig
    from connect4_agent.arena.progress import Progress
    from connect4_agent.arena.record import GameRecord
    from connect4_agent.arena.referee import GameSetup
    from connect4_agent.executor import Executor

STOPPING = "Stopping: games that have begun are played to their end. Ctrl-C again kills them."


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run went on this time."""

    scheduled: int
    finished: int
    """All games in the journal, those of earlier times too."""
    was_stopped: bool
    failures: tuple[str, ...]
    """Why games could not be played though the agents did nothing wrong; a few of the reasons."""


def make_schedule(config: RunConfig) -> Schedule:
    """The schedule that a config describes."""
    rounds = config.games // 2
    openings = make_openings(config.openings, rounds, config.seed, config.width, config.height)
    return Schedule(
        agents=config.agents_to_play(),
        openings=openings,
        rounds=rounds,
        seed=config.seed,
        format=config.format,
        width=config.width,
        height=config.height,
        adjudicate=config.adjudicate,
    )


def choose_executor(schedule: Schedule, jobs: int, dask_address: str | None) -> Executor:
    """Where the games run: built-in players compute and need processes, programs are only waited for."""
    if dask_address is None and jobs > 1 and all(agent.player is None for agent in schedule.agents):
        return executor.in_threads(jobs)
    return executor.for_computing(jobs, dask_address)


def run_tournament(
    config: RunConfig, folder: Path, progress: Progress, jobs: int = 1, dask_address: str | None = None
) -> Outcome:
    """Play all games that the folder's journal does not hold. Raises ArenaError."""
    schedule = make_schedule(config)
    with Journal(folder, config, schedule.openings, progress.say) as journal:
        run = _Run(schedule, journal, progress)
        run.read_journal()
        progress.begin(len(schedule), run.finished)
        if run.finished < len(schedule):
            where = choose_executor(schedule, jobs, dask_address)
            try:
                with stop_on_interrupt(run.stop, STOPPING):
                    run.play(where)
            finally:
                where.close()
                contestants.stop_idle()
        return Outcome(len(schedule), run.finished, run.stop.is_asked, tuple(run.failures))


class _Run:
    """A run as it goes on. Of a finished game nothing is kept but a bit."""

    def __init__(self, schedule: Schedule, journal: Journal, progress: Progress) -> None:
        self.stop = Stop()
        self.finished = 0
        self.failures: list[str] = []
        self._schedule = schedule
        self._journal = journal
        self._progress = progress
        self._is_done = bytearray(len(schedule))
        self._forfeits = Forfeits()

    def read_journal(self) -> None:
        """Take over what earlier runs have played."""
        for record in read_games(self._journal.folder, self._progress.say):
            if record.game >= len(self._is_done):
                raise errors.JournalError(
                    f"{self._journal.folder} holds game {record.game}; only {len(self._is_done)} are scheduled"
                )
            self._count(record)

    def play(self, where: Executor) -> None:
        """Play the games that are left."""
        setups = self._setups(keep=not where.outlasts_jobs)
        try:
            for setup, future in executor.run_jobs(where, referee.play_game, setups):
                if (error := future.exception()) is None:
                    self._finish(future.result())
                elif isinstance(error, BrokenExecutor):
                    raise error
                else:
                    self._note_failure(setup, error)
        except BrokenExecutor as error:
            raise errors.WorkerLostError(
                f"a worker process has died ({error}); the games it played are not lost"
            ) from error

    def _setups(self, *, keep: bool) -> Iterator[GameSetup]:
        """The games to start, one at a time; forfeited ones are written down instead."""
        for game in range(len(self._schedule)):
            if self._is_done[game]:
                continue
            if self.stop.is_asked:
                return
            setup = self._schedule.setup(game, keep=keep)
            reasons = (self._forfeits.reason(setup.agents[0].name), self._forfeits.reason(setup.agents[1].name))
            if reasons != (None, None):
                self._finish(referee.forfeited(setup, reasons))
                continue
            yield setup

    def _finish(self, record: GameRecord) -> None:
        self._journal.append(record)
        self._count(record)
        self._progress.show(record, self.finished)

    def _count(self, record: GameRecord) -> None:
        self._is_done[record.game] = 1
        self.finished += 1
        self._forfeits.add(record)

    def _note_failure(self, setup: GameSetup, error: BaseException) -> None:
        """Keep the reason why a game was not played: no agent's fault, so the run goes on without it."""
        message = f"game {setup.game} was not played: {type(error).__name__}: {error}"
        if len(self.failures) < 10:
            self.failures.append(message)
        self._progress.say(message)
