"""Core times: how long an agent's threads have run on a core, and how long they waited for one, as Linux counts it.

The host of a virtual machine may take a core away from a thread that runs on it. Linux counts that time neither as
running nor as waiting, but it can be inferred: such a thread has never slept and is still not done, and the system
knows that time was stolen.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from connect4_agent.agents.guard import known_descendants

NANOSECONDS = 1_000_000_000

LOOK_AFTER_SECONDS = 0.001
"""An answer that takes longer than this has its core times looked at: a look takes about a tenth of that."""

PRECISE_SECONDS = 1.0
"""For limits up to this, the first look comes before the request: whoever looks may be kept from the cores as well."""

LATE_SECONDS = 0.02
"""How long a late answer is waited for, to see why it is late: a wait for a core is counted only when it is over."""

MOST_PATIENCE = 10
"""An agent that waits for a core is waited for at most this many times its time."""

LAST_PATIENCE = 100
"""The same if the wait does not count, and a late answer is as good as any other."""


class CoreTimes(NamedTuple):
    """Added up over all threads."""

    ran_seconds: float
    waited_seconds: float
    """How long they were ready to run, and had no core."""
    sleeps: int
    """How often they stopped running of their own accord: to sleep, or to wait for something."""

    def since(self, before: CoreTimes) -> CoreTimes:
        """What came after an earlier look."""
        return CoreTimes(
            self.ran_seconds - before.ran_seconds,
            self.waited_seconds - before.waited_seconds,
            self.sleeps - before.sleeps,
        )


class CoreClock:
    """Looks at all threads of all descendants of a process; those that end between two looks count as last seen."""

    def __init__(self, ancestor: int) -> None:
        self._ancestor = ancestor
        self._seen: dict[str, tuple[int, int, int]] = {}
        self._stolen_before = stolen_ticks()

    def look(self) -> CoreTimes | None:
        """Their times until now; None if the system has never told."""
        for thread, (times, status) in self._read("schedstat", "status"):
            ran, waited, *_ = times.split()
            _, _, rest = status.partition(b"\nvoluntary_ctxt_switches:")
            self._seen[thread] = int(ran), int(waited), int(rest.split()[0]) if rest else 0
        if not self._seen:
            return None
        ran_all, waited_all, sleeps_all = map(sum, zip(*self._seen.values(), strict=True))
        return CoreTimes(ran_all / NANOSECONDS, waited_all / NANOSECONDS, sleeps_all)

    def has_ready_thread(self) -> bool:
        """Whether a thread is on a core or waits for one."""
        # The command's name stands in brackets and may hold anything; the state follows it.
        return any(text.rpartition(b")")[2].split()[:1] == [b"R"] for _, (text,) in self._read("stat"))

    def is_time_stolen(self) -> bool:
        """Whether the host has taken time from this machine since the agent was started."""
        return stolen_ticks() > self._stolen_before

    def _read(self, *names: str) -> Iterator[tuple[str, list[bytes]]]:
        """The threads, each with what these files of Linux's process table say about it."""
        for pid in known_descendants(self._ancestor):
            try:
                for thread in os.listdir(f"/proc/{pid}/task"):
                    texts = []
                    for name in names:
                        with open(f"/proc/{pid}/task/{thread}/{name}", "rb") as file:
                            texts.append(file.read())
                    yield thread, texts
            except OSError:  # it has gone, or the system does not count
                continue


def own_wait_seconds() -> float:
    """How long this thread has waited for a core since its start; 0 if the system does not tell."""
    try:
        with open("/proc/thread-self/schedstat", "rb") as file:
            return int(file.read().split()[1]) / NANOSECONDS
    except (OSError, IndexError):
        return 0.0


def stolen_ticks() -> int:
    """How much time the host has taken from this machine's cores since its start; 0 if the system does not tell."""
    try:
        with open("/proc/stat", "rb") as file:
            return int(file.readline().split()[8])
    except (OSError, IndexError):
        return 0


class Lateness:
    """Whether an answer is late because the agent had to wait for a core. Times are those of the agent's clock."""

    def __init__(self, clock: CoreClock, allowed_seconds: float, *, forgives_waiting: bool = False) -> None:
        self.elapsed_seconds = allowed_seconds
        """When the answer was late."""
        self.is_late = False
        self.is_machine_busy = False
        """Whether the answer would have been in time but for the wait, as far as can be told."""
        self.is_answered = False
        self.waited_seconds = 0.0
        self.ran_seconds = 0.0
        self._clock = clock
        self._allowed_seconds = allowed_seconds
        self._before: CoreTimes | None = None
        self._was_kept = False
        """Whether the agent had never slept, and was not done, at the last look at which its answer was missing."""
        self._is_watched = allowed_seconds == float("inf")
        self.is_precise = forgives_waiting or allowed_seconds <= PRECISE_SECONDS
        self._latest_seconds = allowed_seconds * (LAST_PATIENCE if forgives_waiting else MOST_PATIENCE)

    def begin(self) -> None:
        """Take the first look: what the agent has had of the cores until now does not matter."""
        self._before = self._clock.look()
        self._is_watched = True

    def watch(self, elapsed_seconds: float) -> float:
        """Take the first look if it is time for it; the seconds until then, or infinity."""
        if not self._is_watched and elapsed_seconds >= LOOK_AFTER_SECONDS:
            self.begin()
        return float("inf") if self._is_watched else LOOK_AFTER_SECONDS

    def more_seconds(self, elapsed_seconds: float) -> float:
        """How long to wait for the answer beyond its time; 0 if waiting for a core cannot be the reason."""
        is_first = not self.is_late
        if is_first:
            self.is_late, self.elapsed_seconds = True, elapsed_seconds
        left_seconds = self._left_seconds(elapsed_seconds, is_answered=False)
        if self._before is None:
            return 0.0
        may_wait = self.ran_seconds < self._allowed_seconds and self._clock.has_ready_thread()
        if elapsed_seconds > self._latest_seconds:
            self.is_machine_busy = left_seconds >= 0 or may_wait
            return 0.0
        return max(left_seconds, LATE_SECONDS) if is_first or may_wait else left_seconds

    def end(self, elapsed_seconds: float) -> None:
        """The answer has come after all."""
        self.is_answered = True
        self.is_machine_busy = self._left_seconds(elapsed_seconds, is_answered=True) >= 0

    def _left_seconds(self, elapsed_seconds: float, *, is_answered: bool) -> float:
        """What the agent would have left of its time if it had never waited; one that ran for all of it has nothing."""
        after = self._clock.look()
        if self._before is None or after is None:
            return -1.0
        used = after.since(self._before)
        if not is_answered:  # after its answer it sleeps until the next request
            self._was_kept = used.sleeps == 0 and self._clock.has_ready_thread() and self._clock.is_time_stolen()
        self.ran_seconds, self.waited_seconds = used.ran_seconds, used.waited_seconds
        if self._was_kept:
            self.waited_seconds = max(elapsed_seconds - used.ran_seconds, used.waited_seconds)
        return self._allowed_seconds - max(elapsed_seconds - self.waited_seconds, used.ran_seconds)
