"""A bound on the positions that the solver visits for one answer: unlike seconds, the same on every machine."""

from __future__ import annotations

from typing import Protocol

from connect4_agent import errors


class Counter(Protocol):
    """A solver, or what asks one."""

    @property
    def nodes(self) -> int:
        """The positions visited so far."""


class NodeBound:
    """Ends what polls it, by a TooHardError, after `most_nodes` of the counter's nodes since it was made or renewed."""

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
