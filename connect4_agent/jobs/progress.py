"""The progress of long work: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any, TextIO

LINE_SECONDS = 5.0
"""The time between two plain lines."""


class Progress:
    """Shows how many units of the work are done, such as games to play; without a stream, it shows nothing.

    On a terminal it is a bar, if rich is installed, and otherwise a line every few seconds.
    """

    def __init__(
        self, unit: str = "", verb: str = "", stream: TextIO | None = None, clock: Callable[[], float] = monotonic
    ) -> None:
        self._unit, self._verb, self._stream, self._clock = unit, verb, stream, clock
        self._bar = _new_bar(stream) if stream is not None and stream.isatty() else None
        self._task: Any = None
        self._heading = self._note = ""
        self._total = self._done = self._done_before = self._shown = 0
        self._began_at = self._shown_at = clock()

    def begin(self, total: int, done: int = 0, step: str = "") -> None:
        """Start a step of the work, part of which may already be done."""
        self._heading = f"{step}: " if step else ""
        self._total = total
        self._done = self._done_before = self._shown = done
        self._began_at = self._shown_at = self._clock()
        if self._bar is None:
            self.say(f"{self._heading}{total - done} of {total} {self._unit} to {self._verb}")
        else:
            self._task = self._bar.add_task(step or self._unit, total=total, completed=done, note="")
            self._bar.start()

    def count(self, done: int, note: str = "") -> None:
        """Show that this much of the step is done, and what else there is to say of it."""
        self._done, self._note = done, note
        if self._bar is not None:
            self._bar.update(self._task, completed=done, note=note)
        elif done == self._total or self._clock() - self._shown_at >= LINE_SECONDS:
            self._tell()

    def say(self, message: str) -> None:
        """Show a message."""
        if self._bar is not None:
            self._bar.console.print(message, markup=False, highlight=False)
        elif self._stream is not None:
            self._stream.write(f"{message}\n")
            self._stream.flush()

    def end(self) -> None:
        """Stop showing progress: the work is over, or was stopped."""
        if self._bar is not None:
            self._bar.stop()
        elif self._done > self._shown:
            self._tell()

    def _tell(self) -> None:
        """Say how far the step is, how fast it goes, and how long the rest takes at this rate."""
        self._shown_at, self._shown = self._clock(), self._done
        seconds = self._shown_at - self._began_at
        rate = (self._done - self._done_before) / seconds if seconds else 0.0
        left = self._total - self._done
        rest = f", about {duration(left / rate)} to go" if left and rate else ""
        note = f"; {self._note}" if self._note else ""
        self.say(f"{self._heading}{self._done} of {self._total} {self._unit}, {rate:.1f} a second{rest}{note}")


def duration(seconds: float) -> str:
    """Return a time in seconds, minutes or hours, for people."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"


def _new_bar(stream: TextIO) -> Any:
    """Return a bar of rich, with its expected end; None if rich is not installed."""
    try:
        from rich import console, progress  # noqa: PLC0415  # an extra
    except ImportError:
        return None
    return progress.Progress(
        progress.TextColumn("{task.description}", markup=False),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TextColumn("ends in"),
        progress.TimeRemainingColumn(),
        progress.TextColumn("{task.fields[note]}", markup=False),
        console=console.Console(file=stream),
        transient=True,
    )
