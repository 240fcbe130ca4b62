"""What `make site` says when it cannot make a site, or makes one that is not right."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tools.site import __main__ as site
from tools.site import kernel
from tools.site.pack import PYODIDE, fetch_pyodide
from tools.site.trouble import SiteError

COUNTS = [("narrow", 1, 25), ("wide", -2, 70)]


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that stands for npm, and one for node; each test writes what npm does."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("npm", "node"):
        (programs / name).touch()
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    return programs / "npm"


def test_without_npm_it_says_what_installs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SiteError, match=r"node and npm are needed.*`make tools` installs them"):
        fetch_pyodide(tmp_path)


def test_without_a_registry_it_says_what_npm_says(tmp_path: Path, npm: Path) -> None:
    npm.write_text("#!/bin/sh\necho npm error: no network >&2; exit 1\n")
    with pytest.raises(SiteError, match=r"npm could not download pyodide .*\nnpm error: no network"):
        fetch_pyodide(tmp_path)


def test_another_file_than_the_pinned_one_is_refused(tmp_path: Path, npm: Path) -> None:
    npm.write_text(f"#!/bin/sh\necho other > pyodide-{PYODIDE}.tgz\n")
    with pytest.raises(SiteError, match="is not the expected file: its SHA-512 is"):
        fetch_pyodide(tmp_path)


def test_without_the_compiler_it_says_what_installs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "find_spec", lambda _: None)
    with pytest.raises(SiteError, match="there is no package ziglang"):
        kernel.compile_kernel(tmp_path, tmp_path)


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site that is made at once, of one file, and counts the right nodes."""
    monkeypatch.setattr(site, "WORK", tmp_path / "work")
    monkeypatch.setattr(site, "SITE", tmp_path)
    for name in ("fetch_pyodide", "compile_kernel", "make_site"):
        monkeypatch.setattr(site, name, lambda *_: tmp_path)
    monkeypatch.setattr(site, "run_in_pyodide", lambda *_: json.dumps(COUNTS))
    monkeypatch.setattr(site, "count_nodes", lambda: COUNTS)
    (tmp_path / "index.html").write_bytes(b"board" * 10)
    return tmp_path


def test_the_sizes_are_those_of_all_files_and_of_the_first_ones_compressed(made: Path) -> None:
    (made / "7x6.layer").write_bytes(bytes(1000))
    whole, first = site.make()
    assert whole == 1050
    assert 5 < first < 50


def test_other_nodes_than_natively_are_an_error(
    made: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert made
    monkeypatch.setattr(site, "run_in_pyodide", lambda *_: json.dumps([COUNTS[0], ("wide", -2, 71)]))
    assert site.main() == 1
    assert "['wide', -2, 71]] in WebAssembly, and " in capsys.readouterr().err


def test_too_much_to_load_before_the_first_move_is_an_error(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert made
    monkeypatch.setattr(site, "MOST_FIRST", 4)
    with pytest.raises(SiteError, match="bytes are loaded before the first move; allowed are 4"):
        site.make()
