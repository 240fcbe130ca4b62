"""Elo differences and the likelihood of superiority from counts of results, with Student's t distribution.

The results of games are three counts (losses, draws, wins), those of game pairs five (0, half, 1, one and a
half, 2 points): always from the worst to the best, from one agent's side. A figure that does not exist is
None, shown as "n/a"; nothing here returns nan or inf.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

ELO_PER_NAT = 400 / math.log(10)
"""Elo points in one unit of log-odds: 400 points are odds of 10 to 1 (Elo, The Rating of Chessplayers, 1978)."""

Z_95 = 1.9599639845400536
"""Standard errors on either side of a normal estimate that make an interval of 95 %."""

MIN_RESULTS = 10
"""From fewer games or game pairs, no figure is derived: a few equal results look like certainty."""

TOO_FEW = f"fewer than {MIN_RESULTS} pairs of games, too few to tell"

SURE = 0.975
"""The likelihood from which an agent is called stronger: the 95 % interval of the Elo difference then excludes 0."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval; a part that does not exist is None."""

    value: float | None = None
    low: float | None = None
    high: float | None = None


UNKNOWN = Estimate()


def elo_of_score(score: float) -> float | None:
    """Return the Elo difference at which this share of the points is expected; None at 0, 1 and beyond."""
    return ELO_PER_NAT * math.log(score / (1 - score)) if 0 < score < 1 else None


def score_of_elo(elo: float) -> float:
    """Return the share of the points expected from an agent that is this much stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_difference(counts: Sequence[int]) -> Estimate:
    """Return how much stronger this side is, from the counts of its games or of its game pairs.

    The interval is Student's of the mean score, with each end turned into Elo. Pairs are the honest unit if every
    opening is played twice: the two games share its luck. An end of the interval at or past a score of 0 or 1 does not
    exist; neither does an interval if all results are the same.
    """
    if (moments := _mean_and_error(counts)) is None:
        return UNKNOWN
    mean, error = moments
    if not error:
        return Estimate(elo_of_score(mean))
    margin = t_95(sum(counts) - 1) * error
    return Estimate(elo_of_score(mean), elo_of_score(mean - margin), elo_of_score(mean + margin))


def share_interval(counts: Sequence[int]) -> tuple[float, float] | None:
    """Return the 95 % interval of the mean score of game pairs, as a share of the points; None if there are too few.

    The interval is Student's. If all results are the same, that would be a point; then the interval reaches to the
    largest share of other results that this number of pairs misses with a probability of 2.5 %.
    """
    if (moments := _mean_and_error(counts)) is None:
        return None
    mean, error = moments
    if not error:
        same = (1 - SURE) ** (1 / sum(counts))
        return mean * same, 1 - (1 - mean) * same
    margin = t_95(sum(counts) - 1) * error
    return max(0.0, mean - margin), min(1.0, mean + margin)


def games_to_decide(counts: Sequence[int]) -> int | None:
    """Return about how many games would tell which side is stronger, if all their pairs were like these.

    None if these are even, or fewer than two.
    """
    total = sum(counts)
    if (moments := _mean_and_error(counts, least=2)) is None or moments[0] == 0.5:
        return None
    wanted = moments[1] * math.sqrt(total) / abs(moments[0] - 0.5)
    pairs = max(MIN_RESULTS, math.ceil((Z_95 * wanted) ** 2))
    while pairs < (t_95(pairs - 1) * wanted) ** 2:  # it is a little more than by the normal law
        pairs += 1
    return 2 * pairs


def likelihood_of_superiority(counts: Sequence[int]) -> float | None:
    """Return one minus the p-value of the t-test whether this side's mean score is above one half; None if too few."""
    if (moments := _mean_and_error(counts)) is None:
        return None
    mean, error = moments
    if not error:
        return 0.5 if mean == 0.5 else float(mean > 0.5)
    return t_probability((mean - 0.5) / error, sum(counts) - 1)


def verdict_on(superiority: float | None) -> str:
    """Return whether this side is the stronger one: "yes", "no" or "unclear"."""
    if superiority is None or 1 - SURE < superiority < SURE:
        return "unclear"
    return "yes" if superiority >= SURE else "no"


def superiority_words(a: str, b: str, superiority: float | None) -> str:
    """Return who of two agents is stronger, and how likely that is."""
    if superiority is None:
        return TOO_FEW
    if superiority == 0.5:
        return "unclear: even"
    name, likelihood = (a, superiority) if superiority > 0.5 else (b, 1 - superiority)
    shown = "> 99.9 %" if likelihood > 0.999 else f"{100 * likelihood:.1f} %"
    return f"{name} is stronger, {shown}" if likelihood >= SURE else f"unclear: {name} ahead, {shown}"


def _mean_and_error(counts: Sequence[int], least: int = MIN_RESULTS) -> tuple[float, float] | None:
    """Return the mean score, from 0 to 1, and its standard error; None of fewer results than the least."""
    total = sum(counts)
    if total < least:
        return None
    best = len(counts) - 1
    mean = sum(count * index for index, count in enumerate(counts)) / best / total
    squares = sum(count * (index / best - mean) ** 2 for index, count in enumerate(counts))
    return mean, math.sqrt(squares / (total - 1) / total)


def t_probability(t: float, freedom: int) -> float:
    """Return the probability that Student's t is at most this (NIST Digital Library of Mathematical Functions 8.17)."""
    share = t * t / (freedom + t * t)
    if share < 3 / (freedom + 5):  # where the continued fraction converges fast
        return 0.5 + math.copysign(_incomplete_beta(share, 0.5, freedom / 2), t) / 2
    tail = _incomplete_beta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2
    return 1 - tail if t > 0 else tail


def _incomplete_beta(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function by its continued fraction (8.17.22 there), from the inside."""
    fraction = 1.0
    for m in range(50 + 2 * math.isqrt(int(a + b)), -1, -1):
        even = (m + 1) * (b - m - 1) * x / ((a + 2 * m + 1) * (a + 2 * m + 2))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        fraction = 1 + odd / (1 + even / fraction)
    whole = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    return math.exp(whole + a * math.log(x) + b * math.log1p(-x)) / a / fraction if x else 0.0


@cache
def t_95(freedom: int) -> float:
    """Return the standard errors on either side of a mean that make an interval of 95 %."""
    low, high = 0.0, 13.0
    for _ in range(50):  # to 1e-14
        middle = (low + high) / 2
        low, high = (middle, high) if t_probability(middle, freedom) < 0.975 else (low, middle)
    return high
