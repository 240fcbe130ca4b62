"""The files around the package: the workflows are well-formed, and make knows the extras."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from connect4_agent import __version__
from tests.processes import REPOSITORY, source_files

WORKFLOWS = sorted((REPOSITORY / ".github" / "workflows").glob("*.yml"))
CHECKER = str(Path(sys.executable).with_name("check-jsonschema"))


def test_the_workflows_follow_githubs_schema() -> None:
    assert [file.name for file in WORKFLOWS] == ["release.yml", "site.yml", "tests.yml"]
    done = subprocess.run(
        [CHECKER, "--builtin-schema", "vendor.github-workflows", *map(str, WORKFLOWS)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_citation_is_well_formed_and_has_the_version() -> None:
    citation = REPOSITORY / "CITATION.cff"
    words = [CHECKER, "--builtin-schema", "vendor.citation-file-format", str(citation)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"\nversion: {__version__}\n" in citation.read_text()
    assert f"\n## [{__version__}] - " in (REPOSITORY / "CHANGELOG.md").read_text()


@pytest.mark.needs("git")
def test_no_file_names_the_address_of_a_package_index() -> None:
    hosts = [f"{name}.org" for name in ("pypi", "pythonhosted")]
    for name in source_files():
        content = (REPOSITORY / name).read_bytes()
        assert not any(host.encode() in content for host in hosts), name


def test_make_knows_the_extras_and_refuses_others() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    (known,) = re.findall(r"^KNOWN_EXTRAS := (.*)$", (REPOSITORY / "Makefile").read_text(), re.MULTILINE)
    assert known.split() == sorted(project["optional-dependencies"])

    def planned(extras: str) -> subprocess.CompletedProcess[str]:
        words = ["make", "--dry-run", "VENV=nowhere", "install", f"EXTRAS={extras}"]
        return subprocess.run(words, cwd=REPOSITORY, capture_output=True, text=True, check=False)

    for spelled in ("arena,web", "web,arena", "arena web", "web, arena"):
        plan = planned(spelled).stdout
        assert plan.count("--editable .") == 1, "the search is compiled once"
        assert plan.index("--editable .") < plan.index("' arena,web")
    for wrong in ("wbe", "dev"):
        refused = planned(f"arena,{wrong}")
        assert refused.returncode == 2
        assert f"EXTRAS has {wrong}; allowed are arena cluster data web, separated by commas" in refused.stderr
        assert "(browser dev docs harness wheel are dependency groups:" in refused.stderr
