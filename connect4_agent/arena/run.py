"""A run: its description, the games that it wants, the games that are played, and the agents that are excluded."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import orjson
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from connect4_agent import errors
from connect4_agent.arena.config import RunConfig
from connect4_agent.arena.journal import JOURNAL_NAME, Say, cannot_write, open_in_run, read_lines
from connect4_agent.arena.judged_moves import Judgements, can_be_judged, read_judgements, with_judgement
from connect4_agent.arena.record import GameKey, GameRecord, Opening
from connect4_agent.arena.schedule import Names, Schedule
from connect4_agent.arena.spec import StartForm, explain
from connect4_agent.arena.statistics.sprt import UNDECIDED, SprtBounds, SprtState, sprt, sprt_words
from connect4_agent.rules.position import Position
from connect4_agent.text import escaped

DESCRIPTION_NAME = "run.json"
OPENINGS_NAME = "openings.json"
"""The openings that games may begin with: those of a file may be gone."""

ENTRIES_NAME = "entries.json"

FAULTS_IN_A_ROW = 3
"""The number of games in a row lost by faults, in the order of the schedule, that pause an agent."""

BY_THE_ORGANISER = "disqualified by the organiser"

Value = TypeVar("Value")


# ---- files beside the journal ----------------------------------------------------------------------------------------


class RunDescription(BaseModel):
    """A run as it was described when it was last started: run.json."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    config: RunConfig
    versions: dict[str, str]
    """The version of every agent, by name."""


def read_description(run: Path) -> RunDescription | None:
    """Read the description of the run in a folder; None if there is none. Raises RunFolderError."""
    if not os.path.lexists(run / DESCRIPTION_NAME):
        return None
    description = read_document(run, DESCRIPTION_NAME, RunDescription.model_validate)
    names = [agent.name for agent in description.config.agents]
    if missing := [name for name in names if name not in description.versions]:
        raise errors.RunFolderError(f"{run / DESCRIPTION_NAME} cannot be used: versions: {missing[0]!r} has no version")
    return description


def read_run_openings(run: Path, config: RunConfig) -> tuple[Opening, ...]:
    """Read the openings of a run. Raises RunFolderError."""

    def checked(document: Any) -> tuple[Opening, ...]:
        openings = tuple(map(tuple, document))
        for opening in openings:
            Position(config.width, config.height).after(opening)
        if not openings:
            raise ValueError("it has no openings")
        return openings

    return read_document(run, OPENINGS_NAME, checked)


def read_document(run: Path, name: str, checked: Callable[[Any], Value]) -> Value:
    """Read a JSON file of a run, and check it. Raises RunFolderError."""
    try:
        with open_in_run(run, name) as file:
            return checked(orjson.loads(file.read()))
    except OSError as error:
        raise errors.RunFolderError(f"{run / name} cannot be read: {error.strerror}") from None
    except ValidationError as error:
        raise errors.RunFolderError(f"{run / name} cannot be used: {explain(error)}") from None
    except (ValueError, TypeError, errors.Connect4Error) as error:
        raise errors.RunFolderError(f"{run / name} cannot be used: {error}") from None


def write_description(run: Path, description: RunDescription) -> None:
    """Write the description of a run. Raises RunFolderError."""
    write_document(run / DESCRIPTION_NAME, description.model_dump(mode="json"), orjson.OPT_INDENT_2)


def write_run_openings(run: Path, openings: tuple[Opening, ...]) -> None:
    """Write the openings of a run. Raises RunFolderError."""
    write_document(run / OPENINGS_NAME, openings)


def write_document(path: Path, document: Any, layout: int = 0) -> None:
    """Write a JSON document, the whole of it or nothing. Raises RunFolderError."""
    temporary = path.with_suffix(".tmp")
    try:
        temporary.write_bytes(orjson.dumps(document, option=layout | orjson.OPT_APPEND_NEWLINE))
        temporary.replace(path)
    except OSError as error:
        raise cannot_write(path, error) from None


@dataclass(frozen=True, slots=True)
class Entry:
    """A program that lies in a folder of entries, in one version, with the result of its check."""

    name: str
    version: str
    """A fingerprint of the files that were handed in; empty if they could not be copied."""
    terms: str
    """The limits and the board of the check."""
    is_ready: bool = False
    problem: str = ""
    """Why it plays nothing, and what to do about it; a remark on an entry that is ready."""
    runs: str = ""
    """The command line, with the path of its interpreter."""
    start: StartForm = StartForm.BARE
    check: Sequence[str] = ()
    """The check as lines of text."""
    is_present: bool = False
    """False for an earlier version, and for an entry that is no longer in the folder."""


