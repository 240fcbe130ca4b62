"""connect4-agent new: every starter works as its README says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from connect4_agent.commands import COMMANDS
from connect4_agent.commands.new import LANGUAGES, STARTERS, make_files
from tests.page_blocks import blocks_of, run_blocks
from tests.processes import PATIENCE_SECONDS, clean_environment, run_agent

TOOLS: dict[str, tuple[str, ...]] = {
    "python": (),
    "javascript": ("node",),
    "racket": ("racket",),
    "c": ("cc",),
    "cpp": ("c++",),
    "java": ("javac",),
}
EVERY_LANGUAGE = [
    pytest.param(name, marks=[pytest.mark.slow, *([pytest.mark.needs(*tools)] if tools else [])])
    for name, tools in TOOLS.items()
]


def test_every_language_has_its_files_and_all_are_tested() -> None:
    # The starter for language models has tests of its own.
    assert LANGUAGES.keys() == {*TOOLS, "llm"} == {path.name for path in STARTERS.iterdir()} - {"shared"}
    for name in TOOLS:
        files, language = make_files(name), LANGUAGES[name]
        assert {language.agent, language.strategy, language.tests, "README.md", "tournament.toml"} <= files.keys()


@pytest.mark.parametrize("name", EVERY_LANGUAGE)
def test_a_starter_passes_its_tests_and_the_check_and_wins_against_random(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "my agent"
    made = run_agent("new", str(folder), "--lang", name)
    assert f"cd '{folder}'" in made.stdout.decode()
    assert (made.returncode, made.stderr) == (0, b"")
    match = f'connect4-agent match "{LANGUAGES[name].command}" level:1 --games 10'
    assert match in made.stdout.decode()
    blocks = [block for block in blocks_of((folder / "README.md").read_text()) if "match" not in block.code]
    assert any("check" in block.code for block in blocks)
    run_blocks(blocks, folder, clean_environment(), PATIENCE_SECONDS * 5)
    played = run_agent("match", LANGUAGES[name].command, "random", "--games", "10", folder=folder)
    won = re.search(rb": (\d+) won", played.stdout)
    assert won, played.stderr
    assert int(won[1]) >= 8


@pytest.mark.slow
def test_every_command_of_a_readme_works(tmp_path: Path) -> None:
    run_agent("new", str(tmp_path))
    blocks = list(blocks_of((tmp_path / "README.md").read_text()))
    run_blocks(blocks, tmp_path, clean_environment(), PATIENCE_SECONDS * 5)
    assert (tmp_path / "runs" / "tournament" / "report.html").exists()


def test_a_folder_with_files_is_refused_and_stays_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    result = run_agent("new", str(tmp_path))
    assert (result.returncode, result.stdout) == (2, b"")
    assert f"{tmp_path} is not empty; give a new or empty folder" in result.stderr.decode()
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_place_that_cannot_be_a_folder_is_refused_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place, reason in ((tmp_path / "file", b"File exists"), (tmp_path / "file" / "below", b"Not a directory")):
        result = run_agent("new", str(place))
        assert (result.returncode, result.stdout) == (2, b"")
        assert reason in result.stderr
        assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_no_help_names_a_file_that_only_the_repository_has(command: str) -> None:
    text = run_agent(command, "--help").stdout.decode()
    assert text.startswith("usage: connect4-agent")
    assert not re.search(r"\b(docs|examples)/", text)
