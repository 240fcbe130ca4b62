"""A fresh set-up beside the least it could take: `make run` in a new folder, with and without code to compile."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path
from time import perf_counter

from tests.processes import copy_source
from tools.benchmarks.tables import Figures

REQUEST = b'{"grid":[[0,0],[0,1],[0,0]]}\n'
ROUNDS, FULL_ROUNDS = 1, 3
SECOND_RUNS = 10
NOTHING_TO_COMPILE = "from setuptools import setup\n\nsetup()\n"
GOAL = 2.0


def run(*, quick: bool = True) -> Figures:
    """Wall time of a first `make run`, best of several rounds, and what a second one adds to the bare command."""
    seconds: dict[str, list[float]] = {"compiled": [], "floor": []}
    added: list[float] = []
    for _ in range(ROUNDS if quick else FULL_ROUNDS):
        for kind, times in seconds.items():
            with tempfile.TemporaryDirectory() as folder:
                copy_source(Path(folder))
                if kind == "floor":
                    remove_extensions(Path(folder))
                times.append(timed(["make", "run"], folder))
                if kind == "compiled":
                    bare = min(timed([f"{folder}/.venv/bin/connect4-agent"], folder) for _ in range(SECOND_RUNS))
                    added.append(min(timed(["make", "run"], folder) for _ in range(SECOND_RUNS)) - bare)
    first, floor = min(seconds["compiled"]), min(seconds["floor"])
    return [
        {"what": "first make run, s", "agent": first, "floor": floor, "ratio": first / floor, "goal": GOAL},
        {"what": "a second make run beside the bare command, s", "agent": min(added), "goal": 0.1},
    ]


def remove_extensions(folder: Path) -> None:
    """The same project as pure Python: nothing to translate, and no Cython to install for it."""
    (folder / "setup.py").write_text(NOTHING_TO_COMPILE)
    project = folder / "pyproject.toml"
    text = project.read_text()
    project.write_text(text.replace('requires = ["setuptools>=77", "Cython>=3.1"]', 'requires = ["setuptools>=77"]'))
    if project.read_text() == text:
        raise SystemExit("pyproject.toml does not ask for Cython as this benchmark expects")


def timed(command: list[str], folder: str) -> float:
    """The wall time of a command that answers one request."""
    hidden = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "MAKEFLAGS", "MAKELEVEL")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    began = perf_counter()
    done = subprocess.run(command, cwd=folder, input=REQUEST, capture_output=True, env=environment, check=True)
    elapsed = perf_counter() - began
    if done.stdout != b'{"move":1}\n':
        raise SystemExit(f"{' '.join(command)} answered {done.stdout!r}")
    return elapsed
