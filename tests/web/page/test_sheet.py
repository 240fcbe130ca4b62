"""The sheet of puzzles, printed by a real browser: the boards on one page and the answers on the next."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser

from tests.processes import run_agent
from tests.web.page.test_accessibility import AXE, RUN_AXE

pytestmark = pytest.mark.needs("compiled")

PAGE = re.compile(rb"/Type\s*/Page\b")


def test_twelve_puzzles_fit_on_one_page_of_either_paper_and_their_answers_on_another(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content(run_agent("puzzle", "--sheet", "12").stdout.decode())
    page.evaluate(AXE)
    assert page.evaluate(RUN_AXE) == []
    for paper in ("A4", "Letter"):
        assert len(PAGE.findall(page.pdf(format=paper))) == 2, paper
    page.locator(".answers").evaluate("each => each.remove()")
    for paper in ("A4", "Letter"):
        assert len(PAGE.findall(page.pdf(format=paper))) == 1, paper
    page.close()
