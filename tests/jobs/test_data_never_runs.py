"""Data never runs: no process that a command starts imports a module from the current folder."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import clean_environment, run_agent
from tests.sample_runs import tournament, write_tournament

pytestmark = pytest.mark.slow

MARK = "imported"
TRAP = f"open({{folder!r}} + '/{MARK}', 'a').write(__name__ + chr(10))\nraise SystemExit(9)\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a run and, for every module of the standard library and of ours, a file that tells its import."""
    write_tournament(tmp_path, list(tournament())[:2])
    for name in {*sys.stdlib_module_names, "connect4_agent", "orjson", "pydantic", "numpy", "sitecustomize"}:
        (tmp_path / f"{name}.py").write_text(TRAP.format(folder=str(tmp_path)))
    return tmp_path


@pytest.mark.parametrize(
    ("words", "statuses"),
    [
        ("report . --judge --jobs 2", {0, 1}),
        ("match easy first-open --games 2 --jobs 2 --out new", {0}),
        ("match easy first-open --games 2 --jobs 2 --judge --out new", {0}),
        ("check 'connect4-agent --agent first-open' --practice 1 --isolation none", {0}),
        ("label --generate 20 --discs 26-36 --jobs 2 --out a.npz", {0}),
        ("analyze --moves 44455554221", {0}),
        ("serve --level easy", {0}),
    ],
)
def test_a_command_imports_nothing_from_the_folder_it_runs_in(folder: Path, words: str, statuses: set[int]) -> None:
    done = run_agent(*shlex.split(words), folder=folder)
    assert not (folder / MARK).exists(), (folder / MARK).read_text()
    assert done.returncode in statuses, done.stderr


def test_what_was_found_in_the_current_folder_is_found_there_by_workers_too(tmp_path: Path) -> None:
    (tmp_path / "here.py").write_text("def work(number):\n    return number + 1\n")
    program = (
        "import here, os\n"
        "from connect4_agent.jobs import executor\n"
        "where = executor.in_processes(1)\n"
        "print(where.submit(here.work, 1).result(), os.environ.get('PYTHONSAFEPATH'))\n"
        "where.close()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=clean_environment(), capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, b"2 None\n"), done.stderr
