"""Hints and the review of a game in a real browser, compared with what the engine says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from connect4_agent import Position, analyze
from connect4_agent.reasons.judge import judge
from tests.ui.web.page.conftest import LOST
from tests.ui.web.page.opened import PHONE, SMALL_PHONE, Opened

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
    page.page.get_by_label("Analysis").click()
    assert page.scores() == exact_scores(LATE)
    page.column(7).click()
    page.shows_discs(len(LATE) + 1)
    assert page.scores() == exact_scores(LATE + "7")
    page.button("Undo").click()
    assert page.scores() == exact_scores(LATE)
    page.page.reload()
    assert page.scores() == exact_scores(LATE)
    page.page.get_by_label("Analysis").click()
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
        assert button.locator(".word").inner_text() == shape + kind
        assert button.locator(".shape").inner_text() == shape
        label = button.inner_text().replace("\n", " ")
        verdict = found.verdicts[column]
        assert verdict is not None
        assert (" best" in label) == (column in found.best_columns)
        if score:
            count = re.search(r"\d+", verdict)
            assert count is not None
            assert button.locator(".when").inner_text() == f"in {count.group()}"


def test_digits_of_hints_are_dark_on_light_in_both_schemes(visit: Visit) -> None:
    for scheme in ("light", "dark"):
        page = visit(f"?two=person&moves={LATE}", hints=True, color_scheme=scheme)
        page.scores()
        colours = page.find("#columns .word").first.evaluate(
            "each => [getComputedStyle(each).color, getComputedStyle(each.parentElement).backgroundColor]"
        )
        ink, paper = (sum(map(int, re.findall(r"\d+", colour)[:3])) / 3 for colour in colours)
        assert ink < 40
        assert paper > 190
        assert page.find("#columns .word").first.evaluate("each => parseFloat(getComputedStyle(each).fontSize)") >= 18


def test_hints_on_other_boards_are_marked_as_best_effort(visit: Visit) -> None:
    page = visit("?two=person&width=9&height=7&moves=5", hints=True)
    expect(page.find("#hint-note")).to_contain_text("This board is too big to work out in time")
    expect(page.find("#columns .is-guess .word").first).to_have_text("guess")
    assert page.find("#columns .score").count() == 0


def test_a_games_curve_and_mistakes_are_those_of_the_engine(visit: Visit) -> None:
    page = visit(f"?one=first-open&moves={LOST}&two=person")
    page.shows_turn("first-open wins")
    expect(page.find(".curve")).to_be_visible()
    judged = judge(Position(), [int(sign) - 1 for sign in LOST])
    mistakes = {ply: move.grade for ply, move in enumerate(judged.moves) if move.mistake}
    grave = [ply for ply, grade in mistakes.items() if grade != "inaccuracy"]
    assert len(grave) >= 2
    assert page.find(".curve .mistake").count() == len(mistakes)
    marked = page.find(".curve .mistake:not(.inaccuracy)").evaluate_all(
        "all => all.map((each) => Number(each.dataset.ply))"
    )
    assert sorted(marked) == grave
    assert page.find(".mistakes").first.locator("button").count() == len(grave)
    expect(page.find(".curve .label").first).to_have_text("You win")
    assert page.find("#moves .mistake, #moves .blunder").count() == len(grave)
    assert page.find("#moves .inaccuracy").count() == len(mistakes) - len(grave)
    page.tab("Moves")
    page.button("move 39 first-open, column 7").click()
    page.tab("Mistakes")
    for player, row in enumerate(page.find(".grades tbody tr").all(), 1):
        counts = judged.count(player)
        shown = [
            f"{counts.accuracy:.0f} %",
            *map(str, counts.grades.values()),
        ]
        assert row.locator("td").all_inner_texts() == shown


def grave_plies() -> list[int]:
    """Of the lost game: the plies of the mistakes that changed the result, counted from 0."""
    judged = judge(Position(), [int(sign) - 1 for sign in LOST])
    return [ply for ply, move in enumerate(judged.moves) if move.mistake and move.mistake.changes_result]


def shows_mistake(page: Opened, ply: int) -> None:
    """Wait until the board shows the position after this mistake, marked, and what was better."""
    page.shows_discs(ply + 1)
    expect(page.find("#board .badge")).to_have_count(1)
    best = analyze(Position.from_moves(LOST[:ply])).best_columns
    expect(page.find("#board .better")).to_have_count(len(best))
    expect(page.find("#detail")).to_contain_text(f"Move {ply + 1}, ")
    expect(page.find("#detail")).to_contain_text(f"Better: column {min(best) + 1}")


def test_a_click_on_a_mistake_marks_it_on_the_board_with_what_was_better(visit: Visit) -> None:
    page = visit(f"?one=first-open&moves={LOST}&two=person")
    first, *_, last = grave_plies()
    page.find(f".curve .mistake[data-ply='{last}']").click()
    shows_mistake(page, last)
    expect(page.find("#detail")).to_contain_text("turns a draw into a loss")
    assert page.query["at"] == str(last + 1)
    page.tab("Mistakes")
    page.find(".mistakes button").first.click()
    shows_mistake(page, first)
    page.tab("Curve")
    page.find(f".curve .mistake[data-ply='{last}']").focus()
    page.page.keyboard.press("Enter")
    shows_mistake(page, last)


def test_the_bar_and_its_words_say_who_wins_and_how_soon(visit: Visit) -> None:
    page = visit(f"?two=person&moves={LATE}", hints=True)
    page.scores()
    found = analyze(Position.from_moves(LATE))
    expect(page.find("#verdict")).to_have_text(f"Yellow {found.verdict} if both play perfectly.")
    assert 0 < share(page) < 0.35  # player 1 is below, and loses
    page.page.get_by_label("Analysis").click()
    expect(page.find("#bar")).to_be_hidden()


def share(page: Opened) -> float:
    """How much of the bar belongs to the player below."""
    return float(page.find("#bar .fill").evaluate("each => each.style.getPropertyValue('--share')"))


def test_the_end_of_a_decided_game_reaches_the_edge_of_bar_and_curve(visit: Visit) -> None:
    page = visit(f"?one=first-open&moves={LOST}&two=person")
    expect(page.find(".curve")).to_be_visible()
    assert share(page) == 0  # the person is below, and has lost
    line, band = page.find(".curve .line").bounding_box(), page.find(".curve .band").last.bounding_box()
    assert line is not None
    assert band is not None
    assert abs(line["y"] + line["height"] - band["y"] - band["height"]) < 3


def test_a_click_on_the_curve_shows_that_position(visit: Visit) -> None:
    page = visit(f"?two=person&moves={LOST}", viewport=PHONE)
    box = page.find(".curve").bounding_box()
    assert box is not None
    page.find(".curve").click(position={"x": 3, "y": box["height"] - 30})
    page.shows_discs(0)
    page.find(".curve").click(position={"x": box["width"] - 3, "y": box["height"] - 30})
    page.shows_discs(len(LOST))


def test_the_curves_words_stay_inside_whatever_the_names_are(visit: Visit) -> None:
    page = visit(f"?two=person&moves={LOST}&name1={'W' * 24}&name2=Bob", viewport=SMALL_PHONE)
    expect(page.find(".curve .label").first).to_have_text(re.compile(r"^W+\u2026 wins$"))
    expect(page.find(".curve .label").last).to_have_text("Bob wins")
    frame = page.find(".curve").bounding_box()
    assert frame is not None
    for label in page.find(".curve .label").all():
        box = label.bounding_box()
        assert box is not None
        assert frame["x"] <= box["x"]
        assert box["x"] + box["width"] <= frame["x"] + frame["width"]


def test_where_scores_are_not_known_no_move_is_called_right(visit: Visit) -> None:
    page = visit("?two=person&width=20&height=20&moves=1")
    page.tab("Curve")
    page.button("Review the game so far").click()
    expect(page.find("#curve-panel")).to_contain_text("This board is too big to work out exactly in time.")
    expect(page.find("#grades-panel")).to_contain_text("Nothing, as far as the scores are known.")


def test_the_curve_of_an_unfinished_game_is_shown_when_asked_for(visit: Visit) -> None:
    page = visit(f"?two=person&moves={LATE}")
    expect(page.find(".curve")).to_have_count(0)
    page.tab("Curve")
    page.button("Review the game so far").click()
    expect(page.find(".curve")).to_be_visible()
    page.column(7).click()
    page.shows_discs(len(LATE) + 1)
    expect(page.find(".curve")).to_have_count(0)
