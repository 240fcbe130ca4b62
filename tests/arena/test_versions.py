"""Versions: a program that was changed is noticed, and nothing else is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from connect4_agent import errors
from connect4_agent.arena import versions
from connect4_agent.arena.spec import AgentSpec
from connect4_agent.arena.versions import find_version, missing_part


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "agent.py").write_text("print(1)")
    (tmp_path / "bot" / "helper.py").write_text("x = 1")
    return tmp_path / "bot"


def spec_in(folder: Path, **settings: str) -> AgentSpec:
    return AgentSpec.model_validate({"name": "anna", "command": ["python3", str(folder / "agent.py")], **settings})


def test_without_a_directory_the_files_that_the_command_names_count(folder: Path) -> None:
    before = find_version(spec_in(folder))
    (folder / "helper.py").write_text("x = 2")
    os.utime(folder / "agent.py", (1, 1))
    assert find_version(spec_in(folder)) == before
    (folder / "agent.py").write_text("print(2)")
    assert find_version(spec_in(folder)) != before
    # The old files are the old version.
    (folder / "agent.py").write_text("print(1)")
    assert find_version(spec_in(folder)) == before


@pytest.mark.parametrize("name", ["helper.py", "agent.py", "new.py", "data/weights.bin"])
def test_a_change_of_any_file_in_a_directory_is_another_version(folder: Path, name: str) -> None:
    spec = AgentSpec(name="anna", command=("python3", "agent.py"), directory=str(folder))
    before = find_version(spec)
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("x = 2")
    assert find_version(spec) != before


@pytest.mark.parametrize(
    "name", ["__pycache__/helper.pyc", ".cache", ".git/HEAD", "tournament.toml", "runs/x/run.json", "runs/x/y/z.py"]
)
def test_what_is_no_part_of_a_program_makes_no_new_version(folder: Path, name: str) -> None:
    (folder / "runs" / "x").mkdir(parents=True)
    (folder / "runs" / "x" / "run.json").write_text("{}")
    before = find_version(spec_in(folder, directory=str(folder)))
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("x = 2")
    assert find_version(spec_in(folder, directory=str(folder))) == before


def test_a_file_outside_the_directory_counts_if_the_command_names_it(folder: Path, tmp_path: Path) -> None:
    spec = AgentSpec(name="anna", command=("python3", "../x.py"), directory=str(folder))
    (tmp_path / "x.py").write_text("1")
    before = find_version(spec)
    (tmp_path / "x.py").write_text("2")
    assert find_version(spec) != before


def test_a_program_is_a_file_that_the_command_names_unless_it_is_found_in_path(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "agent").write_text("#!/bin/sh")
    spec = AgentSpec(name="anna", command=(str(folder / "agent"), "--level", "3"))
    before = find_version(spec)
    monkeypatch.setenv("PATH", str(folder))
    unseen = find_version(spec)
    (folder / "agent").write_text("#!/bin/dash")
    assert find_version(spec) == unseen
    monkeypatch.undo()
    assert find_version(spec) != before


def test_another_command_environment_or_form_is_another_version(folder: Path) -> None:
    base = spec_in(folder)
    others = [
        base.model_copy(update={"command": (*(base.command or ()), "--depth", "6")}),
        base.model_copy(update={"env": {"DEPTH": "6"}}),
        spec_in(folder, start="flags"),
        spec_in(folder, request="grid"),
    ]
    assert len({find_version(spec) for spec in (base, *others)}) == 5
    same = [base.model_copy(update={"time_limit": 3.0}), base.model_copy(update={"memory": "300M"})]
    assert len({find_version(spec) for spec in (base, *same)}) == 1


def test_a_version_that_is_given_counts_alone(folder: Path) -> None:
    assert find_version(spec_in(folder, version="spring")) == "spring"
    assert find_version(AgentSpec(name="x", player="negamax:depth=3")) == "negamax:depth=3"
    assert find_version(AgentSpec(name="x", python_object="a.B")) == "a.B"


def test_a_directory_with_too_many_files_is_refused_unless_a_version_is_given(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "MAX_FILES", 1)
    with pytest.raises(errors.AgentError, match=r"agent 'anna': .*/bot has more than 1 files; give .* or a `version`"):
        find_version(spec_in(folder, directory=str(folder)))
    assert find_version(spec_in(folder, directory=str(folder), version="2")) == "2"


def test_what_is_missing_of_a_program_is_named(folder: Path) -> None:
    assert missing_part(spec_in(folder)) is None
    assert missing_part(AgentSpec(name="x", player="easy")) is None
    assert missing_part(AgentSpec(name="x", command=("pyhton3", "x.py"))) == "pyhton3: not found in PATH"
    nowhere = AgentSpec(name="x", command=("./bot",), directory=str(folder))
    assert missing_part(nowhere) == f"{folder}/bot: not found"
    gone = AgentSpec(name="x", command=("python3",), directory=str(folder / "gone"))
    assert missing_part(gone) == f"its directory {folder}/gone does not exist"
