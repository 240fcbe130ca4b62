"""Many positions on a Dask cluster: every score once and right, though a worker dies."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import numpy as np
import pytest

from connect4_agent import FULL, analyze_many, read_labels
from tests.clusters import running_cluster
from tests.late import random_position
from tests.processes import COMMAND, PATIENCE_SECONDS, clean_environment, run_agent, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.needs("compiled")]

WORDS = ("label", "--generate", "4000", "--discs", "18-24", "--seed", "3")


def test_a_cluster_gives_the_same_scores_as_threads(tmp_path: Path) -> None:
    positions = [random_position(seed, 7, 6, empties=20) for seed in range(300)]
    with running_cluster(tmp_path, workers=2) as cluster:
        found = analyze_many(positions, dask=cluster.address)
    assert found.tolist() == analyze_many(positions).tolist()
    assert (found != FULL).any()


def test_labels_are_complete_and_right_though_one_of_two_workers_is_killed(tmp_path: Path) -> None:
    out, alone = tmp_path / "cluster.npz", tmp_path / "alone.npz"
    assert run_agent(*WORDS, "--out", str(alone)).returncode == 0
    with running_cluster(tmp_path, workers=2) as cluster:
        command = [COMMAND, *WORDS, "--out", str(out), "--dask", cluster.address]
        with subprocess.Popen(command, stderr=subprocess.PIPE, env=clean_environment()) as process:
            part = out.with_name(f"{out.name}.part")
            wait_until(lambda: part.exists() and part.stat().st_size > 1000)
            assert process.poll() is None
            cluster.workers[0].send_signal(signal.SIGKILL)
            _, said = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, said.decode().splitlines()[-1]) == (0, f"{out}: 4000 positions")
    labels, expected = read_labels(out), read_labels(alone)
    assert np.array_equal(labels.boards, expected.boards)
    assert np.array_equal(labels.scores, expected.scores)


def test_a_scheduler_that_is_not_there_is_named(tmp_path: Path) -> None:
    result = run_agent(*WORDS, "--out", str(tmp_path / "x.npz"), "--dask", "127.0.0.1:9")
    assert result.returncode == 2
    assert b"there is no Dask scheduler at '127.0.0.1:9'" in result.stderr
