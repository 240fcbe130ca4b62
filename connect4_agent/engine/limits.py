"""Limits: the time for one move, the clock it is measured with, and what else may end a search early."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.engine.kernel.order import do_nothing

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    class Counter(Protocol):
        """A solver, or what asks one."""

        @property
        def nodes(self) -> int:
            """The positions visited so far."""


LEAST_SECONDS = 0.001
"""The least time for a search, however late it is."""

REPLY_SECONDS = 0.005
"""The part of a time limit that is reserved for sending the answer; at most a tenth of the limit."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a player may use for one move. Raises BadValueError for a time that is not above 0."""

    seconds: float | None = None
    """The time for the move; None is no limit."""
    poll: Callable[[], None] = field(default_factory=lambda: do_nothing, repr=False)  # its address is in no signature
    """Called every few milliseconds of a search. It may raise to end the search; what it raises reaches the caller."""
    explain: bool = False
    """Whether the player also finds the play that it expects, `Choice.line`."""
    clock: Callable[[], float] = field(default=monotonic, repr=False)
    """Tells the time in seconds."""

    def __post_init__(self) -> None:
        try:
            is_good = self.seconds is None or (0 < self.seconds < float("inf") and not isinstance(self.seconds, bool))
        except TypeError:
            is_good = False
        if not is_good:
            raise errors.BadValueError(
                f"seconds is {self.seconds!r}; allowed are numbers above 0, and None for no limit"
            )

    def shorter(self, seconds: float | None) -> float | None:
        """The shorter of this time and another one; None is no limit."""
        given = [each for each in (self.seconds, seconds) if each is not None]
        return min(given, default=None)

    def within(self, seconds: float | None, started: float) -> Limits:
        """The same limits with the shorter of the two times, less the time since `started`."""
        seconds = self.shorter(seconds)
        left = None if seconds is None else self.seconds_left(started, seconds)
        return Limits(left, self.poll, self.explain, self.clock)

    def since(self, started: float) -> Limits:
        """Return the same limits less the time since `started`."""
        return self if self.seconds is None else self.within(None, started)

    def started_poll(self) -> Callable[[], None]:
        """The poll for a search that starts now and may use all of the time."""
        return self.poll_until(self.clock(), self.seconds)

    def poll_until(self, started: float, limit_seconds: float | None, share: float = 1.0) -> Callable[[], None]:
        """A poll that does what `poll` does, and raises OutOfTimeError when a share of the limit has passed."""
        poll, clock = self.poll, self.clock
        if limit_seconds is None:
            return poll
        seconds = limit_seconds * share
        deadline = started + seconds - min(REPLY_SECONDS, seconds / 10)

        def poll_clock() -> None:
            poll()
            if clock() >= deadline:
                raise errors.OutOfTimeError(f"the time limit of {seconds} s is reached")

        return poll_clock

    def seconds_left(self, started: float, seconds: float) -> float:
        """What is left of a time that began at `started`; never less than LEAST_SECONDS."""
        return max(seconds - (self.clock() - started), LEAST_SECONDS)


NO_LIMITS = Limits()
"""No time limit."""


class NodeBound:
    """Ends what polls it, by a TooHardError, after `most_nodes` of the counter's nodes since it was made or renewed.

    Unlike a number of seconds, a number of nodes is the same on every machine.
    """

    def __init__(self, counter: Counter, most_nodes: float) -> None:
        self._counter = counter
        self._most_nodes = most_nodes
        self.renew()

    def renew(self) -> None:
        """Count from here: another position is asked for."""
        self._last = self._counter.nodes + self._most_nodes

    def poll(self) -> None:
        """To be called by the search. Raises TooHardError."""
        if self._counter.nodes > self._last:
            raise errors.TooHardError(f"the proof takes more than {self._most_nodes:,} nodes")
