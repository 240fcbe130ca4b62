"""The commands of the arena open a journal once, however many games it holds."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import pytest

from connect4_agent.arena import journal
from connect4_agent.arena.journal import JOURNAL_NAME
from connect4_agent.cli import main


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The journals that were opened for reading, once for each time."""
    opened: list[Path] = []
    open_really = journal.open_in_run

    def counting(run: Path, name: str) -> BinaryIO:
        if name == JOURNAL_NAME:
            opened.append(run)
        return open_really(run, name)

    monkeypatch.setattr(journal, "open_in_run", counting)
    return opened


def test_a_match_with_judge_opens_its_journal_once(tmp_path: Path, reads: list[Path]) -> None:
    words = ["match", "random", "first-open", "--games", "2", "--jobs", "1", "--out", str(tmp_path), "--judge"]
    assert main(words) == 0
    assert len(reads) == 1


@pytest.mark.parametrize("options", [(), ("--html", "--csv", "x.csv"), ("--html", "--judge", "--jobs", "1")])
def test_a_report_reads_the_journal_once(
    tmp_path: Path, reads: list[Path], monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["match", "random", "first-open", "--games", "20", "--jobs", "1", "--out", str(tmp_path)]) == 0
    reads.clear()
    assert main(["report", str(tmp_path), *options]) == 0
    assert len(reads) == 1
