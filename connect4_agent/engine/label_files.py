"""Files of labelled positions: read or draw positions, score them in parts that survive a crash, and write them."""

from __future__ import annotations

import csv
import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
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
from connect4_agent.engine.labels import LabelledPositions, boards_of
from connect4_agent.engine.many import check_size, scores_of_many
from connect4_agent.engine.sampling import sample
from connect4_agent.jobs.progress import Progress
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import Result, result_of
from connect4_agent.text import short

CHUNK = 1024
"""How many positions are scored before their scores are written: what a crash loses at most."""

FIELDS = {
    "boards": "the cells, the top row first: 0 is empty, 1 and 2 are discs; player 1 made the first move",
    "board": "the cells, rows from the top separated by /: . is empty, X and O are discs of players 1 and 2",
    "grid": "the cells as a request has them: a list of columns, each from its top cell to its bottom cell",
    "player": "the player to move, 1 or 2",
    "discs": "the number of discs on the board",
    "scores": "the exact score of every column, from the side of the player to move; -128 (.npz) or null if it is full",
    "score_0": "the exact score of column 0 from the side of the player to move, and so on; empty if it is full",
    "score": "the exact score of the position: that of its best columns",
    "best": "the best columns, counted from 0; in .npz a mask of all columns",
    "distance": "how many more discs perfect players drop until the game ends",
}
"""What the fields of all formats mean, for the card."""

SCORES = (
    "0 is a draw; +k: the player to move wins with its k-th last disc; -k: the opponent wins with its k-th last disc. "
    "All scores are proven."
)


@dataclass(frozen=True)
class Source:
    """Where positions come from, in the same order every time."""

    size: tuple[int, int]
    """Columns and rows."""
    wanted: int
    """How many are labelled."""
    positions: Callable[[], Iterator[Position]]
    """Makes them, as long as there are any."""
    made_from: dict[str, Any]
    """What the labels depend on."""
    is_balanced: bool = False
    """Whether there are to be as many wins as draws and losses."""
    bad_lines: tuple[tuple[int, str], ...] = ()
    """Of a file: the numbers of lines that were left out, and why."""

    def chosen(self, scores: npt.NDArray[np.int8]) -> npt.NDArray[np.intp]:
        """Which of the positions with these scores are labelled: the first ones, or the first of each result."""
        if not self.is_balanced:
            return np.arange(min(len(scores), self.wanted))
        signs = np.sign(scores.max(axis=1, initial=FULL))
        quotas = [self.wanted // 3 + (index < self.wanted % 3) for index in range(3)]
        picked = [np.flatnonzero(signs == sign)[:quota] for sign, quota in zip((1, 0, -1), quotas, strict=True)]
        return np.sort(np.concatenate(picked))


def given_positions(name: str, data: bytes, size: tuple[int, int]) -> Source:
    """The positions of a file's lines: move strings, or JSON objects with a grid."""
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
    """Different positions of random games, with a number of discs in a range."""
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
    """The position of a line: a JSON object with a grid, or a move string. Raises Connect4Error if it has no labels."""
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
    source: Source, out: Path, jobs: int | None, progress: Progress, is_stopped: Callable[[], bool]
) -> LabelledPositions | None:
    """Score the positions of a source, continuing an earlier attempt; None if it was stopped, with a work file left.

    Raises BadValueError if there are not as many positions as are wanted, or a work file belongs to others.
    """
    width, height = source.size
    check_size(source.size)
    work = WorkFile(work_file(out), source.made_from, width)
    positions = source.positions()
    boards = [np.empty((0, height, width), np.int8)]
    try:
        chosen = source.chosen(work.scores)
        progress.begin(source.wanted, len(chosen))
        done = 0
        while len(chosen) < source.wanted or done < len(work.scores):
            part = list(islice(positions, CHUNK if done >= source.wanted else min(CHUNK, source.wanted - done)))
            if not part:
                work.path.unlink()
                raise errors.BadValueError(_too_few(source, work.scores[chosen]))
            part_boards = boards_of([(position.own, position.opponent) for position in part], width, height)
            boards.append(part_boards)
            known = len(work.scores) - done
            if known < len(part):
                if is_stopped():
                    return None
                work.append(scores_of_many(part_boards[max(0, known) :], jobs, weak=False, progress=Progress()))
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
    """Where the scores are kept until the file is written."""
    return out.with_name(out.name + ".part")


