"""Hints and the review of a game in a real browser, compared with what the engine says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from connect4_agent import Position, analyze
from connect4_agent.engine.judging import judge
from tests.page.conftest import LOST
from tests.page.opened import PHONE, SMALL_PHONE, Opened

if TYPE_CHECKING:
    from collections.abc import Callable

    from connect4_agent.engine.analysis import Analysis

    Visit = Callable[..., Opened]

LATE = "4435444512532334122"
"""Far enough in the game for exact scores at once."""


def exact_scores(moves: str) -> list[int | None]:
    return list(analyze(Position.from_moves(moves)).scores)


def test_hints_are_the_exact_scores_and_stay_on(visit: Visit) -> None:
    page = visit(f"?two=person&moves={LATE}")
    assert page.find("#columns .score").count() == 0
    page.page.get_by_label("Hints").click()
    assert page.scores() == exact_scores(LATE)
    page.column(7).click()
    page.shows_discs(len(LATE) + 1)
    assert page.scores() == exact_scores(LATE + "7")
    page.button("Undo").click()
    assert page.scores() == exact_scores(LATE)
    page.page.reload()
    assert page.scores() == exact_scores(LATE)
    page.page.get_by_label("Hints").click()
    expect(page.find("#columns .score")).to_have_count(0)


def test_hints_say_wins_and_losses_in_words_and_shapes(visit: Visit) -> None:
    for moves in (LATE, LATE + "2"):  # with wins and a draw, and with losses
        page = visit(f"?two=person&moves={moves}", hints=True)
        page.scores()
        check_words(page, analyze(Position.from_moves(moves)))


def check_words(page: Opened, found: Analysis) -> None:
    for column, score in enumerate(found.scores):
        button = page.column(column + 1)
        if score is None:
            continue
        kind, shape = ("win", "▲") if score > 0 else ("loss", "▼") if score else ("draw", "■")
        assert button.locator(".word").inner_text() == kind
        assert button.locator(".shape").inner_text() == shape
        label = button.get_attribute("aria-label") or ""
        assert found.verdict(score) in label
        assert label.endswith(", best") == (column in found.best_columns)
        if score:
            count = re.search(r"\d+", found.verdict(score))
            assert count is not None
            assert button.locator(".when").inner_text() == f"in {count.group()}"


def test_digits_of_hints_are_dark_on_light_in_both_schemes(visit: Visit) -> None:
    for scheme in ("light", "dark"):
        page = visit(f"?two=person&moves={LATE}", hints=True, color_scheme=scheme)
        page.scores()
        colours = page.find("#columns .score").first.evaluate(
            "each => [getComputedStyle(each).color, getComputedStyle(each.parentElement).backgroundColor]"
        )
        ink, paper = (sum(map(int, re.findall(r"\d+", colour)[:3])) / 3 for colour in colours)
        assert ink < 40
        assert paper > 190
        assert page.find("#columns .score").first.evaluate("each => parseFloat(getComputedStyle(each).fontSize)") >= 18


def test_hints_on_other_boards_are_marked_as_best_effort(visit: Visit) -> None:
    page = visit("?two=person&width=9&height=7&moves=5", hints=True)
    expect(page.find("#hint-note")).to_contain_text("Best effort")
    expect(page.find("#columns .is-guess .word").first).to_have_text("best guess")
    assert page.find("#columns .score").count() == 0


def test_a_games_curve_and_mistakes_are_those_of_the_engine(visit: Visit) -> None:
    page = visit(f"?one=first-open&moves={LOST}&two=person")
    page.shows_turn("first-open wins")
    expect(page.find(".curve")).to_be_visible()
    judged = judge(Position(), [int(sign) - 1 for sign in LOST])
    mistakes = {ply: move.mistake for ply, move in enumerate(judged) if move.mistake}
    grave = [ply for ply, mistake in mistakes.items() if mistake.changes_result]
    assert len(grave) >= 2
    assert page.find(".curve .mistake").count() == len(mistakes)
    marked = page.find(".curve .mistake.grave").evaluate_all("all => all.map((each) => Number(each.dataset.ply))")
    assert sorted(marked) == grave
    assert page.find(".mistakes").first.locator("button").count() == len(grave)
    expect(page.find(".curve .label").first).to_have_text("You win (higher: sooner)")
    assert page.find("#moves .noted").count() == len(grave)


def test_a_click_on_a_mistake_leads_to_its_position_and_says_what_was_better(visit: Visit) -> None:
    page = visit(f"?one=first-open&moves={LOST}&two=person")
    judged = judge(Position(), [int(sign) - 1 for sign in LOST])
    last = max(ply for ply, move in enumerate(judged) if move.mistake and move.mistake.changes_result)
    page.find(f".curve .mistake[data-ply='{last}']").click()
    page.shows_discs(last)
    best = analyze(Position.from_moves(LOST[:last])).best_columns
    expect(page.find("#detail")).to_contain_text(f"Move {last + 1}, ")
    expect(page.find("#detail")).to_contain_text("turns a draw into a loss")
    expect(page.find("#detail")).to_contain_text(f"Better: column {min(best) + 1}")
    assert page.query["at"] == str(last)
    page.find(".mistakes button").first.click()
    first = min(ply for ply, move in enumerate(judged) if move.mistake and move.mistake.changes_result)
    page.shows_discs(first)
    page.find(f".curve .mistake[data-ply='{last}']").focus()
    page.page.keyboard.press("Enter")
    page.shows_discs(last)


def test_a_click_on_the_curve_shows_that_position(visit: Visit) -> None:
    page = visit(f"?two=person&moves={LOST}", viewport=PHONE)
    box = page.find(".curve").bounding_box()
    assert box is not None
    page.find(".curve").click(position={"x": 3, "y": box["height"] - 30})
    page.shows_discs(0)
    page.find(".curve").click(position={"x": box["width"] - 3, "y": box["height"] - 30})
    page.shows_discs(len(LOST))


def test_the_curves_words_stay_inside_and_off_the_line_whatever_the_names_are(visit: Visit) -> None:
    page = visit(f"?two=person&moves={LOST}&name1={'W' * 24}&name2=Bob", viewport=SMALL_PHONE)
    expect(page.find(".curve .label").first).to_have_text(re.compile(r"^W+\u2026 wins \(higher: sooner\)$"))
    expect(page.find(".curve .label").last).to_have_text("Bob wins (lower: sooner)")
    frame, band, side = (page.find(f".curve {part}".strip()).first.bounding_box() for part in ("", ".band", ".side"))
    assert frame is not None
    assert band is not None
    assert side is not None
    assert frame["x"] <= side["x"]
    assert side["x"] + side["width"] <= band["x"]
    for label in page.find(".curve .label").all():
        box = label.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= band["x"] + band["width"]


def test_where_scores_are_not_known_no_move_is_called_right(visit: Visit) -> None:
    page = visit("?two=person&width=20&height=20&moves=1")
    page.button("Show the curve so far").click()
    expect(page.find("#review-body")).to_contain_text("There was not enough time for exact scores on this board.")
    expect(page.find("#review-body")).to_contain_text("None among the moves whose scores are known.")


def test_the_curve_of_an_unfinished_game_is_shown_when_asked_for(visit: Visit) -> None:
    page = visit(f"?two=person&moves={LATE}")
    expect(page.find("#review")).to_be_hidden()
    page.button("Show the curve so far").click()
    expect(page.find(".curve")).to_be_visible()
    page.column(7).click()
    expect(page.find("#review")).to_be_hidden()
