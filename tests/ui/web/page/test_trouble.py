"""What the page does in a real browser when addresses, players or the server are not as they should be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.ui.web.page.opened import Opened

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
    expect(page.find("#message")).to_contain_text(f"This link cannot be opened: {said}.")
    page.shows_discs(0)
    page.button("Start a new game").click()
    expect(page.find("#message")).to_be_hidden()


def test_a_link_with_an_unknown_player_offers_a_new_game(visit: Visit) -> None:
    page = visit("?two=nobody&first=1")
    page.is_spoiled = True
    expect(page.find("#message")).to_contain_text("This server has no player “nobody”.")
    page.column(4).click()
    expect(page.find("#message")).to_contain_text("nobody could not move. The server says: ")
    page.button("Undo").click()
    expect(page.find("#message")).to_be_hidden()
    page.shows_turn("Your turn")
    page.page.reload()
    page.find("#message").get_by_role("button", name="New game").click()
    expect(page.find("#setup-dialog")).to_be_visible()


def test_a_move_arrives_by_itself_when_the_server_has_come_back(visit: Visit) -> None:
    page = visit("?two=first-open&first=1")
    page.is_spoiled = True
    page.page.route("**/api/move*", lambda route: route.abort())
    page.column(4).click()
    expect(page.find("#message")).to_contain_text("The server is not answering. Is connect4-agent web still running?")
    page.button("Try again now").click()
    expect(page.find("#message")).to_contain_text("Trying again by itself")
    page.page.unroute("**/api/move*")
    page.shows_discs(2)
    expect(page.find("#message")).to_be_hidden()


def test_hints_and_reviews_can_be_tried_again(visit: Visit) -> None:
    page = visit("?two=person&moves=4435444512532334122")
    page.is_spoiled = True
    page.page.route(
        "**/api/analyze*", lambda route: route.fulfill(status=503, json={"error": "busy", "code": "too_busy"})
    )
    page.page.route("**/api/judge*", lambda route: route.fulfill(status=500, body="no JSON"))
    page.page.get_by_label("Analysis").click()
    expect(page.find("#hint-note")).to_have_text("The server says: busy.")
    page.tab("Curve")
    page.button("Review the game so far").click()
    expect(page.find("#curve-panel")).to_contain_text("The review did not work. The server says: status 500.")
    page.page.unroute_all()
    page.find("#hint-retry").click()
    assert len(page.scores()) == 7
    page.find("#curve-panel").get_by_role("button", name="Try again").click()
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
    assert page.query == {"moves": "4", "also": "0-51", "line": "1", "two": "first-open"}


def test_an_answer_that_is_no_open_column_is_refused(visit: Visit) -> None:
    page = visit("?two=first-open&first=1")
    page.page.route("**/api/move*", lambda route: route.fulfill(json={"move": 9}))
    page.column(4).click()
    expect(page.find("#message")).to_contain_text("first-open answered 9, which is not an open column.")
    page.shows_discs(1)


def test_the_page_works_without_the_list_of_players(visit: Visit) -> None:
    page = visit()
    page.is_spoiled = True
    page.page.route("**/api/players", lambda route: route.abort())
    page.go("?two=person&first=1")
    expect(page.find("#message")).to_contain_text("The server is not answering.")
    page.column(4).click()
    page.shows_discs(1)
    page.page.unroute("**/api/players")


def test_a_browser_that_forbids_storage_shows_hints_all_the_same(visit: Visit) -> None:
    page = visit()
    page.page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })")
    page.go("?two=person&moves=4435444512532334122")
    page.page.get_by_label("Analysis").click()
    assert page.scores()[5] == 0


def test_a_busy_server_is_asked_again_and_the_page_says_that_it_waits(visit: Visit) -> None:
    page = visit("?two=first-open&first=1")
    page.is_spoiled = True
    page.page.route(
        "**/api/move*",
        lambda route: route.fulfill(
            status=503, headers={"Retry-After": "1"}, json={"error": "200 searches wait", "code": "too_busy"}
        ),
    )
    page.column(4).click()
    page.shows_turn("first-open is in the queue…")
    page.page.unroute("**/api/move*")
    page.shows_discs(2)
    page.shows_turn("Your turn")


def test_marks_that_turn_text_around_are_left_out_of_names(visit: Visit) -> None:
    page = visit("?two=person&name1=A%E2%80%AEda%E2%81%A6&name2=%D8%A2%D8%AF%D9%85&first=1")
    page.shows_turn("Ada\u2019s turn")
    expect(page.find("#players span").last).to_have_text("آدم")
