"""Skips tests whose tools are missing, or fails them if CONNECT4_AGENT_REQUIRE_TOOLS is set; counts them at the end."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator, Iterator

import pytest

from connect4_agent.arena import worker
from connect4_agent.engine.kernel import forms
from connect4_agent.jobs.cores import core_count
from tests import effort, system_tools
from tests.processes import PATIENCE_SECONDS

effort.load_profile()

REQUIRED = os.environ.get("CONNECT4_AGENT_REQUIRE_TOOLS", "0") not in ("", "0")

MISSING = "missing tool"
"""The property of a test's report, one for each tool that it lacks: reports reach the main process of xdist, too."""


def tools_of(item: pytest.Item) -> Iterator[str]:
    """The tools that a test names, and those that its fixtures and parameters imply."""
    for mark in item.iter_markers("needs"):
        yield from mark.args
    if "browser" in getattr(item, "fixturenames", ()):
        yield "chromium"
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    if parameters.get("form") in forms.WORD_BITS or parameters.get("interpreted") == "0":
        yield system_tools.COMPILED


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Three processes for two cores: many tests wait for other processes."""
    return max(2, core_count() * 3 // 2)


@pytest.hookimpl(tryfirst=True)  # before -m selects
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "chromium" in tools_of(item):
            item.add_marker(pytest.mark.slow)
    # Files with slow tests first: at the end of the run no process waits for another.
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


@pytest.hookimpl(tryfirst=True)  # before any fixture starts something
def pytest_runtest_setup(item: pytest.Item) -> None:
    needed = sorted(set(tools_of(item)))
    unknown = [tool for tool in needed if tool not in system_tools.TOOLS]
    if unknown:
        pytest.fail(f"needs {', '.join(unknown)}; the tools are {', '.join(system_tools.TOOLS)}", pytrace=False)
    missing = [tool for tool in needed if system_tools.is_missing(tool)]
    if not missing:
        return
    item.user_properties.extend((MISSING, tool) for tool in missing)
    reason = f"needs {', '.join(missing)}"
    if REQUIRED:
        pytest.fail(f"{reason}, which CONNECT4_AGENT_REQUIRE_TOOLS requires; `make tools` installs it", pytrace=False)
    pytest.skip(reason)


@pytest.hookimpl(wrapper=True, tryfirst=True)  # below all that pytest itself says
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Generator[None, object, object]:
    result = yield
    lacking = Counter(
        value
        for report in terminalreporter.stats.get("error" if REQUIRED else "skipped", [])
        for name, value in getattr(report, "user_properties", ())
        if name == MISSING
    )
    if lacking:
        terminalreporter.section("missing tools", yellow=True)
        for tool, count in sorted(lacking.items()):
            packages = " ".join(system_tools.TOOLS[tool])
            source = f"Debian: {packages}" if packages else "`make site`"
            tests = "1 test" if count == 1 else f"{count} tests"
            terminalreporter.write_line(f"{tool}: {tests} {'failed' if REQUIRED else 'skipped'} ({source})")
        terminalreporter.write_line("`make tools` installs them all.")
    return result


@pytest.fixture
def long_farewell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let agents take as long as they like to end: on a busy machine, they need more than their moment."""
    change = f"from connect4_agent.arena import process; process.FAREWELL_SECONDS = {PATIENCE_SECONDS}; "
    start = "connect4_agent.arena.worker.START"
    monkeypatch.setattr(start, worker.START.replace("worker.main()", f"{change}worker.main()"))
