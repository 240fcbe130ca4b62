"""The panel beside the board: tabs, and the sheet that it becomes on upright phones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.ui.web.page.conftest import LOST
from tests.ui.web.page.opened import DESKTOP, LYING_PHONE, PHONE, SMALL_PHONE, Opened

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import FloatRect, ViewportSize

    Visit = Callable[..., Opened]

REVIEWED = f"?one=first-open&two=person&moves={LOST}"


def chosen(page: Opened) -> str:
    """The tab that is chosen; its panel alone is shown."""
    tabs = page.page.get_by_role("tab")
    expect(page.page.get_by_role("tabpanel")).to_have_count(1)
    names = [tab.inner_text() for tab in tabs.all() if tab.get_attribute("aria-selected") == "true"]
    assert len(names) == 1
    expect(page.page.get_by_role("tabpanel")).to_have_accessible_name(names[0])
    return names[0]


def test_arrow_keys_lead_from_tab_to_tab_and_not_through_the_game(visit: Visit) -> None:
    page = visit("?two=person&moves=4453")
    assert chosen(page) == "Moves"
    page.page.get_by_role("tab", name="Moves").focus()
    for key, name in (("ArrowRight", "Curve"), ("End", "Mistakes"), ("ArrowRight", "Moves"), ("ArrowLeft", "Mistakes")):
        page.page.keyboard.press(key)
        expect(page.page.get_by_role("tab", name=name)).to_be_focused()
        assert chosen(page) == name
    page.shows_discs(4)
    assert page.find("#tabs [tabindex='0']").count() == 1


def test_the_curve_is_shown_when_a_game_ends_and_the_moves_when_another_begins(visit: Visit) -> None:
    page = visit("?two=person&moves=414141&first=1")
    page.column(4).click()
    expect(page.find(".curve")).to_be_visible()
    assert chosen(page) == "Curve"
    page.tab("Mistakes")
    page.button("One move back").click()
    assert chosen(page) == "Mistakes"
    page.button("One move forward").click()
    page.button("Play again").click()
    assert chosen(page) == "Moves"


def test_a_game_in_progress_is_reviewed_on_request_in_the_tab_where_that_was_asked(visit: Visit) -> None:
    page = visit("?two=person&first=1")
    page.tab("Mistakes")
    expect(page.button("Review the game so far")).to_have_count(0)
    page.page.keyboard.press("4")
    page.button("Review the game so far").click()
    expect(page.find(".grades")).to_be_visible()
    assert chosen(page) == "Mistakes"


def test_undo_is_offered_only_while_a_game_is_played(visit: Visit) -> None:
    page = visit("?two=person&moves=414141&first=1")
    expect(page.button("Undo")).to_be_visible()
    page.column(4).click()
    expect(page.find(".curve")).to_be_visible()
    expect(page.button("Undo")).to_have_count(0)
    page.page.keyboard.press("Control+z")  # the key works as before
    page.shows_discs(6)


def box(page: Opened, part: str) -> FloatRect:
    found = page.find(part).bounding_box()
    assert found is not None
    return found


@pytest.mark.parametrize("window", [SMALL_PHONE, PHONE], ids=["320", "390"])
def test_a_button_raises_and_lowers_the_sheet_of_a_phone_and_the_board_stays(
    visit: Visit, window: ViewportSize
) -> None:
    page = visit(REVIEWED, viewport=window)
    expect(page.find(".curve")).to_be_attached()
    board = box(page, "#board svg")
    low = box(page, "#sheet")
    assert low["y"] >= board["y"] + board["height"]
    assert low["y"] + low["height"] == window["height"]
    handle = page.button("More about this game")
    handle.click()
    expect(handle).to_have_attribute("aria-expanded", "true")
    assert box(page, "#sheet")["y"] < board["y"] + board["height"] / 2
    expect(page.find("#turn")).to_be_in_viewport(ratio=1)
    page.page.keyboard.press("Escape")
    expect(handle).to_have_attribute("aria-expanded", "false")
    expect(handle).to_be_focused()
    assert box(page, "#sheet") == low
    assert box(page, "#board svg") == board


def test_the_sheet_follows_a_finger_and_goes_down_when_a_move_is_chosen(visit: Visit) -> None:
    page = visit("?two=person&moves=445344", viewport=PHONE)
    handle = page.button("More about this game")

    def drag(by: float) -> None:
        grip = box(page, "#sheet-handle")
        page.page.mouse.move(grip["x"] + 20, grip["y"] + 20)
        page.page.mouse.down()
        page.page.mouse.move(grip["x"] + 20, grip["y"] + 20 + by, steps=5)
        page.page.mouse.up()

    drag(-200)
    expect(handle).to_have_attribute("aria-expanded", "true")
    drag(200)
    expect(handle).to_have_attribute("aria-expanded", "false")
    drag(-200)
    page.button("move 2 Yellow, column 4").click()
    expect(handle).to_have_attribute("aria-expanded", "false")
    page.shows_discs(2)


@pytest.mark.parametrize("window", [LYING_PHONE, DESKTOP], ids=["lying phone", "desktop"])
def test_elsewhere_the_panel_stands_beside_the_board_without_a_handle(visit: Visit, window: ViewportSize) -> None:
    page = visit(REVIEWED, viewport=window)
    expect(page.find("#sheet-handle")).to_be_hidden()
    board = box(page, "#board svg")
    assert box(page, "#sheet")["x"] >= board["x"] + board["width"]
