"""Lines as managers send them, for properties: the documented form, other readings, and broken ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from connect4_agent.rules.position import Position
from tests.boards import Grid, games

ORDERS: dict[str, Callable[[Grid], Grid]] = {
    "columns from the top": lambda grid: grid,
    "columns from the bottom": lambda grid: [column[::-1] for column in grid],
    "rows from the top": lambda grid: [list(row) for row in zip(*grid, strict=True)],
    "rows from the bottom": lambda grid: [list(row) for row in zip(*grid, strict=True)][::-1],
}
"""The orders in which a grid's cells may be listed."""

BROKEN_LINES = (
    b"oops",
    b'{"grid":[[0,0],[0,',
    b"[1,2",
    b"{",
    b"{}",
    b"\0",
    b'{"grid":[[1,0,0,0],[1,0,0,0],[1,2,0,0],[0,0,0,0]],"width":4,"height":4,"player":1}',
    b'{"grid":[[0,2,0,0],[1,0,0,0],[1,2,0,0],[0,0,0,0]],"width":4,"height":4,"player":1}',
    b'{"grid":[[1,2],[2,1]]}',
    b'{"grid":[[0,3]]}',
)
"""Lines that get an error, and one that is only legal from the bottom; none ends what another one begins."""


def line_of(position: Position, **others: Any) -> bytes:
    """The documented line for a position, with other values in the place of some, or without those that are None."""
    request = {"grid": position.grid(), "height": position.height, "player": position.player, "width": position.width}
    return json.dumps({key: value for key, value in (request | others).items() if value is not None}).encode()


@st.composite
def other_lines(draw: st.DrawFn, position: Position) -> bytes:
    """A line about a position that needs a reading."""
    grid: list[Any] = ORDERS[draw(st.sampled_from(sorted(ORDERS)))](position.grid())
    if draw(st.booleans()):
        grid = [cell for line in grid for cell in line]
    sizes = {} if draw(st.booleans()) else {"height": None, "width": None}
    player = draw(st.sampled_from((None, 0, 1, 2, -1, "2", 7)))
    return line_of(position, grid=grid, player=player, **sizes)


@st.composite
def requests_of_a_game(draw: st.DrawFn, sizes: st.SearchStrategy[tuple[int, int]]) -> list[bytes]:
    """The lines of a random game, in which no answer of the agent is followed: for one side, or for both."""
    played = draw(games(sizes, most_plies=20))
    sides = draw(st.sampled_from(((1,), (2,), (1, 2))))
    return [line_of(position) for position in played if position.player in sides and not position.is_full]


@st.composite
def requests_of_a_session(draw: st.DrawFn, sizes: st.SearchStrategy[tuple[int, int]]) -> list[bytes]:
    """The lines of several games, some of them taken in turns, with other readings and broken lines in between."""
    lines: list[bytes] = []
    for _ in range(draw(st.integers(1, 2))):
        one, other = draw(requests_of_a_game(sizes)), draw(requests_of_a_game(sizes))
        if draw(st.booleans()):
            pairs = [[line] for line in one]
            for pair, line in zip(pairs, other, strict=False):
                pair.append(line)
            one, other = [line for pair in pairs for line in pair], other[len(pairs) :]
        lines += one + other
    for _ in range(draw(st.integers(0, 4))):
        odd = st.sampled_from(BROKEN_LINES) | games(sizes).map(lambda played: played[-1]).flatmap(other_lines)
        lines.insert(draw(st.integers(0, len(lines))), draw(odd))
    return lines
