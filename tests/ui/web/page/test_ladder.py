"""The ladder of levels in a real browser: a first visitor's choice, and opponents that become stronger or weaker."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.ui.web.page.opened import LYING_PHONE, PHONE, SMALL_PHONE, Opened

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import ViewportSize

    Visit = Callable[..., Opened]


@pytest.mark.parametrize("viewport", [SMALL_PHONE, PHONE, LYING_PHONE, {"width": 1024, "height": 768}])
def test_a_first_visitor_chooses_among_three_cards(visit: Visit, viewport: ViewportSize) -> None:
    page = visit("", viewport=viewport)
    expect(page.find("#welcome button")).to_have_count(3)
    for card in page.find("#welcome button").all():
        expect(card).to_be_in_viewport(ratio=1)
    assert page.fits_the_window()
    page.page.get_by_role("button", name="I\u2019m new").click()
    expect(page.find("#welcome")).to_be_hidden()
    expect(page.find("#players")).to_contain_text("Level 1")
    page.shows_turn("Your turn")
    page.page.keyboard.press("4")
    page.shows_discs(2)
    page.go("")  # continues the game
    page.shows_discs(2)
    expect(page.find("#welcome")).to_be_hidden()
    assert page.query["two"] == "level:1"


def test_the_cards_come_again_until_somebody_plays(visit: Visit) -> None:
    page = visit("")
    expect(page.find("#welcome")).to_be_visible()
    page.go("")
    expect(page.find("#welcome")).to_be_visible()
    page.page.keyboard.press("4")
    page.shows_discs(2)
    expect(page.find("#welcome")).to_be_hidden()
    page.go("")
    page.shows_discs(2)
    expect(page.find("#welcome")).to_be_hidden()


def test_a_link_shows_its_game_without_cards(visit: Visit) -> None:
    page = visit("?moves=44&two=person")
    page.shows_discs(2)
    expect(page.find("#welcome")).to_be_hidden()


def play(page: Opened, columns: str) -> None:
    """Drop these discs; the opponent always plays column 7."""
    for count, column in enumerate(columns):
        page.shows_turn("Your turn")
        page.shows_discs(2 * count)
        page.page.keyboard.press(column)


def test_two_wins_lead_to_the_next_level(visit: Visit) -> None:
    page = visit("?two=level:3&first=1")
    page.page.route("**/api/move*", lambda route: route.fulfill(json={"move": 6}))
    play(page, "1111")
    page.shows_turn("You win")
    expect(page.find("#detail")).not_to_contain_text("Level 4")
    page.button("Play again").click()
    play(page, "1111")
    expect(page.find("#detail")).to_have_text("Two wins in a row! Your next opponent is Level 4.")
    page.says("Two wins in a row! Your next opponent is Level 4.")
    expect(page.button("Play Level 4")).to_have_count(1)
    page.button("Play Level 4").click()
    assert page.query["two"] == "level:4"
    expect(page.find("#players")).to_contain_text("Level 4")


def test_three_losses_offer_the_level_below(visit: Visit) -> None:
    page = visit("?two=level:3&first=1")
    page.page.route("**/api/move*", lambda route: route.fulfill(json={"move": 6}))
    for count in range(3):
        expect(page.button("Play Level 2")).to_have_count(0)
        play(page, "1212")
        page.shows_turn("Level 3 wins")
        if count < 2:
            page.button("Play again").click()
    page.button("Play Level 2").click()
    assert page.query["two"] == "level:2"
