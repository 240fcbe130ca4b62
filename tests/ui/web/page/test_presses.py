"""Presses on the drawing of the board, by a mouse that moves and by a finger: each drops one disc."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.ui.web.page.opened import DESKTOP, PHONE, Opened
from tests.ui.web.test_lessons import CARDS

Visit = Callable[..., Opened]
Press = Callable[[Opened, int], None]

PAGES = {
    "play": "?one=person&two=person",
    "learn": "learn",
    "puzzles": "puzzles?theme=forced&level=easy&seed=3",
    "analyse": "analyse",
}


def middle(page: Opened, number: int) -> tuple[float, float]:
    """Return a point of the drawing in a column counted from 1."""
    page.find("#board svg").scroll_into_view_if_needed()
    box = page.find("#board svg").bounding_box()
    assert box is not None
    return box["x"] + box["width"] * (number - 0.5) / 7, box["y"] + box["height"] * 0.6


def press_with_mouse(page: Opened, number: int, moved: float = 1.0) -> None:
    """Press a column with a mouse that moves while its button is down."""
    x, y = middle(page, number)
    mouse = page.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + moved, y + moved)
    mouse.up()


def press_with_finger(page: Opened, number: int, moved: float = 1.0) -> None:
    """Press a column with a finger that moves less than would scroll the page."""
    x, y = middle(page, number)
    session = page.page.context.new_cdp_session(page.page)
    for kind, points in (
        ("touchStart", [{"x": x, "y": y}]),
        ("touchMove", [{"x": x + moved, "y": y + moved}]),
        ("touchEnd", []),
    ):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.detach()


PRESSES = {"mouse": press_with_mouse, "finger": press_with_finger}


@pytest.fixture(params=[*PRESSES])
def press(request: pytest.FixtureRequest) -> Press:
    return PRESSES[request.param]


@pytest.fixture
def open_page(visit: Visit, press: Press) -> Visit:
    """Open a page on the device that the press belongs to."""
    by_finger = press is press_with_finger

    def opened(query: str) -> Opened:
        return visit(query, viewport=PHONE if by_finger else DESKTOP, has_touch=by_finger)

    return opened


def drops_a_disc(page: Opened, press: Press, number: int) -> None:
    """Check that a press drops a disc."""
    before = page.find("#board .disc").count()
    press(page, number)
    expect(page.find("#board .disc")).not_to_have_count(before)


@pytest.mark.parametrize("focused", [False, True], ids=["unfocused", "focused column"])
@pytest.mark.parametrize("name", [*PAGES])
def test_a_press_counts_on_every_page(open_page: Visit, press: Press, name: str, focused: bool) -> None:
    page = open_page(PAGES[name])
    expect(page.find("#board .hole").first).to_be_attached()
    if name in ("learn", "puzzles"):
        expect(page.find("#solve")).to_be_enabled()
    else:
        page.shows_discs(0)
    number = int(CARDS[0]["right"][-1]) if name == "learn" else 4
    if focused:
        page.column(number).focus()
        expect(page.find("#board .ghost")).to_have_count(1)
    drops_a_disc(page, press, number)


def test_every_one_of_many_presses_counts(open_page: Visit, press: Press) -> None:
    page = open_page(PAGES["play"])
    page.shows_discs(0)
    for count, number in enumerate((4, 4, 4, 4, 5, 5, 2, 2, 7, 1), 1):
        press(page, number)
        page.shows_discs(count)


def start_new_game(page: Opened) -> None:
    page.button("New game").click()
    page.button("Start").click()


def play_again(page: Opened) -> None:
    for _ in range(3):
        page.page.keyboard.press("1")
        page.page.keyboard.press("2")
    page.page.keyboard.press("1")
    page.button("Play again").click()


FOCUSES: dict[str, tuple[str, Callable[[Opened], None]]] = {
    "a card": ("", lambda page: page.find("#welcome button").first.click()),
    "New game": (PAGES["play"], start_new_game),
    "Play again": (PAGES["play"], play_again),
    "an arrow key": (PAGES["play"], lambda page: page.page.keyboard.press("ArrowLeft")),
    "a number": (PAGES["play"], lambda page: page.column(4).click()),
}


@pytest.mark.parametrize("name", [*FOCUSES])
def test_the_first_press_after_a_focus_counts(open_page: Visit, press: Press, name: str) -> None:
    query, focus = FOCUSES[name]
    page = open_page(query)
    focus(page)
    expect(page.find("#columns button:focus")).to_have_count(1)
    page.shows_discs(1 if name == "a number" else 0)
    drops_a_disc(page, press, 4)
