"""The tournament: plays the wanted games of a run that its journal does not hold yet."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from connect4_agent import errors
from connect4_agent.arena import referee
from connect4_agent.arena.config import RunConfig, is_openings_file
from connect4_agent.arena.confinement import choose_isolation, isolation_line
from connect4_agent.arena.description import (
    RunDescription,
    read_description,
    read_run_openings,
    write_description,
    write_run_openings,
)
from connect4_agent.arena.faults import Ending
from connect4_agent.arena.journal import Journal, read_games
from connect4_agent.arena.judged_moves import read_judgements
from connect4_agent.arena.openings import make_openings
from connect4_agent.arena.progress import GameProgress
from connect4_agent.arena.record import GameRecord, Opening, Replay
from connect4_agent.arena.referee import LocalGames, play_locally, play_with_own_worker, play_with_worker
from connect4_agent.arena.run import Ledger, RunState, Standing, read_into
from connect4_agent.arena.schedule import GameSetup, Schedule
from connect4_agent.arena.spec import Isolation
from connect4_agent.arena.versions import find_version, missing_part
from connect4_agent.arena.worker import Workers
from connect4_agent.engine.players.player import Player
from connect4_agent.jobs.executor import (
    Executor,
    InThread,
    JobNotBegunError,
    SchedulerLostError,
    for_computing,
    in_processes,
    in_threads,
    is_lost_worker,
    on_dask,
    run_jobs,
)
from connect4_agent.jobs.interrupts import Stop, stop_on_interrupt
from connect4_agent.jobs.progress import Progress
from connect4_agent.text import counted, escaped

CONFIRMED_TIME_OUTS = 2
"""After that many time-outs of an agent that a continued game has confirmed, its others are final at once."""

MAX_FAILURES = 10
"""How many reasons why games could not be played are kept."""

STOPPING = "Stopping: games that have begun are played to their end. Ctrl-C again kills them."

PlayGame = Callable[[GameSetup], GameRecord]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run did this time."""

    wanted: int
    state: RunState
    was_stopped: bool
    failures: tuple[str, ...]
    """Why games could not be played though no agent is known to be at fault; a few of the reasons."""

    @property
    def finished(self) -> int:
        """The games that need not be played any more, those of earlier times and of agents that are out too."""
        return self.wanted - self.state.to_play


def run_tournament(
    config: RunConfig,
    folder: Path,
    progress: Progress,
    jobs: int = 1,
    dask_address: str | None = None,
    *,
    players: Mapping[str, Player] | None = None,
    handles_interrupts: bool = True,
    disqualify: Sequence[str] = (),
    retry: Sequence[str] = (),
) -> Outcome:
    """Play all wanted games that the folder's journal does not hold. Raises ArenaError.

    `players` are the agents that are Python objects, by name. If interrupts are not handled, Ctrl-C raises
    KeyboardInterrupt, as it does in Python programs. The remaining games of the agents to disqualify are lost without
    being played; those to retry play on.
    """
    players = players or {}
    _check(config, players, [*disqualify, *retry])
    programs = [agent for agent in config.agents if agent.is_program]
    for agent in programs if dask_address is None else ():
        if (missing := missing_part(agent)) is not None:
            raise errors.AgentError(f"agent {agent.name!r} cannot play: {missing}")
    isolation = None
    if programs:
        isolation = choose_isolation(config.isolation)
        for agent in programs:
            choose_isolation(agent.isolation)
    if dask_address is not None:
        on_dask(dask_address).close()  # a cluster that is not there is no reason to make a folder
    games = _Games(bool(programs), players, jobs, dask_address)
    openings = _openings(config, folder)
    with games, Journal(folder, progress.say) as journal:
        run = _Run(config, openings, isolation, journal, progress)
        run.begin(retry, disqualify)
        if isolation is not None:
            progress.say(isolation_line(isolation, is_default=config.isolation is None))
        progress.begin(len(run.schedule), run.done)
        with stop_on_interrupt(run.stop, STOPPING) if handles_interrupts else nullcontext():
            while run.has_more:
                run.play(games)
                run.continue_due_games(games)
        journal.check_in_place()
        state = run.state()
        wanted = len(state.records) if run.ledger.is_decided else len(run.schedule)
        return Outcome(wanted, state, run.stop.is_asked, tuple(run.failures))


