"""Match statistics agree with published values and keep their laws."""

from __future__ import annotations

import math

import pytest
import scipy  # whose parts load when they are first used: they take most of a second
from hypothesis import assume, given
from hypothesis import strategies as st

from connect4_agent import errors
from connect4_agent.arena.statistics import ratings
from connect4_agent.arena.statistics.ratings import Estimate, SprtBounds

counts_of_games = st.tuples(*[st.integers(0, 5000)] * 3)
counts_of_pairs = st.tuples(*[st.integers(0, 5000)] * 5)
any_counts = st.one_of(counts_of_games, counts_of_pairs)


def margin(estimate: Estimate) -> float:
    """Half the width of the interval."""
    assert estimate.low is not None
    assert estimate.high is not None
    return (estimate.high - estimate.low) / 2


def value_of(number: float | None) -> float:
    assert number is not None
    return number


# Strangmueller's doubling matches of 3,000 games, 2016 (Chess Programming Wiki, Match Statistics).
@pytest.mark.parametrize(
    ("wins", "draws", "elo"), [(44.97, 49.20, 144), (41.27, 54.00, 133), (36.67, 57.93, 112), (32.67, 63.03, 101)]
)
def test_elo_of_a_score_agrees_with_published_matches(wins: float, draws: float, elo: int) -> None:
    assert round(value_of(ratings.elo_of_score((wins + draws / 2) / 100))) == elo


# Published in the tests of fastchess (elo_test): difference, half interval, likelihood of superiority.
@pytest.mark.parametrize(
    ("counts", "elo", "half_interval", "superiority"),
    [
        ((96, 111, 136), 40.70, 30.43, 0.9960),
        ((34, 54, 31 + 32, 64, 75), 55.58, 27.65, 1.0),
        ((332, 433, 457 + 41, 333, 334), -8.64, 10.33, 0.0505),
        ((7895, 8757, 5485 + 200, 568, 9999), -21.04, 2.95, 0.0),
    ],
)
def test_difference_interval_and_superiority_agree_with_published_values(
    counts: tuple[int, ...], elo: float, half_interval: float, superiority: float
) -> None:
    difference = ratings.elo_difference(counts)
    assert difference.value == pytest.approx(elo, abs=0.006)
    assert margin(difference) == pytest.approx(half_interval, abs=0.006)
    assert ratings.likelihood_of_superiority(counts) == pytest.approx(superiority, abs=0.00006)


def test_superiority_agrees_with_the_worked_example_of_the_tcec_superfinal() -> None:
    # +9 -2 =89 is 2.159 standard deviations from equality (Laskos, talkchess topic 58543).
    superiority = value_of(ratings.likelihood_of_superiority((2, 89, 9)))
    assert scipy.stats.norm.ppf(superiority) == pytest.approx(2.159, abs=0.0005)


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
    state = ratings.sprt(counts, SprtBounds(elo0, elo1))
    assert state.llr == pytest.approx(llr, abs=0.006)
    assert state.verdict == verdict


def test_walds_bounds_agree_with_the_published_ones_for_five_per_cent() -> None:
    bounds = SprtBounds(0, 5)
    assert (round(bounds.lower, 2), round(bounds.upper, 2)) == (-2.94, 2.94)


def test_many_wins_accept_the_upper_hypothesis() -> None:
    assert ratings.sprt((100, 100, 300), SprtBounds(0, 10)).verdict == "elo1 accepted"


@pytest.mark.parametrize("counts", [(30, 40, 55), (3, 20, 41, 25, 6), (0, 7, 13)])
def test_likelihood_ratio_agrees_with_a_numerical_maximum(counts: tuple[int, ...]) -> None:
    weights = [count or ratings.EMPTY_COUNT for count in counts]
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

    score0, score1 = ratings.score_of_elo(-10), ratings.score_of_elo(30)
    expected = most_likely(score1) - most_likely(score0)
    assert ratings.log_likelihood_ratio(counts, score0, score1) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("counts", [(0, 0, 0), (0, 0, 0, 0, 0)])
def test_no_results_say_nothing(counts: tuple[int, ...]) -> None:
    assert ratings.elo_difference(counts) == ratings.UNKNOWN
    assert ratings.likelihood_of_superiority(counts) is None
    state = ratings.sprt(counts, SprtBounds(0, 5))
    assert (state.llr, state.verdict) == (None, "undecided")


def test_a_clean_sweep_has_no_elo_rather_than_an_infinite_one() -> None:
    assert ratings.elo_difference((0, 0, 12)) == ratings.UNKNOWN
    assert ratings.elo_difference((12, 0, 0)) == ratings.UNKNOWN


