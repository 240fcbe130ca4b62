"""Scores of all positions of one ply, stored without keys, and what follows from them for earlier plies.

A layer holds the scores in up to three parts: the bottom cell of the middle column is the first player's, the
second player's, or empty (of a position and its mirror image, the one with the smaller key counts). Positions that
are settled, won at once or lost at once, are left out; `LayerScores.settled` is the rule for builder and reader.

What a glance at a position shows, its context, makes some scores more likely than others. Each context has its own
code for scores, and so they are shorter: 3.3 bits instead of 4.4 on 7x6 with 12 discs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from connect4_agent.rules import geometry

from . import fours, word
from .parity import ThreatParity

if TYPE_CHECKING:
    from .retrieval import Retrieval

UNKNOWN = 1 << 20
"""Instead of a score; larger than any."""

MOST_STATES = 1 << 20
"""Boards with more ways to take a part of the discs off than this are not looked into."""

FIRST, SECOND, EMPTY = range(3)
"""The parts of a layer."""

WON_SOON, LOST_SOON = 0, 1
"""The contexts of positions that are won by the mover's second disc, or lost to the opponent's next one."""

SPECIAL_CONTEXTS = 2
VALUES = 8
VALUE_SHIFT = 3
"""The evaluator's value is in one of VALUES intervals of 1 << VALUE_SHIFT around 0; the outermost are unbounded."""

CONTEXTS = SPECIAL_CONTEXTS + 2 * 3 * 2 * 3 * VALUES
"""How many contexts there are."""