def _check(config: RunConfig, players: Mapping[str, Player], named: Sequence[str]) -> None:
    """Raise ArenaError if an agent is named that does not take part, or cannot play here."""
    names = [agent.name for agent in config.agents]
    if unknown := [name for name in named if name not in names]:
        raise errors.ArenaError(f"there is no agent {unknown[0]!r}; the agents are {', '.join(names)}")
    for agent in config.agents:
        if agent.python is not None and agent.name not in players:
            raise errors.AgentError(
                f"agent {agent.name!r} is a Python object ({agent.python}): only a Python program that has it can play"
            )


def _openings(config: RunConfig, folder: Path) -> tuple[Opening, ...]:
    """The openings of the run; those that it has found before are not looked for again."""
    before = read_description(folder)
    if before is not None:
        size, size_before = ((each.width, each.height) for each in (config, before.config))
        if size != size_before:
            raise errors.RunFolderError(
                f"{folder} holds games on {size_before[0]} columns and {size_before[1]} rows, not on {size[0]} and "
                f"{size[1]}: give another folder with --out"
            )
        if (before.config.openings, before.config.seed) == (config.openings, config.seed) and not is_openings_file(
            config.openings
        ):
            try:
                return read_run_openings(folder, config)
            except errors.RunFolderError:  # they are found again
                pass
    return make_openings(config.openings, config.seed, config.width, config.height)