def test_draws_alone_are_equality_without_an_interval() -> None:
    assert ratings.elo_difference((0, 12, 0)) == Estimate(0.0)
    assert ratings.likelihood_of_superiority((0, 12, 0)) is None


def test_an_interval_that_reaches_past_the_best_score_has_no_upper_end() -> None:
    difference = ratings.elo_difference((1, 0, 9))
    assert difference.low is not None
    assert difference.high is None


@given(any_counts)
def test_every_figure_is_finite_or_missing(counts: tuple[int, ...]) -> None:
    difference = ratings.elo_difference(counts)
    state = ratings.sprt(counts, SprtBounds(-5, 5))
    figures = (difference.value, difference.low, difference.high, ratings.likelihood_of_superiority(counts), state.llr)
    assert all(figure is None or math.isfinite(figure) for figure in figures)


@given(any_counts)
def test_the_opponents_side_is_the_mirror_image(counts: tuple[int, ...]) -> None:
    assume(sum(counts))
    ours, theirs = ratings.elo_difference(counts), ratings.elo_difference(counts[::-1])
    for own, other in ((ours.value, theirs.value), (ours.low, theirs.high), (ours.high, theirs.low)):
        assert (own is None) == (other is None)
        if own is not None and other is not None:
            assert own == pytest.approx(-other, abs=1e-6)
    superiority = ratings.likelihood_of_superiority(counts)
    if superiority is not None:
        assert superiority + value_of(ratings.likelihood_of_superiority(counts[::-1])) == pytest.approx(1)
    own_llr = value_of(ratings.sprt(counts, SprtBounds(-3, 8)).llr)
    other_llr = value_of(ratings.sprt(counts[::-1], SprtBounds(-8, 3)).llr)
    assert own_llr == pytest.approx(-other_llr, rel=1e-6, abs=1e-6)


@given(st.floats(-2000, 2000))
def test_elo_and_score_are_each_others_inverse(elo: float) -> None:
    assert ratings.elo_of_score(ratings.score_of_elo(elo)) == pytest.approx(elo, abs=1e-6)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((5, 0), "elo0 is 5"),
        ((0, 0), "elo0 must be below elo1"),
        ((0, math.inf), "inf"),
        ((0, 5, 0.0), "alpha is 0.0"),
        ((0, 5, 0.05, 0.5), "beta is 0.5"),
    ],
)
def test_bounds_that_cannot_be_tested_are_refused(arguments: tuple[float, ...], named: str) -> None:
    with pytest.raises(errors.BadValueError, match=named):
        SprtBounds(*arguments)


# Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17, 1998, table I (5).
@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(81, 263, 0.2527, 0.3676), (15, 148, 0.0578, 0.1617), (0, 20, 0.0, 0.1684), (1, 29, 0.0009, 0.1776)],
)
def test_the_interval_of_a_score_agrees_with_published_ones(wins: int, games: int, low: float, high: float) -> None:
    assert ratings.score_interval(wins, games) == pytest.approx((low, high), abs=0.00006)


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_interval_of_a_score_holds_it_and_is_the_mirror_image_of_the_opponents(
    half_points: int, games: int
) -> None:
    points = min(half_points / 2, games)
    low, high = ratings.score_interval(points, games)
    other_low, other_high = ratings.score_interval(games - points, games)
    assert 0 <= low <= high <= 1
    assert not games or low <= points / games <= high
    assert (low, high) == pytest.approx((1 - other_high, 1 - other_low), abs=1e-9)


def test_a_clean_sweep_proves_strength_from_six_games_on() -> None:
    assert [ratings.verdict_on(games, games) for games in (0, 5, 6)] == ["unclear", "unclear", "yes"]
    assert [ratings.verdict_on(0, games) for games in (0, 5, 6)] == ["unclear", "unclear", "no"]
    assert (ratings.verdict_on(15, 20), ratings.verdict_on(14.5, 20)) == ("yes", "unclear")


@pytest.mark.parametrize(
    ("superiority", "words"),
    [
        (None, ""),
        (0.99951, "ann is stronger, > 99.9 %"),
        (0.951, "ann is stronger, 95.1 %"),
        (0.62, "unclear: ann ahead, 62.0 %"),
        (0.0, "bob is stronger, > 99.9 %"),
        (0.4, "unclear: bob ahead, 60.0 %"),
    ],
)
def test_superiority_is_said_of_the_agent_that_is_ahead(superiority: float | None, words: str) -> None:
    assert ratings.superiority_words("ann", "bob", superiority) == words


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
    assert ratings.sprt_words("ann", SprtBounds(*bounds), verdict) == words
