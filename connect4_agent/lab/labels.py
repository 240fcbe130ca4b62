"""LabelledPositions: positions with the exact scores of their columns, as NumPy arrays; the frozen evaluation set."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from connect4_agent import errors
from connect4_agent.engine.kernel.oracle import FULL
from connect4_agent.jobs.progress import Progress
from connect4_agent.lab.many import pack_positions, score_positions
from connect4_agent.rules.geometry import stride_of
from connect4_agent.rules.position import USUAL_SIZE, Position
from connect4_agent.text import short

try:
    import numpy as np
except ModuleNotFoundError:
    if not TYPE_CHECKING:
        np = None  # an extra: the names here can be imported without it

if TYPE_CHECKING:
    import numpy.typing as npt

EVALUATION_SETS = {1: "evaluation-1.npz"}
"""The files of the sets by version. A set never changes: another one gets another version."""

PART = "part of "
"""The beginning of the name of some of the positions."""


@dataclass(frozen=True, eq=False, repr=False)
class LabelledPositions:
    """Positions that are not over, of one board size, with the exact scores of all columns, as NumPy arrays.

    `evaluation_set` and `read_labels` make them. `len(labels)` is their number; `labels[10]`, `labels[:100]` and
    `labels[labels.discs < 8]` are some of them.
    """

    boards: npt.NDArray[np.int8]
    """Shape (n, height, width), the top row first, with 0 for empty cells, 1 and 2 for discs; player 1 moved first."""
    scores: npt.NDArray[np.int8]
    """The exact score of every column, shape (n, width), from the side of the player to move; FULL if it is full."""
    name: str = "positions"
    """The name in reports."""

    def __post_init__(self) -> None:
        boards, scores = self.boards.shape, self.scores.shape
        if len(boards) != 3 or scores != (boards[0], boards[2]):
            raise errors.BadValueError(
                f"boards has shape {boards} and scores {scores}; allowed are (n, height, width) and (n, width)"
            )

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.boards)

    def __getitem__(self, chosen: Any) -> LabelledPositions:
        """Return some of the positions: those of an index, a slice, a list of indices or a mask."""
        if isinstance(chosen, int | np.integer):
            chosen = [chosen]
        part = LabelledPositions(self.boards[chosen], self.scores[chosen], self.name)
        is_part = len(part) < len(self) and not self.name.startswith(PART)
        return replace(part, name=PART + self.name) if is_part else part

    def __repr__(self) -> str:
        return f"<LabelledPositions {self.name}: {len(self)} positions>"

    @property
    def height(self) -> int:
        """The number of rows."""
        return int(self.boards.shape[1])

    @property
    def width(self) -> int:
        """The number of columns."""
        return int(self.boards.shape[2])

    @cached_property
    def discs(self) -> npt.NDArray[np.int16]:
        """The number of discs of every position."""
        counts: npt.NDArray[np.int16] = (self.boards != 0).sum(axis=(1, 2), dtype=np.int16)
        return counts

    @cached_property
    def player(self) -> npt.NDArray[np.int8]:
        """The player to move of every position, 1 or 2."""
        return (self.discs % 2 + 1).astype(np.int8)

    @property
    def planes(self) -> npt.NDArray[np.int8]:
        """The boards as `Position.planes` gives them, shape (n, height, width, 2)."""
        player = self.player[:, None, None]
        return np.stack([self.boards == player, self.boards == 3 - player], axis=3).astype(np.int8)

    @cached_property
    def score(self) -> npt.NDArray[np.int8]:
        """The exact score of every position."""
        best: npt.NDArray[np.int8] = self.scores.max(axis=1)
        return best

    @cached_property
    def best(self) -> npt.NDArray[np.bool_]:
        """Return which columns are best, shape (n, width)."""
        best: npt.NDArray[np.bool_] = self.scores == self.score[:, None]
        return best

    @cached_property
    def keeps(self) -> npt.NDArray[np.bool_]:
        """Return which columns keep the result of the position, win, draw or loss; shape (n, width)."""
        same: npt.NDArray[np.bool_] = np.sign(self.scores) == np.sign(self.score)[:, None]
        keeps: npt.NDArray[np.bool_] = same & (self.scores != FULL)
        return keeps

    @cached_property
    def distance(self) -> npt.NDArray[np.int16]:
        """Return how many more discs perfect players drop until the game ends, from every position."""
        empty = self.height * self.width - self.discs
        score = self.score.astype(np.int16)
        win, loss = 2 * ((empty + 1) // 2 - score) + 1, 2 * (empty // 2 + score + 1)
        return np.where(score > 0, win, np.where(score < 0, loss, empty))

    @cached_property
    def positions(self) -> tuple[Position, ...]:
        """The positions as values."""
        return tuple(Position.from_grid(board, row_major=True) for board in self.boards.tolist())

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return what a file of labels holds, by name."""
        names = ("boards", "player", "scores", "score", "best", "distance")
        return {name: getattr(self, name) for name in names}


