"""Estimates of strength from counts of results, as pure functions; bradley_terry.py rates more than two agents.

The results of games are three counts (losses, draws, wins), those of game pairs five (0, half, 1, one and a
half, 2 points): always from the worst to the best, from one agent's side. A figure that does not exist is
None, shown as "n/a"; nothing here returns nan or inf.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from connect4_agent import errors

ELO_PER_NAT = 400 / math.log(10)
"""Elo points in one unit of log-odds: 400 points are odds of 10 to 1 (Elo, The Rating of Chessplayers, 1978)."""

Z_95 = NormalDist().inv_cdf(0.975)
"""Standard errors on either side of an estimate that make an interval of 95 %."""

EMPTY_COUNT = 1e-3
"""Replaces a count of 0 in a likelihood ratio, as in Fishtest: a result not seen is not impossible."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval; a part that does not exist is None."""

    value: float | None = None
    low: float | None = None
    high: float | None = None


UNKNOWN = Estimate()


def elo_of_score(score: float) -> float | None:
    """The Elo difference at which this share of the points is expected; None at 0, 1 and beyond."""
    return ELO_PER_NAT * math.log(score / (1 - score)) if 0 < score < 1 else None


def score_of_elo(elo: float) -> float:
    """The share of the points expected from an agent that is this much stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def _mean_and_variance(counts: Sequence[float]) -> tuple[float, float] | None:
    """Mean and variance of one result, scaled to 0 for the worst and 1 for the best; None without results."""
    total = sum(counts)
    if not total:
        return None
    best = len(counts) - 1
    mean = sum(count * index / best for index, count in enumerate(counts)) / total
    return mean, sum(count * (index / best - mean) ** 2 for index, count in enumerate(counts)) / total


def elo_difference(counts: Sequence[int]) -> Estimate:
    """How much stronger this side is, from the counts of its games or of its game pairs.

    The mean score plus and minus 1.96 standard errors, each end turned into Elo: the form that fastchess and
    Fishtest print (Chess Programming Wiki, Match Statistics). Pairs are the honest unit if every opening is
    played twice: the two games share its luck. An end of the interval at or past
    a score of 0 or 1 does not exist; neither does an interval if all results are the same.
    """
    moments = _mean_and_variance(counts)
    if moments is None:
        return UNKNOWN
    mean, variance = moments
    if variance == 0:
        return Estimate(elo_of_score(mean))
    margin = Z_95 * math.sqrt(variance / sum(counts))
    return Estimate(elo_of_score(mean), elo_of_score(mean - margin), elo_of_score(mean + margin))


def likelihood_of_superiority(counts: Sequence[int]) -> float | None:
    """The likelihood that this side is the stronger one: the normal probability of a mean score above one half.

    (Chess Programming Wiki, Match Statistics; with the observed variance, so that it holds for games and for
    pairs.) None if all results are the same.
    """
    moments = _mean_and_variance(counts)
    if moments is None or moments[1] == 0:
        return None
    mean, variance = moments
    return NormalDist().cdf((mean - 0.5) / math.sqrt(variance / sum(counts)))


def score_interval(points: float, games: int) -> tuple[float, float]:
    """Return bounds of the expected score, by Clopper and Pearson (Biometrika 26, 1934): at least 95 % sure.

    Half a point is rounded away from the bound that it would help, and draws make results vary less than this assumes:
    both only widen the interval. Without games, it is 0 to 1.
    """
    wins = math.floor(points), math.floor(games - points)
    low, high = (_lowest_chance(won, games) for won in wins)
    return low, 1 - high


def _lowest_chance(wins: int, games: int) -> float:
    """Return the chance of winning a game at which as many wins, or more, have the probability 2.5 %."""
    if not wins:
        return 0.0
    low, high = 0.0, 1.0
    for _ in range(50):  # to 1e-15
        middle = (low + high) / 2
        low, high = (middle, high) if _chance_of(wins, games, middle) < 0.025 else (low, middle)
    return low


def _chance_of(wins: int, games: int, chance: float) -> float:
    """The probability of that many wins or more, if every game is won with this chance."""
    whole, won, lost = math.lgamma(games + 1), math.log(chance), math.log1p(-chance)
    return math.fsum(
        math.exp(whole - math.lgamma(k + 1) - math.lgamma(games - k + 1) + k * won + (games - k) * lost)
        for k in range(wins, games + 1)
    )


def verdict_on(points: float, games: int) -> str:
    """Return whether this side is the stronger one: "yes", "no" or "unclear", by the bounds of its score."""
    low, high = score_interval(points, games)
    if low > 0.5:
        return "yes"
    return "no" if high < 0.5 else "unclear"


def superiority_words(a: str, b: str, superiority: float | None) -> str:
    """Who of two agents is stronger, and how likely that is; empty if it is not known."""
    if superiority is None:
        return ""
    name, likelihood = (a, superiority) if superiority >= 0.5 else (b, 1 - superiority)
    shown = "> 99.9 %" if likelihood > 0.999 else f"{100 * likelihood:.1f} %"
    return f"{name} is stronger, {shown}" if likelihood >= 0.95 else f"unclear: {name} ahead, {shown}"


@dataclass(frozen=True, slots=True)
class SprtBounds:
    """Two hypotheses about an Elo difference, and the error rates allowed in testing them."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """The highest allowed probability of accepting elo1 although elo0 is true."""
    beta: float = 0.05
    """The highest allowed probability of accepting elo0 although elo1 is true."""

    def __post_init__(self) -> None:
        """Refuse bounds that cannot be told apart."""
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise errors.BadValueError(f"elo0 is {self.elo0} and elo1 is {self.elo1}; elo0 must be below elo1")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise errors.BadValueError(f"{name} is {rate}; allowed is an error rate between 0 and 0.5")

    @property
    def lower(self) -> float:
        """At or below this log-likelihood ratio, elo0 is accepted (Wald, Sequential Analysis, 1947)."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """At or above this log-likelihood ratio, elo1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)


UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class SprtState:
    """The state of a sequential test: `verdict` is "elo0 accepted", "elo1 accepted" or "undecided"."""

    llr: float | None
    lower: float
    upper: float
    verdict: str


def sprt_words(a: str, bounds: SprtBounds, verdict: str) -> str:
    """What the verdict of a sequential test says about agent a."""
    if verdict == "elo1 accepted":
        elo, is_above = bounds.elo0, True
    elif verdict == "elo0 accepted":
        elo, is_above = bounds.elo1, False
    else:
        return "not decided yet"
    if elo == 0:
        return f"{a} is {'stronger' if is_above else 'not stronger'}"
    kind, is_kind = ("stronger", is_above) if elo > 0 else ("weaker", not is_above)
    return f"{a} is {'' if is_kind else 'not '}{kind} by {abs(elo):g} Elo"


def sprt(counts: Sequence[int], bounds: SprtBounds) -> SprtState:
    """The sequential probability ratio test of two Elo differences on the counts of games or game pairs."""
    llr = log_likelihood_ratio(counts, score_of_elo(bounds.elo0), score_of_elo(bounds.elo1))
    verdict = UNDECIDED
    if llr is not None and llr <= bounds.lower:
        verdict = "elo0 accepted"
    elif llr is not None and llr >= bounds.upper:
        verdict = "elo1 accepted"
    return SprtState(llr, bounds.lower, bounds.upper, verdict)


def log_likelihood_ratio(counts: Sequence[int], score0: float, score1: float) -> float | None:
    """The generalised log-likelihood ratio of two mean scores; None without results.

    How often each result occurs is a nuisance parameter: under either mean it takes its most likely value
    (Van den Bergh's note on Fishtest's statistics, support_MLE_multinomial.pdf, Proposition 1.1).
    """
    if not sum(counts):
        return None
    weights = [count or EMPTY_COUNT for count in counts]
    best = len(counts) - 1
    total = 0.0
    tilts = [(_tilt(weights, score), score) for score in (score0, score1)]
    for index, weight in enumerate(weights):
        # The most likely probability of a result x is its frequency divided by 1 + tilt (x - mean).
        under0, under1 = (1 + tilt * (index / best - score) for tilt, score in tilts)
        total += weight * (math.log(under0) - math.log(under1))
    return total


def _tilt(weights: Sequence[float], score: float) -> float:
    """The root of sum w (x - s) / (1 + tilt (x - s)), which falls from +inf to -inf between its two poles."""
    best = len(weights) - 1
    low, high = -1 / (1 - score), 1 / score
    for _ in range(200):  # each halves the range: far past the precision of a float
        middle = (low + high) / 2
        if not low < middle < high:
            break
        slope = sum(
            weight * (index / best - score) / (1 + middle * (index / best - score))
            for index, weight in enumerate(weights)
        )
        low, high = (middle, high) if slope > 0 else (low, middle)
    return (low + high) / 2
