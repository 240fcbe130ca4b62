"""analyze_many: the exact scores of many positions; without NumPy, an error that names the extra."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from connect4_agent import errors
from connect4_agent.jobs.executor import on_dask
from connect4_agent.jobs.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    import numpy.typing as npt

    from connect4_agent.rules.position import Position


def analyze_many(
    positions: Iterable[Position] | npt.NDArray[Any],
    *,
    jobs: int | None = None,
    weak: bool = False,
    progress: bool = False,
    dask: str | None = None,
) -> npt.NDArray[np.int8]:
    """Return the exact scores of every column of many positions, as an array of int8 with shape (n, width).

    A full column has `FULL`, -128; so has every column of a game that is over. Positions that occur more than once, or
    with their mirror image, are solved once. Ctrl-C ends it at once. It needs NumPy, the extra `data`.

    Args:
        positions: A sequence of `Position`, all of the same size. Or an array of uint64 with shape (n, 2): the discs of
            the player to move and of the opponent on 7 columns and 6 rows, the cell in column c and row r, counted from
            the bottom left, as bit 7 * c + r. Or an array of whole numbers with shape (n, height, width), the top row
            first: 0 is empty, 1 and 2 are discs, and it is the turn of the player with fewer discs, or of player 1.
        jobs: The number of threads; default: one for each core.
        weak: Whether to give 1, 0 and -1 for win, draw and loss instead of scores, which takes less time.
        progress: Whether to show on standard error how far it is.
        dask: The address of a Dask scheduler, whose workers then solve the positions. Needs the extra `cluster`.

    Raises:
        BadValueError: The positions are none of these, or one of them is impossible.
        OSError: There is no scheduler at the address, or it has no workers.

    Example:
        >>> import connect4_agent as c4
        >>> c4.analyze_many([c4.Position(), c4.Position.from_moves("4455")])
        array([[-2, -1,  0,  1,  0, -1, -2],
               [-4, -3, 18,  2,  2, 18, -3]], dtype=int8)
    """
    try:
        from connect4_agent.lab.many import score_positions  # noqa: PLC0415  # NumPy is an extra
    except ImportError as error:
        raise errors.missing_numpy("analyze_many", error) from None
    shown = Progress("positions", "score", sys.stderr) if progress else Progress()
    if dask is None:
        return score_positions(positions, jobs, weak, shown)
    cluster = on_dask(dask)
    try:
        return score_positions(positions, jobs, weak, shown, cluster)
    finally:
        cluster.close()
