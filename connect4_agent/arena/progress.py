"""Progress: what a person sees while games are played or judged; a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol, TextIO

if TYPE_CHECKING:
    from connect4_agent.arena.record import GameRecord

LINE_SECONDS = 5.0
"""How often a plain line says how far the run is."""

MOST_FAULT_LINES = 20
"""So many faults are told as they happen; the journal holds all of them."""


@dataclass(frozen=True, slots=True)
class Words:
    """What is said of the games."""

    all: str
    before: str
    finished: str


PLAYING = Words(all="games", before="played", finished="games")
JUDGING = Words(all="games to judge", before="judged", finished="games judged")


class Progress(Protocol):
    """Told of every finished game."""

    def begin(self, scheduled: int, finished: int) -> None:
        """The run begins, with so many games already played."""

    def show(self, record: GameRecord, finished: int) -> None:
        """A game is over."""

    def count(self, finished: int) -> None:
        """So many games are finished."""

    def say(self, message: str) -> None:
        """Something else worth knowing."""

    def end(self) -> None:
        """The run is over, or has been stopped."""


def new_progress(stream: TextIO | None = None, words: Words = PLAYING) -> Progress:
    """A bar if the stream, standard error by default, is a terminal and rich is installed; else plain lines."""
    stream = stream or sys.stderr
    if stream.isatty():
        try:
            return Bar(stream, words)
        except ImportError:
            pass
    return PlainLines(stream, words)


class FaultLines:
    """Words for faults, until there are too many of them."""

    def __init__(self) -> None:
        self._told = 0

    def line(self, record: GameRecord) -> str | None:
        """What there is to say about a game."""
        if record.fault is None or self._told > MOST_FAULT_LINES:
            return None
        self._told += 1
        if self._told > MOST_FAULT_LINES:
            return "more faults are not shown here; the journal holds them"
        name = record.agents[record.fault.player - 1]
        return f"game {record.game}: {name} {_WORDS.get(record.ending, record.ending)}: {record.fault.detail}"


_WORDS = {"illegal move": "made an illegal move", "malformed reply": "gave a malformed reply"}


class PlainLines:
    """A line every few seconds."""

    def __init__(self, stream: TextIO, words: Words = PLAYING) -> None:
        self._stream = stream
        self._words = words
        self._faults = FaultLines()
        self._scheduled = 0
        self._finished = self._finished_at_start = self._told = 0
        self._began_at = self._told_at = monotonic()

    def begin(self, scheduled: int, finished: int) -> None:
        """Say how much is to be done."""
        self._scheduled, self._finished, self._finished_at_start = scheduled, finished, finished
        self._told = finished
        self._began_at = self._told_at = monotonic()
        before = f", {finished} of them {self._words.before} before" if finished else ""
        self.say(f"{scheduled} {self._words.all}{before}")

    def show(self, record: GameRecord, finished: int) -> None:
        """Count the game, and tell a fault."""
        if (line := self._faults.line(record)) is not None:
            self.say(line)
        self.count(finished)

    def count(self, finished: int) -> None:
        """Say now and then how many are finished."""
        self._finished = finished
        if monotonic() - self._told_at >= LINE_SECONDS:
            self._tell()

    def say(self, message: str) -> None:
        """A line of its own."""
        self._stream.write(f"{message}\n")
        self._stream.flush()

    def end(self) -> None:
        """Say how far the run has come."""
        if self._finished > self._told:
            self._tell()

    def _tell(self) -> None:
        self._told_at, self._told = monotonic(), self._finished
        elapsed = self._told_at - self._began_at
        rate = (self._finished - self._finished_at_start) / elapsed if elapsed else 0.0
        left = (self._scheduled - self._finished) / rate if rate else 0.0
        rest = f", about {left:.0f} s to go" if self._finished < self._scheduled else ""
        self.say(f"{self._finished} of {self._scheduled} {self._words.finished}, {rate:.1f} a second{rest}")


class Bar:
    """A progress bar with rate and expected end. Raises ImportError where rich is not installed."""

    def __init__(self, stream: TextIO, words: Words = PLAYING) -> None:
        from rich.console import Console  # noqa: PLC0415  # an extra
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn  # noqa: PLC0415
        from rich.progress import Progress as RichProgress  # noqa: PLC0415

        self._faults = FaultLines()
        self._finished_at_start = 0
        self._began_at = monotonic()
        self._bar: Any = RichProgress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn(f"{words.finished}  {{task.fields[rate]}}"),
            TextColumn("ends in"),
            TimeRemainingColumn(),
            console=Console(file=stream),
            transient=True,
        )
        self._task: Any = None

    def begin(self, scheduled: int, finished: int) -> None:
        """Show the bar."""
        self._finished_at_start = finished
        self._began_at = monotonic()
        self._task = self._bar.add_task("", total=scheduled, completed=finished, rate="")
        self._bar.start()

    def show(self, record: GameRecord, finished: int) -> None:
        """Move the bar, and tell a fault."""
        if (line := self._faults.line(record)) is not None:
            self.say(line)
        self.count(finished)

    def count(self, finished: int) -> None:
        """Move the bar."""
        elapsed = monotonic() - self._began_at
        rate = f"{(finished - self._finished_at_start) / elapsed:.1f}/s" if elapsed else ""
        self._bar.update(self._task, completed=finished, rate=rate)

    def say(self, message: str) -> None:
        """A line above the bar."""
        self._bar.console.print(message, markup=False, highlight=False)

    def end(self) -> None:
        """Take the bar away."""
        self._bar.stop()
