"""The README on a clean clone: every command block is run as it stands, in order."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from connect4_agent import protocol
from tests.processes import REPOSITORY, clean_environment, copy_tracked_files

README = (REPOSITORY / "README.md").read_text()
PATIENCE_SECONDS = 600  # the first command installs everything

BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tracked files alone, as a new user has them."""
    folder = tmp_path_factory.mktemp("clone")
    copy_tracked_files(folder)
    return folder


def runner(language: str, code: str, folder: Path) -> list[str]:
    if language == "racket":
        (folder / "readme.rkt").write_text(code)
        return ["racket", "readme.rkt"]
    return {"sh": ["sh", "-ec", code], "python": [".venv/bin/python", "-c", code]}[language]


def new_users_environment(folder: Path) -> dict[str, str]:
    """An environment in which this test's own installation cannot be found."""
    environment = clean_environment()
    own = {str(Path(sys.executable).parent), str(REPOSITORY / ".venv" / "bin")}
    environment["PATH"] = ":".join(part for part in environment["PATH"].split(":") if part not in own)
    for name in ("VIRTUAL_ENV", "PYTHONPATH", "MAKEFLAGS", "MAKELEVEL", "MFLAGS", "ARGS"):
        environment.pop(name, None)
    environment["PWD"] = str(folder)
    return environment


def test_every_command_block_works_and_prints_what_it_says(clone: Path) -> None:
    assert {language for language, _ in BLOCKS} <= {"sh", "python", "racket", "text"}
    for (language, code), (next_language, expected) in zip(BLOCKS, [*BLOCKS[1:], ("", "")], strict=True):
        if language == "text":
            continue
        result = subprocess.run(
            runner(language, code, clone),
            cwd=clone,
            env=new_users_environment(clone),
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
        assert result.returncode == 0, f"{code}\n{result.stdout}\n{result.stderr}"
        if next_language == "text":
            assert result.stdout == expected, code


def test_the_documented_error_codes_are_the_codes() -> None:
    documented = README.partition("The codes:")[2].partition(". What is")[0]
    assert tuple(re.findall(r"`(\w+)`", documented)) == protocol.ERROR_CODES
    page = (REPOSITORY / "docs" / "protocol.md").read_text()
    assert (
        tuple(re.findall(r"^\| `(\w+)` \| .*", page.partition("| code |")[2], re.MULTILINE))[:11]
        == protocol.ERROR_CODES
    )


def test_the_changelog_has_this_version() -> None:
    from connect4_agent import __version__  # noqa: PLC0415

    assert f"## {__version__}" in (REPOSITORY / "CHANGELOG.md").read_text()


def test_every_link_to_a_file_leads_somewhere() -> None:
    for page in [REPOSITORY / "README.md", *(REPOSITORY / "docs").glob("*.md"), REPOSITORY / "examples" / "README.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
