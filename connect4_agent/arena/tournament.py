"""The tournament: plays the wanted games of a run that its journal does not hold yet."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from connect4_agent import errors
from connect4_agent.arena.config import RunConfig
from connect4_agent.arena.confinement import choose_isolation, isolation_line
from connect4_agent.arena.journal import Journal
from connect4_agent.arena.openings import make_openings
from connect4_agent.arena.progress import GameProgress
from connect4_agent.arena.record import GameRecord, Opening
from connect4_agent.arena.referee import LocalGames, play_locally, play_with_own_worker, play_with_worker
from connect4_agent.arena.run import (
    Ledger,
    RunDescription,
    RunState,
    read_description,
    read_into,
    write_description,
    write_run_openings,
)
from connect4_agent.arena.schedule import GameSetup, Schedule
from connect4_agent.arena.spec import Isolation
from connect4_agent.arena.versions import find_version, missing_part
from connect4_agent.arena.worker import Workers
from connect4_agent.engine.players.player import Player
from connect4_agent.jobs.cores import describe_load, load_per_core
from connect4_agent.jobs.executor import (
    Executor,
    InThread,
    SchedulerLostError,
    in_processes,
    in_threads,
    is_lost_worker,
    on_dask,
    run_jobs,
)
from connect4_agent.jobs.interrupts import Stop, stop_on_interrupt
from connect4_agent.jobs.progress import Progress
from connect4_agent.text import counted, escaped

MAX_FAILURES = 10
"""The most reasons that are kept for games that could not be played."""

STOPPING = "Stopping: games that have begun are played to their end. Ctrl-C again kills them."

PlayGame = Callable[[GameSetup], GameRecord]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run after it was played as far as possible."""

    state: RunState
    was_stopped: bool
    failures: tuple[str, ...]
    """Why games could not be played though no agent is known to be at fault; a few of the reasons."""


def run_tournament(
    config: RunConfig,
    folder: Path,
    progress: Progress,
    jobs: int = 1,
    dask_address: str | None = None,
    *,
    players: Mapping[str, Player] | None = None,
    retry: Sequence[str] = (),
    handles_interrupts: bool = True,
) -> Outcome:
    """Play all wanted games that the folder's journal does not hold. Raises ArenaError.

    `players` are the agents that are Python objects, by name. Games that the agents named in `retry` have lost by
    faults are played again. If interrupts are not handled, Ctrl-C raises KeyboardInterrupt, as in Python programs.
    """
    players = players or {}
    _check(config, players, retry)
    programs = [agent for agent in config.agents if agent.is_program]
    for agent in programs if dask_address is None else ():
        if (missing := missing_part(agent)) is not None:
            raise errors.AgentError(f"agent {agent.name!r} cannot play: {missing}")
    isolation = choose_isolation(config.isolation) if programs else None
    for agent in programs:
        choose_isolation(agent.isolation)
    if dask_address is not None:
        on_dask(dask_address).close()  # a cluster that is not there is no reason to make a folder
    before = read_description(folder)
    openings = _find_openings(config, folder, before)
    versions = {agent.name: find_version(agent) for agent in config.agents}
    with (
        _open_executor(players, jobs, dask_address, has_programs=bool(programs)) as where,
        Journal(folder, progress.say) as journal,
    ):
        if before is None and not journal.is_empty:
            raise errors.RunFolderError(f"{folder} holds games, but no description that says whose")
        ledger = Ledger(Schedule(config, versions, openings))
        read_into(ledger, folder, progress.say)
        write_run_openings(folder, openings)
        write_description(folder, RunDescription(config=config, versions=versions))
        run = _Run(ledger, journal, progress, isolation, retry)
        run.begin({} if before is None else before.versions)
        if isolation is not None:
            progress.say(isolation_line(isolation, is_default=config.isolation is None))
            if load_per_core() > 1:
                progress.say(f"the load of this machine is {describe_load()}: programs may lose games on time")
        progress.begin(len(ledger.schedule), run.done)
        with stop_on_interrupt(run.stop, STOPPING) if handles_interrupts else nullcontext():
            while run.has_more:
                run.play(*where)
        journal.check_in_place()
        state = ledger.state().with_files(folder, progress.say)
        return Outcome(state, run.stop.is_asked, tuple(run.failures))


