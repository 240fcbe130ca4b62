"""Reasons on the page: words, marks on the board, and plans that one can try to beat, in a real browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.ui.web.page.conftest import LOST
from tests.ui.web.page.opened import PHONE

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.ui.web.page.opened import Opened

    Visit = Callable[..., Opened]

ZUGZWANG = "?two=person&moves=6442343433443263662"
"""Yellow wins in column 2: then column 1, row 4 is a threat, and nobody wants row 3."""
FORCED = "?two=person&moves=734731563355"
PLANNED = "?two=person&moves=1454444415"


def shows_reason(page: Opened, summary: str) -> None:
    expect(page.find("#why-summary")).to_have_text(summary)


def test_the_scores_come_first_and_then_the_reason_with_its_marks(visit: Visit) -> None:
    page = visit()
    page.is_spoiled = True  # a call that is held up
    page.page.route("**/api/explain*", lambda _: None)
    page.go(ZUGZWANG)
    expect(page.find("#why-button")).to_be_hidden()
    page.page.keyboard.press("w")  # asks for hints as well
    assert page.scores()[1] == 4
    shows_reason(page, "Looking for a reason…")
    page.page.unroute("**/api/explain*")
    page.go(ZUGZWANG)  # both settings stay
    expect(page.find("#why-summary")).to_have_text(
        re.compile(r"^After column 2, Red runs out of safe moves: column 1 allows four above, in row 4\.$")
    )
    expect(page.find("#why-title")).to_have_text("Why Yellow wins")
    expect(page.find('#board .reason.avoid[data-cell="1,3"] .big')).to_have_text("!")
    expect(page.find('#board .reason.threat:not(.now)[data-cell="1,4"] .ring.owner-2')).to_have_count(1)
    expect(page.find('#board .reason.line.player-2[data-cell="2,4"] .big')).to_have_text("1")
    expect(page.find('#board .reason.threat:not(.now)[data-cell="5,2"] .ring.owner-1')).to_have_count(1)
    page.find("#why-more summary").click()
    expect(page.find("#why-text")).to_contain_text("Yellow has an even threat at column 1, row 4")
    expect(page.find("#why-legend")).to_contain_text("!: nobody wants to play here")
    expect(page.find("#why-legend")).to_contain_text("Zugzwang is")
    page.button("Why?").click()
    expect(page.find("#why")).to_be_hidden()
    assert page.find("#board .reason").count() == 0


def test_a_threat_that_can_be_carried_out_now_has_a_whole_ring(visit: Visit) -> None:
    page = visit("?two=person&moves=644444667676615")
    page.page.keyboard.press("w")
    shows_reason(page, "Yellow must block column 5, below a four in row 3.")
    expect(page.find('#board .reason.line.player-2.now[data-cell="5,2"] .ring.owner-1')).to_have_count(1)
    expect(page.find('#board .reason.line.player-1:not(.now)[data-cell="5,3"] .ring.owner-1')).to_have_count(1)
    page.find("#why-more summary").click()
    expect(page.find("#why-legend")).to_contain_text("A whole ring: a disc here makes four at once.")


def test_cells_light_up_while_the_pointer_is_on_their_names(visit: Visit) -> None:
    page = visit(FORCED)
    page.page.keyboard.press("w")
    shows_reason(page, "After column 4, the forced moves of Red end with four at column 5, row 4.")
    assert [each.text_content() for each in page.find("#board .reason.line .big").all()][:5] == list("12345")
    for cell in ("4,4", "5,4"):  # both make four in the end
        expect(page.find(f"#board .reason[data-cell='{cell}'] .ring.owner-1")).to_have_count(1)
    page.find("#why-summary .cell-name").last.hover()
    light = page.find("#board .light")
    expect(light).to_have_attribute("cx", "90")  # column 5
    expect(light).to_have_attribute("cy", "50")  # row 4
    page.find("#why-title").hover()
    expect(light).to_have_count(0)


def test_every_column_can_be_explained(visit: Visit) -> None:
    page = visit(ZUGZWANG)
    page.page.keyboard.press("w")
    expect(page.find("#why-choice button")).to_have_text(["Position", "1", "2", "5", "6", "7"])
    page.find("#why").get_by_role("button", name="Column 5").click()
    expect(page.find("#why-title")).to_have_text("Why column 5 is a mistake")
    expect(page.find("#why-summary")).to_contain_text("Red makes four at column 5, row 2")
    expect(page.find("#why").get_by_role("button", name="Column 5")).to_be_focused()
    expect(page.find('#board .reason.move[data-cell="5,1"]')).to_have_count(1)
    page.page.keyboard.press("2")  # drops a disc: the choice was for the position before
    expect(page.find("#why-choice [aria-pressed=true]")).to_have_text("Position")


def test_every_mistake_of_a_review_is_explained(visit: Visit) -> None:
    page = visit(f"?one=first-open&two=person&moves={LOST}&at=1")
    for number in range(2):
        page.find(".curve .mistake:not(.inaccuracy)").nth(number).click()
        expect(page.find("#why-title")).to_have_text(re.compile("^Why column . is a mistake$"))
        expect(page.find("#why-more")).to_be_visible()
        if not page.find("#why-more").get_attribute("open"):
            page.find("#why-more summary").click()
        expect(page.find("#why-text")).to_contain_text("The right move was")
    assert page.find("#board .reason").count() > 0
    page.button("One move back").click()
    expect(page.find("#why")).to_be_hidden()


def test_a_search_for_a_reason_ends_when_another_position_is_shown(visit: Visit) -> None:
    page = visit()
    page.is_spoiled = True
    page.page.route("**/api/explain*", lambda _: None)
    page.go(FORCED)
    with page.page.expect_request("**/api/explain*"):
        page.page.keyboard.press("w")
    with page.page.expect_event("requestfailed", lambda request: "/api/explain" in request.url):
        page.button("One move back").click()
    page.page.unroute("**/api/explain*")


def test_a_reason_that_does_not_come_is_told(visit: Visit) -> None:
    page = visit()
    page.is_spoiled = True
    page.page.route("**/api/explain*", lambda route: route.fulfill(status=500, json={"error": "it broke", "code": "x"}))
    page.go(FORCED)
    page.page.keyboard.press("w")
    shows_reason(page, "The server says: it broke.")
    page.page.unroute("**/api/explain*")
    page.button("Why?").click()
    page.button("Why?").click()
    shows_reason(page, "After column 4, the forced moves of Red end with four at column 5, row 4.")


def test_the_page_plays_a_plan_that_one_can_try_to_beat(visit: Visit) -> None:
    page = visit(PLANNED)
    page.page.keyboard.press("w")
    page.button("Try to beat Yellow\u2019s plan").click()
    expect(page.find("#message")).to_contain_text("You are Red now. Yellow follows its plan, whatever you do.")
    page.shows_turn("Your turn")
    page.page.keyboard.press("3")
    page.shows_discs(12)
    assert page.query["moves"] == "145444441533"  # right on top
    page.page.reload()
    page.shows_turn("Your turn")
    page.page.keyboard.press("2")
    page.shows_turn("The plan wins")
    page.button("Try again").click()
    page.shows_discs(10)
    page.shows_turn("Your turn")
    page.button("New game").click()
    expect(page.find("#opponent")).to_have_value("hard")


def test_back_returns_from_a_plan_to_the_game(visit: Visit) -> None:
    page = visit(PLANNED)
    page.page.keyboard.press("w")
    page.find("#try-plan").click()
    page.button("Back").click()
    page.shows_turn("Red\u2019s turn")
    assert page.query == {"moves": "1454444415", "two": "person"}


def test_moves_that_lead_to_a_plan_are_played_first(visit: Visit) -> None:
    page = visit(ZUGZWANG)
    page.page.keyboard.press("w")
    page.find("#try-plan").click()
    page.shows_discs(20)
    assert page.query["moves"].endswith("2")
    page.shows_turn("Your turn")


@pytest.mark.parametrize("size", [{}, {"viewport": PHONE}], ids=["desktop", "phone"])
def test_nothing_moves_when_a_reason_arrives(visit: Visit, size: dict[str, object]) -> None:
    page = visit(ZUGZWANG, **size)
    page.page.keyboard.press("w")
    expect(page.find("#why-more")).to_be_visible()
    box = page.find("#board svg").bounding_box()
    shifts = page.page.evaluate(
        """() => new Promise((resolve) => {
            let sum = 0;
            new PerformanceObserver((list) => {
                for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) sum += value;
            }).observe({ type: 'layout-shift', buffered: true });
            setTimeout(() => resolve(sum), 50);
        })"""
    )
    assert shifts < 0.01
    page.page.keyboard.press("w")
    assert page.find("#board svg").bounding_box() == box
