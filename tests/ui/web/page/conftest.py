"""What the tests of the page share: one server with a run, one browser, and pages that must not complain."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import orjson
import pytest
from playwright.sync_api import Browser

from connect4_agent.arena.judged_moves import JUDGED_NAME
from connect4_agent.arena.record import GameRecord
from tests.browsers import running_browser
from tests.sample_runs import tournament, write_tournament
from tests.ui.web.page.opened import DESKTOP, Opened
from tests.ui.web.web_servers import agent_option, web_server

LOST = "444444656366663335555351137112222112277"
"""A game with mistakes of both sides, the moves counted from 1; the opening book knows its beginning."""


@pytest.fixture(scope="session")
def records() -> list[GameRecord]:
    return list(tournament(rounds=2))


@pytest.fixture(scope="package")
def address(tmp_path_factory: pytest.TempPathFactory, records: list[GameRecord]) -> Iterator[str]:
    """Where the real command serves the page, a run and a program to play against."""
    run = write_tournament(tmp_path_factory.mktemp("runs") / "sample", records, rounds=2)
    with (run / JUDGED_NAME).open("wb") as judged:
        for record in records:
            # Not what the solver would say, which takes its time.
            judged.write(orjson.dumps({"columns": record.columns, "scores": [0] * (len(record.columns) + 1)}) + b"\n")
    with web_server(str(run), *agent_option("mine", "good.py")) as server:
        yield f"http://127.0.0.1:{server.port}/"


@pytest.fixture(scope="module")  # its event loop would be in the way of other tests
def browser() -> Iterator[Browser]:
    with running_browser() as browser:
        yield browser


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Callable[..., Opened]]:
    """Opens the page; afterwards nothing may have been complained about, and nothing asked for elsewhere."""
    opened: list[Opened] = []

    def open_page(query: str = "", *, hints: bool = False, **settings: Any) -> Opened:
        # Less motion unless the test is about it: then nobody waits for discs.
        context = browser.new_context(**{"viewport": DESKTOP, "reduced_motion": "reduce", **settings})
        if hints:
            context.add_init_script("localStorage.setItem('connect4-agent.hints', 'true')")
        page = Opened(context.new_page(), address)
        opened.append(page)
        page.go(query)
        return page

    yield open_page
    for page in opened:
        page.close()
