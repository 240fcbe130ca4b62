"""The package as it is installed; `make wheel` checks what compilers make of it."""

from __future__ import annotations

import importlib.metadata
import json
import re
import runpy
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

import connect4_agent
from tests.processes import REPOSITORY, clean_environment, copy_source

PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]


def build_wheel(folder: Path, **environment: str) -> Path:
    """A wheel of the source, built away from the checkout so that nothing built earlier is found."""
    source = folder / "source"
    copy_source(source)
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(folder), "."],
        cwd=source,
        env=clean_environment(**environment),
        check=True,
    )
    return next(folder.glob("*.whl"))


@pytest.mark.needs("git")
@pytest.mark.slow
def test_without_a_compiler_the_same_files_run_interpreted(tmp_path: Path) -> None:
    wheel = build_wheel(tmp_path, CC="no-such-compiler")
    names = zipfile.ZipFile(wheel).namelist()
    assert not any(name.endswith((".so", ".pyd")) for name in names)
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    result = subprocess.run(
        [sys.executable, "-m", "connect4_agent", "move", "--moves", "4455", "--depth", "4", "--explain"],
        cwd=tmp_path / "installed",
        env=clean_environment(PYTHONPATH=str(tmp_path / "installed")),
        capture_output=True,
        text=True,
        check=True,
    )
    answer = json.loads(result.stdout)
    assert (answer["move"], answer["score"], answer["exact"]) == (2, 18, True)
    assert result.stderr == (
        "connect4-agent: the search runs as plain Python, about a hundred times slower than compiled:"
        " compiling it failed: no-such-compiler: No such file or directory\n"
    )


@pytest.mark.needs("cc", "git")
@pytest.mark.slow
def test_a_build_in_place_leaves_nothing_of_an_earlier_one(tmp_path: Path) -> None:
    copy_source(tmp_path)
    kernel = tmp_path / "connect4_agent" / "engine" / "kernel"
    forms = kernel / "forms.py"
    few = 'MODULES = {"narrow": ("playouts",), "wide": ("playouts",)}'
    forms.write_text(re.sub(r"MODULES = \{[^}]*\}", few, forms.read_text()))
    sources = set(kernel.rglob("*"))
    reason = kernel / "not_compiled.txt"

    def build(**environment: str) -> list[str]:
        """The libraries there after a build."""
        words = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
        subprocess.run(words, cwd=tmp_path, env=clean_environment(**environment), capture_output=True, check=True)
        return [path.name.partition(".")[0] for path in kernel.glob("*/*.so")]

    assert build() == ["playouts", "playouts"]
    assert {path.suffix for path in set(kernel.rglob("*")) - sources} == {".so"}
    broken = tmp_path / "cc"
    broken.write_text("#!/bin/sh\necho 'evaluator.c:1:9: fatal error: Python.h: No such file' >&2\nexit 1\n")
    broken.chmod(0o755)
    assert build(CC=str(broken)) == []
    assert reason.read_text() == f"{broken}: Python.h: No such file\n"
    assert build() == ["playouts", "playouts"]
    assert not reason.exists()


@pytest.mark.parametrize("is_free_threaded", [False, True])
def test_only_free_threaded_pythons_do_without_the_stable_abi(
    monkeypatch: pytest.MonkeyPatch, is_free_threaded: bool
) -> None:
    config_var = sysconfig.get_config_var
    asked: dict[str, Any] = {}
    monkeypatch.setattr(
        sysconfig, "get_config_var", lambda name: is_free_threaded if name == "Py_GIL_DISABLED" else config_var(name)
    )
    monkeypatch.setattr("setuptools.setup", lambda **given: asked.update(given))
    runpy.run_path(str(REPOSITORY / "setup.py"))
    for extension in asked["ext_modules"]:
        assert extension.py_limited_api is not is_free_threaded
        assert [name for name, _ in extension.define_macros] == ([] if is_free_threaded else ["Py_LIMITED_API"])
    assert asked["options"] == ({} if is_free_threaded else {"bdist_wheel": {"py_limited_api": "cp311"}})


def test_the_server_needs_orjson_and_pydantic_only() -> None:
    assert [name.partition(">")[0] for name in PROJECT["dependencies"]] == ["orjson", "pydantic"]


def test_the_version_stands_in_one_place() -> None:
    assert "version" in PROJECT["dynamic"]
    assert importlib.metadata.version("connect4-agent") == connect4_agent.__version__


def test_the_command_handles_signals_before_it_loads_anything_large() -> None:
    program = "import sys; before = set(sys.modules); import connect4_agent.cli; print(*set(sys.modules) - before)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    modules = set(loaded.stdout.split())
    assert "connect4_agent.cli" in modules
    assert not modules & {"dataclasses", "inspect", "argparse", "orjson", "pydantic", "connect4_agent.rules.position"}


def test_every_public_name_can_be_imported() -> None:
    for name in connect4_agent.__all__:
        assert getattr(connect4_agent, name) is not None
    with pytest.raises(AttributeError, match="module 'connect4_agent' has no attribute 'nothing'"):
        _ = connect4_agent.nothing  # type: ignore[attr-defined]  # that is the point
