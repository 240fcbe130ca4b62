"""Hints: the most urgent thing first, a column that is never worse than another, and never an empty reassurance."""

from __future__ import annotations

import pytest
from hypothesis import given

from connect4_agent.engine.analysis import analyze
from connect4_agent.reasons.hints import HintKind, Urgency, describe_hint, find_hint, find_risks
from connect4_agent.rules.position import Position
from connect4_agent.rules.scores import moves_to_end
from tests.effort import examples
from tests.late import late_positions

KINDS = {
    "443322": ("four", 1),
    "43434": ("block", 4),
    "4455": ("double threat", 3),
    "33447": ("stop", 5),
    "315": ("stop", 4),
    "526": ("stop", 4),
    "636376776331": ("forced", 4),
    "5275221174": ("behind", 5),
    "": ("quiet", 4),
}


@pytest.mark.parametrize("moves", KINDS)
def test_the_most_urgent_thing_comes_first(moves: str) -> None:
    hint = find_hint(Position.from_moves(moves))
    assert (hint.kind.value, hint.column + 1) == KINDS[moves]


def test_columns_that_lose_in_two_are_named() -> None:
    hint = find_hint(Position.from_moves("33447"))
    thought, where, column = ("".join(part.text for part in step) for step in describe_hint(hint))
    assert thought == "Careful: Red could make two fours at once. Which column stops it?"
    assert where == "After column 1, Red plays 5 and makes four at column 2 or 6, row 1."
    assert column == "Column 5 is safe."


def test_what_has_to_be_stopped_in_a_lost_position_says_so() -> None:
    *_, column = (
        "".join(part.text for part in step) for step in describe_hint(find_hint(Position.from_moves("44272")))
    )
    assert column == "Column 3 lasts longest, but you are behind: with perfect play, Red wins in 16 moves."


def test_the_right_column_is_not_named_before_the_last_step() -> None:
    steps = describe_hint(find_hint(Position.from_moves("4455")))
    assert ["".join(part.text for part in step) for step in steps] == [
        "Look closely: you can win in 2 moves.",
        "The end is at columns 2 and 6, row 1.",
        "Column 3: Red can make four at column 2 or 6, row 1 (double threat).",
    ]


def test_who_is_behind_is_told_so() -> None:
    hint = find_hint(Position.from_moves("5275221174"))
    assert hint.kind.urgency is Urgency.LATER
    thought = "".join(part.text for part in describe_hint(hint, ("Ann", "Ben"))[0])
    assert thought == "You are behind: with perfect play, Ben wins in 13 moves. Make it last."


def test_a_second_four_that_cannot_be_stopped_is_not_kept_back() -> None:
    *_, column = describe_hint(find_hint(Position.from_moves("11223")))
    assert "".join(part.text for part in column) == "Column 4 stops it."
    *_, column = describe_hint(find_hint(Position.from_moves("44553")))
    assert "".join(part.text for part in column).endswith("But Red can make another four: you are behind.")


@given(late_positions([(7, 6), (6, 5)], most_empties=20))
@examples(80)
def test_no_hint_is_wrong(position: Position) -> None:
    if position.is_over:
        return
    hint, analysis = find_hint(position), analyze(position)
    assert analysis.scores[hint.column] == max(score for score in analysis.scores if score is not None)
    soon = [
        score is not None and score < 0 and (moves_to_end(score, position.empty_count) or 0) <= 2
        for score in analysis.scores
    ]
    if any(soon):
        assert hint.kind is not HintKind.QUIET
    if hint.kind is HintKind.STOP:
        assert not soon[hint.column]
        assert hint.avoid
        assert all(soon[column] or find_risks(position)[column] for column in hint.avoid)
    assert all(0 <= column < position.width and 0 <= row < position.height for column, row in hint.cells)
    assert all("".join(part.text for part in step) for step in describe_hint(hint))


def test_a_risk_shows_the_four_that_it_is_about() -> None:
    risks = find_risks(Position.from_moves("43434"))
    assert risks[3] is None
    assert risks[0] is not None
    assert (risks[0].oversight, risks[0].cells) == ("unblocked four", ((3, 0), (3, 1), (3, 2), (3, 3)))
    double = find_risks(Position.from_moves("33447"))[0]
    assert double is not None
    assert double.oversight == "allowed double threat"
    assert len(double.cells) == 3
