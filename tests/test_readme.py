"""The README: every command block is run as it stands, in order; in a thorough run on a clean clone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.effort import IS_THOROUGH
from tests.page_blocks import blocks_of, run_block
from tests.processes import PATIENCE_SECONDS, REPOSITORY, clean_environment, copy_source

README = (REPOSITORY / "README.md").read_text()
MOST_LINES = 150


def new_users_environment(folder: Path) -> dict[str, str]:
    """An environment in which this test's own installation cannot be found."""
    environment = clean_environment()
    own = {str(Path(sys.executable).parent), str(REPOSITORY / ".venv" / "bin")}
    environment["PATH"] = ":".join(part for part in environment["PATH"].split(":") if part not in own)
    for name in ("VIRTUAL_ENV", "PYTHONPATH", "MAKEFLAGS", "MAKELEVEL", "MFLAGS", "ARGS"):
        environment.pop(name, None)
    environment["PWD"] = str(folder)
    return environment


@pytest.mark.needs("node", *(("cc", "git") if IS_THOROUGH else ("compiled",)))
@pytest.mark.slow
def test_every_command_block_works_and_prints_what_it_says(tmp_path: Path) -> None:
    installation, *blocks = blocks_of(README)
    if IS_THOROUGH:
        copy_source(tmp_path)
        environment, before = new_users_environment(tmp_path), installation.code
        run_block(installation, tmp_path, environment, timeout=None)  # takes as long as its downloads do
    else:
        (tmp_path / "examples").symlink_to(REPOSITORY / "examples")
        environment, before = clean_environment(), ""
    assert {block.language for block in blocks} == {"sh", "python"}
    for block in blocks:
        run_block(block, tmp_path, environment, PATIENCE_SECONDS * 5, before)


def test_the_readme_is_a_front_page() -> None:
    lines = README.splitlines()
    assert len(lines) <= MOST_LINES
    picture = next(number for number, line in enumerate(lines) if line.startswith("!["))
    assert picture < next(number for number, line in enumerate(lines) if line.startswith("## "))
