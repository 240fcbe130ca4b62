"""The analysis board: both sides' moves, positions set up by hand, best play as numbered discs, and its address."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from connect4_agent import Position, analyze
from tests.ui.web.page.opened import DESKTOP, LYING_PHONE, PHONE, SMALL_PHONE, TABLET, Opened
from tests.ui.web.page.test_fits import SHIFT

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, ViewportSize

    Visit = Callable[..., Opened]

LATE = "4435444512532334"
DRAWING = "......./......./......./......./...O.../..XXO.."


def cell(page: Opened, column: int, row: int) -> Locator:
    """The button of a cell; columns and rows count from 1, rows from the bottom."""
    return page.find("#cells button").nth((6 - row) * 7 + column - 1)


def numbers(page: Opened) -> list[int]:
    return [int(text) for text in page.find("#board .reason.best .big").all_text_contents()]


def test_scores_and_best_play_are_those_of_the_engine(visit: Visit) -> None:
    page = visit(f"analyse?moves={LATE}")
    found = analyze(Position.from_moves(LATE))
    assert page.scores() == list(found.scores)
    expect(page.find("#verdict")).to_have_text(f"Red {found.verdict} if both play perfectly.")
    expect(page.find("#best-line span")).to_have_count(len(found.line))
    line = [int(text) - 1 for text in page.find("#best-line span").all_inner_texts()]
    position = Position.from_moves(LATE)
    for column in line:  # any best play is as good
        assert column in analyze(position).best_columns
        position = position.play(column)
    assert position.is_over
    assert numbers(page) == list(range(1, min(len(line), 9) + 1))


def test_discs_are_dropped_for_both_sides_and_other_moves_become_variations(visit: Visit) -> None:
    page = visit("analyse")
    for number in (4, 4, 3):
        page.column(number).click()
    page.shows_discs(3)
    page.shows_turn("Yellow to move")
    page.button("One move back").click()
    page.page.keyboard.press("5")
    page.shows_discs(3)
    assert page.query == {"moves": "443", "also": "2-5", "line": "1"}
    page.page.reload()
    page.shows_discs(3)
    page.page.go_back()
    page.shows_discs(2)


def test_a_column_under_the_pointer_or_with_the_focus_shows_its_own_line(visit: Visit) -> None:
    page = visit(f"analyse?moves={LATE}")
    expect(page.find("#best-title")).to_have_text("Best play")
    page.column(6).hover()
    expect(page.find("#best-title")).to_have_text("Best play after column 6")
    expect(page.find("#best-line span").first).to_have_text("6")
    page.page.mouse.move(1, 1)
    expect(page.find("#best-title")).to_have_text("Best play")
    page.column(7).focus()
    expect(page.find("#best-line span").first).to_have_text("7")


def test_the_line_can_be_put_on_the_board_and_stepped_through(visit: Visit) -> None:
    page = visit(f"analyse?moves={LATE}")
    expect(page.find("#best-line span").first).to_be_visible()
    count = page.find("#best-line span").count()
    page.button("Put it on the board").click()
    expect(page.find("#moves button")).to_have_count(len(LATE) + count)
    page.shows_discs(len(LATE))
    page.page.keyboard.press("ArrowRight")
    page.shows_discs(len(LATE) + 1)
    page.button("To the last move").click()
    expect(page.find("#turn")).to_contain_text("wins")


def test_the_reason_replaces_the_line_on_the_board(visit: Visit) -> None:
    page = visit("analyse?moves=6442343433443263662")
    expect(page.find("#board .reason.best").first).to_be_visible()
    page.page.keyboard.press("w")
    expect(page.find("#why-summary")).to_contain_text("runs out of safe moves")
    expect(page.find("#board .reason.avoid")).to_have_count(1)
    expect(page.find("#board .reason.best")).to_have_count(0)


def test_cells_are_set_by_clicks_and_discs_obey_gravity(visit: Visit) -> None:
    page = visit("analyse")
    page.button("Set up a position").click()
    cell(page, 4, 6).click()  # falls to the bottom
    page.shows_discs(1)
    expect(cell(page, 4, 1)).to_have_accessible_name("Column 4, row 1: red")
    expect(cell(page, 4, 1)).to_be_focused()
    cell(page, 4, 1).click()
    expect(cell(page, 4, 1)).to_have_accessible_name("Column 4, row 1: yellow")
    cell(page, 4, 2).click()
    cell(page, 4, 1).click()  # removed: the disc above falls down
    page.shows_discs(1)
    expect(cell(page, 4, 1)).to_have_accessible_name("Column 4, row 1: red")
    page.shows_turn("Yellow to move")
    page.page.get_by_role("button", name="Analyse", exact=True).click()
    assert page.query == {"start": "......./......./......./......./......./...X...", "first": "2"}
    assert page.scores() == list(analyze(Position.from_moves("4")).scores)
    page.column(4).click()
    page.shows_discs(2)
    page.page.reload()
    page.shows_discs(2)
    page.shows_turn("Red to move")


def test_a_position_is_set_up_by_keyboard(visit: Visit) -> None:
    page = visit("analyse")
    page.page.keyboard.press("e")
    expect(cell(page, 4, 1)).to_be_focused()
    assert page.find("#cells [tabindex='0']").count() == 1
    keyboard = page.page.keyboard
    keyboard.press("Enter")
    page.says("Column 4, row 1: red. Yellow to move.")
    keyboard.press("ArrowUp")
    keyboard.press("Enter")
    keyboard.press("Enter")
    page.says("Column 4, row 2: yellow. Red to move.")
    keyboard.press("ArrowLeft")
    keyboard.press("ArrowDown")
    expect(cell(page, 3, 1)).to_be_focused()
    keyboard.press("3")  # not a move while a position is set up
    page.shows_discs(2)
    keyboard.press("Escape")
    page.shows_discs(0)
    expect(page.button("Set up a position")).to_be_focused()


def test_what_cannot_be_is_explained_while_it_is_set_up(visit: Visit) -> None:
    page = visit("analyse")
    page.button("Set up a position").click()
    done = page.page.get_by_role("button", name="Analyse", exact=True)
    cell(page, 1, 1).click()
    cell(page, 2, 1).click()
    expect(page.find("#detail.refused")).to_contain_text("Red has 2 discs more than Yellow")
    expect(done).to_be_disabled()
    cell(page, 2, 1).click()
    expect(page.find("#detail.refused")).to_have_count(0)
    expect(done).to_be_enabled()
    for row in (2, 3, 4):
        cell(page, 1, row).click()
        cell(page, 3, row).click()
        cell(page, 3, row - 1).click()
    expect(page.find("#detail.refused")).to_contain_text("four in a row")
    expect(done).to_be_disabled()
    page.button("Clear").click()
    expect(done).to_be_enabled()
    page.page.get_by_label("Yellow").check()
    done.click()
    page.shows_turn("Yellow to move")
    assert page.query == {"first": "2"}


@pytest.mark.parametrize("window", [SMALL_PHONE, PHONE, LYING_PHONE, TABLET, DESKTOP], ids=lambda each: each["width"])
def test_nothing_moves_while_a_position_is_looked_at(visit: Visit, window: ViewportSize) -> None:
    page = visit(f"analyse?moves={LATE}", viewport=window)
    analysed = expect(page.find("#best-line span").first)
    analysed.to_be_visible()
    keyboard = page.page.keyboard
    for key in ("ArrowLeft", "7", "1", "ArrowLeft"):
        keyboard.press(key)
        analysed.to_be_attached()
    keyboard.press("w")
    expect(page.find("#why-more")).to_be_attached()
    keyboard.press("w")
    keyboard.press("e")
    for number in (1, 6, 7, 7):
        page.find("#cells button").nth(number - 1).click()
    expect(page.find("#detail.refused")).to_be_visible()
    keyboard.press("Escape")
    page.page.evaluate("document.querySelector('#follow').click()")
    page.page.evaluate("document.querySelector('#step-end').click()")
    expect(page.find("#best-line")).to_have_text("The game is over.")
    keyboard.press("ArrowLeft")
    analysed.to_be_attached()
    assert page.page.evaluate(SHIFT) == 0


def test_an_unchanged_position_keeps_its_game(visit: Visit) -> None:
    page = visit("analyse?moves=4453&at=3")
    page.button("Set up a position").click()
    page.page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.find("#moves button")).to_have_count(4)
    assert page.query == {"moves": "4453", "at": "3"}


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("start=...X.../.......", "a disc of column 4 has an empty cell below it"),
        ("start=..X/XX", "rows of 3 and 2 cells"),
        ("start=...Z...", "only X, O, dots and slashes"),
        ("start=XX.....", "Red has 2 discs more than Yellow"),
        ("start=XXXXOOO", "Red already has four in a row"),
        ("start=X......", "Red has one disc more, so it is Yellow\u2019s turn"),
    ],
)
def test_an_address_that_cannot_be_is_explained(visit: Visit, query: str, said: str) -> None:
    page = visit(f"analyse?{query}")
    expect(page.find("#message")).to_contain_text(said)
    page.shows_discs(0)
    page.find("#message").get_by_role("button", name="Empty board").click()
    expect(page.find("#message")).to_be_hidden()


def test_a_game_is_analysed_where_it_stands(visit: Visit) -> None:
    page = visit("?two=person&moves=44353&also=2-21&at=3")
    page.page.get_by_role("link", name="Analyse").last.click()
    page.shows_discs(3)
    assert page.query == {"moves": "44353", "also": "2-21", "at": "3"}


def test_a_puzzle_opens_in_the_analysis(visit: Visit) -> None:
    page = visit("puzzles?seed=7&level=easy")
    expect(page.find("#solve")).to_be_enabled()
    discs = page.find("#board .disc").count()
    page.page.get_by_role("link", name="Analyse").last.click()
    page.shows_discs(discs)


def test_a_position_that_was_set_up_can_be_played_on(visit: Visit) -> None:
    page = visit(f"analyse?start={DRAWING}")
    page.shows_discs(4)
    page.page.get_by_role("link", name="Play from here").click()
    page.shows_turn("Your turn")
    page.column(7).click()
    page.says("Your turn")
    page.shows_discs(6)
    assert page.query["start"] == DRAWING
    page.page.reload()
    page.shows_discs(6)


@pytest.mark.parametrize("size", [(320, 568), (360, 640), (390, 844), (768, 1024)], ids=str)
def test_the_sheet_leaves_the_scores_free(visit: Visit, size: tuple[int, int]) -> None:
    page = visit(f"analyse?moves={LATE}", viewport={"width": size[0], "height": size[1]})
    expect(page.find("#columns .word:not(.waiting)").first).to_be_visible()
    columns, sheet = page.column(1).bounding_box(), page.find("#sheet").bounding_box()
    assert columns is not None
    assert sheet is not None
    assert columns["y"] + columns["height"] <= sheet["y"]


@pytest.mark.parametrize("window", [SMALL_PHONE, PHONE], ids=["320", "390"])
def test_cells_lie_on_the_holes_and_fingers_find_them(visit: Visit, window: ViewportSize) -> None:
    page = visit("analyse", viewport=window)
    before = page.find("#board svg").bounding_box()
    page.button("Set up a position").click()
    assert page.find("#board svg").bounding_box() == before
    assert page.small_targets() == []
    holes = page.find("#board .hole")
    for column, row in ((1, 1), (7, 6), (4, 3)):
        hole = holes.nth((column - 1) * 6 + row - 1).bounding_box()
        button = cell(page, column, row).bounding_box()
        assert hole is not None
        assert button is not None
        for side, size in (("x", "width"), ("y", "height")):
            middle = hole[side] + hole[size] / 2  # type: ignore[literal-required]
            assert abs(button[side] + button[size] / 2 - middle) <= 2  # type: ignore[literal-required]
