"""Debian's browser, for tests of pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

from tests.system_tools import program_of

# The first is needed as root; the others keep a browser without a network from looking for one.
BROWSER_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def running_browser() -> Iterator[Browser]:
    """A browser without a window."""
    program = program_of("chromium")
    assert program is not None, 'a test that opens a browser is marked needs("chromium")'
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=BROWSER_FLAGS)
        yield browser
        browser.close()
