"""PositionEvaluator: lets a search use a Python function to value positions."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import TypeAlias

from connect4_agent import errors
from connect4_agent.engine.kernel.values import VALUE_LIMIT
from connect4_agent.rules.position import Position
from connect4_agent.text import short

Evaluator: TypeAlias = Callable[[Position], int]
"""A function that says how good a position is for the player to move: a whole number, larger is better.

Values lie strictly between `-VALUE_LIMIT` and `VALUE_LIMIT`. The function is called with unfinished positions only.
"""


class PositionEvaluator:
    """A function of a position, for one search at a time. Raises EvaluatorError for anything that is not a function."""

    def __init__(self, function: Evaluator) -> None:
        if not callable(function) or isinstance(function, type):
            raise errors.EvaluatorError(
                f"evaluator is {short(repr(function))}; allowed are the name of an evaluator and a function that takes "
                "a position and returns a whole number"
            )
        self.function = function
        self._root = Position()

    def copy(self) -> PositionEvaluator:
        """Return the same function for another search."""
        return PositionEvaluator(self.function)

    def begin(self, position: Position) -> None:
        """Prepare for a search of this position."""
        self._root = position

    def value(self, own: int, opponent: int) -> int:
        """Return the function's value of the position with these discs. Raises EvaluatorError if it is out of range."""
        root = self._root
        is_roots_turn = (own | opponent).bit_count() % 2 == root.disc_count % 2
        player = root.player if is_roots_turn else 3 - root.player
        discs = (own, opponent) if player == 1 else (opponent, own)
        position = Position(root.width, root.height, player, *discs)
        answer = self.function(position)
        try:
            value = index(answer)
        except TypeError:
            value = VALUE_LIMIT
        if not -VALUE_LIMIT < value < VALUE_LIMIT:
            name = getattr(self.function, "__name__", type(self.function).__name__)
            raise errors.EvaluatorError(
                f"evaluator {name} returned {short(repr(answer))} for {position!r}; "
                f"allowed are whole numbers between -{VALUE_LIMIT} and {VALUE_LIMIT}"
            )
        return value
