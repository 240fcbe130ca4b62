"""The page about other harnesses: every command and program in it is run as it stands."""

from __future__ import annotations

from pathlib import Path

from tests.page_blocks import blocks_of, run_blocks
from tests.processes import PATIENCE_SECONDS, REPOSITORY, clean_environment


def test_every_block_works_and_prints_what_it_says(tmp_path: Path) -> None:
    blocks = list(blocks_of((REPOSITORY / "docs" / "harnesses.md").read_text()))
    assert blocks
    run_blocks(blocks, tmp_path, clean_environment(), PATIENCE_SECONDS * 5)
