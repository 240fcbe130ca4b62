"""Scores in words, and the kinds of mistake."""

from __future__ import annotations

import pytest

from connect4_agent.rules.oversights import Oversight
from connect4_agent.rules.scores import (
    Grade,
    Mistake,
    Result,
    accuracy,
    grade_of,
    moves_to_end,
    result_of,
    verdict,
)


@pytest.mark.parametrize(
    ("score", "empty_count", "result", "count", "words"),
    [
        (21, 42, Result.WIN, 1, "wins in 1 move"),
        (1, 42, Result.WIN, 21, "wins in 21 moves"),
        (18, 35, Result.WIN, 1, "wins in 1 move"),
        (0, 42, Result.DRAW, None, "draws"),
        (-1, 42, Result.LOSS, 21, "loses in 21 moves"),
        (-17, 35, Result.LOSS, 1, "loses in 1 move"),
    ],
)
def test_a_score_in_words(score: int, empty_count: int, result: Result, count: int | None, words: str) -> None:
    assert result_of(score) is result
    assert moves_to_end(score, empty_count) == count
    assert verdict(score, empty_count) == words


@pytest.mark.parametrize(
    ("mistake", "grade", "percent"),
    [
        (None, Grade.BEST, 100),
        (Mistake.SLOWER_WIN, Grade.INACCURACY, 75),
        (Mistake.SOONER_LOSS, Grade.INACCURACY, 75),
        (Mistake.WIN_TO_DRAW, Grade.MISTAKE, 25),
        (Mistake.DRAW_TO_LOSS, Grade.MISTAKE, 25),
        (Mistake.WIN_TO_LOSS, Grade.MISTAKE, 0),
    ],
)
def test_only_an_oversight_is_a_blunder(mistake: Mistake | None, grade: Grade, percent: int) -> None:
    assert grade_of(mistake) is grade
    assert {grade_of(mistake, oversight) for oversight in Oversight} == {Grade.BLUNDER}
    assert accuracy([mistake]) == percent


def test_accuracy_is_the_mean_percentage_of_moves() -> None:
    assert accuracy([]) is None
    assert accuracy([None, Mistake.SLOWER_WIN, Mistake.WIN_TO_LOSS]) == round(175 / 3, 1)


def test_every_grade_but_the_best_has_a_mark() -> None:
    assert [grade.mark for grade in Grade] == ["", "?!", "?", "??"]