def read_entries(run: Path) -> list[Entry]:
    """Read the entries of a run, present and earlier ones; none if it is not one of a folder. Raises RunFolderError."""
    if not os.path.lexists(run / ENTRIES_NAME):
        return []
    return read_document(run, ENTRIES_NAME, TypeAdapter(list[Entry]).validate_python)


# ---- the state -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Exclusion:
    """An agent whose remaining games are lost without being played."""

    agent: str
    reason: str = BY_THE_ORGANISER
    since: int | None = None
    """The game that paused the agent; None for an agent that the organiser has disqualified."""

    @property
    def status(self) -> str:
        """The exclusion in a word."""
        return "disqualified" if self.since is None else "paused"


@dataclass(frozen=True)
class RunState:
    """A run as its folder shows it, or while it is played."""

    config: RunConfig
    versions: Mapping[str, str]
    """The present version of every agent."""
    exclusions: Mapping[str, Exclusion]
    """The excluded agents, by name."""
    records: Sequence[GameRecord]
    """The games that count: wanted, of the present versions, one for each key, in the order of the schedule."""
    lost: Sequence[GameKey] = ()
    """Wanted games that are lost without being played, because one of their agents is excluded, or both are."""
    to_play: int = 0
    """Wanted games that the next start would play."""
    other_games: int = 0
    """Games in the journal that are not wanted: of old versions, of agents that were withdrawn, of other openings."""
    played_again: Mapping[str, int] = field(default_factory=dict)
    """The number of games that were played again after each of these agents had lost them by a fault."""
    sprt: SprtState | None = None
    """The sequential test of the first agent against the second, over the games up to the first unfinished one."""
    notes: Sequence[str] = ()
    """Remarks on the files, such as an incomplete last line."""
    entries: Sequence[Entry] = ()
    """The entries that lie in the folder now, if the run is one of a folder of programs."""

    def with_judgements(self, judgements: Judgements) -> RunState:
        """Return the state with what the solver found about the moves of its games."""
        return replace(self, records=[with_judgement(record, judgements) for record in self.records])

    def with_files(self, run: Path, note: Say) -> RunState:
        """Return the state with what the files beside the journal hold. Raises RunFolderError."""
        entries = [entry for entry in read_entries(run) if entry.is_present]
        return replace(self, entries=entries).with_judgements(read_judgements(run, note))

    @property
    def unjudged(self) -> list[GameRecord]:
        """The games that the solver could judge, and has not."""
        return [record for record in self.records if record.judged is None and can_be_judged(record)]

    @property
    def wanted(self) -> int:
        """The number of games that the run is to have; those that it has if its sequential test has stopped it."""
        if self.sprt is not None and self.sprt.verdict != UNDECIDED:
            return len(self.records) + len(self.lost)
        return self.config.game_count

    @property
    def finished(self) -> int:
        """The number of wanted games that need not be played any more."""
        return self.wanted - self.to_play

    @property
    def sprt_words(self) -> str:
        """The verdict of the sequential test in a sentence; empty if there is none."""
        if self.sprt is None or self.config.sprt is None:
            return ""
        bounds = SprtBounds(*self.config.sprt)
        words = sprt_words(escaped(self.config.agents[0].name), bounds, self.sprt.verdict)
        return f"sequential test of {bounds.elo0:+g} against {bounds.elo1:+g} Elo: {words}"


