"""Player: whatever chooses a move, and what every player shares."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from connect4_agent import errors
from connect4_agent.engine import speed
from connect4_agent.engine.search import do_nothing, middle_first

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from connect4_agent.position import Position

LARGE_BOARD_SECONDS = 2.0
"""The time for a move on a board too large for compiled code, where no limit is set."""

REPLY_SECONDS = 0.005
"""What is left of a time limit, at most, for the answer to reach whoever set it; never more than a tenth of it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a player may use for one move.

    `poll` is called every few milliseconds of a search and may raise to end it; that reaches the caller.
    """

    seconds: float | None = None
    poll: Callable[[], None] = do_nothing
    explain: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """A move and what is known about it.

    `score` is None where nothing was searched. An exact score counts as the public solvers do (0 draw, +k
    a win with the winner's k-th last disc, -k a loss); any other is the player's opinion. `line` is the
    play expected from both sides, beginning with this move, and is searched for only on request.
    """

    column: int
    score: int | None = None
    exact: bool = False
    depth: int = 0
    nodes: int = 0
    line: tuple[int, ...] = ()


class Player(Protocol):
    """Chooses a column of a position in which a column is open and nobody has four."""

    def choose(self, position: Position, limits: Limits) -> Choice:
        """An open column of the position."""


def seconds_for(position: Position, limits: Limits, own_seconds: float | None) -> float | None:
    """The time for a move: the shorter of the caller's limit and the player's own; None is no limit."""
    given = [seconds for seconds in (limits.seconds, own_seconds) if seconds is not None]
    if given:
        return min(given)
    return None if speed.fits_machine_word(position.width, position.height) else LARGE_BOARD_SECONDS


def poll_until(started: float, seconds: float, poll: Callable[[], None]) -> Callable[[], None]:
    """A poll that does what `poll` does, and raises OutOfTimeError when it is time to answer."""
    deadline = started + seconds - min(REPLY_SECONDS, seconds / 10)

    def poll_clock() -> None:
        poll()
        if monotonic() >= deadline:
            raise errors.OutOfTimeError(f"{seconds} s have passed, or nearly so")

    return poll_clock


def centre_shortcut(position: Position) -> int | None:
    """The left centre column for a player's first disc, unless the opponent has, or would get, a win at once."""
    if position.own:
        return None
    column = (position.width - 1) // 2
    if not position.is_open(column) or position.passed().winning_columns():
        return None
    after = position.play(column)
    return None if after.winning_columns() else column


def obvious_column(position: Position) -> int:
    """The column to play with no time to search: one that wins, else one that blocks, else the most central one."""
    candidates = position.winning_columns() or position.passed().winning_columns() or position.legal_columns()
    return next(column for column in middle_first(position.width) if column in candidates)


def choose_anyway(player: Player, position: Position, limits: Limits) -> Choice:
    """What the player chooses; the obvious column where somebody has four: no player is made for finished games."""
    if position.winner is None:
        return player.choose(position, limits)
    column = obvious_column(position)
    return Choice(column, line=(column,))


def random_source(seed: int | None, position: Position) -> Random:
    """Random numbers that depend on the seed and the position alone; without a seed, on nothing."""
    from random import Random  # noqa: PLC0415  # most servers never need it

    if seed is None:
        return Random()
    return Random(f"{seed} {position.width} {position.height} {position.player} {position.key}")
