"""The sequential probability ratio test of two Elo differences, on the counts of games or game pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from connect4_agent import errors
from connect4_agent.arena.statistics.ratings import MIN_RESULTS, score_of_elo

EMPTY_COUNT = 1e-3
"""Replaces a count of 0 in a likelihood ratio, as in Fishtest: a result not seen is not impossible."""


ERROR_RATE = 0.05
"""The highest probability of accepting either hypothesis although the other one is true."""

DECISIVE = math.log((1 - ERROR_RATE) / ERROR_RATE)
"""At or above this log-likelihood ratio, elo1 is accepted, and at or below its negative, elo0 (Wald, Sequential
Analysis, 1947)."""


@dataclass(frozen=True, slots=True)
class SprtBounds:
    """Two hypotheses about an Elo difference."""

    elo0: float
    elo1: float

    def __post_init__(self) -> None:
        """Refuse bounds that cannot be distinguished."""
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise errors.BadValueError(f"elo0 is {self.elo0} and elo1 is {self.elo1}; elo0 must be below elo1")


UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class SprtState:
    """The state of a sequential test: `verdict` is "elo0 accepted", "elo1 accepted" or "undecided"."""

    llr: float | None
    verdict: str


def sprt_words(a: str, bounds: SprtBounds, verdict: str) -> str:
    """Return what the verdict of a sequential test says about agent a."""
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
    """Return the state of the test after these games or game pairs; fewer than MIN_RESULTS decide nothing."""
    llr = log_likelihood_ratio(counts, score_of_elo(bounds.elo0), score_of_elo(bounds.elo1))
    verdict = UNDECIDED
    if llr is not None and sum(counts) >= MIN_RESULTS:
        if llr <= -DECISIVE:
            verdict = "elo0 accepted"
        elif llr >= DECISIVE:
            verdict = "elo1 accepted"
    return SprtState(llr, verdict)


def log_likelihood_ratio(counts: Sequence[int], score0: float, score1: float) -> float | None:
    """Return the generalised log-likelihood ratio of two mean scores; None without results.

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
    """Return the root of sum w (x - s) / (1 + tilt (x - s)), which falls from +inf to -inf between its two poles."""
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
