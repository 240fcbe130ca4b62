"""The solver's benchmark on files of positions that a user brings."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.processes import PATIENCE_SECONDS, REPOSITORY, clean_environment
from tools.benchmarks.solver import read_set, run_sets

if TYPE_CHECKING:
    from pathlib import Path

RIGHT = "4455 18\n44455554221 -15\n"


def bench(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tools.benchmarks", *words],
        cwd=REPOSITORY,
        env=clean_environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


@pytest.mark.needs("compiled")
def test_every_file_of_a_folder_is_solved_and_wrong_scores_are_counted(tmp_path: Path) -> None:
    sets, figures = tmp_path / "sets", tmp_path / "figures.json"
    sets.mkdir()
    (sets / "all-right").write_text(RIGHT)
    (sets / "one-wrong").write_text(RIGHT + "121212 3\n")
    done = bench("solver", "--sets", str(sets), "--json", str(figures))
    assert done.returncode == 0, done.stderr
    rows = json.loads(figures.read_text())["solver"]
    assert [(row["what"], row["positions"], row["right"]) for row in rows] == [("all-right", 2, 2), ("one-wrong", 3, 2)]
    assert all(row["ms"] > 0 and row["nodes"] > 0 for row in rows)
    assert done.stderr == f"{sets / 'one-wrong'}: 1 of 3 scores differ from the solver's; the first is that of 121212\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (RIGHT + "4455\n", "line 3: '4455' is not of the form MOVES SCORE, such as '4455 18'"),
        (RIGHT + "\n", "line 3: '' is not of the form MOVES SCORE, such as '4455 18'"),
        ("4455 high\n", "line 1: '4455 high' is not of the form MOVES SCORE, such as '4455 18'"),
        ("4458 1\n", "line 1: move 4 of '4458' is '8'; the columns are 1 to 7"),
        ("1212121 1\n", "line 1: the game 1212121 is over"),
    ],
)
def test_a_bad_line_is_named_with_its_file_and_number(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "a-set"
    path.write_text(text)
    with pytest.raises(SystemExit) as raised:
        read_set(path)
    assert str(raised.value) == f"{path}, {problem}"


def test_a_file_without_text_or_positions_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a-set"
    path.write_text("")
    with pytest.raises(SystemExit, match="a-set has no positions"):
        read_set(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(SystemExit, match=r"a-set cannot be read: .*utf-8"):
        read_set(path)


def test_a_folder_without_files_is_refused(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        with pytest.raises(SystemExit, match="is not a folder with files of positions"):
            run_sets(folder)


def test_sets_are_for_the_solver_alone(tmp_path: Path) -> None:
    done = bench("solver", "engine", "--sets", str(tmp_path))
    assert done.returncode == 2
    assert "--sets goes with the part solver alone" in done.stderr