class _Games:
    """Where the games of a run are played; leaving the `with` block ends what plays them.

    Programs play below workers, one for each game at a time. Python objects play in this process, or in processes to
    which they are sent. Games between built-in players need neither.
    """

    def __init__(self, has_programs: bool, players: Mapping[str, Player], jobs: int, dask_address: str | None) -> None:
        self._players = players
        self._jobs = jobs
        self._dask_address = dask_address
        self._workers = Workers()
        self._uses_workers = has_programs and not players
        self._local = LocalGames(players)
        self._play_here: PlayGame = self._local.play if jobs == 1 else partial(play_locally, players)
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
            play = play_with_own_worker if self._uses_workers else partial(play_locally, self._players)
            self._executor = on_dask(self._dask_address)
        elif self._uses_workers:
            play = partial(play_with_worker, self._workers)
            self._executor = InThread() if self._jobs == 1 else in_threads(self._jobs)
        else:
            self._executor = for_computing(self._jobs, None)
        return self._executor, play

    def play_alone(self, setup: GameSetup) -> GameRecord:
        """Play one game while nothing else runs. Raises WorkerLostError."""
        self._renew()
        if self._uses_workers:
            return play_with_worker(self._workers, setup)
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
        self._workers = Workers()

    def close(self) -> None:
        """End the workers and processes."""
        self._workers.close()  # first: what waits for them ends as well
        executor, self._executor = self._executor, None
        if executor is not None:
            executor.close()
        self._local.close()

    def __enter__(self) -> _Games:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Run:
    """A run in progress. Of a finished game it keeps only its place, and all of a game that is due."""

    def __init__(
        self,
        config: RunConfig,
        openings: tuple[Opening, ...],
        isolation: Isolation | None,
        journal: Journal,
        progress: Progress,
    ) -> None:
        self.stop = Stop()
        self.failures: list[str] = []
        self._config = config
        self._openings = openings
        grants = config.model_copy(update={"isolation": config.isolation or isolation})
        self._agents = {agent.name: agent.with_defaults(grants) for agent in config.agents}
        self._journal = journal
        self._progress = progress
        self._failed: set[int] = set()
        self._has_lost_process = False
        self._due: dict[int, GameRecord] = {}
        """Games that were lost on time, and are to be continued."""
        self._late: dict[int, set[int]] = {}
        """The player numbers that have lost each of these games on time once."""
        self._confirmed: Counter[str] = Counter()
        self._missing: dict[str, str] = {}
        """Agents whose programs have vanished, and what of them; they do not play until the next start."""
        self._told_out: set[str] = set()
        self._next_number = 1

    # ---- the beginning and the end -----------------------------------------------------------------------------------

    def begin(self, retry: Sequence[str], disqualify: Sequence[str]) -> None:
        """Take over what earlier runs have played, and keep the description beside the games."""
        folder = self._journal.folder
        before = read_description(folder)
        if before is None and not self._journal.is_empty:
            raise errors.RunFolderError(f"{folder} holds games, but no description that says whose")
        versions = {agent.name: find_version(agent) for agent in self._config.agents}
        retries = dict(before.retries) if before is not None else {}
        if retry:
            last = max((record.game for record in read_games(folder, self._progress.say)), default=0)
            retries |= dict.fromkeys(retry, last)
        out = before.disqualified if before is not None else ()
        disqualified = dict.fromkeys([*(name for name in out if name not in retry), *disqualify])
        self._description = RunDescription(
            config=self._config, versions=versions, retries=retries, disqualified=tuple(disqualified)
        )
        self._read_journal()
        write_run_openings(folder, self._openings)
        write_description(folder, self._description)
        if before is not None:
            self._tell_versions(before.versions)
        self._tell_out()

    def _read_journal(self) -> None:
        self.schedule = Schedule(self._config, self._description.versions, self._openings)
        self.ledger = Ledger(self.schedule, self._description)
        self._shown = GameProgress(self._progress, self._agents)
        for index, record in read_into(self.ledger, self._journal.folder, self._progress.say):
            self._count(index, record)
        self._next_number = self.ledger.last_number + 1

    def _tell_versions(self, before: Mapping[str, str]) -> None:
        for name, version in self._description.versions.items():
            old = before.get(name, version)
            if old != version:
                games = self.ledger.aside_of[name, old]
                aside = f", whose {counted(games, 'game is', 'games are')} kept aside" if games else ""
                self._progress.say(f"{escaped(name)}: version {version} replaces version {old}{aside}")

    def state(self) -> RunState:
        """The run as it is now."""
        return self.ledger.state(self._journal.folder, read_judgements(self._journal.folder, self._progress.say))

    # ---- games -------------------------------------------------------------------------------------------------------

    @property
    def has_more(self) -> bool:
        """Whether there are games to play or to continue."""
        if self.stop.is_asked or self.ledger.is_decided:
            return False
        return next(self._games_left(), None) is not None or any(map(self._plays, self._due))

    def play(self, games: _Games) -> None:
        """Play the games that are left, and once more those during which a process died."""
        while not self.stop.is_asked and next(self._games_left(), None) is not None:
            executor, play = games.executor()
            self._has_lost_process = False
            to_play_before, interrupted = self.ledger.to_play, []
            try:
                for setup, future in run_jobs(executor, play, self._setups()):
                    error = future.exception()
                    if error is None:
                        self._finish(future.result())
                    elif isinstance(error, errors.WorkerLostError) or (games.is_cluster and is_lost_worker(error)):
                        self._void(setup, f"{error}, twice")
                    elif is_lost_worker(error):
                        self._has_lost_process = True
                        if not isinstance(error, JobNotBegunError):
                            interrupted.append(setup)
                    else:
                        self._void(setup, f"{type(error).__name__}: {error}")
            except SchedulerLostError as error:
                raise errors.ArenaError(f"{error}; the same command resumes the run") from error
            if self._has_lost_process and not interrupted and self.ledger.to_play == to_play_before:
                raise errors.WorkerLostError("processes die before they begin a game; the games played are not lost")
            for setup in interrupted:
                self._play_alone(games, setup)

    def _play_alone(self, games: _Games, setup: GameSetup) -> None:
        if self.stop.is_asked:
            return
        try:
            self._finish(games.play_alone(setup))
        except errors.WorkerLostError as error:
            self._void(setup, f"{error}, twice")

    def continue_due_games(self, games: _Games) -> None:
        """Continue games that were lost on time, one at a time, now that nothing else runs."""
        for index in sorted(self._due):
            if self.stop.is_asked:
                return
            record = self._due[index]
            assert record.fault is not None
            if not self._plays(index):
                continue
            if self._is_known_late(record.agents[record.fault.player - 1]):
                self._finish(record.model_copy(update={"replay": None}))
            else:
                self._progress.say(f"game {record.game} is continued from the position in which the time ran out")
                self._play_alone(games, self._setup(index, record))

    def _plays(self, index: int) -> bool:
        """Whether a game is to be played at this start: its agents are there and not out, and it has not failed."""
        return (
            index not in self._failed
            and not self.ledger.is_out(index)
            and self._missing.keys().isdisjoint(self.schedule.pairing(index))
        )

    def _games_left(self) -> Iterator[int]:
        """The games to begin. A sequential test looks at the games in their order, so those that are due come first."""
        for index in range(len(self.schedule)):
            if self.ledger.is_decided or (self._config.sprt and any(map(self._plays, self._due))):
                return
            if self.ledger.standing(index) in (None, Standing.AGAIN) and self._plays(index):
                yield index

    def _setups(self) -> Iterator[GameSetup]:
        """The games to start, one at a time."""
        for index in self._games_left():
            if self.stop.is_asked or self._has_lost_process:
                return
            yield self._setup(index)

    def _setup(self, index: int, before: GameRecord | None = None) -> GameSetup:
        number = self.ledger.number(index)
        if number is None:
            number = self._next_number
            self._next_number += 1
        key = self.schedule[index]
        return GameSetup(
            game=number,
            key=key,
            width=self._config.width,
            height=self._config.height,
            seed=self._config.seed,
            agents=(self._agents[key.agents[0]], self._agents[key.agents[1]]),
            adjudicate=self._config.adjudicate,
            before=before,
        )

    def _is_known_late(self, agent: str) -> bool:
        return self._confirmed[agent] >= CONFIRMED_TIME_OUTS

    def _finish(self, record: GameRecord) -> None:
        """Write a game down; one that was lost on time is due if the machine may have been the reason."""
        if self._has_vanished(record):
            return
        if self._may_be_the_machine(record):
            record = record.model_copy(update={"replay": Replay.DUE})
        place = self._journal.append(record)
        index = self.ledger.add(record, place)
        assert index is not None  # it was scheduled
        self._count(index, record)
        self._shown.show(record, self.done)
        self._tell_out()

    def _has_vanished(self, record: GameRecord) -> bool:
        """Whether a program did not start because it is no longer there: that is not its fault."""
        if record.ending is not Ending.WOULD_NOT_START or record.fault is None:
            return False
        name = record.agents[record.fault.player - 1]
        missing = missing_part(self._agents[name])
        if missing is not None and name not in self._missing:
            self._missing[name] = missing
            message = f"{escaped(name)} does not play on: {missing}. Its games are not lost; the next start plays them"
            self._progress.say(message)
            self.failures.append(message)
        return missing is not None

    def _may_be_the_machine(self, record: GameRecord) -> bool:
        if record.ending is not Ending.TIMED_OUT or record.fault is None:
            return False
        is_first = record.fault.player not in self._late.get(record.game, ())
        return is_first and not self._is_known_late(record.agents[record.fault.player - 1])

    def _count(self, index: int, record: GameRecord) -> None:
        standing = self.ledger.standing(index)
        if standing is Standing.DUE:
            assert record.fault is not None
            self._due[index] = record
            self._late.setdefault(record.game, set()).add(record.fault.player)
            return
        self._due.pop(index, None)
        if standing is not Standing.FINAL:
            return
        self._shown.add(record)
        if record.ending is Ending.TIMED_OUT and record.replay is Replay.CONTINUED and record.fault is not None:
            name = record.agents[record.fault.player - 1]
            self._confirmed[name] += record.game > self._description.retries.get(name, 0)

    def _tell_out(self) -> None:
        """Say it once, and always, when an agent is put out."""
        for name in self.ledger.out.keys() - self._told_out:
            out = self.ledger.out[name]
            why = "disqualified" if out.kind == "disqualified" else f"paused after {out.reason}"
            self._progress.say(
                f"{escaped(name)} is {why}; its {self.ledger.left_of(name)} remaining games count as lost. "
                f"To let it play on: --retry {shlex.quote(escaped(name))}"
            )
        self._told_out = set(self.ledger.out)

    @property
    def done(self) -> int:
        """How many games need not be played any more."""
        return len(self.schedule) - self.ledger.not_finished

    def _void(self, setup: GameSetup, reason: str) -> None:
        """Write down that a game could not be played: nobody's known fault, so the run continues without it."""
        index = self.schedule.place_of(setup.key)
        assert index is not None  # it was scheduled
        self._failed.add(index)
        if setup.before is None:  # what is due stays so
            record = referee.void_game(setup, reason)
            self.ledger.add(record, self._journal.append(record))
        one, two = map(escaped, setup.key.agents)
        message = f"game {setup.game} between {one} and {two} is void: {reason}"
        if len(self.failures) < MAX_FAILURES:
            self.failures.append(message)
        self._progress.say(message)
