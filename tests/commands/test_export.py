"""connect4-agent export."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.processes import run_agent

pytestmark = pytest.mark.slow


def test_a_submission_is_written_and_its_size_told(tmp_path: Path) -> None:
    path = tmp_path / "submission.py"
    result = run_agent("export", "kaggle", str(path))
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.decode().startswith(f"{path}: {path.stat().st_size} bytes, with the whole book: ")


def test_a_dash_is_standard_output() -> None:
    result = run_agent("export", "kaggle", "-")
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.startswith(b'"""A Connect Four agent for Kaggle')


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["kaggle"], b"required: OUT.py"),
        (["chess", "x.py"], b"'chess' is not one of kaggle"),
        (["kaggle", "no/such/folder/x.py"], b"cannot write no/such/folder/x.py: No such file or directory"),
    ],
)
def test_a_bad_command_line_exits_2_and_says_why(arguments: list[str], said: bytes) -> None:
    result = run_agent("export", *arguments)
    assert (result.returncode, result.stdout) == (2, b"")
    assert said in result.stderr
