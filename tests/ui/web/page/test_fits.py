"""Whether the pages fit every window: board and controls whole, nothing moves while loading, no word is broken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest
from playwright.sync_api import expect

from tests.ui.web.page.conftest import LOST
from tests.ui.web.page.opened import DESKTOP, LYING_PHONE, PHONE, SMALL_PHONE, TABLET, Opened

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import ViewportSize

    Visit = Callable[..., Opened]

LATE = "4435444512532334122"

WINDOWS: dict[str, ViewportSize] = {
    "390x844": {"width": 390, "height": 844},
    "844x390": LYING_PHONE,
    "667x375": {"width": 667, "height": 375},
    "1024x768": TABLET,
    "1280x720": {"width": 1280, "height": 720},
    "1920x1080": {"width": 1920, "height": 1080},
}

MANY_WINDOWS: list[ViewportSize] = [
    {"width": width, "height": height}
    for width in (320, 390, 640, 768, 1024, 1280, 1600, 1920)
    for height in (390, 600, 768, 900, 1200)
]

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

MUST_BE_SEEN = "#turn, #board svg, #columns button, .controls button:not([hidden]), .controls .switch"

CUT_OFF = """(selector) => [...document.querySelectorAll(selector)].filter((each) => {
    const { left, top, right, bottom, width } = each.getBoundingClientRect();
    return width > 0 && (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5);
}).map((each) => `${each.id || each.className.baseVal || each.className} ${each.textContent.slice(0, 20)}`)"""

STICKING_OUT = """() => [document.documentElement, ...document.querySelectorAll('button, a, select, input, .switch')]
    .filter((each) => {
        const { left, right, width } = each.getBoundingClientRect();
        return width > 0 && (left < -0.5 || right > innerWidth + 0.5 || each.scrollWidth > each.clientWidth + 1);
    }).map((each) => `${each.id || each.className} ${each.textContent.slice(0, 20)}`)"""
"""What reaches over the sides of the window, or has text that reaches over its own."""

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

OVERLAPS = """() => {
    const parts = [...document.querySelectorAll('.top nav a, #turn, .players')];
    const meet = (one, two) => one.left < two.right && two.left < one.right
        && one.top < two.bottom - 1 && two.top < one.bottom - 1;
    return parts.flatMap((one, index) => parts.slice(index + 1)
        .filter((two) => meet(one.getBoundingClientRect(), two.getBoundingClientRect()))
        .map((two) => `${one.textContent} / ${two.textContent}`));
}"""

SHIFT = """() => new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) sum += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(sum), 50);
})"""


KEYS = {"#why-more": "w", "#cells": "e", "#hint": "hhh", "#detail.refused": "7", "#keys-dialog": "?"}
PRESSED = {"#sheet.is-raised": "#sheet-handle", "#moments": "#look:enabled", "#setup-dialog": "#new-game"}
"""What is pressed to see something."""


def reach(page: Opened, seen: str) -> None:
    """Bring the page into the state in which this is seen."""
    for key in KEYS.get(seen, ""):
        page.page.keyboard.press(key)
    if seen in PRESSED:
        page.find(PRESSED[seen]).click()
    if seen == ".grades":
        expect(page.find(".curve")).to_be_attached()
        page.page.get_by_role("tab", name="Mistakes").click()
    expect(page.find(seen).first).to_be_visible()


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


@pytest.mark.parametrize(
    ("query", "seen"),
    [
        (f"?two=person&moves={LATE}", "#columns .word:not(.waiting)"),
        ("?two=person&moves=6442343433443263662", "#why-more"),
        ("", "#welcome"),
        ("?moves=445&two=hard", "#go"),
        ("?one=easy&two=hard&moves=44", "#step"),
        (f"?one=first-open&two=person&moves={LOST}&at=10", "#board .better"),
        (f"?one=first-open&two=person&moves={LOST}", ".curve"),
        ("puzzles?theme=forced&level=easy&seed=3", "#solve:enabled"),
        ("learn#12", "#columns .word"),
        (f"?one=first-open&two=person&moves={LOST}", ".grades"),
        (f"?one=first-open&two=person&moves={LOST}&at=10", "#sheet.is-raised"),
        (f"analyse?moves={LATE}", "#best-line span"),
        (f"analyse?moves={LATE}", "#cells"),
        ("?two=level:1&moves=443322", "#hint"),
        ("?two=level:1&moves=443322", "#detail.refused"),
        ("?two=easy&moves=44332277661", "#moments"),
        ("?two=person&moves=4433221", "#play-again"),
        ("?two=person&moves=44", "#setup-dialog"),
        ("?two=person&moves=44", "#keys-dialog"),
    ],
    ids=[
        "hints",
        "why",
        "welcome",
        "link",
        "watching",
        "mistake",
        "end",
        "puzzle",
        "card",
        "grades",
        "raised sheet",
        "analysis",
        "set-up",
        "hint",
        "are you sure",
        "moment",
        "two people",
        "new game",
        "keys",
    ],
)
def test_nothing_sticks_out_of_any_window(visit: Visit, query: str, seen: str) -> None:
    page = visit(query, hints=True, viewport=PHONE)
    reach(page, seen)
    found = {}
    for window in MANY_WINDOWS:
        page.page.set_viewport_size(window)
        for scheme in SCHEMES:
            page.page.emulate_media(color_scheme=scheme)
            found[f"{window['width']}x{window['height']}, {scheme}"] = page.page.evaluate(STICKING_OUT)
    assert {size: parts for size, parts in found.items() if parts} == {}


@pytest.mark.parametrize("window", [PHONE, LYING_PHONE, WINDOWS["1024x768"], {"width": 1440, "height": 900}])
def test_text_of_twice_the_size_fits(visit: Visit, window: ViewportSize) -> None:
    page = visit(f"?two=person&moves={LATE}", hints=True, viewport=window)
    larger = "document.documentElement.style.fontSize = '200%'"
    for query, seen in (
        (f"?two=person&moves={LATE}", "#columns .word:not(.waiting)"),
        (f"?one=first-open&two=person&moves={LOST}&at=10", "#board .better"),
        ("puzzles?theme=forced&level=easy&seed=3", "#solve:enabled"),
        ("learn#12", "#columns .word"),
        (f"?one=first-open&two=person&moves={LOST}", ".grades"),
        (f"analyse?moves={LATE}", "#best-line span"),
        (f"analyse?moves={LATE}", "#cells"),
        ("analyse?moves=6442343433443263662", "#why-more"),
        ("?two=person&moves=6442343433443263662", "#why-choice"),  # which stays
    ):
        page.go(query)
        reach(page, seen)
        page.page.evaluate(larger)
        assert page.page.evaluate(STICKING_OUT) == []
        assert page.page.evaluate(BROKEN_WORDS) == []
        assert page.find(".board-scroll").evaluate("each => each.scrollWidth - each.clientWidth") == 0, query
        assert page.page.evaluate(OVERLAPS) == []
    page.go("?two=person")
    page.button("New game").click()
    page.page.evaluate(larger)
    assert page.page.evaluate(STICKING_OUT) == []


def board_box(page: Opened) -> list[float]:
    """Where the board is in the window: left, top, width, height."""
    page.page.evaluate("scrollTo(0, 0)")  # a click may have scrolled
    box = page.find("#board svg").bounding_box()
    assert box is not None
    return [round(box[side], 1) for side in ("x", "y", "width", "height")]


@pytest.mark.parametrize(
    "viewport",
    [SMALL_PHONE, PHONE, LYING_PHONE, WINDOWS["1024x768"], DESKTOP],
    ids=["small phone", "phone", "lying phone", "tablet", "desktop"],
)
def test_the_board_never_moves(visit: Visit, viewport: ViewportSize) -> None:
    page = visit("?two=first-open&first=1", viewport=viewport)
    page.is_spoiled = True  # a move that nobody answers
    page.shows_turn("Your turn")
    boxes = {"empty": board_box(page)}
    page.page.get_by_label("Analysis").click()
    expect(page.find("#columns .word").first).to_be_visible()
    boxes["hints"] = board_box(page)
    page.page.route("**/api/move*", lambda _: None)
    page.page.keyboard.press("4")
    page.shows_turn("first-open is thinking…")
    boxes["thinking"] = board_box(page)
    page.page.keyboard.press("4")
    expect(page.find("#detail.refused")).to_be_visible()
    boxes["refused"] = board_box(page)
    page.page.unroute("**/api/move*")
    page.go(f"?one=first-open&two=person&moves={LOST[:-2]}")
    expect(page.find("#columns .word:not(.waiting)").first).to_be_visible()
    boxes["late"] = board_box(page)
    page.page.keyboard.press("7")
    expect(page.find(".curve")).to_be_visible()
    boxes["over"] = board_box(page)
    page.find(".curve .mistake:not(.inaccuracy)").last.press("Enter")
    expect(page.find("#board .better").first).to_be_visible()
    boxes["mistake"] = board_box(page)
    page.page.get_by_label("Analysis").click()
    expect(page.find("#columns .word")).to_have_count(0)
    boxes["no hints"] = board_box(page)
    page.find("#new-game").click()
    page.page.get_by_label("Me", exact=True).check()
    page.button("Start").click()
    expect(page.find("#message")).to_be_visible()
    boxes["new game"] = board_box(page)
    assert boxes == dict.fromkeys(boxes, boxes["empty"])


GAMES = {
    "won": ("two=level:3&first=1", "1213141", 0),
    "lost": ("one=level:3&two=person&first=1", "1213141", 0),
    "drawn": ("two=level:3&first=1", "121212212121343434434343565656656565777777", 30),
}
"""What the address says of the players, all moves, and how many of them the address has already."""

OBSERVE = """() => {
    globalThis.moved = [];
    new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries()) moved.push([value, sources.map(({ node }) => node?.id)]);
    }).observe({ type: 'layout-shift' });
}"""

MOVED = "() => new Promise((resolve) => { setTimeout(() => resolve(moved), 50); })"


@pytest.mark.parametrize("hints", [False, True], ids=["alone", "analysis"])
@pytest.mark.parametrize(
    "viewport",
    [SMALL_PHONE, PHONE, LYING_PHONE, WINDOWS["1024x768"], DESKTOP],
    ids=["small phone", "phone", "lying phone", "tablet", "desktop"],
)
def test_nothing_moves_during_a_game_nor_at_its_end(visit: Visit, viewport: ViewportSize, hints: bool) -> None:
    page = visit("?two=person", hints=hints, viewport=viewport)
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
            if hints:
                expect(page.find("#columns .word:not(.waiting)").first).to_be_visible()
            # A press would excuse what moves after it.
            page.column(int(moves[ply])).evaluate("each => each.click()")
        page.shows_discs(len(moves))
        expect(page.find(".curve")).to_be_visible()
        expect(page.find("#look")).not_to_have_text("Looking at your moves…")
        assert page.page.evaluate(MOVED) == [], name


@pytest.mark.parametrize("viewport", [SMALL_PHONE, PHONE, LYING_PHONE, TABLET, DESKTOP], ids=lambda each: each["width"])
def test_nothing_on_the_page_of_a_puzzle_moves(visit: Visit, viewport: ViewportSize) -> None:
    page = visit("puzzles?theme=forced&level=easy&seed=3", viewport=viewport)
    expect(page.find("#solve")).to_be_enabled()
    boxes = {"puzzle": board_box(page)}
    page.page.keyboard.press("1")
    expect(page.find("#result.wrong")).to_be_visible()
    boxes["refuted"] = board_box(page)
    page.page.keyboard.press("r")
    page.page.keyboard.press("5")
    expect(page.find("#result.right")).to_be_visible()
    boxes["right"] = board_box(page)
    page.page.evaluate("document.querySelector('#solve').click()")  # a real click may scroll
    expect(page.button("Back to the puzzle")).to_be_enabled()
    boxes["answer"] = board_box(page)
    page.page.keyboard.press("Home")
    expect(page.find("#columns .word").first).to_be_visible()
    boxes["scores"] = board_box(page)
    page.page.evaluate("document.querySelector('#share').click()")
    expect(page.find("#result-text")).to_contain_text("not solved")
    page.page.keyboard.press("n")
    expect(page.find("#solve")).to_be_enabled()
    assert page.page.evaluate(SHIFT) == 0
    assert boxes == dict.fromkeys(boxes, boxes["puzzle"])


@pytest.mark.parametrize("viewport", [PHONE, LYING_PHONE, DESKTOP], ids=["upright", "lying", "desktop"])
def test_nothing_moves_while_a_page_loads(visit: Visit, viewport: ViewportSize) -> None:
    page = visit(f"?two=person&moves={LATE}", hints=True, viewport=viewport)
    expect(page.find("#columns .word").first).to_be_visible()
    assert page.page.evaluate(SHIFT) < 0.05
    for query, loaded in ((f"?one=first-open&two=person&moves={LOST}&at=9", ".curve"), ("run", "#game-list button")):
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
    for path in ("", "puzzles", "learn"):
        page.go(path)
        expect(page.find("noscript p")).to_contain_text("This page needs JavaScript.")
        for part in ("button", "input", "select", "nav a"):
            assert not any(each.is_visible() for each in page.find(part).all()), (path, part)
    page.go("run")
    expect(page.find("noscript p")).to_contain_text("The list of games and their replay need JavaScript.")
    expect(page.find(".standings")).to_be_visible()
    for part in ("button", "input", "select"):
        assert not any(each.is_visible() for each in page.find(part).all()), part


def test_forced_colours_show_whether_hints_are_on(visit: Visit) -> None:
    page = visit("?first=1", forced_colors="active")
    look = "each => [getComputedStyle(each).backgroundColor, getComputedStyle(each, '::before').inset]"
    off = page.find("#hints").evaluate(look)
    page.page.get_by_label("Analysis").click()
    on = page.find("#hints").evaluate(look)
    assert on[0] != off[0]
    assert on[1] != off[1]