def label(
    positions: Iterable[Position] | npt.NDArray[Any], jobs: int | None, progress: Progress, name: str = "positions"
) -> LabelledPositions:
    """Score positions in any form that `analyze_many` takes. Raises BadValueError if one of them is over."""
    own, opponent, size = pack_positions(positions)
    boards = unpack_boards(list(zip(own.tolist(), opponent.tolist(), strict=True)), *size)
    scores = score_positions(boards, jobs, weak=False, progress=progress)
    over = np.flatnonzero((scores == FULL).all(axis=1))
    if len(over):
        raise errors.BadValueError(f"positions[{over[0]}] is over; it has no columns to choose from")
    return LabelledPositions(boards, scores, name)


def unpack_boards(words: Sequence[Sequence[int]], width: int, height: int) -> npt.NDArray[np.int8]:
    """Return boards, as in `LabelledPositions`, from the bits of the players to move and of their opponents.

    Raises BadValueError if the disc counts are not those of a game.
    """
    stride, count = stride_of(height), len(words)
    length = (width * stride + 7) // 8
    data = b"".join(discs.to_bytes(length, "little") for pair in words for discs in pair)
    bits = np.unpackbits(
        np.frombuffer(data, np.uint8).reshape(count, 2, length), axis=2, count=width * stride, bitorder="little"
    )
    cells = bits.reshape(count, 2, width, stride)[..., height - 1 :: -1].astype(np.int8)
    counts = cells.sum(axis=(2, 3), dtype=np.int16)
    bad = np.flatnonzero((counts[:, 1] != counts[:, 0]) & (counts[:, 1] != counts[:, 0] + 1))
    if len(bad):
        own, opponent = counts[bad[0]]
        raise errors.BadValueError(
            f"positions[{bad[0]}]: the player to move has {own} discs and the opponent {opponent}; it may have as "
            "many, or one less"
        )
    player = np.where(counts[:, 1] > counts[:, 0], 2, 1).astype(np.int8)[:, None, None]
    return (cells[:, 0] * player + cells[:, 1] * (3 - player)).transpose(0, 2, 1).copy()


def evaluation_set(version: int = 1) -> LabelledPositions:
    """Return the frozen evaluation set: 6,999 positions of 0 to 35 discs on 7x6, with the exact scores of all columns.

    It has every position of 0 to 3 discs, and 214 of each number of discs above that, divided evenly by result and
    difficulty as far as there are such positions. Neither a position nor its mirror image comes twice. Two solvers
    agree on every score. A version never changes, so that figures of different papers can be compared.

    Needs the extra `data`. Raises BadValueError if there is no such version.

    Example:
        >>> import connect4_agent as c4
        >>> c4.evaluation_set()
        <LabelledPositions evaluation set 1: 6999 positions>
    """
    errors.require_numpy("evaluation_set")
    if version not in EVALUATION_SETS or isinstance(version, bool):
        allowed = ", ".join(map(str, EVALUATION_SETS))
        raise errors.BadValueError(f"version is {short(repr(version))}; there is version {allowed}")
    with files(__package__).joinpath("data", EVALUATION_SETS[version]).open("rb") as file, np.load(file) as stored:
        boards = unpack_boards(stored["words"].tolist(), *USUAL_SIZE)
        return LabelledPositions(boards, stored["scores"], f"evaluation set {version}")


def read_labels(path: str | os.PathLike[str]) -> LabelledPositions:
    """Read an `.npz` file that `connect4-agent label` wrote.

    Needs the extra `data`. Raises BadValueError if it is another file, and OSError if it cannot be read.
    """
    errors.require_numpy("read_labels")
    path = os.fspath(path)
    if not path.endswith(".npz"):
        raise errors.BadValueError(f"{path} is not an .npz file; connect4-agent label --out NAME.npz writes one")
    try:
        with np.load(path, allow_pickle=False) as stored:
            return LabelledPositions(stored["boards"], stored["scores"], path)
    except (EOFError, KeyError, TypeError, ValueError, zipfile.BadZipFile) as error:
        raise errors.BadValueError(
            f"{path} is not a file of labels: {error}; connect4-agent label writes them"
        ) from None
