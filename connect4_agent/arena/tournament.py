"""The tournament: plays what the journal does not hold yet of a schedule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from connect4_agent import errors
from connect4_agent.arena import referee
from connect4_agent.arena.agents.confinement import choose_isolation, isolation_line
from connect4_agent.arena.agents.spec import Isolation
from connect4_agent.arena.config import RunConfig, are_drawn
from connect4_agent.arena.exclusions import BY_HAND, Exclusions
from connect4_agent.arena.openings import make_openings
from connect4_agent.arena.progress import GameProgress
from connect4_agent.arena.run.journal import Journal, read_games, read_openings_of
from connect4_agent.arena.run.record import Ending, GameRecord, Replay
from connect4_agent.arena.schedule import GameSetup, Schedule
from connect4_agent.arena.worker import Workers, close_seats, play_here, play_with_own_worker
from connect4_agent.engine.players.player import Player
from connect4_agent.jobs.executor import (
    Executor,
    InThread,
    JobNotBegunError,
    SchedulerLostError,
    core_sets,
    for_computing,
    in_processes,
    in_threads,
    is_lost_worker,
    on_dask,
    run_jobs,
)
from connect4_agent.jobs.interrupts import Stop, stop_on_interrupt
from connect4_agent.jobs.progress import Progress
from connect4_agent.text import escaped

CONFIRMED_TIME_OUTS = 2
"""After that many time-outs of an agent that a continued game has confirmed, its others are final at once."""

MAX_FAILURES = 10
"""How many reasons why games could not be played are kept."""

STOPPING = "Stopping: games that have begun are played to their end. Ctrl-C again kills them."

PlayGame = Callable[[GameSetup], GameRecord]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run did this time."""

    scheduled: int
    finished: int
    """All games in the journal, those of earlier times too; games that are due do not count."""
    was_stopped: bool
    failures: tuple[str, ...]
    """Why games could not be played though no agent is known to be at fault; a few of the reasons."""


