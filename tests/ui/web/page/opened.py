"""An open page, for tests: what it shows in words, and what it complained about."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import ConsoleMessage, Locator, Page, Request, ViewportSize, expect

from tests.processes import PATIENCE_SECONDS

DESKTOP: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 760}
SMALL_PHONE: ViewportSize = {"width": 320, "height": 600}
LYING_PHONE: ViewportSize = {"width": 844, "height": 390}
TABLET: ViewportSize = {"width": 1024, "height": 768}

expect.set_options(timeout=PATIENCE_SECONDS * 1000)


class Opened:
    """A page in a browser's tab."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.complaints: list[str] = []
        self.asked: list[str] = []
        self.is_spoiled = False
        """Whether the test itself makes calls fail; the browser then complains on its own."""
        page.set_default_timeout(PATIENCE_SECONDS * 1000)
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._see)

    def _hear(self, message: ConsoleMessage) -> None:
        self.complaints.append(message.text)

    def _see(self, request: Request) -> None:
        self.asked.append(request.url)

    def go(self, query: str = "") -> None:
        """Open another address of the server."""
        self.page.goto(self.address + query)

    def close(self) -> None:
        """Close the page, which must not have complained, nor asked for anything of another server."""
        self.page.context.close()
        if not self.is_spoiled:
            assert self.complaints == []
        assert [url for url in self.asked if not url.startswith(self.address)] == []

    def find(self, selector: str) -> Locator:
        """A part of the page."""
        return self.page.locator(selector)

    def button(self, name: str) -> Locator:
        """A button by the name that people read or hear."""
        return self.page.get_by_role("button", name=name, exact=True)

    def tab(self, name: str) -> None:
        """Choose a tab of the panel."""
        self.page.get_by_role("tab", name=name, exact=True).click()

    @property
    def query(self) -> dict[str, str]:
        """What the address says."""
        return {name: values[0] for name, values in parse_qs(urlsplit(self.page.url).query).items()}

    def column(self, number: int) -> Locator:
        """The button of a column, counted from 1."""
        return self.find("#columns button").nth(number - 1)

    def click_cell(self, number: int) -> None:
        """Click into the drawing of the board, in a column counted from 1."""
        box = self.find("#board svg").bounding_box()
        assert box is not None
        self.page.mouse.click(box["x"] + box["width"] * (number - 0.5) / 7, box["y"] + box["height"] / 3)

    def shows_discs(self, count: int) -> None:
        """Wait until the board has this many discs."""
        expect(self.find("#board .disc")).to_have_count(count)

    def says(self, text: str) -> None:
        """Wait until this has been said to screen readers."""
        expect(self.find("#live")).to_contain_text(text)

    def shows_turn(self, text: str) -> None:
        """Wait until the line above the board says this."""
        expect(self.find("#turn")).to_have_text(text)

    def shows_turn_of_puzzle(self, question: str) -> None:
        """Wait until a puzzle asks this."""
        expect(self.find("#turn")).to_have_text(question)

    def scores(self) -> list[int | None]:
        """The scores under the columns, once they are there."""
        expect(self.find("#columns .word:not(.waiting)").first).to_be_visible()
        shown = [each.locator(".score").all_inner_texts() for each in self.find("#columns button").all()]
        return [int(texts[0].replace("\u2212", "-")) if texts else None for texts in shown]

    def small_targets(self) -> list[str]:
        """What can be pressed, is shown and is smaller than 44 pixels in some direction."""
        found = self.page.evaluate(
            """() => [...document.querySelectorAll('button, select, input, summary, nav a')].filter((each) => {
                const target = each.closest('label') && !each.matches('select') ? each.closest('label') : each;
                const { width, height } = target.getBoundingClientRect();
                return width > 0 && (width < 43.99 || height < 43.99);
            }).map((each) => `${each.id || each.className || each.name} ${each.textContent}`)"""
        )
        assert isinstance(found, list)
        return [re.sub(r"\s+", " ", text) for text in found]

    def fits_the_window(self) -> bool:
        """Whether nothing has to be scrolled sideways."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
