"""A course that is stopped, by Ctrl-C, a full disk or a second one: nothing is lost, and the same command resumes."""

from __future__ import annotations

import errno
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from connect4_agent.arena.agents.spec import StartForm
from connect4_agent.arena.check.result import CheckResult
from connect4_agent.arena.course import intake
from connect4_agent.arena.course.roll import read_roll
from connect4_agent.arena.entries.unpacking import Submission, copy_submission
from connect4_agent.arena.run.line_file import LineFile
from connect4_agent.arena.run.state import read_run
from connect4_agent.commands.course import run
from connect4_agent.jobs.interrupts import Stop

AGENT = """\
import json, sys
for line in sys.stdin:
    grid = json.loads(line)["grid"]
    print(json.dumps({"move": min(c for c, cells in enumerate(grid) if cells[0] == 0)}), flush=True)
"""
READY = CheckResult(
    agent="a", command=("x",), directory=None, start=StartForm.BARE, problems=(), findings=(), practice=None
)


@pytest.fixture
def submissions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two entries, which pass the check at once."""
    folder = tmp_path / "submissions"
    folder.mkdir()
    for name in ("anna", "ben"):
        (folder / f"{name}.py").write_text(f"# {name}\n{AGENT}")
    (tmp_path / "course.toml").write_text('references = ["random"]\nreference_games = 2\ngrades.beats = {}\n')
    monkeypatch.setattr(intake, "check_agent", lambda *_, **__: READY)
    return folder


def play(submissions: Path) -> int:
    return run([str(submissions), "--out", str(submissions.parent / "run"), "--isolation", "none", "--jobs", "1"])


def assert_complete(submissions: Path) -> None:
    state = read_run(submissions.parent / "run", pytest.fail)
    assert (len(state.records), state.to_play) == (2 * 2 + 2, 0)
    assert [len(entry.versions) for entry in read_roll(submissions.parent / "run").entries] == [1, 1]
    for name in ("grades.csv", "site/index.html"):
        assert (submissions.parent / "run" / name).exists()


def full(*_: object, **__: object) -> NoReturn:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def full_at(name: str) -> Callable[[Path, bytes], int]:
    """What writes a file of Path, until it comes to one of this name."""
    real = Path.write_bytes

    def write(path: Path, data: bytes) -> int:
        if name in str(path):
            real(path, data[: len(data) // 2])
            full()
        return real(path, data)

    return write


@pytest.mark.slow
@pytest.mark.parametrize("what", ["copy", "course.tmp", "1.check", "run.tmp", "journal", "grades.tmp", "site"])
def test_after_a_full_disk_the_same_command_resumes(
    submissions: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    with monkeypatch.context() as patch:
        if what == "copy":
            patch.setattr("shutil.copy", full)
        elif what == "journal":
            patch.setattr(os, "write", full)
        else:
            patch.setattr(Path, "write_bytes", full_at(what))
        assert play(submissions) == 2
    said = capsys.readouterr().err
    assert "No space left on device" in said
    assert said.count("error: ") == 1
    assert play(submissions) == 0
    assert_complete(submissions)


def test_ctrl_c_while_entries_are_checked_finishes_the_one_that_has_begun(
    submissions: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stop = Stop()

    def check(*_: object, **__: object) -> CheckResult:
        os.kill(os.getpid(), signal.SIGINT)
        while not stop.is_asked:  # the main thread sees the signal, and this is another one
            time.sleep(0.001)
        return READY

    with monkeypatch.context() as patch:
        patch.setattr(intake, "Stop", lambda: stop)
        patch.setattr(intake, "check_agent", check)
        assert play(submissions) == 130
    assert capsys.readouterr().err.endswith("the same command resumes\n")
    entries = read_roll(submissions.parent / "run").entries
    assert [entry.versions[-1].is_tried for entry in entries] == [True, False]
    assert play(submissions) == 0
    assert_complete(submissions)


def test_a_second_course_is_kept_out(submissions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = submissions.parent / "run"
    folder.mkdir()
    with LineFile(folder / "course.lock"):
        assert play(submissions) == 2
    assert f"another runner is at work in {folder}" in capsys.readouterr().err
    assert [path.name for path in folder.iterdir()] == ["course.lock"]


@pytest.mark.slow
def test_an_entry_that_is_removed_while_it_is_copied_is_withdrawn(
    submissions: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play(submissions) == 0
    (submissions / "cem.py").write_text(AGENT)

    def copy(submission: Submission, target: Path) -> None:
        for path in submission.paths:
            if path.name in ("ben.py", "cem.py"):
                path.unlink()
        copy_submission(submission, target)

    with monkeypatch.context() as patch:
        patch.setattr(intake, "copy_submission", copy)
        assert play(submissions) == 0
    assert "ben is no longer in " in capsys.readouterr().err
    roll = read_roll(submissions.parent / "run")
    assert [(entry.name, entry.is_withdrawn) for entry in roll.entries] == [("anna", False), ("ben", True)]
    (submissions / "ben.py").write_text(f"# ben\n{AGENT}")
    assert play(submissions) == 0
    assert "ben is back" in capsys.readouterr().err
    assert_complete(submissions)
