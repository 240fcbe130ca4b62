"""The tournament: plays what the journal does not hold yet of a schedule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from connect4_agent import errors
from connect4_agent.agents.confinement import check_isolation
from connect4_agent.agents.contestant import stop_idle
from connect4_agent.agents.orphans import adopt_orphans, kill_orphans, ticks_now
from connect4_agent.arena import referee
from connect4_agent.arena.culprits import culprits_of, play_alone, programs_of
from connect4_agent.arena.disqualification import BY_HAND, TWICE, Disqualified
from connect4_agent.arena.forfeits import Forfeits
from connect4_agent.arena.openings import make_openings
from connect4_agent.arena.progress import GameProgress
from connect4_agent.arena.run.config import RunConfig, are_drawn
from connect4_agent.arena.run.journal import Journal, read_games, read_openings_of
from connect4_agent.arena.run.record import Ending, GameRecord
from connect4_agent.arena.schedule import GameSetup, Schedule
from connect4_agent.engine.players.player import Player
from connect4_agent.jobs.executor import (
    Executor,
    JobNotBegunError,
    SchedulerLostError,
    for_computing,
    in_processes,
    in_threads,
    is_lost_worker,
    run_jobs,
)
from connect4_agent.jobs.interrupts import Stop, stop_on_interrupt
from connect4_agent.jobs.progress import Progress
from connect4_agent.text import escaped

ORPHANS_SECONDS = 1.0
"""How long the guards of a dead worker may take to kill what they guard, before they are killed themselves."""

STOPPING = "Stopping: games that have begun are played to their end. Ctrl-C again kills them."


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run did this time."""

    scheduled: int
    finished: int
    """All games in the journal, those of earlier times too."""
    was_stopped: bool
    failures: tuple[str, ...]
    """Why games could not be played though the agents did nothing wrong; a few of the reasons."""


