"""The files around the package: workflows, hooks and the changelog are what their readers expect."""

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
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
PRODUCTS = {"answers.jsonl", "dist/*", "dist/*.tar.gz", "wheelhouse/*.whl"}
"""What the workflows' own steps write."""
SECTIONS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
"""Those of https://keepachangelog.com."""


def test_the_workflows_follow_githubs_schema() -> None:
    assert [file.name for file in WORKFLOWS] == ["release.yml", "tests.yml"]
    done = subprocess.run(
        [CHECKER, "--builtin-schema", "vendor.github-workflows", *map(str, WORKFLOWS)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_workflows_name_verbs_that_exist() -> None:
    verbs = re.findall(r"^([\w-]+):", (REPOSITORY / "Makefile").read_text(), re.MULTILINE)
    for file in WORKFLOWS:
        assert set(re.findall(r"run: make ([\w-]+)", file.read_text())) <= set(verbs)


def test_every_path_that_a_workflow_names_exists() -> None:
    """A path has a slash or a known ending; so do actions, which have lines of their own."""
    text = "\n".join(re.sub(r"uses: .*", "", file.read_text()) for file in WORKFLOWS)
    named = set(re.findall(r"[\w.*-]+(?:/[\w.*-]+)+|[\w-]+\.(?:jsonl|md|py|toml|yml)\b", text))
    assert {"examples/requests.jsonl", "CHANGELOG.md"} <= named
    missing = {path for path in named if not (REPOSITORY / path).exists()}
    assert missing == PRODUCTS


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
        assert "--editable '.[arena,web]'" in planned(spelled).stdout
    for wrong in ("wbe", "dev"):
        refused = planned(f"arena,{wrong}")
        assert refused.returncode == 2
        assert f"EXTRAS has {wrong}; allowed are arena cluster data web, separated by commas" in refused.stderr
        assert "(dev docs harness wheel are dependency groups:" in refused.stderr


def test_a_verb_that_needs_a_dependency_group_installs_it_with_a_pip_that_knows_groups() -> None:
    groups = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["dependency-groups"]
    verbs = {
        "check": ["dev"],
        "docs": ["docs"],
        "install": [],
        "install-harness": ["dev", "harness"],
        "wheel": ["wheel"],
    }
    for verb, needed in verbs.items():
        words = ["make", "--dry-run", "VENV=nowhere", verb]
        plan = subprocess.run(words, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout
        assert re.findall(r"--group (\w+)", plan) == needed
        assert set(needed) <= set(groups)
        assert plan.partition("--group")[0].count("install 'pip>=25.1'") == bool(needed)


def test_every_python_that_is_promised_is_tested() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())
    promised = [name.rpartition(" ")[2] for name in project["project"]["classifiers"] if ":: Python :: 3." in name]
    assert promised == PYTHONS
    assert project["tool"]["cibuildwheel"]["build"] == [f"cp{version.replace('.', '')}-*" for version in PYTHONS]
    tests = (REPOSITORY / ".github" / "workflows" / "tests.yml").read_text()
    matrices = [re.findall(r'"([\d.]+)"', line) for line in re.findall(r"^ +python: (\[.*\])$", tests, re.MULTILINE)]
    assert matrices == [PYTHONS] * 3  # Linux, macOS, Windows


def test_every_pre_commit_hook_runs_a_tool_that_make_check_runs() -> None:
    hooks = (REPOSITORY / ".pre-commit-config.yaml").read_text()
    used = re.findall(r"entry: \.venv/bin/(\w+)", hooks)
    checks = (REPOSITORY / "Makefile").read_text().partition("\ncheck:")[2].partition("\n\n")[0]
    assert used == re.findall(r"\$\(BIN\)/(\w+)", checks)


def test_the_changelog_has_the_usual_sections_newest_first() -> None:
    text = (REPOSITORY / "CHANGELOG.md").read_text()
    first, *released = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert first == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", heading) for heading in released)
    assert not released or released[0].startswith(f"[{__version__}]")
    assert set(re.findall(r"^### (.*)$", text, re.MULTILINE)) <= SECTIONS
