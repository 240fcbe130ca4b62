"""Versions: a program that was changed is noticed, and nothing else is."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from connect4_agent.arena import versions
from connect4_agent.arena.agents.spec import AgentSpec
from connect4_agent.arena.versions import AgentVersions, Version, missing_part, named_files, version_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "agent.py").write_text("print(1)")
    (tmp_path / "bot" / "helper.py").write_text("x = 1")
    return tmp_path / "bot"


def spec_in(folder: Path, **settings: str) -> AgentSpec:
    return AgentSpec.model_validate({"name": "anna", "command": ["python3", str(folder / "agent.py")], **settings})


def found(spec: AgentSpec, run: Path, *others: AgentSpec) -> Version:
    version, warning = version_of(spec, run, others)
    assert warning is None
    return version


def test_a_change_of_any_file_in_the_folder_is_another_version(folder: Path, tmp_path: Path) -> None:
    before = found(spec_in(folder), tmp_path / "run")
    assert found(spec_in(folder), tmp_path / "elsewhere") == before
    (folder / "helper.py").write_text("x = 2")
    after = found(spec_in(folder), tmp_path / "run")
    assert after.version != before.version
    changed = AgentVersions(present=before.version, known=(before,)).with_version(after)
    assert (changed.number, changed.changes()) == (2, ["helper.py"])
    # Who goes back to an old version gets its old games back.
    assert changed.with_version(before).number == 1


def test_what_is_not_source_makes_no_new_version(folder: Path, tmp_path: Path) -> None:
    before = found(spec_in(folder), tmp_path / "run")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "helper.pyc").write_text("x")
    (folder / ".cache").write_text("x")
    os.utime(folder / "agent.py", (1, 1))
    assert found(spec_in(folder), tmp_path / "run") == before


def test_another_command_environment_or_form_is_another_version(folder: Path, tmp_path: Path) -> None:
    base = spec_in(folder)
    others = [
        base.model_copy(update={"command": (*(base.command or ()), "--depth", "6")}),
        base.model_copy(update={"environment": {"DEPTH": "6"}}),
        spec_in(folder, start="flags"),
        spec_in(folder, request="grid"),
    ]
    assert len({found(spec, tmp_path / "run").version for spec in (base, *others)}) == 5
    same = [base.model_copy(update={"limit_seconds": 3.0}), base.model_copy(update={"memory_mb": 300})]
    assert len({found(spec, tmp_path / "run").version for spec in (base, *same)}) == 1


def test_a_version_that_is_given_counts_alone(folder: Path, tmp_path: Path) -> None:
    assert found(spec_in(folder, version="spring"), tmp_path / "run") == Version(version="spring")
    assert found(AgentSpec(name="x", player="negamax:depth=3"), tmp_path).version == "negamax:depth=3"
    assert found(AgentSpec(name="x", python="a.B"), tmp_path).version == "a.B"


def test_a_version_that_is_given_anew_is_another_one(folder: Path, tmp_path: Path) -> None:
    one, two = (found(spec_in(folder, version=version), tmp_path / "run") for version in ("1", "2"))
    history = AgentVersions(present="1", known=(one,)).with_version(two)
    assert (history.present, history.number) == ("2", 2)
    assert history.with_version(one).present == "1"


def test_the_file_of_another_agent_in_the_same_folder_is_not_ones_own(folder: Path, tmp_path: Path) -> None:
    other = AgentSpec(name="ben", command=("python3", str(folder / "helper.py")))
    before = found(spec_in(folder), tmp_path / "run", spec_in(folder), other)
    (folder / "helper.py").write_text("x = 3")
    assert found(spec_in(folder), tmp_path / "run", spec_in(folder), other) == before


def test_where_the_run_lies_below_the_folder_only_files_of_the_same_kind_count(folder: Path) -> None:
    run = folder / "runs" / "x"
    run.mkdir(parents=True)
    before = found(spec_in(folder), run)
    (run / "games.jsonl").write_text("x")
    (folder / "runs" / "y.html").write_text("x")
    (folder / "t.toml").write_text("games = 4")
    assert found(spec_in(folder), run) == before
    (folder / "other.py").write_text("x")
    assert found(spec_in(folder), run).version != before.version


def test_a_folder_that_is_too_large_is_said_and_the_named_file_counts(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "MAX_FILES", 1)
    before, warning = version_of(spec_in(folder), tmp_path / "run")
    assert warning is not None
    assert "has more than 1 files or 50 MB; a new version is only noticed if" in warning
    (folder / "helper.py").write_text("x = 4")
    assert version_of(spec_in(folder), tmp_path / "run")[0] == before
    (folder / "agent.py").write_text("print(2)")
    assert version_of(spec_in(folder), tmp_path / "run")[0] != before


def test_programs_of_the_system_are_not_looked_at(tmp_path: Path) -> None:
    spec = AgentSpec(name="x", command=(sys.executable, "-c", "print(1)"))
    assert named_files(spec) == {}
    assert found(spec, tmp_path).files == {}


def test_files_that_an_agent_changes_itself_are_left_out(folder: Path, tmp_path: Path) -> None:
    (folder / "log.txt").write_text("1")
    first = found(spec_in(folder), tmp_path / "run")
    seen = AgentVersions(present=first.version, known=(first,)).with_changing(["log.txt", "learned.bin"])
    (folder / "log.txt").write_text("2")
    (folder / "learned.bin").write_text("2")
    assert seen.with_version(found(spec_in(folder), tmp_path / "run")) == seen


def test_what_is_missing_of_a_program_is_named(folder: Path) -> None:
    assert missing_part(spec_in(folder)) is None
    assert missing_part(AgentSpec(name="x", player="easy")) is None
    assert missing_part(AgentSpec(name="x", command=("pyhton3", "x.py"))) == "pyhton3: not found in PATH"
    nowhere = AgentSpec(name="x", command=("./bot",), directory=str(folder))
    assert missing_part(nowhere) == f"{folder}/bot: not found"
    gone = AgentSpec(name="x", command=("python3",), directory=str(folder / "gone"))
    assert missing_part(gone) == f"its directory {folder}/gone does not exist"
