"""What the page does in a real browser when addresses, players or the server are not as they should be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.page.opened import Opened

    Visit = Callable[..., Opened]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("?moves=4499", "move 3 of “4499” is “9”; the columns are 1 to 7"),
        ("?moves=4444444", "move 7 of “4444444”: column 4 is full"),
        ("?moves=44556671", "the game was over before move 8 of “44556671”"),
        ("?moves=44&at=3", "at is “3”; allowed are 0 to 2"),
        ("?width=0", "width is “0”; allowed are 1 to 35"),
        ("?first=3", "first is “3”; allowed are 1 to 2"),
        ("?moves=%3Cimg%20src=x%3E", "move 1 of “<img src=x>” is “<”; the columns are 1 to 7"),
    ],
)
def test_a_bad_address_is_explained_over_an_empty_board(visit: Visit, query: str, said: str) -> None:
    page = visit(query)
    expect(page.find("#message")).to_contain_text(f"This address cannot be shown: {said}.")
    page.shows_discs(0)
    page.button("Start a new game").click()
    expect(page.find("#message")).to_be_hidden()


def test_a_player_that_there_is_not_gets_a_message(visit: Visit) -> None:
    page = visit("?two=nobody&first=1")
    page.is_spoiled = True
    page.column(4).click()
    expect(page.find("#message")).to_contain_text("nobody could not move. The server says: ")
    page.button("Undo").click()
    expect(page.find("#message")).to_be_hidden()
    page.shows_turn("Your turn")


def test_a_move_is_asked_for_again_when_the_server_has_come_back(visit: Visit) -> None:
    page = visit("?two=first-open&first=1")
    page.is_spoiled = True
    page.page.route("**/api/move*", lambda route: route.abort())
    page.column(4).click()
    expect(page.find("#message")).to_contain_text("The server does not answer. Is connect4-agent web still running?")
    page.button("Try again").click()
    expect(page.find("#message")).to_contain_text("The server does not answer.")
    page.page.unroute("**/api/move*")
    page.button("Try again").click()
    page.shows_discs(2)
    expect(page.find("#message")).to_be_hidden()


def test_hints_and_reviews_can_be_tried_again(visit: Visit) -> None:
    page = visit("?two=person&moves=4435444512532334122")
    page.is_spoiled = True
    page.page.route(
        "**/api/analyze*", lambda route: route.fulfill(status=503, json={"error": "busy", "code": "too_busy"})
    )
    page.page.route("**/api/judge*", lambda route: route.fulfill(status=500, body="no JSON"))
    page.page.get_by_label("Hints").click()
    expect(page.find("#hint-note")).to_have_text("The server says: busy.")
    page.button("Show the curve so far").click()
    expect(page.find("#review")).to_contain_text("The moves could not be judged. The server says: status 500.")
    page.page.unroute_all()
    page.find("#hint-retry").click()
    assert len(page.scores()) == 7
    page.find("#review").get_by_role("button", name="Try again").click()
    expect(page.find(".curve")).to_be_visible()


def test_an_answer_that_comes_too_late_is_dropped_and_its_search_ended(visit: Visit) -> None:
    page = visit("?two=first-open&first=1")
    page.is_spoiled = True
    page.page.route("**/api/move*", lambda _: None)  # nobody ever answers
    page.column(4).click()
    page.shows_turn("first-open is thinking…")
    with page.page.expect_event("requestfailed") as ended:
        page.button("Undo").click()
    assert ended.value.url.startswith(f"{page.address}api/move?")
    page.shows_turn("Your turn")
    page.shows_discs(0)
    page.page.unroute("**/api/move*")
    page.column(5).click()
    page.shows_discs(2)
    assert page.query["moves"] == "51"


def test_an_answer_that_is_no_open_column_is_refused(visit: Visit) -> None:
    page = visit("?two=first-open&first=1")
    page.page.route("**/api/move*", lambda route: route.fulfill(json={"move": 9}))
    page.column(4).click()
    expect(page.find("#message")).to_contain_text("first-open answered 9, which is no open column.")
    page.shows_discs(1)


def test_the_page_works_without_the_list_of_players(visit: Visit) -> None:
    page = visit()
    page.is_spoiled = True
    page.page.route("**/api/players", lambda route: route.abort())
    page.go("?two=person&first=1")
    expect(page.find("#message")).to_contain_text("The server does not answer.")
    page.column(4).click()
    page.shows_discs(1)
    page.page.unroute("**/api/players")


def test_a_browser_that_forbids_storage_shows_hints_all_the_same(visit: Visit) -> None:
    page = visit()
    page.page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })")
    page.go("?two=person&moves=4435444512532334122")
    page.page.get_by_label("Hints").click()
    assert page.scores()[5] == 0
