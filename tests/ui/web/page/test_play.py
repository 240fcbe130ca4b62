"""The page that people play on, in a real browser: games by mouse, keys and touch, taking back, the address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.ui.web.page.opened import PHONE, Opened

if TYPE_CHECKING:
    from collections.abc import Callable

    Visit = Callable[..., Opened]

DRAWN = "443544451253233412222113537155166667777667"
"""A game that ends with a full board."""


def new_game(page: Opened) -> None:
    """Start a game like the one before."""
    page.button("New game").click()
    page.button("Start").click()


def test_a_whole_game_by_mouse_against_a_player(visit: Visit) -> None:
    page = visit("?two=first-open&first=1")
    page.shows_turn("Your turn")
    for ply in (1, 3, 5):
        page.click_cell(4)
        page.shows_discs(ply + 1)
        page.says("Your turn")
    page.click_cell(4)
    page.shows_discs(7)
    page.shows_turn("You win")
    page.says("You play column 4: four in a row. You win")
    expect(page.find("#board .four")).to_have_count(1)
    assert page.query == {"moves": "4141414", "two": "first-open"}
    page.click_cell(5)
    page.says("The game is over.")
    expect(page.find("#detail")).to_have_text("The game is over.")
    page.shows_discs(7)


def test_a_whole_game_by_keyboard(visit: Visit) -> None:
    page = visit("?two=first-open&first=1")
    keyboard = page.page.keyboard
    keyboard.press("ArrowLeft")  # takes the focus to the middle column, and shows where a disc would land
    expect(page.column(4)).to_be_focused()
    assert page.find("#board .ghost.player-1").count() == 1
    assert page.find("#board .lane").count() == 1
    keyboard.press("ArrowRight")
    keyboard.press("Enter")
    page.shows_discs(2)
    page.says("Your turn")
    expect(page.column(5)).to_be_focused()
    keyboard.press("Home")
    expect(page.column(1)).to_be_focused()
    keyboard.press("End")
    keyboard.press("ArrowLeft")
    expect(page.column(6)).to_be_focused()
    keyboard.press("Space")
    page.shows_discs(4)
    page.says("Your turn")
    keyboard.press("4")
    page.shows_discs(6)
    page.says("Your turn")
    keyboard.press("7")
    page.says("You win")
    assert page.query["moves"] == "5161417"


def test_numbers_drop_discs_wherever_the_focus_is_unless_somebody_types(visit: Visit) -> None:
    page = visit("?two=person&first=1")
    keyboard = page.page.keyboard
    page.page.get_by_label("Sound").focus()
    keyboard.press("4")
    page.shows_discs(1)
    page.button("move 1 Red, column 4").click()
    keyboard.press("4")
    page.shows_discs(2)
    page.button("New game").click()
    page.find("#name-1").press("4")
    assert page.find("#name-1").input_value() == "4"
    page.shows_discs(2)
    page.button("Start").click()
    page.shows_discs(0)
    expect(page.column(4)).to_be_focused()
    keyboard.press("7")
    page.shows_discs(1)
    assert page.query["moves"] == "7"


def test_home_and_end_lead_to_the_outer_columns_at_once(visit: Visit) -> None:
    for key, number in (("Home", 1), ("End", 7)):
        page = visit("?two=person&first=1")
        page.page.keyboard.press(key)
        expect(page.column(number)).to_be_focused()


def test_two_people_play_by_touch_at_one_board(visit: Visit) -> None:
    page = visit("?two=person&name1=Ada&name2=Bob&first=2", viewport=PHONE, has_touch=True)
    page.shows_turn("Bob\u2019s turn")
    for ply, number in enumerate((4, 4, 3, 3, 2, 2), 1):
        page.column(number).tap()
        page.shows_discs(ply)
    page.shows_turn("Bob\u2019s turn")
    box = page.find("#board svg").bounding_box()
    assert box is not None
    page.page.touchscreen.tap(box["x"] + box["width"] / 14, box["y"] + box["height"] / 2)
    page.says("Bob plays column 1: four in a row. Bob wins")


def test_every_move_and_a_draw_are_announced(visit: Visit) -> None:
    page = visit(f"?two=person&moves={DRAWN[:-2]}")
    page.page.keyboard.press(DRAWN[-2])
    page.says("Move 41: Red plays column 6. Yellow\u2019s turn")
    page.page.keyboard.press(DRAWN[-1])
    page.says("Move 42: Yellow plays column 7: the board is full. It\u2019s a draw")
    page.shows_turn("It\u2019s a draw")
    assert page.find("#board .four").count() == 0


def test_a_full_column_takes_no_disc_and_says_so(visit: Visit) -> None:
    page = visit("?two=person&moves=444444")
    page.click_cell(4)
    page.says("Column 4 is full.")
    expect(page.find("#detail")).to_have_text("Column 4 is full.")
    page.shows_discs(6)
    assert page.column(4).get_attribute("aria-disabled") == "true"
    expect(page.column(4)).to_have_accessible_name("Column 4 full, Yellow\u2019s on top")
    page.column(5).click()
    expect(page.find("#detail")).to_have_text("Move 7: Red plays column 5.")


def test_taking_back_leads_to_my_turn_and_restoring_brings_both_moves_again(visit: Visit) -> None:
    page = visit("?two=first-open&moves=4151")
    page.button("Undo").click()
    page.shows_discs(2)
    page.shows_turn("Your turn")
    assert page.query["at"] == "2"
    page.page.keyboard.press("Control+z")
    page.shows_discs(0)
    expect(page.button("Undo")).to_be_disabled()
    page.page.keyboard.press("Control+y")
    page.shows_discs(2)
    page.page.keyboard.press("Control+y")
    page.shows_discs(4)
    page.button("Undo").click()
    page.column(7).click()
    page.shows_discs(4)
    page.says("Your turn")
    assert page.query == {"moves": "4151", "also": "2-71", "line": "1", "two": "first-open"}


def test_any_move_can_be_jumped_to_and_reloaded(visit: Visit) -> None:
    page = visit("?two=person&moves=44352")
    page.button("move 2 Yellow, column 4").click()
    page.shows_discs(2)
    assert page.query == {"moves": "44352", "at": "2", "two": "person"}
    page.page.reload()
    page.shows_discs(2)
    page.button("To the last move").click()
    page.shows_discs(5)
    page.button("One move back").click()
    page.shows_discs(4)
    page.button("To the start").click()
    page.shows_discs(0)
    page.button("One move forward").click()
    page.shows_discs(1)
    expect(page.find("#moves [aria-current]")).to_have_count(1)


def test_a_link_shows_its_position_until_the_player_is_told_to_move(visit: Visit) -> None:
    page = visit("?moves=445&two=first-open")
    page.shows_turn("first-open is to move")
    page.shows_discs(3)
    page.button("Let first-open move").click()
    page.shows_discs(4)
    page.shows_turn("Your turn")
    page.page.reload()
    page.shows_discs(4)


def test_back_returns_to_the_game_before(visit: Visit) -> None:
    page = visit("?two=person&moves=4453")
    new_game(page)
    page.shows_discs(0)
    page.page.go_back()
    page.shows_discs(4)
    page.page.go_forward()
    page.shows_discs(0)


def test_the_link_play_returns_to_the_game_and_its_level(visit: Visit) -> None:
    page = visit("?two=first-open&first=1")
    page.column(4).click()
    page.shows_discs(2)
    page.page.get_by_role("link", name="Puzzles").click()
    page.page.get_by_role("link", name="Play", exact=True).click()
    page.shows_discs(2)
    page.shows_turn("Your turn")
    assert page.query == {"moves": "41", "two": "first-open"}
    page.page.get_by_role("link", name="Play", exact=True).click()
    page.column(4).click()
    page.shows_discs(4)
    page.go("?moves=5&two=person")  # only looked at
    page.shows_discs(1)
    page.go()
    page.shows_discs(4)


def test_after_a_finished_game_the_link_play_starts_one_like_it(visit: Visit) -> None:
    page = visit("?two=person&name1=Ada&moves=414141")
    page.column(4).click()
    page.shows_turn("Ada wins")
    page.page.get_by_role("link", name="Play", exact=True).click()
    expect(page.page).to_have_url(f"{page.address}?two=person&name1=Ada")
    page.shows_discs(0)
    page.page.go_back()
    page.shows_turn("Ada wins")


def test_the_link_can_be_copied_even_if_the_browser_grants_no_clipboard(visit: Visit) -> None:
    page = visit("?two=person&moves=4453", permissions=["clipboard-read", "clipboard-write"])
    page.page.evaluate("globalThis.real = navigator.clipboard")
    for clipboard in ("real", "undefined"):
        given = f"{{ value: {clipboard}, configurable: true }}"
        page.page.evaluate(f"Object.defineProperty(navigator, 'clipboard', {given})")
        page.page.evaluate("real.writeText('')")
        page.button("Copy link").click()
        expect(page.find("#share-said")).to_have_text("Link copied. It works on this computer only.")
        assert page.page.evaluate("real.readText()") == page.page.url


def test_columns_have_one_name_on_the_board_in_the_list_and_in_sentences(visit: Visit) -> None:
    page = visit("?two=person&width=15&height=10&first=1")
    page.page.keyboard.press("c")
    expect(page.column(12)).to_have_accessible_name("Column c one disc, Red\u2019s")
    expect(page.find("#detail")).to_have_text("Move 1: Red plays column c.")
    expect(page.find("#moves button")).to_have_accessible_name("move 1 Red, column c")


def test_a_disc_that_lands_below_the_window_is_scrolled_to(visit: Visit) -> None:
    page = visit("?two=person&width=20&height=30&first=1")
    page.page.keyboard.press("k")
    expect(page.find("#board .disc.last")).to_be_in_viewport(ratio=1)


def test_arrows_on_a_column_choose_a_column_at_earlier_positions_too(visit: Visit) -> None:
    page = visit("?two=person&moves=445566&at=2")
    page.column(4).focus()
    page.page.keyboard.press("ArrowRight")
    expect(page.column(5)).to_be_focused()
    assert page.query["at"] == "2"
    page.page.keyboard.press("Enter")
    page.shows_discs(3)


def test_the_form_starts_the_game_that_it_describes(visit: Visit) -> None:
    page = visit()
    expect(page.find("#opponent option[value=mine]")).to_have_count(1)
    page.button("New game").click()
    page.page.get_by_label("Two people").check()
    page.find("#name-1").fill("Ada")
    page.find("#width").fill("5")
    page.find("#height").fill("4")
    page.page.get_by_role("group", name="Who goes first").get_by_label("Yellow").check()
    page.button("Start").click()
    page.shows_turn("Yellow\u2019s turn")
    expect(page.find("#board .hole")).to_have_count(20)
    assert page.query == {"width": "5", "height": "4", "two": "person", "first": "2", "name1": "Ada"}
    page.button("New game").click()
    page.find("#width").fill("99")
    page.button("Start").click()
    assert page.query["width"] == "5"
    expect(page.find("#setup-dialog")).to_be_visible()
    page.button("Cancel").click()
    expect(page.find("#setup-dialog")).to_be_hidden()
    page.shows_turn("Yellow\u2019s turn")


def test_a_program_given_on_the_command_line_can_be_played(visit: Visit) -> None:
    page = visit("?two=mine&first=1")
    page.column(4).click()
    page.shows_discs(2)
    page.says("Your turn")


def test_two_players_are_watched_step_by_step_and_paused(visit: Visit) -> None:
    page = visit("?one=first-open&two=first-open&moves=1111112222223333")
    page.shows_turn("first-open (1) is to move")
    page.button("One move").click()
    page.shows_discs(17)
    page.shows_turn("first-open (2) is to move")
    page.button("Continue").click()
    page.shows_discs(18)
    page.button("Pause").click()
    page.shows_turn("first-open (1) is to move")
    assert page.query["moves"] == "111111222222333333"
    page.button("Continue").click()
    page.says("first-open (1) wins")
    expect(page.button("Continue")).to_have_count(0)


def test_a_random_beginner_is_the_default_and_begins_sometimes(visit: Visit) -> None:
    page = visit("?two=person")
    seen = set()
    for _ in range(60):  # the same side 60 times would be a chance of 1 in 2^59
        new_game(page)
        seen.add(page.find("#turn").inner_text())
        if len(seen) == 2:
            break
    assert seen == {"Red\u2019s turn", "Yellow\u2019s turn"}


def test_a_question_mark_lists_the_keys(visit: Visit) -> None:
    page = visit("?two=person&moves=44")
    page.page.keyboard.press("?")
    expect(page.page.get_by_role("dialog", name="Keys")).to_contain_text("drop a disc in that column")
    page.page.keyboard.press("4")  # not while the dialog is open
    page.button("Close").click()
    page.shows_discs(2)
    page.button("Keys").click()
    page.page.keyboard.press("Escape")
    expect(page.button("Keys")).to_be_focused()
