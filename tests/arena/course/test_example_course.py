"""The example course: six entries in four languages, two of them broken in usual ways."""

from __future__ import annotations

import csv
import re
import shutil
from pathlib import Path

import pytest

from connect4_agent.arena.course.roll import read_roll
from connect4_agent.arena.entries.recipes import recipe_of
from connect4_agent.commands.course import run
from tests.processes import REPOSITORY

COURSE = REPOSITORY / "examples" / "course"
TOOLS = {"bruno": "node", "chen": "cc"}
"""What entries need beyond Python and a shell."""


def reasons_of(run_folder: Path) -> dict[str, str]:
    return {entry.name: entry.versions[-1].reason for entry in read_roll(run_folder).entries}


@pytest.mark.slow
@pytest.mark.needs("bwrap", "compiled")
def test_the_example_course_is_played_and_says_what_is_wrong_with_each_entry(tmp_path: Path) -> None:
    shutil.copytree(COURSE, tmp_path, dirs_exist_ok=True)
    assert run([str(tmp_path / "submissions"), "--out", str(tmp_path / "run"), "--practice", "2"]) == 0
    reasons = reasons_of(tmp_path / "run")
    assert reasons.pop("emil").startswith("it printed '*** EmilBot 2.0, ready to play! ***' instead of an answer")
    assert "JSON needs double quotes" in reasons.pop("fatima")
    for name, tool in TOOLS.items():
        reason = reasons.pop(name)
        assert reason == "" if shutil.which(tool) else tool in reason
    assert reasons == {"ada": "", "dana": ""}
    with open(tmp_path / "run" / "grades.csv", encoding="utf-8", newline="") as file:
        rows = {row["entry"]: row for row in csv.DictReader(file)}
    assert rows["chen"]["name"] == "Chen Wei"
    assert float(rows["emil"]["grade"]) == 0
    assert float(rows["ada"]["grade"]) >= 50
    for name in ("site/index.html", "feedback/ada.html", "feedback/fatima.html"):
        assert (tmp_path / "run" / name).exists()


@pytest.mark.slow
def test_a_language_that_is_not_installed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for tool in ("sh", "make", "env"):
        (tmp_path / tool).symlink_to(shutil.which(tool) or "/bin/sh")
    monkeypatch.setenv("PATH", str(tmp_path))
    for name, tool in TOOLS.items():
        assert run(["check", str(COURSE / "submissions" / name), "--isolation", "none"]) == 1
        assert re.search(rf"{tool}: (not found|No such file)", capsys.readouterr().out)


def test_the_example_has_an_entry_for_every_way_to_start_one(tmp_path: Path) -> None:
    found = {}
    for folder in (COURSE / "submissions").iterdir():
        shutil.copytree(folder, tmp_path / folder.name)
        found[folder.name] = recipe_of(tmp_path / folder.name)
    assert {name: recipe.run for name, recipe in sorted(found.items())} == {
        "ada": ("python3", "agent.py"),
        "bruno": ("node", "agent.js"),
        "chen": None,
        "dana": ("./run",),
        "emil": ("python3", "player.py"),
        "fatima": ("python3", "agent.py"),
    }
    assert found["chen"].build == "make"
