"""Files of labelled positions: read or draw positions, score them in parts that survive a crash, and write them."""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson

from connect4_agent import __version__, errors
from connect4_agent.engine.kernel.oracle import FULL
from connect4_agent.jobs.executor import Executor
from connect4_agent.jobs.progress import Progress
from connect4_agent.lab.labels import LabelledPositions, unpack_boards
from connect4_agent.lab.many import check_size, score_positions
from connect4_agent.lab.sampling import sample
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import Result, result_of
from connect4_agent.text import short

CHUNK = 1024
"""The number of positions scored before their scores are written, for each thread of a cluster: what a crash loses."""


@dataclass(frozen=True)
class Source:
    """A source of positions, in the same order every time."""

    size: tuple[int, int]
    """Columns and rows."""
    wanted: int
    """The number of positions to label."""
    positions: Callable[[], Iterator[Position]]
    """Makes them, as long as there are any."""
    made_from: dict[str, Any]
    """The values that the labels depend on."""
    is_balanced: bool = False
    """True for as many wins as draws and losses."""
    bad_lines: tuple[tuple[int, str], ...] = ()
    """Of a file: the numbers of lines that were left out, and why."""

    def chosen(self, scores: npt.NDArray[np.int8]) -> npt.NDArray[np.intp]:
        """Return which of the positions with these scores are labelled: the first ones, or the first of each result."""
        if not self.is_balanced:
            return np.arange(min(len(scores), self.wanted))
        signs = np.sign(scores.max(axis=1, initial=FULL))
        quotas = [self.wanted // 3 + (index < self.wanted % 3) for index in range(3)]
        picked = [np.flatnonzero(signs == sign)[:quota] for sign, quota in zip((1, 0, -1), quotas, strict=True)]
        return np.sort(np.concatenate(picked))


def given_positions(name: str, data: bytes, size: tuple[int, int]) -> Source:
    """Return the positions of a file's lines: move strings, or JSON objects with a grid."""
    found: list[Position] = []
    bad_lines: list[tuple[int, str]] = []
    for number, line in enumerate(data.splitlines(), 1):
        if line.strip():
            try:
                found.append(read_position(line, size))
            except errors.Connect4Error as error:
                bad_lines.append((number, str(error)))
    digest = hashlib.sha256(data).hexdigest()
    made_from = {"file": name, "sha256": digest, "lines_left_out": len(bad_lines), **_of_size(size)}
    return Source(size, len(found), lambda: iter(found), made_from, bad_lines=tuple(bad_lines))


def drawn_positions(wanted: int, discs: tuple[int, int], seed: int, is_balanced: bool, size: tuple[int, int]) -> Source:
    """Return different positions of random games, with a number of discs in a range."""
    made_from = {
        "drawn": wanted,
        "discs": list(discs),
        "seed": seed,
        "balanced": is_balanced,
        "games": "half of them of random moves, half of random moves except that wins are taken and blocked",
        **_of_size(size),
    }
    least, most = discs

    def draw() -> Iterator[Position]:
        return sample(Random(f"label {seed}"), range(least, most + 1), *size)

    return Source(size, wanted, draw, made_from, is_balanced)


def _of_size(size: tuple[int, int]) -> dict[str, Any]:
    return {"width": size[0], "height": size[1], "version": __version__}


def read_position(line: bytes, size: tuple[int, int]) -> Position:
    """Read a line: a JSON object with a grid, or a move string. Raises Connect4Error for what has no labels."""
    text = line.decode(errors="replace").strip()
    if text.startswith("{"):
        try:
            request = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise errors.NotationError(f"{short(repr(text))} is not JSON: {error}") from None
        if "grid" not in request:
            raise errors.NotationError(f"{short(repr(text))} has no grid")
        position = Position.from_grid(request["grid"], request.get("player"))
    else:
        position = Position.from_moves(text.split()[0], *size)
    if (position.width, position.height) != size:
        raise errors.NotationError(
            f"the board has {position.width} columns and {position.height} rows; --size says {size[0]} and {size[1]}"
        )
    if position.is_over:
        raise errors.GameOverError("the game is over: there is no column to score")
    own, opponent = position.own.bit_count(), position.opponent.bit_count()
    if opponent - own not in (0, 1):
        raise errors.NotationError(
            f"the player to move has {own} discs and the opponent {opponent}; it may have as many, or one less"
        )
    return position


class WorkFile:
    """The scores found so far, a row of bytes for each position, after a line that says what they belong to."""

    def __init__(self, path: Path, description: dict[str, Any], width: int) -> None:
        self.path = path
        header = orjson.dumps(description, option=orjson.OPT_SORT_KEYS) + b"\n"
        data = path.read_bytes() if path.exists() else b""
        found = data[: data.find(b"\n") + 1]
        if found and found != header:
            raise errors.BadValueError(
                f"{path} has the scores of other positions: {_difference(orjson.loads(found), description)}; remove "
                "it, or write to another file"
            )
        rows = (len(data) - len(found)) // width if found else 0
        self.scores = np.frombuffer(data, np.int8, rows * width, len(found)).reshape(rows, width).copy()
        self._file = open(path, "r+b" if found else "wb")  # noqa: SIM115  # closed by `close`
        if not found:
            self._file.write(header)
        self._file.truncate(len(header) + rows * width)  # a row that was being written
        self._file.seek(0, os.SEEK_END)

    def append(self, scores: npt.NDArray[np.int8]) -> None:
        """Add rows; a crash of this process loses none of them from then on."""
        self.scores = np.concatenate([self.scores, scores])
        self._file.write(scores.tobytes())
        self._file.flush()

    def close(self) -> None:
        """Leave the file as it is."""
        self._file.close()


def _difference(found: dict[str, Any], wanted: dict[str, Any]) -> str:
    names = [name for name in sorted(found.keys() | wanted.keys()) if found.get(name) != wanted.get(name)]
    return ", ".join(f"{name} {found.get(name)} -> {wanted.get(name)}" for name in names)


def label_source(
    source: Source,
    out: Path,
    jobs: int | None,
    progress: Progress,
    is_stopped: Callable[[], bool],
    cluster: Executor | None = None,
) -> LabelledPositions | None:
    """Score the positions of a source, continuing an earlier attempt; None if it was stopped, with a work file left.

    Raises BadValueError if there are not as many positions as are wanted, or a work file belongs to others.
    """
    width, height = source.size
    check_size(source.size)
    work = WorkFile(work_file(out), source.made_from, width)
    positions = source.positions()
    boards = [np.empty((0, height, width), np.int8)]
    length = CHUNK if cluster is None else CHUNK * cluster.parallel
    try:
        chosen = source.chosen(work.scores)
        progress.begin(source.wanted, len(chosen))
        done = 0
        while len(chosen) < source.wanted or done < len(work.scores):
            part = list(islice(positions, length if done >= source.wanted else min(length, source.wanted - done)))
            if not part:
                work.path.unlink()
                raise errors.BadValueError(_too_few(source, work.scores[chosen]))
            part_boards = unpack_boards([(position.own, position.opponent) for position in part], width, height)
            boards.append(part_boards)
            known = len(work.scores) - done
            if known < len(part):
                if is_stopped():
                    return None
                work.append(
                    score_positions(
                        part_boards[max(0, known) :], jobs, weak=False, progress=Progress(), cluster=cluster
                    )
                )
                chosen = source.chosen(work.scores)
                progress.count(len(chosen))
            done += len(part)
    finally:
        progress.end()
        work.close()
    return LabelledPositions(np.concatenate(boards)[chosen], work.scores[chosen])


def _too_few(source: Source, scores: npt.NDArray[np.int8]) -> str:
    found = Counter(result_of(int(score)) for score in scores.max(axis=1, initial=FULL))
    words = ", ".join(f"{found[result]} {result.value}" for result in Result)
    return (
        f"only {len(scores)} of {source.wanted} different positions were found ({words}): ask for fewer, or allow "
        "other numbers of discs"
    )


def work_file(out: Path) -> Path:
    """Return where the scores are kept until the file is written."""
    return out.with_name(out.name + ".part")


def is_written(source: Source, out: Path) -> bool:
    """Check whether the file is there with the labels of this source. Raises BadValueError if it is another file."""
    if not out.exists():
        return False
    try:
        with np.load(out, allow_pickle=False) as stored:
            made = orjson.loads(str(stored["made_from"]))
    except (EOFError, KeyError, TypeError, ValueError, zipfile.BadZipFile):
        raise errors.BadValueError(
            f"{out} exists, and does not say how it was made; remove it, or name another file"
        ) from None
    if made != source.made_from:
        difference = _difference(made, source.made_from)
        raise errors.BadValueError(f"{out} exists and is another one: {difference}; name another file")
    return True


def write_labels(labels: LabelledPositions, source: Source, out: Path) -> None:
    """Write the file, which is complete as soon as it has its name, and remove the work file."""
    temporary = out.with_name(f"{out.name}.tmp")
    arrays = {**labels.arrays(), "made_from": np.array(orjson.dumps(source.made_from).decode())}
    with temporary.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]  # its stub takes a keyword of savez for an array
    os.replace(temporary, out)
    work_file(out).unlink(missing_ok=True)