def make_schedule(
    config: RunConfig, folder: Path | None = None, players: Mapping[str, Player] | None = None
) -> Schedule:
    """The schedule that a config describes; openings that the run in this folder has drawn are not drawn again.

    `players` are the agents that are Python objects, by name.
    """
    kept = read_openings_of(folder) if folder is not None and are_drawn(config.openings) else None
    openings = kept or make_openings(config.openings, config.games // 2, config.seed, config.width, config.height)
    kept_safe = () if folder is None else (str(folder.absolute()),)
    return Schedule(config, openings, players or {}, kept_safe)


def _choose_executor(
    schedule: Schedule, jobs: int, dask_address: str | None, *, pin: bool, has_process: bool
) -> Executor:
    """Where the games run: built-in players compute and need processes, programs are only waited for.

    If the whole process is for the run (`has_process`), programs run in worker processes: what they do to the
    process above their guard hits a worker, and not the manager.
    """
    programs = [bool(agent.command) for agent in schedule.agents]
    if pin:
        return in_processes(jobs, pin=True)
    if dask_address is None and has_process and any(programs) and not schedule.players:
        return in_processes(jobs)
    if dask_address is None and jobs > 1 and all(programs):
        return in_threads(jobs)
    return for_computing(jobs, dask_address)


def run_tournament(
    config: RunConfig,
    folder: Path,
    progress: Progress,
    jobs: int = 1,
    dask_address: str | None = None,
    watchers: Sequence[Callable[[GameRecord], None]] = (),
    *,
    players: Mapping[str, Player] | None = None,
    handles_interrupts: bool = True,
    disqualify: Sequence[str] = (),
    pin: bool = False,
) -> Outcome:
    """Play all games that the folder's journal does not hold. Raises ArenaError.

    The watchers are called with every game of the run, those of earlier times too: nobody needs to read them again.
    `players` are the agents that are Python objects, by name. Where interrupts are not handled, Ctrl-C raises
    KeyboardInterrupt, as it does in Python programs. The remaining games of the agents to disqualify are not played.
    `pin` gives each running game cores of its own.
    """
    names = [agent.name for agent in config.agents]
    if unknown := [name for name in disqualify if name not in names]:
        raise errors.ConfigError(f"there is no agent {unknown[0]!r} to disqualify; the agents are {', '.join(names)}")
    for agent in config.agents:
        if agent.python is not None and agent.name not in (players or {}):
            raise errors.AgentError(
                f"agent {agent.name!r} is a Python object ({agent.python}): only a Python program that has it can play"
            )
    if config.isolate:
        check_isolation()
    if pin and dask_address is not None:
        raise errors.ConfigError(
            "--pin is for games on this machine; on a cluster, pin its workers, such as by taskset"
        )
    schedule = make_schedule(config, folder, players)
    adopt_orphans()
    started_ticks = ticks_now()
    with Journal(folder, config, schedule.openings, progress.say) as journal:
        run = _Run(schedule, journal, progress, watchers)
        run.read_journal()
        for name in disqualify:
            run.disqualify(name, BY_HAND)
        progress.begin(len(schedule), run.finished)
        try:
            with stop_on_interrupt(run.stop, STOPPING) if handles_interrupts else nullcontext():
                while run.is_unfinished:
                    executor = _choose_executor(schedule, jobs, dask_address, pin=pin, has_process=handles_interrupts)
                    try:
                        suspects = run.play(executor)
                    except SchedulerLostError as error:
                        raise errors.ClusterLostError(f"{error}; the same command resumes the run") from error
                    finally:
                        executor.close()
                    run.play_alone(suspects, on_cluster=executor.outlasts_jobs)
        finally:
            stop_idle()
            if run.workers_lost:
                kill_orphans(started_ticks, ORPHANS_SECONDS)
        return Outcome(len(schedule), run.finished, run.stop.is_asked, tuple(run.failures))


class _Run:
    """A run in progress. Of a finished game it keeps only a bit."""

    def __init__(
        self, schedule: Schedule, journal: Journal, progress: Progress, watchers: Sequence[Callable[[GameRecord], None]]
    ) -> None:
        self.stop = Stop()
        self.finished = 0
        self.failures: list[str] = []
        self._schedule = schedule
        self._journal = journal
        self._progress = progress
        self._games = GameProgress(progress)
        self._is_done = bytearray(len(schedule))
        self._failed: set[int] = set()
        self._attempts: dict[int, int] = {}
        """How often games were tried that are to be played again since the machine was busy."""
        self._has_lost_worker = False
        self.workers_lost = 0
        self._forfeits = Forfeits()
        self._out = Disqualified()
        self._watchers = watchers

    @property
    def is_unfinished(self) -> bool:
        """Whether there are games to begin."""
        return not self.stop.is_asked and self.finished + len(self._failed) < len(self._schedule)

    def read_journal(self) -> None:
        """Take over what earlier runs have played."""
        for record in read_games(self._journal.folder, self._progress.say):
            if record.game >= len(self._is_done):
                raise errors.JournalError(
                    f"{self._journal.folder} holds game {record.game}; only {len(self._is_done)} are scheduled"
                )
            scheduled = self._schedule.setup(record.game).scheduled.agents
            if record.agents != scheduled:
                raise errors.JournalError(
                    f"{self._journal.folder}: game {record.game} is between {_listed(record.agents)}, "
                    f"but scheduled are {_listed(scheduled)}; connect4-agent verify names every such line"
                )
            self._out.take_over(record)
            self._count(record)

    def disqualify(self, name: str, reason: str) -> None:
        """Let an agent play no more."""
        self._out.reasons.setdefault(name, reason)
        self._progress.say(f"{escaped(name)} is disqualified: {reason}; its remaining games are not played")

    def play(self, executor: Executor) -> list[GameSetup]:
        """Play the games that are left, until the end or the death of a worker; the games that may have caused it."""
        self._has_lost_worker = False
        suspects: list[GameSetup] = []
        setups = self._setups(keep=not executor.outlasts_jobs)
        finished_before = self.finished
        for setup, future in run_jobs(executor, referee.play_game, setups):
            error = future.exception()
            if error is None:
                self._finish(future.result())
            elif is_lost_worker(error):
                self.workers_lost += 1
                self._has_lost_worker = not executor.outlasts_jobs  # one of many, and others take over
                if not isinstance(error, JobNotBegunError):
                    suspects.append(setup)
            else:
                self._note_failure(setup, error)
        if self._has_lost_worker and not suspects and self.finished == finished_before:
            raise errors.WorkerLostError("worker processes die before they begin a game; the games played are not lost")
        return suspects

    def play_alone(self, suspects: Sequence[GameSetup], *, on_cluster: bool) -> None:
        """Try games again over which a worker died, each in a worker of its own, and disqualify who kills that too.

        A cluster has tried them several times already.
        """
        for setup in suspects:
            if self.stop.is_asked:
                return
            if self._is_out(setup):
                continue
            if on_cluster:
                self._add_deaths(setup, 2, programs_of(setup))
                continue
            self._progress.say(
                f"game {setup.scheduled.game}: a worker process died; the game is tried again in a worker of its own"
            )
            future = play_alone(setup)
            error = future.exception()
            if error is None:
                self._finish(future.result())
                # Only if no other game was played beside it is it certain that this one killed the first worker.
                if len(suspects) == 1:
                    self._add_deaths(setup, 1)
            elif is_lost_worker(error):
                self._add_deaths(setup, 2)
            else:
                self._note_failure(setup, error)

    def _add_deaths(self, setup: GameSetup, deaths: int, culprits: Sequence[str] | None = None) -> None:
        """Count workers that died over a game, and disqualify who has had too many; without culprits, find them."""
        before = set(self._out.reasons)
        has_culprit = [self._out.add_death(setup.scheduled.agents) for _ in range(deaths)][-1]
        for name in set(self._out.reasons) - before:
            self.disqualify(name, self._out.reasons[name])
        if has_culprit:
            for name in culprits or culprits_of(setup):
                self.disqualify(name, TWICE)

    def _setups(self, *, keep: bool) -> Iterator[GameSetup]:
        """The games to start, one at a time; those that are not to be played are written down instead."""
        for game in self._games_left():
            if self.stop.is_asked or self._has_lost_worker:
                return
            setup = replace(self._schedule.setup(game, keep=keep), attempt=self._attempts.get(game, 0) + 1)
            if not self._is_out(setup):
                yield setup

    def _games_left(self) -> Iterator[int]:
        """The games that are not done; those that the machine was too busy for come last."""
        for game in range(len(self._schedule)):
            if not self._is_done[game] and game not in self._attempts and game not in self._failed:
                yield game
        yield from sorted(self._attempts.keys() - self._failed)

    def _is_out(self, setup: GameSetup) -> bool:
        """Whether an agent of the game plays no more; then the game is written down as not played."""
        names = setup.scheduled.agents
        for reasons, ending in (
            (self._out.of(names), Ending.DISQUALIFIED),
            ((self._forfeits.reason(names[0]), self._forfeits.reason(names[1])), Ending.FORFEITED),
        ):
            if reasons != (None, None):
                self._finish(referee.not_played(setup, reasons, ending))
                return True
        return False

    def _finish(self, record: GameRecord) -> None:
        self._journal.append(record)
        self._count(record)
        self._games.show(record, self.finished)

    def _count(self, record: GameRecord) -> None:
        if record.is_replayed:
            self._attempts[record.game] = record.attempt
        else:
            self._attempts.pop(record.game, None)
            self._is_done[record.game] = 1
            self.finished += 1
        self._forfeits.add(record)
        for watch in self._watchers:
            watch(record)

    def _note_failure(self, setup: GameSetup, error: BaseException) -> None:
        """Keep the reason why a game was not played: no agent's fault, so the run continues without it."""
        message = f"game {setup.scheduled.game} was not played: {type(error).__name__}: {error}"
        self._failed.add(setup.scheduled.game)
        if len(self.failures) < 10:
            self.failures.append(message)
        self._progress.say(message)


def _listed(names: tuple[str, str]) -> str:
    return " and ".join(repr(name) for name in names)
