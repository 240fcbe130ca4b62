"""How to add an extra, for each way in which the package can be installed."""

from __future__ import annotations

import importlib.metadata
import json
import sys
from pathlib import Path

import pytest

from connect4_agent.commands.shared.extras import how_to_add

EDITABLE = {"dir_info": {"editable": True}}


def install(
    monkeypatch: pytest.MonkeyPatch, environment: Path, origin: dict[str, object] | None, receipt: str | None = None
) -> None:
    """Pretend that the package was installed into this environment from there; a receipt is a file of the installer."""
    site = environment / "site-packages"
    (site / "connect4_agent-1.dist-info").mkdir(parents=True)
    (site / "connect4_agent-1.dist-info" / "METADATA").write_text("Name: connect4-agent\nVersion: 1\n")
    if origin is not None:
        (site / "connect4_agent-1.dist-info" / "direct_url.json").write_text(json.dumps(origin))
    if receipt is not None:
        (environment / receipt).touch()
    monkeypatch.setattr(sys, "path", [str(site)])
    monkeypatch.setattr(sys, "prefix", str(environment))


@pytest.mark.parametrize(
    ("receipt", "command"),
    [
        (None, "pip install 'connect4-agent[web]'"),
        ("pipx_metadata.json", "pipx install --force 'connect4-agent[web]'"),
        ("uv-receipt.toml", "uv tool install 'connect4-agent[web]'"),
    ],
)
def test_an_installer_is_known_by_its_receipt(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, receipt: str | None, command: str
) -> None:
    install(monkeypatch, tmp_path, None, receipt)
    assert how_to_add("web") == command


def test_in_the_clones_own_environment_make_adds_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(monkeypatch, tmp_path / ".venv", {**EDITABLE, "url": tmp_path.as_uri()})
    assert how_to_add("cluster") == "make install EXTRAS=cluster"


def test_in_another_environment_the_clone_is_installed_in_place_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    clone = tmp_path / "my clone"
    install(monkeypatch, tmp_path / "elsewhere", {**EDITABLE, "url": clone.as_uri()})
    assert how_to_add("web") == f"pip install --editable '{clone}[web]'"


def test_a_copy_made_from_a_folder_is_not_tied_to_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(monkeypatch, tmp_path / ".venv", {"dir_info": {}, "url": tmp_path.as_uri()})
    assert how_to_add("web") == "pip install 'connect4-agent[web]'"


def test_a_copy_that_was_never_installed_gets_the_usual_advice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    with pytest.raises(importlib.metadata.PackageNotFoundError):
        importlib.metadata.distribution("connect4-agent")
    assert how_to_add("web") == "pip install 'connect4-agent[web]'"