def make_schedule(config: RunConfig, folder: Path | None = None, isolation: Isolation | None = None) -> Schedule:
    """The schedule that a config describes; openings that the run in this folder has drawn are not drawn again."""
    drawn = read_openings_of(folder) if folder is not None and are_drawn(config.openings) else None
    openings = drawn or make_openings(config.openings, config.games // 2, config.seed, config.width, config.height)
    return Schedule(config, openings, isolation)


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

    The watchers are called with every record of the run, those of earlier times too: nobody needs to read them again.
    `players` are the agents that are Python objects, by name. If interrupts are not handled, Ctrl-C raises
    KeyboardInterrupt, as it does in Python programs. The remaining games of the agents to disqualify are not played.
    `pin` gives each running game cores of its own.
    """
    players = players or {}
    names = [agent.name for agent in config.agents]
    if unknown := [name for name in disqualify if name not in names]:
        raise errors.ArenaError(f"there is no agent {unknown[0]!r} to disqualify; the agents are {', '.join(names)}")
    for agent in config.agents:
        if agent.python is not None and agent.name not in players:
            raise errors.AgentError(
                f"agent {agent.name!r} is a Python object ({agent.python}): only a Python program that has it can play"
            )
    if pin and dask_address is not None:
        raise errors.ArenaError("--pin is for games on this machine; on a cluster, pin its workers, such as by taskset")
    programs = [agent for agent in config.agents if agent.is_program]
    isolation = None
    if programs:
        isolation = choose_isolation(config.isolation)
        for agent in programs:
            choose_isolation(agent.isolation)
    schedule = make_schedule(config, folder, isolation)
    games = _Games(bool(programs), players, jobs, dask_address, pin=pin)
    with games, Journal(folder, config, schedule.openings, progress.say) as journal:
        run = _Run(schedule, journal, progress, watchers)
        run.read_journal()
        for name in disqualify:
            run.disqualify(name)
        if isolation is not None:
            progress.say(isolation_line(isolation, is_default=config.isolation is None))
        progress.begin(len(schedule), run.finished)
        with stop_on_interrupt(run.stop, STOPPING) if handles_interrupts else nullcontext():
            run.play(games)
            run.continue_due_games(games)
        journal.check_in_place()
    return Outcome(len(schedule), run.finished, run.stop.is_asked, tuple(run.failures))


class _Games:
    """Where the games of a run are played; leaving the `with` block ends what plays them.

    Programs play below workers, one for each game at a time. Python objects play in this process, or in processes to
    which they are sent. Games between built-in players need neither.
    """

    def __init__(
        self, has_programs: bool, players: Mapping[str, Player], jobs: int, dask_address: str | None, *, pin: bool
    ) -> None:
        self._jobs = jobs
        self._dask_address = dask_address
        self._cores = core_sets(jobs) if pin else []
        self._workers = Workers()
        self._uses_workers = (has_programs or pin) and not players
        self._play_here: PlayGame = partial(play_here, players)
        self._executor: Executor | None = None

    @property
    def is_cluster(self) -> bool:
        """Whether games are played on a cluster, which tries them again by itself."""
        return self._dask_address is not None

    def executor(self) -> tuple[Executor, PlayGame]:
        """Where to play, and what to call there; made again after a process of it has died."""
        self._renew()
        play: PlayGame = self._play_here
        if self._dask_address is not None:
            play = play_with_own_worker if self._uses_workers else play
            self._executor = on_dask(self._dask_address)
        elif self._uses_workers:
            play = self._workers.play
            self._executor = InThread() if self._jobs == 1 else in_threads(self._jobs)
        else:
            self._executor = for_computing(self._jobs, None)
        return self._executor, play

    def play_alone(self, setup: GameSetup) -> GameRecord:
        """Play one game while nothing else runs. Raises WorkerLostError."""
        self._renew()
        if self._uses_workers:
            return self._workers.play(setup)
        if self._jobs == 1 or self.is_cluster:
            return self._play_here(setup)
        executor = in_processes(1)
        try:
            return executor.submit(self._play_here, setup).result()
        except Exception as error:
            if is_lost_worker(error):
                raise errors.WorkerLostError("its process died") from error
            raise
        finally:
            executor.close()

    def _renew(self) -> None:
        self.close()
        self._workers = Workers(self._cores)

    def close(self) -> None:
        """End the workers and processes."""
        self._workers.close()  # first: what waits for them ends as well
        executor, self._executor = self._executor, None
        if executor is not None:
            executor.close()
        close_seats()

    def __enter__(self) -> _Games:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the workers and processes."""
        self.close()


class _Run:
    """A run in progress. Of a finished game it keeps only a bit, and all of a game that is due."""

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
        self._has_lost_process = False
        self._due: dict[int, GameRecord] = {}
        """Games that were lost on time, and are to be continued."""
        self._late: dict[int, set[int]] = {}
        """The player numbers that have lost each of these games on time once."""
        self._confirmed: Counter[str] = Counter()
        self._exclusions = Exclusions()
        self._watchers = watchers

    def read_journal(self) -> None:
        """Take over what earlier runs have played."""
        for record in read_games(self._journal.folder, self._progress.say):
            if record.game >= len(self._is_done):
                raise errors.RunFolderError(
                    f"{self._journal.folder} holds game {record.game}; only {len(self._is_done)} are scheduled"
                )
            scheduled = self._schedule.setup(record.game).scheduled
            for name in type(scheduled).model_fields:
                there, here = getattr(record, name), getattr(scheduled, name)
                if there != here:
                    raise errors.RunFolderError(
                        f"{self._journal.folder}: {name} of game {record.game} is {there}, but scheduled is {here}"
                    )
            self._count(record)

    def disqualify(self, name: str) -> None:
        """Let an agent play no more."""
        self._exclusions.disqualify(name)
        self._progress.say(f"{escaped(name)} is disqualified, {BY_HAND}; its remaining games are not played")

    def play(self, games: _Games) -> None:
        """Play the games that are left, and once more those during which a process died."""
        while not self.stop.is_asked and next(self._games_left(), None) is not None:
            executor, play = games.executor()
            self._has_lost_process = False
            finished_before, interrupted = self.finished, []
            try:
                for setup, future in run_jobs(executor, play, self._setups()):
                    error = future.exception()
                    if error is None:
                        self._finish(future.result())
                    elif isinstance(error, errors.WorkerLostError) or (games.is_cluster and is_lost_worker(error)):
                        self._void(setup, error)
                    elif is_lost_worker(error):
                        self._has_lost_process = True
                        if not isinstance(error, JobNotBegunError):
                            interrupted.append(setup)
                    else:
                        self._fail(setup, f"was not played: {type(error).__name__}: {error}")
            except SchedulerLostError as error:
                raise errors.ArenaError(f"{error}; the same command resumes the run") from error
            if self._has_lost_process and not interrupted and self.finished == finished_before:
                raise errors.WorkerLostError("processes die before they begin a game; the games played are not lost")
            for setup in interrupted:
                self._play_alone(games, setup)

    def _play_alone(self, games: _Games, setup: GameSetup) -> None:
        if self.stop.is_asked:
            return
        try:
            self._finish(games.play_alone(setup))
        except errors.WorkerLostError as error:
            self._void(setup, error)

    def continue_due_games(self, games: _Games) -> None:
        """Continue games that were lost on time, one at a time, now that nothing else runs."""
        while self._due and not self.stop.is_asked:
            record = self._due[min(self._due)]
            assert record.fault is not None
            setup = self._schedule.setup(record.game, record)
            if self._exclusions.of(record.agents) or self._is_known_late(record.agents[record.fault.player - 1]):
                self._finish(record.model_copy(update={"replay": None}))
            else:
                self._progress.say(f"game {record.game} is continued from the position in which the time ran out")
                self._play_alone(games, setup)
                if record.game in self._failed:
                    self._due.pop(record.game)

    def _games_left(self) -> Iterator[int]:
        for game in range(len(self._schedule)):
            if not self._is_done[game] and game not in self._failed:
                yield game

    def _setups(self) -> Iterator[GameSetup]:
        """The games to start, one at a time; those that are not to be played are written down instead."""
        for game in self._games_left():
            if self.stop.is_asked or self._has_lost_process:
                return
            setup = self._schedule.setup(game)
            if (out := self._exclusions.of(setup.scheduled.agents)) is None:
                yield setup
            else:
                self._finish(referee.not_played(setup, out[1], out[0]))

    def _is_known_late(self, agent: str) -> bool:
        return self._confirmed[agent] >= CONFIRMED_TIME_OUTS

    def _finish(self, record: GameRecord) -> None:
        """Write a game down; one that was lost on time is due if the machine may have been the reason."""
        if self._may_be_the_machine(record):
            record = record.model_copy(update={"replay": Replay.DUE})
        self._journal.append(record)
        self._count(record)
        self._games.show(record, self.finished)

    def _may_be_the_machine(self, record: GameRecord) -> bool:
        if record.ending is not Ending.TIMED_OUT or record.fault is None:
            return False
        is_first = record.fault.player not in self._late.get(record.game, ())
        return is_first and not self._is_known_late(record.agents[record.fault.player - 1])

    def _count(self, record: GameRecord) -> None:
        self._is_done[record.game] = 1
        if record.is_due:
            assert record.fault is not None
            self._due[record.game] = record
            self._late.setdefault(record.game, set()).add(record.fault.player)
        else:
            self.finished += 1
            self._due.pop(record.game, None)
            if record.ending is Ending.TIMED_OUT and record.replay is Replay.CONTINUED and record.fault is not None:
                self._confirmed[record.agents[record.fault.player - 1]] += 1
        self._exclusions.add(record)
        for watch in self._watchers:
            watch(record)

    def _void(self, setup: GameSetup, error: BaseException) -> None:
        one, two = setup.scheduled.agents
        self._fail(setup, f"between {escaped(one)} and {escaped(two)} is void: {error}, twice")

    def _fail(self, setup: GameSetup, reason: str) -> None:
        """Keep the reason why a game was not played: no agent's known fault, so the run continues without it."""
        message = f"game {setup.scheduled.game} {reason}"
        self._failed.add(setup.scheduled.game)
        if len(self.failures) < MAX_FAILURES:
            self.failures.append(message)
        self._progress.say(message)
