"""Player: an object that chooses moves; `choose`, through which everything asks it; and what players share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from connect4_agent import errors
from connect4_agent.engine.kernel.order import middle_first

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from random import Random

    from connect4_agent.engine.limits import Limits
    from connect4_agent.rules.position import Position


@dataclass(frozen=True, slots=True)
class Choice:
    """A move and what is known about it."""

    column: int
    """The column to play, counted from 0."""
    score: int | None = None
    """The player's score of the position, from the side to move; None if it did not search."""
    exact: bool = False
    """True if the score is proven. Then 0 is a draw, +k a win with the winner's k-th last disc, -k a loss to it."""
    depth: int = 0
    """The number of plies searched."""
    nodes: int = 0
    """The number of positions visited."""
    line: tuple[int, ...] = ()
    """The play expected from both sides, beginning with this move; longer only with `Limits(explain=True)`."""

    def __post_init__(self) -> None:
        if not self.line:
            object.__setattr__(self, "line", (self.column,))

    def to_dict(self, elapsed_ms: float) -> dict[str, object]:
        """Return the choice as answers with `--explain` have it."""
        return {
            "move": self.column,
            "score": self.score,
            "exact": self.exact,
            "depth": self.depth,
            "nodes": self.nodes,
            "elapsed_ms": round(elapsed_ms, 3),
            "line": self.line,
        }


class Player(Protocol):
    """Chooses moves: what all players have in common, and what a player of your own needs.

    `choose` is called with positions in which nobody has four and a column is open. All players of this package can
    be asked without limits: `choose(position)`.
    """

    def choose(self, position: Position, limits: Limits) -> Choice:
        """Return an open column of the position, and what the player knows about it."""


def centre_shortcut(position: Position) -> int | None:
    """Return column `width // 2` for a player's first disc, or None if that lets the opponent win at once."""
    if position.own:
        return None
    column = position.width // 2
    if not position.is_open(column) or position.passed().winning_columns():
        return None
    after = position.play(column)
    return None if after.winning_columns() else column


def obvious_column(position: Position, allowed: Iterable[int] | None = None) -> int:
    """Return the column to play without a search: one that wins, else one that blocks, else the most central one.

    Only the `allowed` columns are considered, by default all open ones.
    """
    columns = set(position.open_columns() if allowed is None else allowed)
    candidates = (
        columns.intersection(position.winning_columns())
        or columns.intersection(position.passed().winning_columns())
        or columns
    )
    return next(column for column in middle_first(position.width) if column in candidates)


def choose(
    player: Player, position: Position, limits: Limits, on_failure: Callable[[Exception], None] | None = None
) -> Choice:
    """Return the player's choice in a position in which a column is open. Everything that needs a move calls this.

    If somebody has four, it is the obvious column, because players expect unfinished games. If the player fails, it
    is the obvious column, too, and `on_failure` is called; without `on_failure` the exception reaches the caller.
    """
    if position.winner is None:
        try:
            return player.choose(position, limits)
        except errors.ReaderGoneError:
            raise
        except Exception as error:
            if on_failure is None:
                raise
            on_failure(error)
    return Choice(obvious_column(position))


def random_source(seed: int | None, position: Position) -> Random:
    """Return random numbers that depend only on the seed and the position; without a seed, they differ every time."""
    from random import Random  # noqa: PLC0415  # most servers never need it

    if seed is None:
        return Random()
    return Random(f"{seed} {position.width} {position.height} {position.player} {position.key}")
