"""The tools that some tests need beyond Python and make: which are missing here, and the Debian packages with them.

`python -m tests.tools` prints the packages to install; `make tools` installs them.
"""

from __future__ import annotations

import shutil
from functools import cache

PACKAGES = {
    "bwrap": ("bubblewrap",),
    "cc": ("gcc", "libc6-dev"),
    "chromium": ("chromium", "fonts-dejavu-core"),
    "git": ("git",),
    "node": ("nodejs",),
    "ps": ("procps",),
    "racket": ("racket",),
}
"""The Debian packages of each program that tests start."""

COMPILED = "compiled"
"""What a test needs that holds for compiled code, or takes too long without it. A C compiler makes it at install."""

TOOLS = {**PACKAGES, COMPILED: PACKAGES["cc"]}


@cache
def is_missing(tool: str) -> bool:
    """Whether the tests that need this tool cannot run here."""
    if tool == COMPILED:
        from connect4_agent.engine.kernel import forms  # noqa: PLC0415  # `make tools` runs where nothing is installed yet

        return not forms.is_compiled()
    return shutil.which(tool) is None


if __name__ == "__main__":
    print(*(package for tool, packages in PACKAGES.items() if is_missing(tool) for package in packages))  # noqa: T201