def card_file(out: Path) -> Path:
    """Where the card is written."""
    return out.with_name(out.name + ".card.json")


def is_written(source: Source, out: Path) -> bool:
    """Whether the file is there with the labels of this source. Raises BadValueError if it is another file."""
    if not out.exists():
        return False
    try:
        made = orjson.loads(card_file(out).read_bytes())["made_from"]
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError):
        raise errors.BadValueError(
            f"{out} exists, and no card says how it was made; remove it, or name another"
        ) from None
    if made != source.made_from:
        difference = _difference(made, source.made_from)
        raise errors.BadValueError(f"{out} exists and is another one: {difference}; name another file")
    return True


def write_labels(labels: LabelledPositions, source: Source, out: Path) -> None:
    """Write the file and its card, and remove the work file. Each is complete as soon as it has its name."""
    temporary = out.with_name(f"{out.name}.tmp")
    write = {".npz": _write_npz, ".csv": _write_csv, ".jsonl": _write_jsonl}[out.suffix]
    names = write(labels, temporary)
    with temporary.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    card = {
        "file": out.name,
        "sha256": digest,
        "positions": len(labels),
        "made_by": f"connect4-agent {__version__}",
        "made_from": source.made_from,
        "results": _counts([result_of(score).value for score in labels.score.tolist()]),
        "discs": _counts(labels.discs.tolist()),
        "fields": {name: FIELDS[name] for name in names},
        "scores": SCORES,
    }
    card_file(out).write_bytes(orjson.dumps(card, option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS) + b"\n")
    os.replace(temporary, out)
    work_file(out).unlink(missing_ok=True)


def _counts(values: Sequence[Any]) -> dict[Any, int]:
    return dict(sorted(Counter(values).items()))


def _write_npz(labels: LabelledPositions, path: Path) -> Sequence[str]:
    arrays = labels.arrays()
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]  # its stub takes a keyword of savez for an array
    return list(arrays)


def _write_csv(labels: LabelledPositions, path: Path) -> Sequence[str]:
    names = ["board", "player", "discs", "score", "distance", "best"]
    with path.open("w", encoding="ascii", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*names, *(f"score_{column}" for column in range(labels.width))])
        for row in _rows(labels):
            board = "/".join("".join(".XO"[cell] for cell in cells) for cells in row["board"])
            best = " ".join(map(str, row["best"]))
            scores = ["" if score is None else score for score in row["scores"]]
            writer.writerow([board, row["player"], row["discs"], row["score"], row["distance"], best, *scores])
    return [*names, "score_0"]


def _write_jsonl(labels: LabelledPositions, path: Path) -> Sequence[str]:
    names = ["grid", "player", "discs", "scores", "score", "best", "distance"]
    size = {"width": labels.width, "height": labels.height}
    with path.open("wb") as file:
        for row in _rows(labels):
            row["grid"] = list(zip(*row.pop("board"), strict=True))
            file.write(orjson.dumps({name: row[name] for name in names} | size) + b"\n")
    return names


def _rows(labels: LabelledPositions) -> Iterator[dict[str, Any]]:
    arrays = (labels.boards, labels.player, labels.discs, labels.scores, labels.score, labels.distance)
    for board, player, discs, scores, score, distance in zip(*(array.tolist() for array in arrays), strict=True):
        yield {
            "board": board,
            "player": player,
            "discs": discs,
            "scores": [None if value == FULL else value for value in scores],
            "score": score,
            "best": [column for column, value in enumerate(scores) if value == score],
            "distance": distance,
        }
