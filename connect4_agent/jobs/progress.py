"""The progress of long work: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any, TextIO


class Progress:
    """Shows how far the work is; this one shows nothing."""

    def begin(self, total: int, done: int = 0, step: str = "") -> None:
        """Start a step of the work, part of which may already be done."""

    def count(self, done: int, note: str = "") -> None:
        """Show that this much of the step is done, and what else there is to say of it."""

    def say(self, message: str) -> None:
        """Show a message."""

    def end(self) -> None:
        """Finish: the work is over, or was stopped."""


@dataclass(frozen=True, slots=True)
class Reached:
    """How far a step is."""

    step: str
    done: int
    total: int
    done_before: int
    elapsed_seconds: float
    note: str = ""

    @property
    def per_second(self) -> float:
        """The rate so far; 0 while it is not known."""
        return (self.done - self.done_before) / self.elapsed_seconds if self.elapsed_seconds else 0.0

    @property
    def seconds_left(self) -> float:
        """The time for the rest at this rate; 0 while it is not known."""
        return (self.total - self.done) / self.per_second if self.per_second else 0.0


@dataclass(frozen=True, slots=True)
class Wording:
    """The wording of the messages for one kind of work."""

    first_line: Callable[[Reached], str]
    line: Callable[[Reached], str]
    seconds_between_lines: float
    beside_bar: Callable[[Reached], str]
    """Right of the bar; the step's name is on its left."""
    keeps_bars: bool
    """Whether the bars stay on the terminal afterwards."""


def new_progress(wording: Wording, stream: TextIO | None = None) -> Progress:
    """A bar if the stream, standard error by default, is a terminal and rich is installed; else plain lines."""
    stream = stream or sys.stderr
    if stream.isatty():
        try:
            return Bar(wording, stream)
        except ImportError:
            pass
    return PlainLines(wording, stream)


class Worded(Progress):
    """Keeps what the wording of a progress needs to know of its step."""

    def __init__(self, wording: Wording, clock: Callable[[], float] = monotonic) -> None:
        self._wording = wording
        self._clock = clock
        self._begin("", 0, 0)

    def _begin(self, step: str, total: int, done: int) -> None:
        self._step, self._total, self._done_before, self._began_at = step, total, done, self._clock()

    def _reached(self, done: int, note: str = "") -> Reached:
        elapsed_seconds = self._clock() - self._began_at
        return Reached(self._step, done, self._total, self._done_before, elapsed_seconds, note)


class PlainLines(Worded):
    """A line every few seconds, and one at the end of each step."""

    def __init__(self, wording: Wording, stream: TextIO, clock: Callable[[], float] = monotonic) -> None:
        super().__init__(wording, clock)
        self._stream = stream
        self._done = self._shown = 0
        self._note = ""
        self._shown_at = clock()

    def begin(self, total: int, done: int = 0, step: str = "") -> None:
        """Print how much there is to do."""
        self._begin(step, total, done)
        self._shown_at = self._began_at
        self._done = self._shown = done
        self.say(self._wording.first_line(self._reached(done)))

    def count(self, done: int, note: str = "") -> None:
        """Print from time to time how much is done."""
        self._done, self._note = done, note
        if done == self._total or self._clock() - self._shown_at >= self._wording.seconds_between_lines:
            self._tell()

    def say(self, message: str) -> None:
        """Print the message on its own line."""
        self._stream.write(f"{message}\n")
        self._stream.flush()

    def end(self) -> None:
        """Print how far the work got."""
        if self._done > self._shown:
            self._tell()

    def _tell(self) -> None:
        self._shown_at, self._shown = self._clock(), self._done
        self.say(self._wording.line(self._reached(self._done, self._note)))


class Bar(Worded):
    """A bar for each step, with its expected end. Raises ImportError if rich is not installed."""

    def __init__(self, wording: Wording, stream: TextIO) -> None:
        from rich import console, progress  # noqa: PLC0415  # an extra

        super().__init__(wording)
        self._task: Any = None
        self._bar: Any = progress.Progress(
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TextColumn("{task.fields[beside]}"),
            progress.TextColumn("ends in"),
            progress.TimeRemainingColumn(),
            progress.TextColumn("{task.fields[note]}", markup=False),
            console=console.Console(file=stream),
            transient=not wording.keeps_bars,
        )

    def begin(self, total: int, done: int = 0, step: str = "") -> None:
        """Show a bar."""
        self._begin(step, total, done)
        self._task = self._bar.add_task(step, total=total, completed=done, beside=self._beside(done), note="")
        self._bar.start()

    def count(self, done: int, note: str = "") -> None:
        """Move the bar."""
        self._bar.update(self._task, completed=done, beside=self._beside(done), note=note)

    def say(self, message: str) -> None:
        """Print the message above the bar."""
        self._bar.console.print(message, markup=False, highlight=False)

    def end(self) -> None:
        """Remove the bar, or leave it as it is."""
        self._bar.stop()

    def _beside(self, done: int) -> str:
        return self._wording.beside_bar(self._reached(done))
