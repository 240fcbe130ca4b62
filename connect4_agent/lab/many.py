"""analyze_many: the exact scores of all columns of many positions, as a NumPy array.

Boards are computed with as arrays of words: uint64 if they have up to 64 bits, else Python's own integers.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from connect4_agent import errors
from connect4_agent.engine.engine import engine_for
from connect4_agent.engine.kernel import forms
from connect4_agent.engine.kernel.order import do_nothing
from connect4_agent.jobs.cores import core_count
from connect4_agent.jobs.executor import Executor, in_threads, on_dask, run_jobs
from connect4_agent.jobs.progress import Progress
from connect4_agent.rules.geometry import LARGEST_SIDE, board_cells, bottom_cells, stride_of
from connect4_agent.rules.position import USUAL_SIZE, Position, is_whole
from connect4_agent.text import short

try:
    import numpy as np
except ModuleNotFoundError:
    if not TYPE_CHECKING:
        np = None  # an extra: the names here can be imported without it

if TYPE_CHECKING:
    import numpy.typing as npt

    Poll = Callable[[], None]
    Words = npt.NDArray[Any]
    Size = tuple[int, int]

MAX_CHUNK = 64
"""The most positions that a thread takes at a time."""

CHUNKS_PER_THREAD = 16
"""The number of chunks for each thread, if there are enough: some positions take a thousand times as long as others."""

ALLOWED = (
    "allowed are a sequence of Position, an array of uint64 with shape (n, 2), and an array of whole numbers with "
    "shape (n, height, width)"
)


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
    errors.require_numpy("analyze_many")
    shown = Progress("positions", "score", sys.stderr) if progress else Progress()
    with ExitStack() as stack:
        cluster = None if dask is None else stack.enter_context(closing(on_dask(dask)))
        return score_positions(positions, jobs, weak, shown, cluster)


def score_positions(
    positions: Iterable[Position] | npt.NDArray[Any],
    jobs: int | None,
    weak: bool,
    progress: Progress,
    cluster: Executor | None = None,
) -> npt.NDArray[np.int8]:
    """Return the scores, computed by `jobs` threads, or by a cluster."""
    if jobs is not None and (not is_whole(jobs) or jobs < 1):
        raise errors.BadValueError(f"jobs is {jobs!r}; allowed are whole numbers from 1 on, and None for every core")
    own, opponent, size = pack_positions(positions)
    check_size(size)
    mirrored_own, mirrored_opponent = _mirrored(own, size), _mirrored(opponent, size)
    keys, mirrored_keys = own + (own | opponent), mirrored_own + (mirrored_own | mirrored_opponent)
    is_mirrored = (mirrored_keys < keys).astype(bool)
    _, firsts, indices = np.unique(np.where(is_mirrored, mirrored_keys, keys), return_index=True, return_inverse=True)
    chosen_own = np.where(is_mirrored, mirrored_own, own)[firsts]
    chosen_opponent = np.where(is_mirrored, mirrored_opponent, opponent)[firsts]
    if cluster is not None:
        scores = _solve(chosen_own, chosen_opponent, size, cluster, weak, progress, do_nothing)
    else:
        scores = _solve_in_threads(chosen_own, chosen_opponent, size, jobs or core_count(), weak, progress)
    scores = scores[indices.reshape(-1)]
    scores[is_mirrored] = scores[is_mirrored, ::-1]
    return scores


def check_size(size: Size) -> None:
    """Raise BadValueError if boards of this size cannot be solved in threads."""
    width, height = size
    if not forms.fits_compiled(width, height):
        raise errors.BadValueError(
            f"positions have {width} columns and {height} rows; (rows + 1) x columns may be at most "
            f"{max(forms.WORD_BITS.values())}"
        )


def _solve_in_threads(
    owns: Words, opponents: Words, size: Size, jobs: int, weak: bool, progress: Progress
) -> npt.NDArray[np.int8]:
    stop = threading.Event()

    def poll() -> None:
        if stop.is_set():
            raise _StoppedError

    threads = in_threads(jobs)
    try:
        return _solve(owns, opponents, size, threads, weak, progress, poll)
    finally:
        stop.set()
        threads.close()


class _Chunk(NamedTuple):
    """Positions that are solved together, and the number of the first."""

    begin: int
    owns: list[int]
    opponents: list[int]
    size: Size
    weak: bool


def _solve(
    owns: Words, opponents: Words, size: Size, executor: Executor, weak: bool, progress: Progress, poll: Poll
) -> npt.NDArray[np.int8]:
    """Return the scores of different positions; each is solved once, in a thread or by a worker of a cluster."""
    scores = np.empty((len(owns), size[0]), np.int8)
    length = max(1, min(MAX_CHUNK, len(owns) // (CHUNKS_PER_THREAD * executor.parallel)))
    chunks = (
        _Chunk(begin, owns[begin : begin + length].tolist(), opponents[begin : begin + length].tolist(), size, weak)
        for begin in range(0, len(owns), length)
    )
    done = 0
    progress.begin(len(owns))
    try:
        for chunk, answer in run_jobs(executor, partial(_solve_chunk, poll=poll), chunks):
            scores[chunk.begin : chunk.begin + length] = np.array(answer.result(), np.int8).reshape(-1, size[0])
            done += len(chunk.owns)
            progress.count(done)
    finally:
        progress.end()
    return scores


def _solve_chunk(chunk: _Chunk, poll: Poll) -> list[int]:
    return engine_for(*chunk.size).score_many(chunk.owns, chunk.opponents, chunk.weak, poll)


class _StoppedError(Exception):
    """Another thread has failed, or the caller was interrupted."""


def pack_positions(positions: Iterable[Position] | npt.NDArray[Any]) -> tuple[Words, Words, Size]:
    """Return the discs of the players to move and of their opponents, and the boards' columns and rows."""
    if not isinstance(positions, np.ndarray):
        return _pack_positions(positions)
    kind = f"positions is an array of {positions.dtype} with shape {positions.shape}"
    if positions.ndim == 2 and positions.shape[1] == 2 and positions.dtype == np.uint64:
        own, opponent = _checked_words(positions)
        return own, opponent, USUAL_SIZE
    if positions.ndim == 3 and positions.dtype.kind in "iu":
        height, width = positions.shape[1:]
        if not (1 <= width <= LARGEST_SIDE and 1 <= height <= LARGEST_SIDE):
            raise errors.BadValueError(f"{kind}; a board has 1 to {LARGEST_SIDE} columns and rows")
        own, opponent = _pack_boards(positions)
        return own, opponent, (width, height)
    raise errors.BadValueError(f"{kind}; {ALLOWED}")