def _check(config: RunConfig, players: Mapping[str, Player], retry: Sequence[str]) -> None:
    """Raise ArenaError if an agent is named that does not take part, or cannot play here."""
    names = [agent.name for agent in config.agents]
    if unknown := [name for name in retry if name not in names]:
        raise errors.ArenaError(f"there is no agent {unknown[0]!r}; the agents are {', '.join(names)}")
    for agent in config.agents:
        if agent.python_object is not None and agent.name not in players:
            raise errors.AgentError(
                f"agent {agent.name!r} is a Python object ({agent.python_object}): "
                "only a Python program that has it can play"
            )


def _find_openings(config: RunConfig, folder: Path, before: RunDescription | None) -> tuple[Opening, ...]:
    """Return the openings of the run. Raises RunFolderError if the folder holds games on another board."""
    if before is not None:
        size, size_before = ((each.width, each.height) for each in (config, before.config))
        if size != size_before:
            raise errors.RunFolderError(
                f"{folder} holds games on {size_before[0]} columns and {size_before[1]} rows, not on {size[0]} and "
                f"{size[1]}: give another folder with --out"
            )
    return make_openings(config.openings, config.seed, config.width, config.height)


@contextmanager
def _open_executor(
    players: Mapping[str, Player], jobs: int, dask_address: str | None, *, has_programs: bool
) -> Iterator[tuple[Executor, PlayGame]]:
    """Give where to play, and what to call there; leaving the `with` block ends what plays.

    Programs play below workers, one for each game at a time, and so do built-in players if several games are played at
    a time. Python objects play in this process, or in processes to which they are sent.
    """
    workers, local = Workers(), LocalGames(players)
    play: PlayGame
    if dask_address is not None:
        play = play_with_own_worker if has_programs and not players else partial(play_locally, players)
        executor = on_dask(dask_address)
    elif not players and (has_programs or (jobs > 1 and sys.platform != "win32")):
        play = partial(play_with_worker, workers)
        executor = InThread() if jobs == 1 else in_threads(jobs)
    elif jobs == 1:
        play, executor = local.play, InThread()
    else:
        play, executor = partial(play_locally, players), in_processes(jobs)
    try:
        yield executor, play
    finally:
        workers.close()  # first: what waits for them ends as well
        executor.close()
        local.close()


