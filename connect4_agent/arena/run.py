"""The state of a run: which of its wanted games are played, and who is out; one reading for everybody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from connect4_agent import errors
from connect4_agent.arena.config import RunConfig
from connect4_agent.arena.description import DESCRIPTION_NAME, RunDescription, read_description, read_run_openings
from connect4_agent.arena.exclusions import Exclusions, Out
from connect4_agent.arena.faults import Ending
from connect4_agent.arena.journal import JOURNAL_NAME, Place, open_journal, read_places, without_checksum
from connect4_agent.arena.judged_moves import Judgements, read_judgements, with_judgement
from connect4_agent.arena.record import GameKey, GameRecord
from connect4_agent.arena.schedule import Schedule
from connect4_agent.arena.statistics.sprt import UNDECIDED, SprtBounds, SprtState, sprt, sprt_words
from connect4_agent.text import escaped

Say = Callable[[str], None]


@dataclass(frozen=True)
class RunState:
    """A run as its folder shows it, or as it is while it goes on."""

    config: RunConfig
    versions: Mapping[str, str]
    """The present version of every agent."""
    out: Mapping[str, Out]
    """The agents that play no more, and why."""
    records: Sequence[GameRecord]
    """The games that count: wanted, of the present versions, one for each key, in the order of the schedule.

    Games that were lost on time and are to be continued or played again are among them; so are void games.
    """
    lost: Sequence[GameKey]
    """Wanted games that are not played because one agent is out, or both are."""
    to_play: int
    """Wanted games that the next start would play, play again or continue."""
    aside: int
    """Games in the journal that do not count: of old versions, of agents that were withdrawn, from other openings."""
    sprt: SprtState | None = None
    """The sequential test of the first agent against the second, over the games up to the first unfinished one."""
    notes: Sequence[str] = ()
    """What was found while the files were read, such as an incomplete last line."""

    @property
    def sprt_words(self) -> str:
        """What the sequential test has found; empty if there is none."""
        if self.sprt is None or self.config.sprt is None:
            return ""
        bounds = SprtBounds(*self.config.sprt)
        words = sprt_words(escaped(self.config.agents[0].name), bounds, self.sprt.verdict)
        return f"sequential test of {bounds.elo0:+g} against {bounds.elo1:+g} Elo: {words}"


class Standing(Enum):
    """How far a wanted game is."""

    FINAL = "final"
    DUE = "due"
    """It was lost on time, and is to be continued."""
    AGAIN = "again"
    """It is void, or was lost on time under other limits than the present ones: it is to be played again."""


class _Game(NamedTuple):
    """What is kept of a game that was played."""

    number: int
    place: Place
    standing: Standing
    is_void: bool
    half_points: int
    """Of the agent that its pairing names first."""


class Ledger:
    """Which of a schedule's games are played: what the journal holds, and what is added to it."""

    def __init__(self, schedule: Schedule, description: RunDescription) -> None:
        self.schedule = schedule
        self.last_number = 0
        self.aside = 0
        self.aside_of: Counter[tuple[str, str]] = Counter()
        """The games that do not count, by the agent and its version."""
        self._exclusions = Exclusions(
            [name for name in description.disqualified if name in schedule.agents], description.retries
        )
        self._games: dict[int, _Game] = {}
        self._open = dict.fromkeys(schedule.pairings, schedule.config.games)
        """How many games of every pairing are not finished."""
        self._bounds = None if schedule.config.sprt is None else SprtBounds(*schedule.config.sprt)
        self._pairs: Counter[int] = Counter()
        self.sprt: SprtState | None = None
        self._limits = {name: agent.time_limits for name, agent in schedule.agents.items()}

    @property
    def out(self) -> Mapping[str, Out]:
        """The agents that play no more."""
        return self._exclusions.out

    def add(self, record: GameRecord, place: Place) -> int | None:
        """Take a game of the journal into account; its place in the schedule, or None if it does not count.

        Raises RunFolderError if another game has the same key.
        """
        self.last_number = max(self.last_number, record.game)
        index = self.schedule.place_of(record.key)
        if index is None:
            self.aside += 1
            self.aside_of.update(zip(record.agents, record.key.versions, strict=True))
            return None
        before = self._games.get(index)
        if before is not None and before.number != record.game:
            raise errors.RunFolderError(f"game {record.game} is the same game as game {before.number}")
        if (record.width, record.height) != (self.schedule.config.width, self.schedule.config.height):
            raise errors.RunFolderError(f"game {record.game} has a board of {record.width} x {record.height}")
        standing = self._standing(record)
        first = self.schedule.pairing(index)[0]
        half_points = 1 if record.winner is None else 2 * (record.agents[record.winner - 1] == first)
        self._games[index] = _Game(record.game, place, standing, record.ending is Ending.VOID, half_points)
        if standing is Standing.FINAL:
            self._open[self.schedule.pairing(index)] -= 1
            self._exclusions.add(index, record)
            if self._bounds is not None:
                self._test(self._bounds)
        return index

    def _test(self, bounds: SprtBounds) -> None:
        """Look at the pairs of games in their order, one at a time, until a bound is crossed."""
        while not self.is_decided:
            games = [self._games.get(2 * self._pairs.total() + second) for second in (0, 1)]
            if any(game is None or game.standing is not Standing.FINAL for game in games):
                return
            self._pairs[sum(game.half_points for game in games if game is not None)] += 1
            self.sprt = sprt([self._pairs[points] for points in range(5)], bounds)

    @property
    def is_decided(self) -> bool:
        """Whether a sequential test has come to its end."""
        return self.sprt is not None and self.sprt.verdict != UNDECIDED

    def _standing(self, record: GameRecord) -> Standing:
        if record.ending is Ending.VOID:
            return Standing.AGAIN
        if record.ending is Ending.TIMED_OUT and record.fault is not None:
            player = record.fault.player
            if record.limits[player - 1] != self._limits[record.agents[player - 1]]:
                return Standing.AGAIN
        return Standing.DUE if record.is_due else Standing.FINAL

    def standing(self, index: int) -> Standing | None:
        """How far a game is; None if it was not played."""
        game = self._games.get(index)
        return None if game is None else game.standing

    def number(self, index: int) -> int | None:
        """The number of a game that was begun before."""
        game = self._games.get(index)
        return None if game is None else game.number

    def is_out(self, index: int) -> bool:
        """Whether an agent of a game is out."""
        return not self.out.keys().isdisjoint(self.schedule.pairing(index))

    @property
    def to_play(self) -> int:
        """How many games the next start would play."""
        return 0 if self.is_decided else self.not_finished

    @property
    def not_finished(self) -> int:
        """How many games are not finished, and both of their agents play."""
        return sum(games for names, games in self._open.items() if self.out.keys().isdisjoint(names))

    def left_of(self, name: str) -> int:
        """How many games of an agent are not finished."""
        return sum(games for names, games in self._open.items() if name in names)

    def state(self, run: Path, judgements: Judgements, notes: Sequence[str] = ()) -> RunState:
        """What is known now."""
        out = dict(self.out)
        counted = [
            game.place for index, game in sorted(self._games.items()) if not (game.is_void and self.is_out(index))
        ]
        lost = [
            self.schedule[index]
            for index in (range(len(self.schedule)) if out else ())
            if self.is_out(index) and ((game := self._games.get(index)) is None or game.is_void)
        ]
        return RunState(
            config=self.schedule.config,
            versions=self.schedule.versions,
            out=out,
            records=Records(run, counted, judgements),
            lost=lost,
            to_play=self.to_play,
            sprt=self.sprt,
            aside=self.aside,
            notes=tuple(notes),
        )


