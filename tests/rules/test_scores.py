"""Scores in words, and the kinds of mistake."""

from __future__ import annotations

import pytest

from connect4_agent.rules.oversights import Oversight
from connect4_agent.rules.scores import (
    Grade,
    GradeCounts,
    Mistake,
    Result,
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


def test_every_mistake_is_explained() -> None:
    explanations = {mistake: mistake.explanation for mistake in Mistake}
    assert len(set(explanations.values())) == len(Mistake)
    assert explanations[Mistake.WIN_TO_DRAW] == "gives a win away: now a draw"
    assert explanations[Mistake.SOONER_LOSS] == "loses sooner"


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
    assert mistake is None or mistake.percent == percent


def test_accuracy_is_the_mean_of_the_moves_that_count() -> None:
    counts = GradeCounts(best=5, inaccuracy=2, mistake=1, blunder=2, seen=3)
    assert (counts.moves, counts.to_see) == (10, 5)
    assert counts.accuracy == round((300 + 50) / 6, 1)


def test_without_a_move_that_counts_there_is_no_accuracy() -> None:
    assert GradeCounts().accuracy is None
    assert GradeCounts(best=8, inaccuracy=3).accuracy is None
