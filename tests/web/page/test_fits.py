"""Whether the pages fit every window: board and controls whole, nothing moves while loading, no word is broken."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.web.page.conftest import LOST
from tests.web.page.opened import DESKTOP, LYING_PHONE, PHONE, Opened

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import ViewportSize

    Visit = Callable[..., Opened]

LATE = "4435444512532334122"

WINDOWS: dict[str, ViewportSize] = {
    "390x844": {"width": 390, "height": 844},
    "844x390": LYING_PHONE,
    "667x375": {"width": 667, "height": 375},
    "1280x720": {"width": 1280, "height": 720},
    "1920x1080": {"width": 1920, "height": 1080},
}

MUST_BE_SEEN = "#turn, #board svg, #columns button, .controls button:not([hidden]), .controls .switch"

CUT_OFF = """(selector) => [...document.querySelectorAll(selector)].filter((each) => {
    const { left, top, right, bottom, width } = each.getBoundingClientRect();
    return width > 0 && (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5);
}).map((each) => `${each.id || each.className.baseVal || each.className} ${each.textContent.slice(0, 20)}`)"""

BROKEN_WORDS = """() => {
    const broken = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const { data } = texts.currentNode;
        for (const { index, 0: word } of data.matchAll(/\\p{L}+/gu)) {
            const range = document.createRange();
            range.setStart(texts.currentNode, index);
            range.setEnd(texts.currentNode, index + word.length);
            if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
        }
    }
    return broken;
}"""

SHIFT = """() => new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) sum += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(sum), 50);
})"""


@pytest.mark.parametrize("window", WINDOWS)
def test_board_and_controls_are_seen_whole_with_hints_and_in_review(visit: Visit, window: str) -> None:
    page = visit(f"?two=person&moves={LATE}", hints=True, viewport=WINDOWS[window])
    expect(page.find("#columns .word").first).to_be_visible()
    assert page.page.evaluate(CUT_OFF, MUST_BE_SEEN) == []
    assert page.fits_the_window()
    assert page.page.evaluate(BROKEN_WORDS) == []
    assert page.small_targets() == []
    page.go(f"?one=first-open&two=person&moves={LOST}&at=9")
    expect(page.find(".curve")).to_be_visible()
    assert page.page.evaluate(CUT_OFF, MUST_BE_SEEN) == []
    assert page.page.evaluate(BROKEN_WORDS) == []
    assert page.small_targets() == []


@pytest.mark.parametrize("viewport", [PHONE, LYING_PHONE, DESKTOP], ids=["upright", "lying", "desktop"])
def test_nothing_moves_while_a_page_loads(visit: Visit, viewport: ViewportSize) -> None:
    page = visit(f"?two=person&moves={LATE}", hints=True, viewport=viewport)
    expect(page.find("#columns .word").first).to_be_visible()
    assert page.page.evaluate(SHIFT) < 0.05
    for query, loaded in (
        (f"?one=first-open&two=person&moves={LOST}&at=9", ".curve"),
        ("puzzles?seed=7", "#solve:enabled"),
        ("run", "#game-list button"),
        ("run?game=6", ".curve"),
    ):
        page.go(query)
        expect(page.find(loaded).first).to_be_visible()
        assert page.page.evaluate(SHIFT) < 0.05, query


def test_wide_boards_have_room_for_their_hints(visit: Visit) -> None:
    page = visit("?two=person&width=12&height=4&moves=66776655", hints=True, viewport=WINDOWS["1280x720"])
    expect(page.find("#columns .word").first).to_be_visible()
    spilt = page.find("#columns .column").evaluate_all(
        "all => all.filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent)"
    )
    assert spilt == []


def test_without_javascript_there_are_no_dead_buttons(visit: Visit) -> None:
    page = visit(java_script_enabled=False)
    for path in ("", "puzzles", "run"):
        page.go(path)
        expect(page.find("noscript p")).to_contain_text("This page needs JavaScript.")
        for part in ("button", "input", "select", "nav a"):
            assert not any(each.is_visible() for each in page.find(part).all()), (path, part)


def test_forced_colours_show_whether_hints_are_on(visit: Visit) -> None:
    page = visit("?first=1", forced_colors="active")
    look = "each => [getComputedStyle(each).backgroundColor, getComputedStyle(each, '::before').inset]"
    off = page.find("#hints").evaluate(look)
    page.page.get_by_label("Hints").click()
    on = page.find("#hints").evaluate(look)
    assert on[0] != off[0]
    assert on[1] != off[1]
