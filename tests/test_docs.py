"""The documentation: its blocks run as they stand, its diagrams are up to date, and its links lead somewhere."""

from __future__ import annotations

import inspect
import os
import re
import shutil
from pathlib import Path

import pytest

import connect4_agent
from connect4_agent import errors
from connect4_agent.arena.report import tables
from tests.page_blocks import blocks_of, run_blocks
from tests.processes import PATIENCE_SECONDS, REPOSITORY, clean_environment
from tools import diagrams

DOCS = REPOSITORY / "docs"
PAGES = [*REPOSITORY.glob("*.md"), *DOCS.rglob("*.md"), REPOSITORY / "examples" / "README.md"]

TESTED_ELSEWHERE = {
    "../README.md": "test_readme.py",
    "arena.md": "commands/test_match.py",
    "tutorials/llm.md": "commands/test_llm_starter.py",
    "web.md": "ui/web/test_interface.py",
    "harnesses.md": "harness/test_pages.py",
}
"""The pages whose blocks another file of tests runs."""

CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.MULTILINE | re.DOTALL)


TABLES = set(re.findall(r'\bTable\(\s*"([^"]+)"', inspect.getsource(tables)))
"""The titles of the tables of a report."""


def run_pages(folder: Path, *names: str) -> None:
    for name in names:
        page = (DOCS / name).read_text()
        blocks = list(blocks_of(page))
        assert blocks, name
        printed = run_blocks(blocks, folder, clean_environment(), PATIENCE_SECONDS * 5)
        for title in TABLES & set(re.findall(r"\*([^*\n]+)\*", page)):
            assert f"\n{title}\n" in printed, f"{name} describes the table {title}, which its commands do not print"


@pytest.mark.needs("node")
@pytest.mark.slow
def test_the_tutorials_on_agents_and_tournaments_work(tmp_path: Path) -> None:
    run_pages(tmp_path, "tutorials/first-agent.md", "tutorials/tournament.md")
    assert (tmp_path / "runs" / "spring" / "report.html").exists()


@pytest.mark.needs("cc", "node")
@pytest.mark.slow
def test_the_tutorial_on_classes_works_with_fewer_games(tmp_path: Path) -> None:
    shutil.copytree(REPOSITORY / "examples" / "class", tmp_path / "examples" / "class")
    config = tmp_path / "examples" / "class" / "submissions" / "tournament.toml"
    config.write_text('references = ["level:1", "level:5"]\namong_themselves = false\ngames = 2\n')
    run_pages(tmp_path, "tutorials/class.md")
    assert (tmp_path / "pages" / "fatima.html").exists()


@pytest.mark.slow
def test_the_page_on_agents_works(tmp_path: Path) -> None:
    run_pages(tmp_path, "agents.md")


@pytest.mark.needs("compiled")
@pytest.mark.slow
def test_the_tutorials_on_the_solver_work(tmp_path: Path) -> None:
    run_pages(tmp_path, "tutorials/learn.md", "tutorials/how-the-solver-works.md", "tutorials/why-it-wins.md")


@pytest.mark.needs("compiled")
@pytest.mark.slow
def test_the_pages_on_the_python_interface_work(tmp_path: Path) -> None:
    run_pages(tmp_path, "reference.md", "engine.md")


@pytest.mark.needs("compiled")
@pytest.mark.slow
def test_the_tutorial_on_training_works_with_few_positions(tmp_path: Path) -> None:
    page = (DOCS / "tutorials/train.md").read_text()
    few = re.sub(r"--generate \d+", "--generate 3000", page).replace("EPOCHS = 8", "EPOCHS = 1")
    assert few.count("--generate 3000") == 1
    run_blocks(blocks_of(few), tmp_path, clean_environment(), PATIENCE_SECONDS * 5)


@pytest.mark.needs("racket")
@pytest.mark.slow
def test_the_blocks_about_the_server_and_its_protocol_work_beside_the_examples(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(REPOSITORY / "examples")
    run_pages(tmp_path, "server.md", "protocol.md")


@pytest.mark.needs("node", "racket")
@pytest.mark.slow
def test_the_blocks_about_the_examples_work(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(REPOSITORY / "examples")
    run_pages(tmp_path, "../examples/README.md")


def test_every_page_with_blocks_to_run_is_run_by_a_test() -> None:
    tests = Path(__file__).parent
    for page in PAGES:
        if list(blocks_of(page.read_text())):
            name = os.path.relpath(page, DOCS)
            elsewhere = TESTED_ELSEWHERE.get(name)
            source = (tests / (elsewhere or "test_docs.py")).read_text()
            assert f'"{page.name if elsewhere else name}"' in source, name


def test_the_diagrams_are_what_the_code_draws() -> None:
    for name, draw in diagrams.DIAGRAMS.items():
        assert (diagrams.FOLDER / name).read_text() == draw(), f"{name}: python -m tools.diagrams"


def test_the_documented_error_codes_are_the_codes() -> None:
    table = (DOCS / "protocol.md").read_text().partition("| code |")[2].partition("\n\n")[0]
    cells = re.findall(r"^\| (`.+?`) \|", table, re.MULTILINE)
    assert tuple(re.findall(r"`(\w+)`", " ".join(cells))) == errors.REQUEST_CODES


def test_the_reference_has_every_public_name() -> None:
    page = (DOCS / "reference.md").read_text()
    described = set(re.findall(r"^\.\. auto\w+:: connect4_agent\.(\w+)$", page, re.MULTILINE))
    assert described == set(connect4_agent.__all__) - {"__version__"}


def test_every_page_of_the_site_can_be_reached_from_its_index() -> None:
    index = (DOCS / "index.md").read_text()
    listed = {line for block in re.findall(r"^```\{toctree\}\n(.*?)^```", index, re.M | re.S) for line in block.split()}
    pages = {str(page.relative_to(DOCS).with_suffix("")) for page in DOCS.rglob("*.md")} - {"index"}
    assert pages <= listed
    assert pages <= {target.removesuffix(".md") for target in re.findall(r"\]\(([^)#:]+\.md)\)", index)}


def test_every_link_and_picture_leads_to_a_file_and_a_heading() -> None:
    """`make docs` checks the site; the pages outside it, the README among them, are checked only here."""
    for page in PAGES:
        for target in re.findall(r"\]\(([^)\s]+)\)", CODE.sub("", page.read_text())):
            if ":" in target:
                continue
            path, _, anchor = target.partition("#")
            file = page.parent / path if path else page
            assert file.exists(), f"{page.name}: {target}"
            assert not anchor or anchor in anchors_of(file), f"{page.name}: {target}"


def anchors_of(page: Path) -> set[str]:
    """The names of a page's headings in links, as GitHub and the site make them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
