"""Random playouts: the results of games that are finished with random moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connect4_agent.rules import geometry

from . import fours, word

if TYPE_CHECKING:
    from collections.abc import Callable

RANDOM_MASK = (1 << 64) - 1


class Playouts:
    """Plays games on boards of one size to their end, with random numbers that depend on the seed alone.

    `poll` is called every `poll_interval` plies (a power of two) and may raise to end a playout.
    """

    def __init__(self, width: int, height: int, seed: int, poll: Callable[[], None], poll_interval: int) -> None:
        self.line_stride = geometry.line_stride(width, height)
        self.bottom = word.from_int(geometry.bottom_cells(width, height))
        self.board = word.from_int(geometry.board_cells(width, height))
        # Xorshift (Marsaglia, "Xorshift RNGs", 2003, the triple 13, 7, 17) stays at 0 forever: start elsewhere.
        self.state = seed & RANDOM_MASK or 1
        self.plies = 0
        self.poll = poll
        self.poll_mask = poll_interval - 1

    def finish(self, own: int, opponent: int) -> int:
        """Play one game to its end: 2 if the player who owns `own` wins it, 1 for a draw, 0 for a loss.

        It is the opponent's turn, and nobody has four.
        """
        return self._finish(word.from_int(own), word.from_int(opponent))

    def _finish(self, own: int, opponent: int) -> int:
        mover, waiting = opponent, own
        points = 2  # if the player who is not to move wins
        while True:
            playable = (mover | waiting) + self.bottom & self.board
            if playable == 0:
                return 1
            self.plies += 1
            if self.plies & self.poll_mask == 0:
                self.poll()
            skipped = self._random_below(word.popcount(playable))
            while skipped > 0:
                playable = playable & playable - 1
                skipped -= 1
            mover |= playable & ~(playable - 1)
            points = 2 - points
            if fours.has_four(mover, self.line_stride):
                return points
            mover, waiting = waiting, mover

    def _random_below(self, count: int) -> int:
        state = self.state
        state ^= state << 13 & RANDOM_MASK
        state ^= state >> 7
        state ^= state << 17 & RANDOM_MASK
        self.state = state
        return (state >> 32) * count >> 32
