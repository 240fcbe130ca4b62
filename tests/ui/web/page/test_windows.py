"""Whether the page fits every window: nothing sticks out, is hidden or moves, and axe-core finds no fault."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

import pytest
from playwright.sync_api import expect

from tests.ui.web.page.conftest import LOST
from tests.ui.web.page.opened import DESKTOP, LYING_PHONE, PHONE, SMALL_PHONE, TABLET, Opened
from tests.ui.web.page.states import LATE, STATES

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import ViewportSize

    Visit = Callable[..., Opened]

SIZES = ((320, 568), (360, 640), (390, 844), (568, 320), (546, 307), (512, 384), (820, 1180), (1024, 768), (1280, 800))
WINDOWS: list[ViewportSize] = [{"width": width, "height": height} for width, height in SIZES]

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

BESIDE_BOARD = "button, a, select, input, .switch, #players, #turn, #detail"

FLAWS = """(parts) => {
    const box = (each) => each.getBoundingClientRect();
    const shown = [...document.querySelectorAll(parts)].filter((each) => box(each).width > 1 && each.checkVisibility());
    const called = (each) => `${each.id || each.className} ${each.textContent.slice(0, 20)}`;
    const reach = [document.documentElement, ...shown].filter((each) => box(each).left < -0.5
        || box(each).right > innerWidth + 0.5 || each.scrollWidth > each.clientWidth + 1);
    const targets = shown.filter((each) => each.matches('button:not(.link), select, nav a, .switch'));
    const least = (each) => (innerHeight > 480 ? 43.99 : each.matches('nav a') ? 24 : 38);
    const low = (each) => (each.closest('#cells') ? least(each) : 43.99);
    const small = targets.filter((each) => box(each).width < least(each) || box(each).height < low(each));
    const broken = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        for (const { index, 0: word } of texts.currentNode.data.matchAll(/\\p{L}+/gu)) {
            const range = document.createRange();
            range.setStart(texts.currentNode, index);
            range.setEnd(texts.currentNode, index + word.length);
            if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
        }
    }
    const board = document.querySelector('.board-scroll');
    const dialog = document.querySelector('dialog[open]');
    const cut = dialog ? [] : [...document.querySelectorAll('#board svg, #columns button')].filter(
        (each) => each.checkVisibility({ visibilityProperty: true })
            && (box(each).bottom > innerHeight + 0.5 || box(each).right > innerWidth + 0.5));
    const found = {
        'sticks out': reach.map(called), 'small': small.map(called), 'broken word': broken, 'cut off': cut.map(called),
        'blue': [...document.querySelectorAll('.strong')]
            .filter((each) => each.checkVisibility() && each.closest('dialog') === dialog).slice(1).map(called),
        'sideways': board.scrollWidth > board.clientWidth + 1 ? ['the board'] : [],
    };
    return Object.fromEntries(Object.entries(found).filter(([, all]) => all.length));
}"""
"""What is wrong with the layout, by kind: a dictionary that should be empty."""

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")

RUN_AXE = """async () => {
    const rules = { 'label-content-name-mismatch': { enabled: true }, 'target-size': { enabled: true } };
    const { violations } = await axe.run(document, { rules, resultTypes: ['violations'] });
    return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' | ')}`);
}"""


@pytest.mark.parametrize("name", STATES)
def test_every_window_shows_the_board_whole_and_one_blue_button(visit: Visit, name: str) -> None:
    page = visit(viewport=PHONE)
    STATES[name].open(page)
    found: dict[str, Any] = {}
    for window in WINDOWS:
        page.page.set_viewport_size(window)
        page.page.evaluate("scrollTo(0, 0)")
        found[f"{window['width']}x{window['height']}"] = page.page.evaluate(FLAWS, BESIDE_BOARD)
    assert {size: parts for size, parts in found.items() if parts} == {}


@pytest.mark.parametrize("name", ["playing", "hint 1", "hint 2", "are you sure"])
def test_sentence_and_buttons_are_above_the_fold_of_every_window(visit: Visit, name: str) -> None:
    page = visit(viewport=PHONE)
    STATES[name].open(page)
    for window in WINDOWS:
        page.page.set_viewport_size(window)
        page.page.evaluate("scrollTo(0, 0)")
        for part in page.find("#turn, #detail, #say-buttons button, #actions button").filter(visible=True).all():
            box = part.bounding_box()
            assert box is not None
            assert box["y"] + min(box["height"], 44) <= window["height"], (window, part.inner_text())


@pytest.mark.parametrize("name", STATES)
def test_axe_finds_no_fault(visit: Visit, name: str) -> None:
    page = visit(viewport=DESKTOP)
    STATES[name].open(page)
    page.page.evaluate(AXE)
    for window, scheme in ((DESKTOP, SCHEMES[0]), (PHONE, SCHEMES[1])):
        page.page.set_viewport_size(window)
        page.page.emulate_media(color_scheme=scheme)
        assert page.page.evaluate(RUN_AXE) == []


@pytest.mark.parametrize("name", ["analysis", "mistake", "puzzle", "card with scores", "analyse", "set up", "new game"])
def test_text_of_twice_the_size_fits(visit: Visit, name: str) -> None:
    page = visit(viewport=PHONE)
    STATES[name].open(page)
    page.page.evaluate("document.documentElement.style.fontSize = '200%'")
    for window in (PHONE, LYING_PHONE, TABLET, DESKTOP):
        page.page.set_viewport_size(window)
        found = page.page.evaluate(FLAWS, BESIDE_BOARD)
        assert not {"sticks out", "broken word", "sideways"} & set(found), (window, found)


def test_what_has_the_focus_is_never_hidden(visit: Visit) -> None:
    hidden = """() => {
        const { left, top, right, bottom } = document.activeElement.getBoundingClientRect();
        const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        const isSeen = at && (document.activeElement.contains(at) || at.contains(document.activeElement));
        return isSeen ? '' : document.activeElement.outerHTML;
    }"""
    for width, height in ((546, 307), (320, 568), (1280, 800)):
        page = visit(f"?two=person&moves={LATE}", viewport={"width": width, "height": height})
        page.shows_discs(len(LATE))
        for _ in range(20):
            page.page.keyboard.press("Tab")
            assert page.page.evaluate(hidden) == "", (width, height)


def board_box(page: Opened) -> list[float]:
    """Return where the board is in the window: left, top, width, height."""
    found = page.page.evaluate(
        """() => new Promise((resolve) => requestAnimationFrame(() => {
            scrollTo(0, 0);
            const { x, y, width, height } = document.querySelector('#board svg').getBoundingClientRect();
            resolve([x, y, width, height].map((each) => Math.round(each * 10) / 10));
        }))"""
    )
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize(
    "viewport",
    [SMALL_PHONE, PHONE, LYING_PHONE, TABLET, DESKTOP],
    ids=["small phone", "phone", "lying phone", "tablet", "desktop"],
)
def test_the_board_never_moves(visit: Visit, viewport: ViewportSize) -> None:
    page = visit(hints=True, viewport=viewport)
    page.is_spoiled = True  # a move that nobody answers
    page.page.route("**/api/move*", lambda _: None)
    page.go("?two=first-open&first=1&moves=44")  # a page that is open already may still send a call past the route
    expect(page.find("#columns .word:not(.waiting)").first).to_be_visible()
    boxes = {"analysis": board_box(page)}
    page.page.keyboard.press("4")
    page.shows_turn("first-open is thinking…")
    boxes["thinking"] = board_box(page)
    page.page.keyboard.press("4")
    expect(page.find("#say.is-warning")).to_be_visible()
    boxes["refused"] = board_box(page)
    page.page.unroute("**/api/move*")
    page.go(f"?one=first-open&two=person&moves={LOST[:-2]}")
    expect(page.find("#columns .word:not(.waiting)").first).to_be_visible()
    boxes["late"] = board_box(page)
    page.page.keyboard.press("7")
    expect(page.find(".connect4-curve")).to_be_visible()
    boxes["over"] = board_box(page)
    page.find("#mistakes button").last.press("Enter")
    expect(page.find("#board .better").first).to_be_visible()
    boxes["mistake"] = board_box(page)
    assert boxes == dict.fromkeys(boxes, boxes["analysis"])


GAMES = {
    "won": ("two=level:3&first=1", "1213141", 0),
    "lost": ("one=level:3&two=person&first=1", "1213141", 0),
    "drawn": ("two=level:3&first=1", "121212212121343434434343565656656565777777", 30),
}
"""What the address says of the players, all moves, and how many of them the address has already."""

OBSERVE = """() => {
    globalThis.moved = [];
    new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries()) {
            moved.push([value, sources.map(({ node }) => node?.id || node?.className || node?.nodeName)]);
        }
    }).observe({ type: 'layout-shift' });
}"""

MOVED = "() => new Promise((resolve) => { setTimeout(() => resolve(moved), 50); })"

SHIFT = """() => new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) sum += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(sum), 50);
})"""


@pytest.mark.parametrize(
    "viewport",
    [SMALL_PHONE, PHONE, LYING_PHONE, TABLET, DESKTOP],
    ids=["small phone", "phone", "lying phone", "tablet", "desktop"],
)
def test_nothing_moves_during_a_game_nor_at_its_end(visit: Visit, viewport: ViewportSize) -> None:
    page = visit("?two=person", viewport=viewport)
    replies: list[str] = []
    page.page.route("**/api/move*", lambda route: route.fulfill(json={"move": int(replies.pop(0)) - 1}))
    for name, (query, moves, given) in GAMES.items():
        own = int("one=" in query)
        replies[:] = moves[given + 1 - own :: 2]
        page.go(f"?{query}" + (f"&moves={moves[:given]}" if given else ""))
        page.shows_discs(given + own)
        expect(page.find("#players")).to_contain_text("Level 3")  # the page has loaded
        page.page.evaluate(OBSERVE)
        for ply in range(given + own, len(moves), 2):
            page.shows_discs(ply)
            # A press would excuse what moves after it.
            page.column(int(moves[ply])).evaluate("each => each.click()")
        page.shows_discs(len(moves))
        expect(page.find("#review")).to_be_visible()
        assert [each for each in page.page.evaluate(MOVED) if each[0] > 0.001] == [], name


@pytest.mark.parametrize("viewport", [PHONE, LYING_PHONE, DESKTOP], ids=["upright", "lying", "desktop"])
def test_nothing_moves_while_a_page_loads(visit: Visit, viewport: ViewportSize) -> None:
    page = visit(f"?two=person&moves={LATE}", hints=True, viewport=viewport)
    for query, loaded in (
        (f"?two=person&moves={LATE}", "#columns .word:not(.waiting)"),
        ("?view=puzzles&theme=forced&level=easy&seed=3", "#puzzle-show:enabled"),
        (f"?view=analyse&moves={LATE}", "#best-line span"),
    ):
        page.go(query)
        expect(page.find(loaded).first).to_be_visible()
        assert page.page.evaluate(SHIFT) < 0.05, query


def test_without_javascript_there_are_no_dead_buttons(visit: Visit) -> None:
    page = visit(java_script_enabled=False)
    expect(page.find("noscript p")).to_contain_text("This page needs JavaScript.")
    for part in ("button", "input", "select", "nav a"):
        assert not any(each.is_visible() for each in page.find(part).all()), part
