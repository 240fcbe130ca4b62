"""The README: its blocks are run as they stand; in a thorough run on a clean clone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.effort import IS_THOROUGH
from tests.page_blocks import blocks_of, run_block
from tests.processes import PATIENCE_SECONDS, REPOSITORY, clean_environment, copy_source

README = (REPOSITORY / "README.md").read_text()
FRONT, INSTALLATION, *BLOCKS = blocks_of(README)
"""The commands that a visitor wants first, those that install the package, and the rest."""


def new_users_environment(folder: Path) -> dict[str, str]:
    """An environment in which this test's own installation cannot be found."""
    environment = clean_environment()
    own = {str(Path(sys.executable).parent), str(REPOSITORY / ".venv" / "bin")}
    environment["PATH"] = ":".join(part for part in environment["PATH"].split(":") if part not in own)
    for name in ("VIRTUAL_ENV", "PYTHONPATH", "MAKEFLAGS", "MAKELEVEL", "MFLAGS", "ARGS"):
        environment.pop(name, None)
    environment["PWD"] = str(folder)
    return environment


@pytest.mark.needs(*(("cc", "git") if IS_THOROUGH else ("compiled",)))
@pytest.mark.slow
def test_every_command_block_works_and_prints_what_it_says(tmp_path: Path) -> None:
    first, comment = FRONT.code.splitlines()[0].split("#", 1)
    if IS_THOROUGH:
        copy_source(tmp_path)
        environment, before = new_users_environment(tmp_path), INSTALLATION.code
    else:
        (tmp_path / "examples").symlink_to(REPOSITORY / "examples")
        environment, before = clean_environment(), ""
        first = first.replace("make run", "connect4-agent")
    # In a clean clone this installs the package first, which takes as long as its downloads do.
    done = subprocess.run(first, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    answers = done.stdout.splitlines()
    assert comment.strip() == f"the agent: {len(answers)} requests in, {len(answers)} moves out, {answers[0]} first"
    assert {block.language for block in BLOCKS} == {"sh", "python"}
    for block in BLOCKS:
        run_block(block, tmp_path, environment, PATIENCE_SECONDS * 5, before)