def _pack_positions(positions: Any) -> tuple[Words, Words, Size]:
    try:
        given = list(positions)
    except TypeError:
        raise errors.BadValueError(f"positions is {short(repr(positions))}; {ALLOWED}") from None
    size = USUAL_SIZE
    for number, position in enumerate(given):
        if not isinstance(position, Position):
            raise errors.BadValueError(f"positions[{number}] is {short(repr(position))}; {ALLOWED}")
        if number == 0:
            size = position.width, position.height
        if (position.width, position.height) != size:
            raise errors.BadValueError(
                f"positions[{number}] has {position.width} columns and {position.height} rows, positions[0] has "
                f"{size[0]} and {size[1]}; all must have the same size"
            )
    own = _pack([position.own for position in given], size)
    return own, _pack([position.opponent for position in given], size), size


def _pack(numbers: list[int], size: Size) -> Words:
    words: Words = np.empty(len(numbers), np.uint64 if forms.fits(forms.NARROW, *size) else object)
    words[:] = numbers
    return words


def _checked_words(words: npt.NDArray[np.uint64]) -> Iterator[Words]:
    """Yield both columns of the array; all boards are possible ones of the usual size."""
    own, opponent = words[:, 0], words[:, 1]
    discs = own | opponent
    bottom, cells = np.uint64(bottom_cells(*USUAL_SIZE)), np.uint64(board_cells(*USUAL_SIZE))
    bad = np.flatnonzero((own & opponent) | (discs & ~cells) | (discs & discs + bottom))
    if len(bad):
        number = int(bad[0])
        try:
            Position(*USUAL_SIZE, 1, int(own[number]), int(opponent[number]))
        except errors.Connect4Error as error:
            raise errors.BadValueError(
                f"positions[{number}], own and opponent as discs_1 and discs_2: {error}"
            ) from None
    yield own
    yield opponent


def _pack_boards(boards: npt.NDArray[Any]) -> Iterator[Words]:
    """Yield the discs of the players to move, then those of their opponents."""
    count, height, width = boards.shape
    floating = (boards[:, :-1] != 0) & (boards[:, 1:] == 0)
    bad = np.flatnonzero(((boards < 0) | (boards > 2)).any(axis=(1, 2)) | floating.any(axis=(1, 2)))
    if len(bad):
        number = int(bad[0])
        try:
            Position.from_grid(boards[number].tolist(), row_major=True)
        except errors.Connect4Error as error:
            raise errors.BadValueError(f"positions[{number}]: {error}") from None
    # Columns one after the other, each from the bottom up, with an empty cell on top of it.
    cells = np.zeros((count, width, stride_of(height)), boards.dtype)
    cells[:, :, :height] = boards[:, ::-1].transpose(0, 2, 1)
    cells = cells.reshape(count, width * stride_of(height))
    second_moves = (cells == 1).sum(axis=1) > (cells == 2).sum(axis=1)
    for player in (1, 2):
        players = np.where(second_moves, 3 - player, player)[:, None]
        packed = np.packbits(cells == players, axis=1, bitorder="little")
        yield _pack([int.from_bytes(row.tobytes(), "little") for row in packed], (width, height))


def _mirrored(words: Words, size: Size) -> Words:
    width, stride = size[0], stride_of(size[1])
    column_cells = (1 << stride) - 1
    mirrored = words & 0
    for column in range(width):
        mirrored |= (words >> column * stride & column_cells) << (width - 1 - column) * stride
    return mirrored
