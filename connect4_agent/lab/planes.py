"""Positions as NumPy arrays: one plane for the discs of each player, as neural networks take them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from connect4_agent import errors
from connect4_agent.rules.position import Position, stride_of

LAYOUT = "an array of 0 and 1 with shape (height, width, 2): own discs and those of the opponent, the top row first"


def planes_of(own: int, opponent: int, width: int, height: int) -> npt.NDArray[np.int8]:
    """The planes of one board, from the bits of both players."""
    stride = stride_of(height)
    data = b"".join(discs.to_bytes((width * stride + 7) // 8, "little") for discs in (own, opponent))
    bits = np.unpackbits(np.frombuffer(data, np.uint8).reshape(2, -1), axis=1, count=width * stride, bitorder="little")
    columns = bits.reshape(2, width, stride)[:, :, height - 1 :: -1]
    return np.ascontiguousarray(columns.transpose(2, 1, 0)).view(np.int8)


def position_of_planes(planes: npt.ArrayLike, player: int | None) -> Position:
    """What `Position.from_planes` gives."""
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