class Records(Sequence[GameRecord]):
    """The games of a journal at some places, read when they are asked for."""

    def __init__(self, run: Path, places: Sequence[Place], judgements: Judgements) -> None:
        self._run = run
        self._places = places
        self._judgements = judgements

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[GameRecord]:
        return self._read(self._places)

    def __getitem__(self, index: int) -> GameRecord:  # type: ignore[override]  # nobody needs slices
        return next(self._read([self._places[index]]))

    def _read(self, places: Sequence[Place]) -> Iterator[GameRecord]:
        with open_journal(self._run) as file:
            for start, length in places:
                file.seek(start)
                try:
                    record = GameRecord.model_validate_json(without_checksum(file.read(length)))
                except ValueError:
                    path = self._run / JOURNAL_NAME
                    raise errors.RunFolderError(f"{path} was changed by somebody else while it was read") from None
                yield with_judgement(record, self._judgements)


def read_run(run: Path, note: Say, bad_line: Say | None = None) -> RunState:
    """The state of the run in a folder, which may be in progress. Raises RunFolderError.

    Lines that do not hold are given to `bad_line` and left out; without that, they raise RunFolderError.
    """
    notes: list[str] = []

    def keep(text: str) -> None:
        notes.append(text)
        note(text)

    with open_journal(run):  # says best what is not a run
        pass
    description = read_description(run)
    if description is None:
        raise errors.RunFolderError(f"{str(run)!r} is not a run folder: it has no {DESCRIPTION_NAME}")
    openings = read_run_openings(run, description.config)
    ledger = Ledger(Schedule(description.config, description.versions, openings), description)
    for _ in read_into(ledger, run, keep, bad_line):
        pass
    return ledger.state(run, read_judgements(run, keep), notes)


def read_into(ledger: Ledger, run: Path, note: Say, bad_line: Say | None = None) -> Iterator[tuple[int, GameRecord]]:
    """Take the games of a run's journal into account; those that count, with their places in the schedule.

    Raises RunFolderError, unless bad lines are wanted.
    """
    waiting: dict[int, tuple[GameRecord, Place]] = {}
    """Games that a later line may replace."""

    def final_lines() -> Iterator[tuple[GameRecord, Place]]:
        for record, place in read_places(run, note, bad_line):
            waiting.pop(record.game, None)
            if record.may_be_replaced:
                waiting[record.game] = record, place
            else:
                yield record, place
        yield from waiting.values()

    for record, place in final_lines():
        try:
            index = ledger.add(record, place)
        except errors.RunFolderError as error:
            if bad_line is None:
                raise
            bad_line(f"{run / JOURNAL_NAME}: {error}")
            continue
        if index is not None:
            yield index, record
