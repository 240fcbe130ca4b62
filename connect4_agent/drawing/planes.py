"""Positions as NumPy arrays: one plane for the discs of each player, as neural networks take them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.rules.geometry import stride_of
from connect4_agent.rules.position import Position

try:
    import numpy as np
except ImportError:
    if not TYPE_CHECKING:
        np = None  # an extra: the names here can be imported without it, and the functions refuse

if TYPE_CHECKING:
    import numpy.typing as npt

LAYOUT = "an array of 0 and 1 with shape (height, width, 2): own discs and those of the opponent, the top row first"


def planes(position: Position) -> npt.NDArray[np.int8]:
    """Return the board for a neural network: an array of 0 and 1 with shape (height, width, 2).

    `planes(position)[row, column, 0]` is 1 for a disc of the player to move, `[row, column, 1]` for one of the
    opponent; row 0 is the top row. PettingZoo's Connect Four has the same layout. Needs NumPy, the extra `data`.
    """
    errors.require_numpy("planes")
    width, height, stride = position.width, position.height, stride_of(position.height)
    data = b"".join(discs.to_bytes((width * stride + 7) // 8, "little") for discs in (position.own, position.opponent))
    bits = np.unpackbits(np.frombuffer(data, np.uint8).reshape(2, -1), axis=1, count=width * stride, bitorder="little")
    columns = bits.reshape(2, width, stride)[:, :, height - 1 :: -1]
    return np.ascontiguousarray(columns.transpose(2, 1, 0)).view(np.int8)


def position_from_planes(planes: npt.ArrayLike, player: int | None = None) -> Position:
    """Read what `planes` gives, or an observation of PettingZoo's Connect Four. Needs NumPy, the extra `data`.

    Without a player, it is player 2's turn if the player to move has fewer discs, otherwise player 1's.
    Raises BadValueError if the array is not one of 0 and 1 with shape (height, width, 2), or RequestError for a
    disc that floats.
    """
    errors.require_numpy("position_from_planes")
    try:
        given = np.asarray(planes)
    except ValueError:
        raise errors.BadValueError(f"planes has rows of different lengths; allowed is {LAYOUT}") from None
    if given.ndim != 3 or given.shape[2] != 2:
        raise errors.BadValueError(f"planes is an array of {given.dtype} with shape {given.shape}; allowed is {LAYOUT}")
    bad = np.argwhere((given != 0) & (given != 1))
    if len(bad):
        cell = tuple(map(int, bad[0]))
        raise errors.BadValueError(f"planes[{', '.join(map(str, cell))}] is {given[cell]}; allowed is {LAYOUT}")
    both = np.argwhere(given.all(axis=2))
    if len(both):
        row, column = map(int, both[0])
        raise errors.BadValueError(f"planes[{row}, {column}] is 1 for both players; a cell has one disc at most")
    own, opponent = given[..., 0].astype(np.int8), given[..., 1].astype(np.int8)
    if player is None:
        player = 2 if own.sum() < opponent.sum() else 1
    rows = own * player + opponent * (3 - player)
    return Position.from_grid(rows.tolist(), player, row_major=True)
