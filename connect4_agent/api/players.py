"""Players by their descriptions, for Python programs."""

from __future__ import annotations

from typing import Any

from connect4_agent import errors
from connect4_agent.engine.limits import NO_LIMITS, Limits
from connect4_agent.engine.players.negamax import NegamaxPlayer
from connect4_agent.engine.players.player import Choice, Player
from connect4_agent.engine.players.position_evaluator import Evaluator, PositionEvaluator
from connect4_agent.engine.players.registry import parse_evaluator, parse_player
from connect4_agent.rules.checks import require_position
from connect4_agent.rules.position import Position
from connect4_agent.text import short


def player(spec: str, *, seed: int | None = None, evaluator: str | Evaluator | None = None) -> NamedPlayer:
    """A player by its description: any SPEC that `connect4-agent players` lists.

    Args:
        spec: A name such as `"hard"`, or a name with settings such as `"negamax:depth=6,evaluator=windows"`.
        seed: Breaks ties at random, but repeatably, and makes random players repeatable.
        evaluator: What values positions where the search stops: the name of an evaluator, or a function that takes a
            `Position` and returns a whole number between `-VALUE_LIMIT` and `VALUE_LIMIT` (both excluded), larger if
            the position is better for the player to move. Only `negamax` and the levels `easy`, `medium` and `hard`
            take one.

    Raises:
        PlayerSpecError: There is no such player or evaluator, or a setting is wrong.
        EvaluatorError: The evaluator is not a function.

    Example:
        >>> import connect4_agent as c4
        >>> c4.player("hard").choose(c4.Position.from_moves("445566")).column
        2
    """
    return NamedPlayer(spec, seed, evaluator)


class NamedPlayer:
    """A player made by `player`. It can be pickled, and plays in matches like its description."""

    def __init__(self, spec: str, seed: int | None = None, evaluator: str | Evaluator | None = None) -> None:
        if not isinstance(spec, str):
            raise errors.PlayerSpecError(f"spec is {short(repr(spec))}; allowed is a text such as 'hard'")
        if seed is not None and not isinstance(seed, int):
            raise errors.PlayerSpecError(f"seed is {short(repr(seed))}; allowed are whole numbers, and None")
        self.spec = spec
        self.seed = seed
        self.evaluator = evaluator
        self._player = self._made()

    def _made(self) -> Player:
        made = parse_player(self.spec, self.seed)
        if self.evaluator is not None:
            if not isinstance(made, NegamaxPlayer):
                raise errors.PlayerSpecError(
                    f"player {self.spec!r} takes no evaluator; negamax and the levels easy, medium and hard do"
                )
            if isinstance(self.evaluator, str):
                made.evaluator = parse_evaluator(self.evaluator)
            else:
                made.evaluator = PositionEvaluator(self.evaluator)
        return made

    def choose(self, position: Position, limits: Limits = NO_LIMITS) -> Choice:
        """The player's choice in a position that is not over.

        Raises GameOverError if the game is over, and EvaluatorError if an evaluator's value is out of range.
        """
        check_question(position, limits)
        choice = self._player.choose(position, limits)
        position.drop(choice.column)  # a player of another package may choose a column that is full
        return choice

    def __repr__(self) -> str:
        """The call that made it."""
        given = {"seed": self.seed, "evaluator": self.evaluator}
        words = [repr(self.spec), *(f"{name}={value!r}" for name, value in given.items() if value is not None)]
        return f"player({', '.join(words)})"

    def __reduce__(self) -> tuple[Any, ...]:
        """How to make it again elsewhere, without its tables."""
        return NamedPlayer, (self.spec, self.seed, self.evaluator)


def check_question(position: Position, limits: Limits) -> None:
    """Raise an error if no move can be chosen: the position or the limits are not what they should be."""
    require_position(position)
    if not isinstance(limits, Limits):
        raise errors.BadValueError(f"limits is {short(repr(limits))}; allowed is a Limits, such as Limits(seconds=0.1)")
    position.check_unfinished("no move can be chosen")
