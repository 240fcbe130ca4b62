"""What the tests of the web server share: one server that all of them may call."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sample_runs import tournament, write_tournament
from tests.ui.web.web_servers import WebServer, agent_option, web_server


@pytest.fixture(scope="session")
def sample_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tournament(tmp_path_factory.mktemp("runs") / "sample", tournament())


@pytest.fixture(scope="session")
def web(sample_run: Path) -> Iterator[WebServer]:
    """A server with a run and with agents, that thinks for as long as a test can wait."""
    agents = [
        *agent_option("good", "good.py"),
        *agent_option("crashes", "crash_mid_game.py"),
        *agent_option("stalls", "stall.py"),
    ]
    with web_server(str(sample_run), "--time-limit", "60", "--jobs", "2", *agents) as server:
        yield server
