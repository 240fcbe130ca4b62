"""Random plies from the empty board that leave the game open."""

from __future__ import annotations

from functools import cached_property
from random import Random

from connect4_agent.arena.run.record import Opening
from connect4_agent.rules.position import Position

KEPT_PLIES = 5
"""How many plies deep the positions that have come up are kept: fewer than 20,000 on the usual board."""


class RandomPlies:
    """Draws openings; the positions that it has met are kept, since short openings meet the same ones again."""

    def __init__(self, source: Random, lengths: range, width: int, height: int) -> None:
        self._source = source
        self.lengths = lengths
        self.width, self.height = width, height
        self._start = _Step(Position(width, height))

    def draw(self) -> tuple[Opening, int] | None:
        """Random plies, as many as one of the lengths, and the key of their position, a mirror image's or its own.

        None if somebody has won or could win with the next disc after them, or no column is open.
        """
        # A length that is certain takes no random number.
        plies = self.lengths[0] if len(self.lengths) == 1 else self._source.choice(self.lengths)
        step, columns = self._start, list[int]()
        for ply in range(plies):
            if not step.columns:
                return None
            column = self._source.choice(step.columns)
            columns.append(column)
            if ply >= KEPT_PLIES:  # few of the longer openings begin alike
                step = _Step(step.position.play(column))
                continue
            if column not in step.next:
                step.next[column] = _Step(step.position.play(column))
            step = step.next[column]
        key = step.key
        return None if key is None else (tuple(columns), key)


class _Step:
    """A position that may come up while openings are drawn, and the steps from there that have come up."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.columns = [] if position.is_over else position.legal_columns()
        self.next: dict[int, _Step] = {}

    @cached_property
    def key(self) -> int | None:
        """The key of the position; None if no game should begin there: it is over, or could be with the next disc."""
        position = self.position
        if position.is_over or position.winning_columns() or position.passed().winning_columns():
            return None
        return position.canonical().key
