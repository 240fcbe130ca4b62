"""python -m tools.benchmarks.evaluation_set: draw version 1 of the evaluation set again, the same bytes every time.

The set has all positions of 0 to 3 discs and 214 of every number of discs from 4 to 35; neither a position nor its
mirror image comes twice. Candidates come from random games (connect4_agent/lab/sampling.py). For each number of
discs they are divided by result (win, draw, loss) and difficulty:

    obvious   the player to move can win at once, or must stop the opponent from doing so
    only      otherwise, if one column alone keeps the result (in a lost position: loses as late as possible)
    free      the others

The nine classes give one position after the other in turn, as long as they have some. Every score of every column comes
from analyze_many, and bitbully has to agree before anything is written. It takes some minutes.
"""

from __future__ import annotations

import argparse
import hashlib
import io
from collections import Counter
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt
from bitbully import BitBully, Board

import connect4_agent as c4
from connect4_agent.lab import labels
from connect4_agent.lab.sampling import sample
from connect4_agent.rules.position import Position

VERSION = 1
SEED = "evaluation set 1"
DISCS = range(36)
MAX_DISCS_COMPLETE = 3
POSITIONS = 214
"""Of each number of discs above MAX_DISCS_COMPLETE."""
CANDIDATES = 4000
"""As many are drawn and solved, if there are that many."""

Scores = npt.NDArray[np.int8]
Drawn = tuple[list[Position], Scores]


def draw(discs: int) -> Drawn:
    """The positions of the set with this many discs, and their scores."""
    random = Random(f"{SEED}, {discs} discs")
    if discs <= MAX_DISCS_COMPLETE:
        positions = [random.choice((position, position.mirrored())) for position in all_positions(discs)]
        return positions, c4.analyze_many(positions)
    positions = list(islice(sample(random, [discs]), CANDIDATES))
    scores = c4.analyze_many(positions)
    classes: dict[tuple[int, str], list[int]] = {}
    for index, position in enumerate(positions):
        classes.setdefault(class_of(position, scores[index]), []).append(index)
    chosen: list[int] = []
    for turn in range(CANDIDATES):
        for _, members in sorted(classes.items()):
            if turn < len(members) and len(chosen) < POSITIONS:
                chosen.append(members[turn])
    return [positions[index] for index in chosen], scores[chosen]


def all_positions(discs: int) -> list[Position]:
    """All positions with this few discs, without mirror images, by key."""
    reached = {Position()}
    for _ in range(discs):
        reached = {position.play(column).canonical() for position in reached for column in position.legal_columns()}
    return sorted(reached, key=lambda position: position.key)


def class_of(position: Position, scores: Scores) -> tuple[int, str]:
    """The result of a position, as a sign, and its difficulty."""
    score = int(scores.max())
    keeping = scores == score if score < 0 else (np.sign(scores) == np.sign(score)) & (scores != c4.FULL)
    if position.winning_columns() or position.passed().winning_columns():
        return int(np.sign(score)), "obvious"
    return int(np.sign(score)), "only" if keeping.sum() == 1 else "free"


def check(positions: list[Position], scores: Scores, bitbully: BitBully) -> None:
    """End the program if bitbully gives another score for a column."""
    for position, row in zip(positions, scores, strict=True):
        own = {column: int(score) for column, score in enumerate(row) if score != c4.FULL}
        other = bitbully.score_all_moves(board_of(position))
        if other != own:
            raise SystemExit(f"{position!r}: {own} here, {other} by bitbully")


def board_of(position: Position) -> Board:
    """The position as a board of bitbully's: columns from the bottom up, 1 and 2 for the discs of the two players."""
    return Board([column[::-1] for column in position.grid()])


def file_of(drawn: list[Drawn]) -> bytes:
    """The bytes of the file: not compressed, so that they depend on nothing but the arrays."""
    words = np.array([[position.own, position.opponent] for positions, _ in drawn for position in positions], np.uint64)
    file = io.BytesIO()
    np.savez(file, words=words, scores=np.concatenate([scores for _, scores in drawn]))
    return file.getvalue()


def main() -> None:
    """Draw, check and write the set."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.benchmarks.evaluation_set", description=__doc__.splitlines()[0]
    )
    default = Path(labels.__file__).with_name("data") / labels.EVALUATION_SETS[VERSION]
    parser.add_argument("--out", type=Path, default=default, help="the file to write (default: %(default)s)")
    options = parser.parse_args()
    bitbully = BitBully()
    drawn = []
    for discs in DISCS:
        positions, scores = draw(discs)
        check(positions, scores, bitbully)
        drawn.append((positions, scores))
        classes = Counter(class_of(*pair) for pair in zip(positions, scores, strict=True))
        words = ", ".join(f"{difficulty} {sign:+d}: {count}" for (sign, difficulty), count in sorted(classes.items()))
        print(f"{discs} discs: {len(positions)} positions; {words}", flush=True)
    data = file_of(drawn)
    options.out.write_bytes(data)
    print(f"{options.out}: {sum(len(positions) for positions, _ in drawn)} positions, {len(data)} bytes")
    print(f"sha256 {hashlib.sha256(data).hexdigest()}")


if __name__ == "__main__":
    main()
