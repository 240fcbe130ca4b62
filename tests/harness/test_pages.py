"""The pages about other harnesses: every command and program in them is run as it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.processes import PATIENCE_SECONDS, REPOSITORY, clean_environment

if TYPE_CHECKING:
    from pathlib import Path

PAGES = ["kaggle.md", "pettingzoo.md", "openspiel.md", "line-protocols.md"]


@pytest.mark.parametrize("page", PAGES)
def test_every_block_works_and_prints_what_it_says(page: str, tmp_path: Path) -> None:
    text = (REPOSITORY / "docs" / page).read_text()
    blocks = re.findall(r"^```(\w+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert {language for language, _ in blocks} <= {"sh", "python", "text"}
    for (language, code), (next_language, expected) in zip(blocks, [*blocks[1:], ("", "")], strict=True):
        if language == "text":
            continue
        command = [sys.executable, "-c", code] if language == "python" else ["sh", "-ec", code]
        result = subprocess.run(
            command,
            cwd=tmp_path,
            env=clean_environment(),
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS * 5,
            check=False,
        )
        assert result.returncode == 0, f"{code}\n{result.stdout}\n{result.stderr}"
        if next_language == "text":
            assert result.stdout == expected, code
