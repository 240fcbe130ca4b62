"""The sequential test agrees with published values and keeps its laws."""

from __future__ import annotations

import math

import pytest
import scipy  # whose parts load when they are first used: they take most of a second
from hypothesis import given

from connect4_agent import errors
from connect4_agent.arena.statistics.ratings import MIN_RESULTS, score_of_elo
from connect4_agent.arena.statistics.sprt import (
    DECISIVE,
    EMPTY_COUNT,
    SprtBounds,
    log_likelihood_ratio,
    sprt,
    sprt_words,
)
from tests.arena.statistics.test_ratings import any_counts, value_of


# Published in the tests of fastchess (sprt_test), logistic model.
@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "llr", "verdict"),
    [
        ((21184, 40708, 21404), 0.5, 2.5, -1.57, "undecided"),
        ((57030, 106593, 57433), 0, 2, -2.59, "undecided"),
        ((223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5, -3.07, "elo0 accepted"),
        ((871, 26175, 55003 + 980, 26678, 821), 0, 2, -4.98, "elo0 accepted"),
    ],
)
def test_sequential_test_agrees_with_published_values(
    counts: tuple[int, ...], elo0: float, elo1: float, llr: float, verdict: str
) -> None:
    state = sprt(counts, SprtBounds(elo0, elo1))
    assert state.llr == pytest.approx(llr, abs=0.006)
    assert state.verdict == verdict


def test_walds_bound_agrees_with_the_published_one_for_five_per_cent() -> None:
    assert round(DECISIVE, 2) == 2.94


def test_many_wins_accept_the_upper_hypothesis() -> None:
    assert sprt((100, 100, 300), SprtBounds(0, 10)).verdict == "elo1 accepted"


def test_few_results_decide_nothing() -> None:
    assert (sprt((0, 0, 0), SprtBounds(0, 5)).llr, sprt((0, 0, 0), SprtBounds(0, 5)).verdict) == (None, "undecided")
    verdicts = [sprt((0, 0, 0, 0, pairs), SprtBounds(0, 300)).verdict for pairs in (MIN_RESULTS - 1, MIN_RESULTS)]
    assert verdicts == ["undecided", "elo1 accepted"]


@given(any_counts.filter(any))
def test_the_ratio_is_finite_and_that_of_the_opponents_side_its_mirror_image(counts: tuple[int, ...]) -> None:
    own, other = (sprt(counts, SprtBounds(-3, 8)).llr, sprt(counts[::-1], SprtBounds(-8, 3)).llr)
    assert math.isfinite(value_of(own))
    assert value_of(own) == pytest.approx(-value_of(other), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("counts", [(30, 40, 55), (3, 20, 41, 25, 6), (0, 7, 13)])
def test_likelihood_ratio_agrees_with_a_numerical_maximum(counts: tuple[int, ...]) -> None:
    weights = [count or EMPTY_COUNT for count in counts]
    scores = [index / (len(counts) - 1) for index in range(len(counts))]

    def most_likely(mean: float) -> float:
        # The logarithms of the probabilities are free, so that none leaves (0, 1).
        found = scipy.optimize.minimize(
            lambda logs: -sum(weight * log for weight, log in zip(weights, logs, strict=True)),
            x0=[math.log(1 / len(counts))] * len(counts),
            constraints=[
                {"type": "eq", "fun": lambda logs: sum(math.exp(log) for log in logs) - 1},
                {
                    "type": "eq",
                    "fun": lambda logs: sum(math.exp(log) * x for log, x in zip(logs, scores, strict=True)) - mean,
                },
            ],
            method="SLSQP",
            options={"ftol": 1e-12, "maxiter": 1000},
        )
        assert found.success
        return -float(found.fun)

    score0, score1 = score_of_elo(-10), score_of_elo(30)
    expected = most_likely(score1) - most_likely(score0)
    assert log_likelihood_ratio(counts, score0, score1) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((5, 0), "elo0 is 5"),
        ((0, 0), "elo0 must be below elo1"),
        ((0, math.inf), "inf"),
    ],
)
def test_bounds_that_cannot_be_tested_are_refused(arguments: tuple[float, ...], named: str) -> None:
    with pytest.raises(errors.BadValueError, match=named):
        SprtBounds(*arguments)


@pytest.mark.parametrize(
    ("bounds", "verdict", "words"),
    [
        ((0, 100), "elo1 accepted", "ann is stronger"),
        ((0, 100), "elo0 accepted", "ann is not stronger by 100 Elo"),
        ((20, 50), "elo1 accepted", "ann is stronger by 20 Elo"),
        ((-30, 0), "elo1 accepted", "ann is not weaker by 30 Elo"),
        ((-30, 0), "elo0 accepted", "ann is not stronger"),
        ((-30, -2.5), "elo0 accepted", "ann is weaker by 2.5 Elo"),
        ((0, 100), "undecided", "not decided yet"),
    ],
)
def test_a_sequential_test_speaks_of_the_agent(bounds: tuple[float, float], verdict: str, words: str) -> None:
    assert sprt_words("ann", SprtBounds(*bounds), verdict) == words
