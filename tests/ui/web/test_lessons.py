"""The cards of /learn: the solver proves the answers, and their reasons are of the kinds that the cards teach."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest

from connect4_agent.engine.analysis import analyze
from connect4_agent.reasons.explain import explain
from connect4_agent.reasons.explanation import ReasonKind
from connect4_agent.reasons.words import describe
from connect4_agent.rules.notation import MOVE_SIGNS
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import Result, result_of

pytestmark = pytest.mark.needs("compiled")

CARDS: list[dict[str, Any]] = json.loads(files("connect4_agent.ui.web").joinpath("static", "lessons.json").read_text())
KEYS = {"title", "moves", "idea", "task", "hint", "right", "shows", "says"}
MORE = {"only", "kind", "wrong", "text", "hints"}


def right_columns(card: dict[str, Any]) -> list[int]:
    return [MOVE_SIGNS.index(sign) for sign in card["right"]]


def results(card: dict[str, Any]) -> list[Result | None]:
    """What the columns lead to with perfect play."""
    scores = analyze(Position.from_moves(card["moves"])).scores
    return [None if score is None else result_of(score) for score in scores]


def wrong_columns(card: dict[str, Any]) -> list[int]:
    position = Position.from_moves(card["moves"])
    return [column for column in position.legal_columns() if column not in right_columns(card)]


def by_title(cards: list[dict[str, Any]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("card", cards, ids=[card["title"] for card in cards])


def test_there_are_twelve_cards_and_nothing_in_them_that_is_not_known() -> None:
    assert len(CARDS) == len({card["title"] for card in CARDS}) == 12
    for card in CARDS:
        assert KEYS <= set(card) <= KEYS | MORE
        assert card["shows"] in ("disc", "line", "whole")


@by_title(CARDS)
def test_a_right_column_keeps_the_best_result(card: dict[str, Any]) -> None:
    found = results(card)
    best = next(result for result in Result if result in found)
    assert [found[column] for column in right_columns(card)] == [best] * len(card["right"])


@by_title([card for card in CARDS if card.get("only")])
def test_the_only_right_column_is_the_only_one_with_its_result(card: dict[str, Any]) -> None:
    found = results(card)
    (column,) = right_columns(card)
    assert found.count(found[column]) == 1


@by_title([card for card in CARDS if not card.get("only")])
def test_of_several_right_columns_all_end_the_game_soonest(card: dict[str, Any]) -> None:
    assert sorted(analyze(Position.from_moves(card["moves"])).best_columns) == right_columns(card)


@by_title([card for card in CARDS if "kind" in card])
def test_a_right_column_has_the_reason_that_the_card_teaches(card: dict[str, Any]) -> None:
    for column in right_columns(card):
        found = explain(Position.from_moves(card["moves"]), column)
        assert found.kind == card["kind"]
        assert card.get("text", "") in describe(found)
        assert found.is_covered or found.kind is ReasonKind.NONE


@by_title([card for card in CARDS if "wrong" in card])
def test_every_wrong_column_is_refuted_in_the_way_that_the_card_warns_of(card: dict[str, Any]) -> None:
    position = Position.from_moves(card["moves"])
    for column in wrong_columns(card):
        found = explain(position, column)
        assert (found.kind, found.result) == (card["wrong"], "loss")
        if card["title"] == "Do not play below":
            assert found.line == (column, column)


@by_title([card for card in CARDS if card["shows"] == "whole"])
def test_a_whole_line_ends_in_four(card: dict[str, Any]) -> None:
    position = Position.from_moves(card["moves"])
    line = explain(position, right_columns(card)[0]).line
    assert position.after(line).winner == position.player


def test_the_rows_that_two_cards_name_are_those_of_the_threats() -> None:
    for title, row in (("Odd and even rows", 3), ("Even threats", 2)):
        (card,) = (card for card in CARDS if card["title"] == title)
        assert f"row {row}" in card["task"]
        (reason,) = explain(Position.from_moves(card["moves"]), right_columns(card)[0]).reasons
        assert [cell[1] + 1 for cell in reason.needed] == [row]


def test_the_follow_up_is_right_on_top_of_the_last_disc() -> None:
    (card,) = (card for card in CARDS if card["title"] == "Follow-up")
    assert card["right"] == card["moves"][-1]
    own = explain(Position.from_moves(card["moves"]), right_columns(card)[0]).reasons[0]
    assert (own.player, own.plan is not None) == (2, True)


def test_the_numbers_of_lines_on_the_card_about_the_centre_are_right() -> None:
    directions = ((1, 0), (0, 1), (1, 1), (1, -1))
    lines = [
        [(column + step * far, row + rise * far) for far in range(4)]
        for column in range(7)
        for row in range(6)
        for step, rise in directions
        if column + 3 * step < 7 and 0 <= row + 3 * rise < 6
    ]
    of_column = [sum(any(cell[0] == column for cell in line) for line in lines) for column in range(7)]
    (card,) = (card for card in CARDS if card["title"] == "The centre")
    assert f"Of the {len(lines)} lines of four on the board, {of_column[3]} use the middle column" in card["idea"]
    assert f"only {of_column[0]} the column at an edge" in card["idea"]
