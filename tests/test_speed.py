"""Compiled and interpreted: which form runs, and when."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from connect4_agent.engine import speed
from tests.processes import clean_environment


def loaded_files(**environment: str) -> list[str]:
    """The files behind the hot modules that a fresh interpreter uses for a 7x6 board."""
    program = (
        "from connect4_agent.engine import speed\n"
        "compiled = speed.runs_compiled(7, 6)\n"
        "for name in speed._HOT_MODULES: print(speed.hot_module(name, compiled).__file__)\n"
    )
    output = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=clean_environment(**environment),
    )
    return output.stdout.split()


def test_the_compiled_code_is_the_one_in_use_where_tests_are_to_hold_for_it() -> None:
    if os.environ.get("CI"):
        assert speed.is_compiled()
    assert all(not file.endswith(".py") for file in loaded_files()) == speed.is_compiled()


def test_the_switch_chooses_the_interpreted_form() -> None:
    assert all(file.endswith(".py") for file in loaded_files(CONNECT4_AGENT_INTERPRETED="1"))


@pytest.mark.parametrize("value", ["", "0"])
def test_an_empty_or_zero_switch_changes_nothing(value: str) -> None:
    assert loaded_files(CONNECT4_AGENT_INTERPRETED=value) == loaded_files()


def test_both_forms_come_from_the_same_source() -> None:
    folder = Path(speed.__file__).parent
    for name in speed._HOT_MODULES:
        module = speed.hot_module(name, compiled=False)
        assert Path(str(module.__file__)) == folder / f"{name}.py"
        assert module.__name__ == f"connect4_agent.engine.interpreted.{name}"


def test_the_interpreted_modules_use_each_other_not_the_compiled_ones() -> None:
    search = speed.hot_module("search", compiled=False)
    assert search.Evaluator is speed.hot_module("evaluate", compiled=False).Evaluator


@pytest.mark.parametrize(
    ("width", "height", "fits"),
    [(7, 6, True), (8, 7, True), (9, 7, False), (1, 63, True), (1, 64, False), (10, 10, False)],
)
def test_boards_of_up_to_64_bits_fit_compiled_code(width: int, height: int, fits: bool) -> None:
    assert speed.fits_machine_word(width, height) == fits


def test_the_source_names_nothing_of_cython() -> None:
    for name in (*speed._HOT_MODULES, "bits"):
        assert "cython" not in (Path(speed.__file__).parent / f"{name}.py").read_text().lower()