class LayerScores:
    """The scores of positions with this many discs or some fewer; `score_offset` is added to stored scores.

    `first`, `second` and `empty` are the parts, None for those that are missing.
    """

    def __init__(
        self,
        width: int,
        height: int,
        plies: int,
        score_offset: int,
        first: Retrieval | None,
        second: Retrieval | None,
        empty: Retrieval | None,
    ) -> None:
        self.width = width
        self.stride = height + 1
        self.plies = plies
        self.score_offset = score_offset
        self.first = first
        self.second = second
        self.empty = empty
        self.bottom = word.from_int(geometry.bottom_cells(width, height))
        self.board = word.from_int(geometry.board_cells(width, height))
        self.columns = word.words([geometry.column_cells(height, column) for column in range(width)])
        self.dividing_cell = word.from_int(1 << (width - 1) // 2 * (height + 1))
        self.evaluator = ThreatParity(width, height)

    def __dealloc__(self) -> None:
        word.release(self.columns)

    def score(self, own: int, opponent: int, most_ahead: int) -> int | None:
        """The score of a position in which nobody has four, `own` to move; None if it does not follow from the layer.

        Nor if it has more than `most_ahead` discs fewer. A position that cannot arise in play is not looked up: the
        layer does not hold it.
        """
        own_word = word.from_int(own)
        opponent_word = word.from_int(opponent)
        ahead = self.plies - word.popcount(own_word | opponent_word)
        if not 0 <= ahead <= most_ahead or not self._can_arise(own_word, opponent_word):
            return None
        mirrored_own = self._mirrored(own_word)
        mirrored_opponent = self._mirrored(opponent_word)
        if 2 * mirrored_own + mirrored_opponent < 2 * own_word + opponent_word:
            own_word = mirrored_own  # if parts are missing, a position is known if its mirror image is
            opponent_word = mirrored_opponent
        score = self._score(own_word, opponent_word, ahead, -UNKNOWN, UNKNOWN)
        return None if score == UNKNOWN else score

    def settled(self, own: int, opponent: int) -> int | None:
        """The score of a position that is won or lost at once, `own` to move; None for any other. Nobody has four."""
        score = self._settled(word.from_int(own), word.from_int(opponent))
        return None if score == UNKNOWN else score

    def can_arise(self, own: int, opponent: int) -> bool:
        """Whether the two players, taking turns, could have played the discs in some order; `own` is to move."""
        return self._can_arise(word.from_int(own), word.from_int(opponent))

    def part(self, own: int, opponent: int) -> int:
        """The part of the layer that a position belongs to."""
        own_word = word.from_int(own)
        opponent_word = word.from_int(opponent)
        occupied = own_word | opponent_word
        if self._mirrored(own_word) + self._mirrored(occupied) < own_word + occupied:
            own_word = self._mirrored(own_word)
            occupied = self._mirrored(occupied)
        return self._part(own_word, occupied)

    def context(self, own: int, opponent: int) -> int:
        """What a glance at a position shows that is not settled, `own` to move; below CONTEXTS."""
        return self._context(word.from_int(own), word.from_int(opponent))

    def _context(self, own: int, opponent: int) -> int:
        occupied = own | opponent
        empty = self.board & ~occupied
        playable = occupied + self.bottom & self.board
        chances = fours.threats(own, self.stride) & empty
        dangers = fours.threats(opponent, self.stride) & empty
        forced = playable & dangers
        moves = (forced if forced else playable) & ~(dangers >> 1)
        if moves == 0:
            return LOST_SOON
        has_choice = moves & moves - 1 != 0
        most = 0
        while moves:
            move = moves & ~(moves - 1)
            moves ^= move
            wins = fours.threats(own | move, self.stride) & empty & ~move
            if fours.are_decisive(wins, (occupied | move) + self.bottom & self.board):
                return WON_SOON
            most = max(most, word.popcount(wins))
        half = VALUES << VALUE_SHIFT - 1
        value = min(max(self.evaluator._value(own, opponent), -half), half - 1) + half
        context = 1 if has_choice else 0
        context = 3 * context + min(most, 2)
        context = 2 * context + (1 if chances else 0)
        context = 3 * context + min(word.popcount(dangers & ~playable), 2)
        return SPECIAL_CONTEXTS + VALUES * context + (value >> VALUE_SHIFT)

    def _part(self, own: int, occupied: int) -> int:
        if occupied & self.dividing_cell == 0:
            return EMPTY
        # With an even number of discs, the first player is to move.
        is_own = own & self.dividing_cell != 0
        is_first_to_move = word.popcount(occupied) & 1 == 0
        return FIRST if is_own == is_first_to_move else SECOND

    def _mirrored(self, discs: int) -> int:
        found = word.from_int(0)
        for column in range(self.width):
            cells = (discs & self.columns[column]) >> column * self.stride
            found |= cells << (self.width - 1 - column) * self.stride
        return found

    def _settled(self, own: int, opponent: int) -> int:
        occupied = own | opponent
        playable = occupied + self.bottom & self.board
        empties = word.popcount(self.board & ~occupied)
        if fours.threats(own, self.stride) & playable:
            return (empties + 1) >> 1
        dangers = fours.threats(opponent, self.stride) & playable
        if dangers & dangers - 1:
            return -(empties >> 1)  # one of the opponent's two wins can be blocked
        return UNKNOWN

    def _score(self, own: int, opponent: int, ahead: int, low: int, high: int) -> int:
        """The score of a position that can arise, `ahead` plies before the layer.

        A score that is not between low and high may be replaced by another one on the same side.
        """
        best = self._settled(own, opponent)
        if best != UNKNOWN:
            return best
        occupied = own | opponent
        if ahead == 0:
            return self._stored(own, occupied)
        best = -UNKNOWN
        playable = occupied + self.bottom & self.board
        while playable:
            move = playable & ~(playable - 1)
            playable ^= move
            score = self._score(opponent, own | move, ahead - 1, -high, -max(low, best))
            if score == UNKNOWN:
                return UNKNOWN
            best = max(best, -score)
            if best >= high:
                break
        return best

    def _stored(self, own: int, occupied: int) -> int:
        mirrored_own = self._mirrored(own)
        mirrored_occupied = self._mirrored(occupied)
        if mirrored_own + mirrored_occupied < own + occupied:
            own = mirrored_own
            occupied = mirrored_occupied
        part = self._part(own, occupied)
        if part == FIRST:
            stored = self.first
        elif part == SECOND:
            stored = self.second
        else:
            stored = self.empty
        if stored is None:
            return UNKNOWN
        return stored._find(own + occupied, self._context(own, occupied ^ own)) - self.score_offset

    def _state_count(self, occupied: int) -> int:
        """In how many states the columns can have been before all discs were played; if too many, any such number."""
        states = 1
        for column in range(self.width):
            if states <= MOST_STATES:
                states *= word.popcount(occupied & self.columns[column]) + 1
        return states

    def _can_arise(self, own: int, opponent: int) -> bool:
        """Whether turns lead from the empty board to this one.

        A state says how many discs of each column have been played, the left column in the smallest digit. States are
        visited from the empty board on; a disc can be played if it belongs to the player whose turn it is.
        """
        occupied = own | opponent
        discs = word.popcount(occupied)
        if discs & 1:
            own, opponent = opponent, own  # from here on, own is the first player's
        if word.popcount(own) != (discs + 1) >> 1:
            return False
        states = self._state_count(occupied)
        if states > MOST_STATES:
            return False
        heights = word.ints([0] * self.width)
        steps = word.ints([0] * self.width)
        reached = word.zeros(states)
        step = 1
        for column in range(self.width):
            heights[column] = word.popcount(occupied & self.columns[column])
            steps[column] = step
            step *= heights[column] + 1
        reached[0] = 1
        for state in range(states):
            if reached[state]:
                played = 0
                rest = state
                for column in range(self.width):
                    played += rest % (heights[column] + 1)
                    rest //= heights[column] + 1
                mover = opponent if played & 1 else own
                rest = state
                for column in range(self.width):
                    height = rest % (heights[column] + 1)
                    rest //= heights[column] + 1
                    if height < heights[column] and mover >> column * self.stride + height & 1:
                        reached[state + steps[column]] = 1
        is_reached = reached[states - 1] == 1
        word.release_ints(heights)
        word.release_ints(steps)
        word.release(reached)
        return is_reached