class Ledger:
    """The games of a schedule that are played: those that the journal holds, and those that are added to it."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self.last_number = 0
        self.other_games = 0
        self.other_versions: Counter[tuple[str, str]] = Counter()
        """The games that are not wanted, by the agent and its version."""
        self.played_again: Counter[str] = Counter()
        self.exclusions = {name: Exclusion(name) for name in schedule.config.disqualified}
        self.records: dict[int, GameRecord] = {}
        """The games that are played, by their indices in the schedule."""
        self._games_of: defaultdict[str, list[int]] = defaultdict(list)
        self._open: dict[Names, int] = dict.fromkeys(schedule.pairings, schedule.config.games)
        """The number of games of every pairing that are not finished."""
        self._bounds = None if schedule.config.sprt is None else SprtBounds(*schedule.config.sprt)
        self._pairs: Counter[int] = Counter()
        self.sprt: SprtState | None = None

    def add(self, record: GameRecord) -> None:
        """Take a line of the journal into account; it replaces an earlier one of the same game.

        Raises RunFolderError if the line cannot belong to this run.
        """
        config, index = self.schedule.config, self.schedule.find_index(record.key)
        before = None if index is None else self.records.get(index)
        if before is not None and before.game != record.game:
            raise errors.RunFolderError(f"game {record.game} is the same game as game {before.game}")
        if (record.width, record.height) != (config.width, config.height):
            raise errors.RunFolderError(f"game {record.game} has a board of {record.width} x {record.height}")
        self.last_number = max(self.last_number, record.game)
        if index is None:
            self.other_games += 1
            self.other_versions.update(zip(record.agents, record.key.versions, strict=True))
            return
        self.records[index] = record
        if before is None:
            self._open[self.schedule.pairing(index)] -= 1
            for name in record.agents:
                self._games_of[name].append(index)
        else:
            self.played_again[before.agent_at_fault or ""] += 1
            self._pairs.clear()
            self.sprt = None
        for name in record.agents:
            if name == record.agent_at_fault or name in self.exclusions:
                self._find_pause(name)
        if self._bounds is not None:
            self._test(self._bounds)

    def _find_pause(self, name: str) -> None:
        """Pause the agent if it has lost several games in a row by faults. A game that ends late may come between."""
        if name in self.schedule.config.disqualified:
            return
        self.exclusions.pop(name, None)
        in_a_row: list[GameRecord] = []
        for index in sorted(self._games_of[name]):
            record = self.records[index]
            in_a_row = [*in_a_row, record] if record.agent_at_fault == name else []
            if len(in_a_row) == FAULTS_IN_A_ROW:
                kinds = ", ".join(dict.fromkeys(each.ending for each in in_a_row))
                reason = f"paused after {FAULTS_IN_A_ROW} faults in a row ({kinds})"
                self.exclusions[name] = Exclusion(name, reason, record.game)
                return

    def _test(self, bounds: SprtBounds) -> None:
        """Look at the pairs of games in their order, one at a time, until a bound is crossed."""
        first = self.schedule.config.agents[0].name
        while not self.is_decided:
            at = 2 * self._pairs.total()
            if at not in self.records or at + 1 not in self.records:
                return
            winners = (self.records[index].winner_name for index in (at, at + 1))
            self._pairs[sum(1 if winner is None else 2 * (winner == first) for winner in winners)] += 1
            self.sprt = sprt([self._pairs[points] for points in range(5)], bounds)

    @property
    def is_decided(self) -> bool:
        """Return whether a sequential test has come to its end."""
        return self.sprt is not None and self.sprt.verdict != UNDECIDED

    def is_excluded(self, index: int) -> bool:
        """Return whether an agent of a game is excluded."""
        return not self.exclusions.keys().isdisjoint(self.schedule.pairing(index))

    @property
    def not_finished(self) -> int:
        """The number of wanted games that are not played, and none of whose agents is excluded."""
        return sum(games for names, games in self._open.items() if self.exclusions.keys().isdisjoint(names))

    def count_open(self, name: str) -> int:
        """Return how many games of an agent are not played."""
        return sum(games for names, games in self._open.items() if name in names)

    def state(self) -> RunState:
        """Return the state of the run as it is now."""
        indices = range(len(self.schedule)) if self.exclusions else ()
        return RunState(
            config=self.schedule.config,
            versions=self.schedule.versions,
            exclusions=dict(self.exclusions),
            records=[record for _, record in sorted(self.records.items())],
            lost=[self.schedule[each] for each in indices if each not in self.records and self.is_excluded(each)],
            to_play=0 if self.is_decided else self.not_finished,
            other_games=self.other_games,
            played_again=dict(self.played_again),
            sprt=self.sprt,
        )


def read_run(run: Path, bad_line: Say | None = None) -> RunState:
    """Read the run in a folder, which may be in progress. Raises RunFolderError.

    Lines of the journal that are not valid are given to `bad_line` and left out; without that, they raise
    RunFolderError.
    """
    notes: list[str] = []
    description = read_description(run)
    if description is None:
        reason = f"it has no {DESCRIPTION_NAME}" if os.path.isdir(run) else "no such folder"
        raise errors.RunFolderError(f"{str(run)!r} is not a run folder: {reason}")
    openings = read_run_openings(run, description.config)
    ledger = Ledger(Schedule(description.config, description.versions, openings))
    read_into(ledger, run, notes.append, bad_line)
    return replace(ledger.state().with_files(run, notes.append), notes=tuple(notes))


def read_into(ledger: Ledger, run: Path, note: Say, bad_line: Say | None = None) -> None:
    """Take the games of a run's journal into account. Raises RunFolderError as `read_run` does."""
    for number, record in read_lines(run, note, bad_line):
        try:
            ledger.add(record)
        except errors.RunFolderError as error:
            told = f"line {number} of {run / JOURNAL_NAME}: {error}"
            if bad_line is None:
                raise errors.RunFolderError(told) from None
            bad_line(told)
