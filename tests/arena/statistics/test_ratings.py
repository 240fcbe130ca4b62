"""Figures of pairings agree with scipy and published values, keep their laws, and call no equals stronger by luck."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import pytest
import scipy  # whose parts load when they are first used: they take most of a second
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent.arena.statistics import ratings
from connect4_agent.arena.statistics.ratings import (
    MIN_RESULTS,
    TOO_FEW,
    UNKNOWN,
    Z_95,
    Estimate,
    games_to_decide,
    share_interval,
    t_95,
)
from tests.effort import examples

few_or_many = st.one_of(st.integers(0, 6), st.integers(0, 5000))
counts_of_games = st.tuples(*[few_or_many] * 3)
counts_of_pairs = st.tuples(*[few_or_many] * 5)
any_counts = st.one_of(counts_of_games, counts_of_pairs)


def test_a_normal_interval_of_95_per_cent_is_that_of_scipy() -> None:
    assert pytest.approx(scipy.stats.norm.ppf(0.975), abs=1e-15) == Z_95


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


@pytest.mark.parametrize("freedom", [1, 2, 9, 10, 19, 100, 1000, 500_000])
def test_students_distribution_is_that_of_scipy(freedom: int) -> None:
    assert ratings.t_95(freedom) == pytest.approx(scipy.stats.t.ppf(0.975, freedom), rel=1e-9)
    for t in (0, 1e-3, 0.5, 1, 1.5, 1.7, 2, 2.5, 4, 10, 300):
        for signed in (t, -t):
            expected = scipy.stats.t.cdf(signed, freedom)
            assert ratings.t_probability(signed, freedom) == pytest.approx(expected, abs=1e-9)


@examples(60)
@given(any_counts.filter(lambda counts: MIN_RESULTS <= sum(counts) > max(counts)))
def test_interval_and_superiority_are_those_of_the_t_test_in_scipy(counts: tuple[int, ...]) -> None:
    results = [index / (len(counts) - 1) for index, count in enumerate(counts) for _ in range(count)]
    test = scipy.stats.ttest_1samp(results, 0.5, alternative="two-sided")
    low, high = test.confidence_interval(0.95)
    greater = scipy.stats.ttest_1samp(results, 0.5, alternative="greater")
    found = ratings.elo_difference(counts)
    for own, score in ((found.value, sum(results) / len(results)), (found.low, low), (found.high, high)):
        assert (own is None) == (not 0 < score < 1)
        assert own is None or ratings.score_of_elo(own) == pytest.approx(score, abs=1e-9)
    superiority = value_of(ratings.likelihood_of_superiority(counts))
    assert superiority == pytest.approx(1 - greater.pvalue, abs=1e-9)
    if abs(test.pvalue - 0.05) > 1e-6:
        assert (ratings.verdict_on(superiority) == "unclear") == (low < 0.5 < high)


# Published in the tests of fastchess (elo_test), with the normal law, which many results approach.
@pytest.mark.parametrize(
    ("counts", "elo", "half_interval", "superiority"),
    [
        ((332, 433, 457 + 41, 333, 334), -8.64, 10.33, 0.0505),
        ((7895, 8757, 5485 + 200, 568, 9999), -21.04, 2.95, 0.0),
    ],
)
def test_figures_of_many_results_agree_with_published_values(
    counts: tuple[int, ...], elo: float, half_interval: float, superiority: float
) -> None:
    difference = ratings.elo_difference(counts)
    assert difference.value == pytest.approx(elo, abs=0.006)
    assert margin(difference) == pytest.approx(half_interval, abs=0.015)
    assert ratings.likelihood_of_superiority(counts) == pytest.approx(superiority, abs=0.0002)


@pytest.mark.parametrize("counts", [(0, 0, 0), (0, 0, 0, 0, MIN_RESULTS - 1), (1, 1, 1, 1, 5)])
def test_few_results_say_nothing(counts: tuple[int, ...]) -> None:
    assert ratings.elo_difference(counts) == UNKNOWN
    assert ratings.likelihood_of_superiority(counts) is None
    assert ratings.verdict_on(None) == "unclear"
    assert ratings.superiority_words("ann", "bob", None) == TOO_FEW


def test_equal_results_have_a_superiority_but_no_interval() -> None:
    """A clean sweep has no Elo difference rather than an infinite one."""
    sweep, draws = (0, 0, 0, 0, MIN_RESULTS), (0, MIN_RESULTS, 0)
    assert (ratings.elo_difference(sweep), ratings.elo_difference(sweep[::-1])) == (UNKNOWN, UNKNOWN)
    assert (ratings.likelihood_of_superiority(sweep), ratings.likelihood_of_superiority(sweep[::-1])) == (1, 0)
    assert (ratings.elo_difference(draws), ratings.likelihood_of_superiority(draws)) == (Estimate(0.0), 0.5)


def all_counts(pairs: int, kinds: int = 5) -> Iterator[tuple[int, ...]]:
    """All counts of that many pairs."""
    if kinds == 1:
        yield (pairs,)
        return
    for count in range(pairs + 1):
        yield from ((count, *others) for others in all_counts(pairs - count, kinds - 1))


def chance_of(counts: Sequence[int], chances: Sequence[float]) -> float:
    """The multinomial probability of these counts."""
    result = math.factorial(sum(counts)) * math.prod(chance**n for chance, n in zip(chances, counts, strict=True))
    return result / math.prod(map(math.factorial, counts))


@pytest.mark.parametrize("pairs", [MIN_RESULTS, 20])
@pytest.mark.parametrize(("first_wins", "draw"), [(0.5, 0.0), (0.56, 0.0), (0.8, 0.0), (0.3, 0.4), (0.1, 0.8)])
def test_one_equal_in_twenty_is_called_stronger_at_most(pairs: int, first_wins: float, draw: float) -> None:
    """The exact rate, over all results of agents that are equal; 0.56 is that of two random players."""
    one = (1 - first_wins - draw, draw, first_wins)
    chances = [0.0] * 5
    for points, chance in enumerate(one):
        for others, other in enumerate(one[::-1]):
            chances[points + others] += chance * other
    rate = sum(
        chance_of(counts, chances)
        for counts in all_counts(pairs)
        if ratings.verdict_on(ratings.likelihood_of_superiority(counts)) != "unclear"
    )
    assert 0.03 < rate < 0.055


@given(any_counts)
def test_the_opponents_side_is_the_mirror_image(counts: tuple[int, ...]) -> None:
    ours, theirs = ratings.elo_difference(counts), ratings.elo_difference(counts[::-1])
    for own, other in ((ours.value, theirs.value), (ours.low, theirs.high), (ours.high, theirs.low)):
        assert (own is None) == (other is None)
        if own is not None and other is not None:
            assert math.isfinite(own)
            assert own == pytest.approx(-other, abs=1e-6)
    superiority, inferiority = map(ratings.likelihood_of_superiority, (counts, counts[::-1]))
    assert (superiority is None) == (inferiority is None) == (sum(counts) < MIN_RESULTS)
    if superiority is not None:
        assert superiority + value_of(inferiority) == pytest.approx(1)


@given(st.floats(-2000, 2000))
def test_elo_and_score_are_each_others_inverse(elo: float) -> None:
    assert ratings.elo_of_score(ratings.score_of_elo(elo)) == pytest.approx(elo, abs=1e-6)


@pytest.mark.parametrize(
    ("superiority", "words", "verdict"),
    [
        (0.99951, "ann is stronger, > 99.9 %", "yes"),
        (0.976, "ann is stronger, 97.6 %", "yes"),
        (0.974, "unclear: ann ahead, 97.4 %", "unclear"),
        (0.5, "unclear: even", "unclear"),
        (0.4, "unclear: bob ahead, 60.0 %", "unclear"),
        (0.0, "bob is stronger, > 99.9 %", "no"),
    ],
)
def test_superiority_is_said_of_the_agent_that_is_ahead(superiority: float, words: str, verdict: str) -> None:
    assert ratings.superiority_words("ann", "bob", superiority) == words
    assert ratings.verdict_on(superiority) == verdict


def test_the_interval_of_a_share_is_students_or_exact_if_all_results_are_the_same() -> None:
    assert share_interval((0, 0, 0, 0, 9)) is None
    low, high = share_interval((0, 0, 0, 0, 20)) or (0.0, 0.0)
    assert [low, high] == [pytest.approx(0.025 ** (1 / 20)), 1]  # the exact bound for 20 of 20 (Clopper-Pearson)
    assert [*(share_interval((20, 0, 0, 0, 0)) or ())] == [0, pytest.approx(1 - low)]
    low, high = share_interval((2, 3, 5, 3, 7)) or (0.0, 0.0)
    assert (low + high) / 2 == pytest.approx(0.625)
    assert (high - low) / 2 == pytest.approx(2.0930 * 0.34887 / math.sqrt(20), rel=1e-3)  # t, deviation


@pytest.mark.parametrize(
    "counts", [(1, 1, 2, 1, 2), (4, 3, 5, 3, 7), (5, 0, 0, 0, 6), (0, 0, 1, 0, 1), (9, 0, 4, 0, 1)]
)
def test_as_many_games_as_are_said_would_decide_and_two_fewer_would_not(counts: tuple[int, ...]) -> None:
    games = games_to_decide(counts)
    assert games is not None
    total = sum(counts)
    mean = sum(count * points for points, count in enumerate(counts)) / 4 / total
    deviation = math.sqrt(sum(count * (points / 4 - mean) ** 2 for points, count in enumerate(counts)) / (total - 1))

    def is_decided(pairs: int) -> bool:
        return t_95(pairs - 1) * deviation / math.sqrt(pairs) < abs(mean - 0.5) * (1 + 1e-9)

    assert is_decided(games // 2)
    assert games == 20 or not is_decided(games // 2 - 1)


def test_even_results_and_too_few_say_nothing_about_how_many_games_would_decide() -> None:
    assert games_to_decide((2, 0, 0, 0, 2)) is None
    assert games_to_decide((0, 0, 0, 0, 1)) is None
    assert games_to_decide((0, 0, 0, 0, 5)) == 20