class _Run:
    """A run in progress."""

    def __init__(
        self, ledger: Ledger, journal: Journal, progress: Progress, isolation: Isolation | None, retry: Sequence[str]
    ) -> None:
        self.stop = Stop()
        self.failures: list[str] = []
        self.ledger = ledger
        self._schedule = ledger.schedule
        self._config = ledger.schedule.config
        self._journal = journal
        self._progress = progress
        grants = self._config.model_copy(update={"isolation": isolation})
        self._agents = {agent.name: agent.with_defaults(grants) for agent in self._config.agents}
        self._shown = GameProgress(progress, self._agents)
        self._retry = frozenset(retry)
        self._retried = {index for index, record in ledger.records.items() if record.agent_at_fault in self._retry}
        """Games to play again, though they have a line."""
        self._failed: set[int] = set()
        """Games that could not be played this time: no line was written, and they are still wanted."""
        self._told_excluded: set[str] = set()
        self._numbers = {index: record.game for index, record in ledger.records.items()}
        self._next_number = ledger.last_number + 1

    def begin(self, versions_before: Mapping[str, str]) -> None:
        """Tell what has changed since the last start."""
        for record in self.ledger.records.values():
            self._shown.add(record)
        for name in sorted(self._retry):
            count = sum(self.ledger.records[index].agent_at_fault == name for index in self._retried)
            again = f"plays {counted(count, 'game')} again that it lost by faults"
            self._progress.say(f"{escaped(name)} {again if count else 'has lost no game by a fault'}")
        for name, version in self._schedule.versions.items():
            old = versions_before.get(name, version)
            if old != version:
                games = self.ledger.other_versions[name, old]
                kept = f", whose {counted(games, 'game is', 'games are')} kept and not counted" if games else ""
                self._progress.say(f"{escaped(name)}: version {version} replaces version {old}{kept}")
        self._tell_excluded()

    @property
    def has_more(self) -> bool:
        """Return whether there are games to play."""
        return not self.stop.is_asked and next(self._games_left(), None) is not None

    def play(self, executor: Executor, play: PlayGame) -> None:
        """Play the games that are left. Raises ArenaError if no more can be played."""
        try:
            for setup, future in run_jobs(executor, play, self._setups()):
                error = future.exception()
                if error is None:
                    self._finish(future.result())
                elif isinstance(error, BrokenExecutor):
                    one, two = map(escaped, setup.key.agents)
                    raise errors.WorkerLostError(f"the process of game {setup.game} between {one} and {two} died")
                elif isinstance(error, errors.WorkerLostError) or is_lost_worker(error):
                    self._fail(setup, f"{error}, twice")
                else:
                    self._fail(setup, f"{type(error).__name__}: {error}")
        except SchedulerLostError as error:
            raise errors.ArenaError(f"{error}; the same command resumes the run") from error

    def _games_left(self) -> Iterator[int]:
        """Give the games to begin: first those to play again, then the others in the order of the schedule."""
        for index in sorted(self._retried):
            excluded = self.ledger.exclusions.keys() & set(self._schedule.pairing(index))
            if index in self._retried and excluded <= self._retry.difference(self._config.disqualified):
                yield index
        for index in range(len(self._schedule)):
            # A sequential test looks at the games in their order: nothing after a missing game counts.
            if self.ledger.is_decided or (self._config.sprt is not None and self._failed):
                return
            if index not in self.ledger.records and index not in self._failed and not self.ledger.is_excluded(index):
                yield index

    def _setups(self) -> Iterator[GameSetup]:
        """Give the games to start, one at a time."""
        for index in self._games_left():
            if self.stop.is_asked:
                return
            yield self._new_setup(index)

    def _new_setup(self, index: int) -> GameSetup:
        number = self._numbers.setdefault(index, self._next_number)
        self._next_number = max(self._next_number, number + 1)
        key = self._schedule[index]
        return GameSetup(
            game=number,
            key=key,
            width=self._config.width,
            height=self._config.height,
            seed=self._config.seed,
            agents=(self._agents[key.agents[0]], self._agents[key.agents[1]]),
            adjudicate=self._config.adjudicate,
        )

    def _finish(self, record: GameRecord) -> None:
        """Write a game down."""
        self._journal.append(record)
        self.ledger.add(record)
        self._retried = {index for index in self._retried if self._numbers[index] != record.game}
        self._shown.add(record)
        self._shown.show(record, self.done)
        self._tell_excluded()

    def _fail(self, setup: GameSetup, reason: str) -> None:
        """Tell that a game could not be played; it is still wanted, and the run continues without it."""
        failed = {index for index, number in self._numbers.items() if number == setup.game}
        self._failed |= failed
        self._retried -= failed
        one, two = map(escaped, setup.key.agents)
        message = f"game {setup.game} between {one} and {two} could not be played, and is still wanted: {reason}"
        if len(self.failures) < MAX_FAILURES:
            self.failures.append(message)
        self._progress.say(message)

    def _tell_excluded(self) -> None:
        """Report each newly excluded agent once."""
        for name, exclusion in self.ledger.exclusions.items():
            if name not in self._told_excluded:
                left = counted(self.ledger.count_open(name), "remaining game is", "remaining games are")
                self._progress.say(f"{escaped(name)} is {exclusion.reason}; its {left} lost without being played")
        self._told_excluded = set(self.ledger.exclusions)

    @property
    def done(self) -> int:
        """The number of games that need not be played any more."""
        return len(self._schedule) - self.ledger.not_finished - len(self._retried)
