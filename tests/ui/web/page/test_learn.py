"""The cards to learn from, in a real browser: wrong and right discs, and what is remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from tests.ui.web.test_lessons import CARDS, wrong_columns

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.ui.web.page.opened import Opened

    Visit = Callable[..., Opened]


def waits_for(page: Opened, card: dict[str, Any]) -> None:
    """Wait until a card is shown."""
    page.shows_turn(card["title"])
    expect(page.find("#detail")).to_contain_text(card["task"])
    page.shows_discs(len(card["moves"]))
    expect(page.find("#learn-show")).to_be_enabled()


def test_all_cards_are_solved_with_the_keyboard_alone(visit: Visit) -> None:
    page = visit("?view=learn")
    for number, card in enumerate(CARDS, 1):
        waits_for(page, card)
        expect(page.find("#players")).to_contain_text(f"Card {number} of 12")
        page.page.keyboard.press(str(wrong_columns(card)[0] + 1))
        expect(page.find("#say.is-warning")).to_be_visible()
        page.page.keyboard.press("1")  # any column takes the refutation back
        page.page.keyboard.press(card["right"][-1])
        expect(page.find("#say.is-right #detail")).to_contain_text(card["says"])
        page.page.keyboard.press("n")
    page.shows_turn("Get four in a row")


def test_solved_cards_are_remembered_and_the_next_one_is_opened(visit: Visit) -> None:
    page = visit("?view=learn&card=3")
    waits_for(page, CARDS[2])
    page.button("Show me").click()
    expect(page.find("#say.is-right")).to_be_visible()
    expect(page.find("#cards .done")).to_have_count(0)  # it was shown
    page.page.reload()
    waits_for(page, CARDS[2])
    page.page.keyboard.press("3")
    expect(page.find("#cards .done")).to_have_count(1)
    page.page.get_by_role("link", name="7 Forced moves").click()
    waits_for(page, CARDS[6])
    page.page.go_back()
    waits_for(page, CARDS[2])


def test_a_server_that_is_silent_can_be_asked_again(visit: Visit) -> None:
    page = visit("?view=learn&card=4")
    page.is_spoiled = True
    waits_for(page, CARDS[3])
    page.page.route("**/api/explain*", lambda route: route.abort())
    page.page.keyboard.press("4")
    page.page.wait_for_timeout(100)
    expect(page.button("Try again")).to_be_visible()
    page.page.unroute("**/api/explain*")
    page.button("Try again").click()
    expect(page.find("#say.is-right")).to_be_visible()
