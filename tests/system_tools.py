"""The tools that some tests need beyond Python and make: which are missing here, and the Debian packages with them.

`python -m tests.system_tools [KNOWN ...]` prints the packages to install, given the optional ones that the system
knows; `make tools` installs them.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import cache
from importlib.util import find_spec

PACKAGES = {
    "bwrap": ("bubblewrap",),
    "c++": ("g++",),
    "cc": ("gcc", "libc6-dev"),
    "chromium": ("chromium", "fonts-dejavu-core"),
    "git": ("git",),
    "javac": ("default-jdk-headless",),
    "node": ("nodejs",),
    "npm": ("npm",),
    "ps": ("procps",),
    "racket": ("racket",),
}
"""The Debian packages of each program that tests start."""

COMPILED = "compiled"
"""What a test needs that holds for compiled code, or takes too long without it. A C compiler makes it at install."""

ZIGLANG = "ziglang"
"""The compiler of the site, a Python package that `make site` installs."""

TOOLS = {**PACKAGES, COMPILED: PACKAGES["cc"], ZIGLANG: ()}

HEADLESS_SHELL = "chromium-headless-shell"
"""Chromium without windows, as a program and as a Debian package: a page takes it a fifth of the processor time."""


@cache
def is_missing(tool: str) -> bool:
    """Whether the tests that need this tool cannot run here."""
    if tool == COMPILED:
        from connect4_agent.engine.kernel import forms  # noqa: PLC0415  # `make tools` runs where nothing is installed yet

        return not forms.is_compiled()
    if tool == ZIGLANG:
        return find_spec(ZIGLANG) is None
    program = program_of(tool)
    return program is None or (tool == "bwrap" and not _can_isolate(program))


def _can_isolate(bubblewrap: str) -> bool:
    """Whether the system lets bubblewrap do its work: some forbid it to all but root."""
    tried = [bubblewrap, "--unshare-all", "--ro-bind", "/", "/", "--", "/bin/sh", "-c", ":"]
    return subprocess.run(tried, capture_output=True, check=False).returncode == 0


def program_of(tool: str) -> str | None:
    """The path of the tool's program."""
    if tool == "chromium":
        return shutil.which(HEADLESS_SHELL) or shutil.which(tool)
    return shutil.which(tool)


def packages_to_install(known: list[str]) -> list[str]:
    """The packages of what is missing; the headless shell counts if this system knows it, even beside Chromium."""
    packages = {tool: names for tool, names in PACKAGES.items() if is_missing(tool)}
    if HEADLESS_SHELL in known and not shutil.which(HEADLESS_SHELL):
        packages["chromium"] = (HEADLESS_SHELL, *PACKAGES["chromium"][1:])
    elif known and "chromium" not in known:
        packages.pop("chromium", None)  # Ubuntu has it as a snap alone
    return [name for tool in sorted(packages) for name in packages[tool]]


if __name__ == "__main__":
    print(*packages_to_install(sys.argv[1:]))  # noqa: T201
