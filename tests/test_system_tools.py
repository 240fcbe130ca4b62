"""Missing tools: what becomes of the tests that need them, and what the end of a run says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import system_tools
from tests.processes import REPOSITORY, clean_environment

pytestmark = pytest.mark.slow

SAMPLE = """
import pytest

@pytest.mark.needs("racket")
@pytest.mark.parametrize("number", [1, 2])
def test_with_racket(number):
    raise AssertionError

@pytest.mark.needs("node", "racket")
def test_with_two():
    raise AssertionError

def test_with_nothing():
    pass
"""


def run_sample(folder: Path, code: str = SAMPLE, *words: str, required: str = "") -> subprocess.CompletedProcess[str]:
    """Run tests with the settings of this repository, with no tool to be found."""
    (folder / "test_sample.py").write_text(code)
    settings = ("-c", "pyproject.toml", "--rootdir", str(folder), "-p", "tests.conftest", "-p", "no:cacheprovider")
    environment = clean_environment(
        CONNECT4_AGENT_REQUIRE_TOOLS=required, PATH=str(folder), PYTEST_DISABLE_PLUGIN_AUTOLOAD="1"
    )
    return subprocess.run(
        [sys.executable, "-m", "pytest", *settings, *words, str(folder)],
        cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("words", [(), ("-p", "xdist", "-n", "2")], ids=["one process", "xdist"])
def test_the_last_lines_name_each_missing_tool_and_how_many_tests_were_skipped(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    done = run_sample(tmp_path, SAMPLE, *words)
    assert done.returncode == 0, done.stdout
    *_, node, racket, advice, totals = done.stdout.splitlines()
    assert node == "node: 1 test skipped (Debian: nodejs)"
    assert racket == "racket: 3 tests skipped (Debian: racket)"
    assert advice == "`make tools` installs them all."
    assert "1 passed, 3 skipped" in totals


def test_where_tools_are_required_a_missing_one_is_a_failure(tmp_path: Path) -> None:
    done = run_sample(tmp_path, required="1")
    assert done.returncode == 1
    assert "needs node, racket, which CONNECT4_AGENT_REQUIRE_TOOLS requires" in done.stdout
    assert "racket: 3 tests failed (Debian: racket)" in done.stdout
    assert "1 passed, 3 errors" in done.stdout


def test_a_tool_that_nobody_knows_is_a_failure(tmp_path: Path) -> None:
    done = run_sample(tmp_path, SAMPLE.replace("node", "nod"))
    assert done.returncode == 1
    assert (
        "needs nod; the tools are bwrap, c++, cc, chromium, git, javac, node, npm, ps, racket, compiled, ziglang"
        in done.stdout
    )


def add_program(folder: Path, name: str) -> None:
    (folder / name).write_text("#!/bin/sh\n")
    (folder / name).chmod(0o755)


def packages_asked_for(folder: Path, *known: str) -> str:
    """What `make tools` would install where the folder holds all programs, and apt knows these optional packages."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.system_tools", *known],
        cwd=REPOSITORY, env={"PATH": str(folder)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


def test_make_tools_asks_for_the_packages_of_what_is_missing_alone(tmp_path: Path) -> None:
    for tool in ("cc", "git", "node"):
        add_program(tmp_path, tool)
    assert (
        packages_asked_for(tmp_path)
        == "bubblewrap g++ chromium fonts-dejavu-core default-jdk-headless npm procps racket\n"
    )


def test_a_bubblewrap_that_the_system_forbids_counts_as_missing(tmp_path: Path) -> None:
    for tool in system_tools.PACKAGES:
        add_program(tmp_path, tool)
    assert packages_asked_for(tmp_path) == "\n"
    (tmp_path / "bwrap").write_text("#!/bin/sh\nexit 1\n")
    assert packages_asked_for(tmp_path) == "bubblewrap\n"
