"""Requests: what a line asks, and what the command line says about the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import orjson

from connect4_agent.errors import RequestError
from connect4_agent.rules.geometry import LARGEST_SIDE
from connect4_agent.rules.position import USUAL_SIZE, Position

if TYPE_CHECKING:
    from collections.abc import Iterable


# Tuples, because dataclasses would add a sixth to the time that the server needs to start.
class CommandLineDefaults(NamedTuple):
    """The game as the command line describes it; a request takes precedence."""

    player: int | None = None
    width: int | None = None
    height: int | None = None

    @property
    def size(self) -> tuple[int, int]:
        """The size of the board if nothing else states it."""
        return self.width or USUAL_SIZE[0], self.height or USUAL_SIZE[1]


NO_DEFAULTS = CommandLineDefaults()


class RequestWarning(NamedTuple):
    """Something unusual about a request that was understood anyway; servers warn of each kind once."""

    kind: str
    text: str


class Request(NamedTuple):
    """The question of a line: a move in a position in which a column is open."""

    position: Position
    warnings: tuple[RequestWarning, ...] = ()
    columns: tuple[int, ...] | None = None
    """The columns that may be answered, if the grid can be read in several ways; None: every open one."""


def request_for(
    position: Position, warnings: Iterable[RequestWarning] = (), columns: tuple[int, ...] | None = None
) -> Request:
    """Return the request for a move in a position, with warnings about the position added.

    Raise RequestError if no column is open.
    """
    odd = list(warnings)
    if position.is_full:
        cells = position.width * position.height
        raise RequestError("board_full", f"the board is full: all {cells} cells of grid hold discs")
    if position.winner is not None:
        odd.append(RequestWarning("over", f"the game is over: player {position.winner} has four in a row"))
    surplus = position.own.bit_count() - position.opponent.bit_count()
    if surplus not in (-1, 0):
        count_1, count_2 = position.discs_1.bit_count(), position.discs_2.bit_count()
        counts = f"player 1 has {count_1}, player 2 has {count_2}, and player {position.player} is to move"
        odd.append(RequestWarning("counts", f"odd disc counts: {counts}"))
    return Request(position, tuple(odd), columns)


def make_request(position: Position, *, grid_only: bool = False) -> bytes:
    """Return the line that asks for a move in a position, without a newline: all four keys, or the grid alone."""
    if grid_only:
        return orjson.dumps({"grid": position.grid()})
    return orjson.dumps(
        {"grid": position.grid(), "height": position.height, "player": position.player, "width": position.width}
    )


def check_default(name: str, text: str | None) -> int | None:
    """Return the value of --player, --width or --height; None if it is not allowed."""
    largest = 2 if name == "player" else LARGEST_SIDE
    try:
        value = int(text or "")
    except ValueError:
        return None
    return value if 1 <= value <= largest else None
