"""How to install an extra for this copy of the package, for error messages."""

from __future__ import annotations

import importlib.metadata
import json
import shlex
import sys
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

PROJECT = "connect4-agent"


def how_to_add(extra: str) -> str:
    """The command that installs the extra, depending on how the package was installed."""
    environment = Path(sys.prefix)
    clone = _editable_clone()
    if clone is not None:
        if environment == clone / ".venv":
            return f"make install EXTRAS={extra}"
        return f"pip install --editable {shlex.quote(f'{clone}[{extra}]')}"
    requirement = f"'{PROJECT}[{extra}]'"
    if (environment / "pipx_metadata.json").exists():
        return f"pipx install --force {requirement}"
    if (environment / "uv-receipt.toml").exists():
        return f"uv tool install {requirement}"
    return f"pip install {requirement}"


def _editable_clone() -> Path | None:
    """The source folder, if the package was installed in place."""
    try:
        origin = importlib.metadata.distribution(PROJECT).read_text("direct_url.json")
    except importlib.metadata.PackageNotFoundError:  # run from the source without being installed
        return None
    described = json.loads(origin) if origin else {}
    if not described.get("dir_info", {}).get("editable"):
        return None
    return Path(url2pathname(urlsplit(described["url"]).path))
