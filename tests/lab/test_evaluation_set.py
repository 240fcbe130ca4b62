"""The frozen evaluation set: the same bytes forever, no position twice, and a second solver that agrees."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest

import connect4_agent as c4
from connect4_agent.jobs.progress import Progress
from connect4_agent.lab import labels
from tests.effort import share
from tools.benchmarks import evaluation_set as script

SHA256 = {1: "188651a1892e97e70bfb900f0dc85819846148ac32faa040e4c2a3aadf879341"}
FILE = Path(labels.__file__).with_name("data") / labels.EVALUATION_SETS[1]


def test_a_version_never_changes() -> None:
    for version, name in labels.EVALUATION_SETS.items():
        data = FILE.with_name(name).read_bytes()
        assert hashlib.sha256(data).hexdigest() == SHA256[version], "a changed set needs a new version"
        assert len(data) < 300_000


def test_it_has_all_positions_of_few_discs_and_as_many_of_every_other_number() -> None:
    known = [1, 4, 25, 121]  # of 1, 7, 49 and 238, those that are not mirror images of others
    counts = Counter(c4.evaluation_set().discs.tolist())
    assert [counts[discs] for discs in range(36)] == known + [script.POSITIONS] * 32
    assert sum(counts.values()) == 6999


def test_no_position_comes_twice_not_even_mirrored_and_none_is_over() -> None:
    positions = c4.evaluation_set().positions
    assert len({position.canonical() for position in positions}) == len(positions)
    assert not any(position.is_over for position in positions)


def test_results_and_difficulties_have_equal_parts() -> None:
    found = c4.evaluation_set()
    for discs in range(5, 36):
        part = found[found.discs == discs]
        classes = Counter(script.class_of(*pair) for pair in zip(part.positions, part.scores, strict=True))
        assert set(classes.values()) == {23, 24}, discs


@pytest.mark.parametrize("discs", [0, 1, 3, 4, 34])
def test_the_script_draws_the_same_positions_again(discs: int) -> None:
    found = c4.evaluation_set()
    part = found[found.discs == discs]
    positions, scores = script.draw(discs)
    assert tuple(positions) == part.positions
    assert (scores == part.scores).all()


def test_the_scores_are_those_of_the_solver() -> None:
    found = c4.evaluation_set()
    chosen = found[sorted(Random(1).sample(range(len(found)), share(1000)))]
    assert (labels.label(chosen.boards, None, Progress()).scores == chosen.scores).all()


@pytest.mark.slow
def test_bitbully_agrees_on_every_column() -> None:
    from bitbully import BitBully  # noqa: PLC0415  # takes a second to load its book

    found = c4.evaluation_set()
    far = np.flatnonzero(
        (found.discs <= 11) | (found.discs >= 20)
    )  # between them it takes long: the script asks about all
    chosen = found[sorted(Random(2).sample(far.tolist(), share(1000)))]
    script.check(list(chosen.positions), chosen.scores, BitBully())


@pytest.mark.parametrize("version", [0, 2, "1", True, None])
def test_another_version_is_refused(version: int) -> None:
    with pytest.raises(c4.errors.BadValueError, match="there is version 1"):
        c4.evaluation_set(version)
