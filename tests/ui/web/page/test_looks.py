"""How the pages look in a real browser: phones, light and dark, motion, names for screen readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.colours import ENHANCED_CONTRAST, contrast, luminance
from tests.ui.web.page.conftest import LOST
from tests.ui.web.page.opened import DESKTOP, PHONE, SMALL_PHONE, Opened

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import ViewportSize

    Visit = Callable[..., Opened]


@pytest.mark.parametrize("viewport", [PHONE, SMALL_PHONE], ids=["390", "320"])
def test_on_a_phone_nothing_sticks_out_and_fingers_find_everything(visit: Visit, viewport: ViewportSize) -> None:
    page = visit("?two=person&moves=4435444512532334122", hints=True, viewport=viewport)
    page.scores()
    expect(page.find("nav")).to_be_visible()
    assert page.fits_the_window()
    assert page.small_targets() == []
    page.go(f"?two=person&moves={LOST}&name1=Clementine-Wilhelmina-W&name2=MMMMMMMMMMMMMMMMMMMMMMMM")
    expect(page.find(".curve")).to_be_visible()
    page.tab("Mistakes")
    page.find("#grades-panel summary").click()
    assert page.fits_the_window()
    assert page.small_targets() == []
    page.go("?two=person&width=12&height=9&moves=6c")  # scrolls inside its own frame
    assert page.find("#columns button").count() == 12
    assert page.fits_the_window()
    assert page.small_targets() == []
    page.go("run#game=2")
    expect(page.find("#replay-board svg")).to_be_visible()
    assert page.fits_the_window()
    assert page.small_targets() == []


def test_light_and_dark_follow_the_system(visit: Visit) -> None:
    for scheme in ("light", "dark"):
        page = visit("?first=1", color_scheme=scheme)
        colours = "[getComputedStyle(document.documentElement).backgroundColor, getComputedStyle(document.body).color]"
        paper, ink = page.page.evaluate(colours)
        assert (luminance(paper) > luminance(ink)) == (scheme == "light")
        assert contrast(paper, ink) >= ENHANCED_CONTRAST


def test_a_disc_falls_once_and_nothing_keeps_moving(visit: Visit) -> None:
    page = visit("?two=person&first=1", reduced_motion="no-preference")
    assert page.page.evaluate("document.getAnimations().length") == 0
    page.column(4).click()
    page.page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished))")
    assert page.page.evaluate("document.getAnimations().length") == 0


def test_nothing_moves_for_people_who_ask_for_less_motion(visit: Visit) -> None:
    page = visit("?two=person&first=1", reduced_motion="reduce")
    page.page.evaluate("document.querySelectorAll('#columns button')[3].click()")
    assert page.page.evaluate("document.getAnimations().length") == 0
    page.shows_discs(1)


def test_board_and_columns_have_names_for_screen_readers(visit: Visit) -> None:
    page = visit("?two=person&moves=445")
    board = page.page.get_by_role("group", name="Board: choose a column with the arrow keys, drop a disc with Enter")
    expect(board).to_be_visible()
    label = page.find("#board svg").get_attribute("aria-label") or ""
    assert "From the bottom, column 4: red, yellow; column 5: red." in label
    expect(page.column(7)).to_have_accessible_name("Column 7 empty")
    expect(page.column(4)).to_have_accessible_name("Column 4 two discs, Yellow\u2019s on top")
    expect(page.column(5)).to_have_accessible_name("Column 5 one disc, Red\u2019s")
    # One stop for the Tab key: the arrows do the rest.
    assert page.find("#columns button[tabindex='0']").count() == 1
    unnamed = page.page.evaluate(
        """() => [...document.querySelectorAll('button, input, select')].filter((each) =>
            !each.labels?.length && !each.textContent.trim() && !each.getAttribute('aria-label')).length"""
    )
    assert unnamed == 0


def test_a_key_says_what_is_on_the_board(visit: Visit) -> None:
    page = visit("?two=first-open&moves=4454")
    expect(page.column(4)).to_have_accessible_name("Column 4 three discs, first-open\u2019s on top")
    expect(page.column(5)).to_have_accessible_name("Column 5 one disc, yours")
    page.page.keyboard.press("b")
    page.says("From the bottom, column 4: red, yellow, yellow; column 5: red. Your turn.")


def test_the_pointer_shows_where_a_disc_would_land(visit: Visit) -> None:
    page = visit("?two=person&moves=44", viewport=DESKTOP)
    box = page.find("#board svg").bounding_box()
    assert box is not None
    page.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 20)
    ghost = page.find("#board .ghost.player-1")
    expect(ghost).to_have_attribute("transform", "translate(70 70)")
    page.page.mouse.move(box["x"] - 10, box["y"] - 10)
    expect(ghost).to_have_count(0)


HELD_DISCS = """const animate = Element.prototype.animate;
Element.prototype.animate = function (...values) {
    const animation = animate.apply(this, values);
    animation.pause();
    return animation;
};"""
"""Discs that fall only when the test lets them."""

LET_THEM_FALL = "document.getAnimations().forEach((each) => each.finish())"


def test_the_end_is_told_when_the_last_disc_has_landed(visit: Visit) -> None:
    page = visit(reduced_motion="no-preference")
    page.page.add_init_script(FAKE_SOUND + HELD_DISCS + "localStorage.setItem('connect4-agent.sound', 'true')")
    page.go("?two=person&moves=443322&first=1")
    page.page.keyboard.press("5")
    page.page.keyboard.press("5")  # a second press does not tell it either
    page.shows_discs(7)
    page.shows_turn("Red\u2019s turn")
    assert page.find("#board .four").count() == 0
    assert page.find("#board .halo").count() == 0
    for part in (".curve", "#play-again", "#look", "#bar"):
        expect(page.find(part)).to_be_hidden()
    assert "wins" not in page.find("#live").inner_text() + page.page.title() + page.find("#detail").inner_text()
    assert page.page.evaluate("tones") == 1  # the disc
    page.page.evaluate(LET_THEM_FALL)
    page.shows_turn("Red wins")
    page.says("Red plays column 5: four in a row. Red wins")
    expect(page.find("#board .four")).to_have_count(1)
    expect(page.find(".curve")).to_be_visible()
    expect(page.button("Play again")).to_be_visible()
    assert page.page.evaluate("tones") > 1


def test_a_falling_disc_can_be_taken_back(visit: Visit) -> None:
    page = visit(reduced_motion="no-preference")
    page.page.add_init_script(HELD_DISCS)
    page.go("?two=person&moves=443322&first=1")
    page.page.keyboard.press("5")
    page.page.keyboard.press("Control+z")
    page.shows_discs(6)
    page.page.evaluate(LET_THEM_FALL)
    page.page.keyboard.press("1")
    page.page.evaluate(LET_THEM_FALL)
    page.shows_turn("Red wins")


FAKE_SOUND = """globalThis.tones = 0;
globalThis.AudioContext = class {
    currentTime = 0;
    resume() {}
    createGain() {
        const gain = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
        return { gain, connect: (next) => next };
    }
    createOscillator() {
        globalThis.tones += 1;
        const frequency = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
        return { frequency, connect: (next) => next, start() {}, stop() {} };
    }
};"""


def test_sound_is_heard_only_if_it_was_switched_on_and_stays_on(visit: Visit) -> None:
    page = visit()
    page.page.add_init_script(FAKE_SOUND)
    page.go("?two=person&moves=414141")
    page.column(3).click()
    page.shows_discs(7)
    assert page.page.evaluate("tones") == 0
    page.page.get_by_label("Sound").click()
    heard = page.page.evaluate("tones")
    assert heard == 1
    page.page.reload()
    page.button("Undo").click()
    page.column(4).click()
    page.shows_turn("Red wins")
    assert page.page.evaluate("tones") > 1  # the disc, and the end of the game
