"""Verification: replays every game of a run by the rules, and checks what its record says against its schedule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from connect4_agent import errors
from connect4_agent.arena.adjudication import adjudicated_winner, is_near_end
from connect4_agent.arena.run.journal import JOURNAL_NAME, open_journal, read_game
from connect4_agent.arena.run.record import Ending, GameRecord, ScheduledGame
from connect4_agent.arena.schedule import Schedule
from connect4_agent.rules.position import Position

MOST_PROBLEMS = 1000
"""How many lines that do not hold are named; more of them are only counted."""

FOUND_AT_ANY_TIME = (Ending.MALFORMED_REPLY, Ending.WOULD_NOT_START)
"""Faults that may show in the other one's turn: an answer too many, even after the last move, and a bad command."""


@dataclass(slots=True)
class Verified:
    """What was found in a journal."""

    scheduled: int
    holding: int = 0
    """Games that count and hold."""
    wrong: int = 0
    """Lines that do not hold."""
    problems: list[str] = field(default_factory=list)
    """Each names a line and what is wrong with it."""
    replayed: int = 0
    """Attempts that hold and do not count, since the machine was busy and the game was played again."""
    half_line: int | None = None
    """The number of a half-written last line; a resumed run drops it."""

    def add(self, number: int, problem: str) -> None:
        """One more line that does not hold."""
        self.wrong += 1
        if self.wrong <= MOST_PROBLEMS:
            self.problems.append(f"line {number}: {problem}")


def verify(run: Path, schedule: Schedule) -> Verified:
    """Check every line of a run's journal. Raises RunFolderError if there is none."""
    found = Verified(len(schedule))
    known: set[int] = set()
    attempts: Counter[int] = Counter()
    with open_journal(run) as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                found.half_line = number
                break
            try:
                record = read_game(line, number, run / JOURNAL_NAME, known)
            except errors.RunFolderError as error:
                found.add(number, str(error).partition(f"{JOURNAL_NAME}: ")[2])
                continue
            if not record.is_replayed:
                known.add(record.game)
            attempts[record.game] += 1
            problem = next(problems_of(record, schedule), None)
            if problem is None and record.attempt != attempts[record.game]:
                problem = f"it says attempt {record.attempt}, but it is number {attempts[record.game]} in the journal"
            if problem is None:
                found.holding += not record.is_replayed
                found.replayed += record.is_replayed
            else:
                found.add(number, f"game {record.game}: {problem}")
    return found


def problems_of(record: GameRecord, schedule: Schedule) -> Iterator[str]:
    """What does not hold in a record; nothing if all does."""
    if record.game >= len(schedule):
        yield f"only {len(schedule)} games are scheduled"
        return
    setup = schedule.setup(record.game)
    for name in ScheduledGame.model_fields:
        there, here = getattr(record, name), getattr(setup.scheduled, name)
        if there != here:
            yield f"{name} is {_shown(there)}; scheduled is {_shown(here)}"
            return
    if record.seed != setup.seed:
        yield f"seed is {record.seed}; that of the run is {setup.seed}"
    if record.columns[: len(record.opening)] != record.opening:
        yield f"columns begin with {_shown(record.columns[: len(record.opening)])}, not with the opening"
        return
    if len(record.times_ms) != len(record.columns) - len(record.opening):
        moves = len(record.columns) - len(record.opening)
        yield f"there are {len(record.times_ms)} times for {moves} moves after the opening"
    yield from _overrun_problems(record)
    position = Position(record.width, record.height, record.first)
    for ply, column in enumerate(record.columns):
        if position.is_over:
            yield f"the game is over after {ply} moves, and {len(record.columns)} are recorded"
            return
        try:
            position = position.play(column)
        except errors.IllegalMoveError as error:
            yield f"move {ply + 1}: {error}"
            return
    yield from _ending_problems(record, position)


def _overrun_problems(record: GameRecord) -> Iterator[str]:
    for overrun in record.overruns:
        if not len(record.opening) <= overrun.ply <= len(record.columns):
            yield f"an overrun at move {overrun.ply + 1}; the game has {len(record.columns)} moves"
        elif overrun.player != record.mover_of(overrun.ply):
            yield f"an overrun of player {overrun.player} at move {overrun.ply + 1}, which was the other player's"


def _ending_problems(record: GameRecord, position: Position) -> Iterator[str]:
    """What is wrong about how the game ended, and who won; `position` is its last one."""
    ending = record.ending
    is_by_rules = ending in (Ending.FOUR, Ending.DRAW)
    if is_by_rules or (position.is_over and ending is not Ending.MALFORMED_REPLY):
        yield from _result_problems(record, position)
    elif ending is Ending.ADJUDICATED:
        yield from _adjudication_problems(record, position)
    elif ending is Ending.STOPPED:
        if record.winner is not None:
            yield f"winner is {record.winner}, but the game was stopped"
    else:
        yield from _fault_problems(record, position)
    if record.machine_busy and ending is not Ending.TIMED_OUT:
        yield f"the machine was busy, but the ending is {ending.value!r}"
    if record.fault is not None and (is_by_rules or ending is Ending.ADJUDICATED):
        yield f"player {record.fault.player} has a fault, but the ending is {ending.value!r}"


def _result_problems(record: GameRecord, position: Position) -> Iterator[str]:
    """What is wrong about a game that the rules should have ended."""
    due, told = None, "the game is not over"
    if position.winner is not None:
        due, told = Ending.FOUR, f"player {position.winner} has four in a row"
    elif position.is_full:
        due, told = Ending.DRAW, "the board is full"
    if record.ending is not due:
        yield f"the ending is {record.ending.value!r}, but {told}"
    elif record.winner != position.winner:
        yield f"winner is {_shown(record.winner)}, but {told}"


def _adjudication_problems(record: GameRecord, position: Position) -> Iterator[str]:
    if not is_near_end(position):
        yield f"it is adjudicated with {position.empty_count} cells empty"
    elif record.winner != (due := adjudicated_winner(position)):
        yield f"winner is {_shown(record.winner)}, but perfect play gives {_shown(due)}"


def _fault_problems(record: GameRecord, position: Position) -> Iterator[str]:
    """What is wrong about a game that was lost by a fault, or not played."""
    fault = record.fault
    if fault is None:
        yield f"the ending is {record.ending.value!r}, but there is no fault"
        return
    if record.ending.is_fault:
        if record.winner != 3 - fault.player:
            yield f"winner is {_shown(record.winner)}, but player {fault.player} is at fault"
        elif record.ending not in FOUND_AT_ANY_TIME and fault.player != position.player:
            yield f"player {fault.player} is at fault, but it was the other player's turn"
    else:
        if record.winner not in (None, 3 - fault.player):
            yield f"winner is {record.winner}, but player {fault.player} is out"
        if record.columns != record.opening:
            yield "there are moves, but the game was not played"


def _shown(value: object) -> str:
    if value is None:
        return "nobody"
    return str(list(value)) if isinstance(value, tuple) else str(value)
