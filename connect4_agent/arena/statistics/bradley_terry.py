"""Bradley-Terry ratings, with intervals and ranges of ranks, of agents that met in any pairings.

Agent a takes a point from b with probability 1 / (1 + exp(strength b - strength a)); a draw counts as half
a point for each (Bradley and Terry, Rank analysis of incomplete block designs, Biometrika 39, 1952).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from operator import mul
from random import Random
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.arena.statistics.ratings import ELO_PER_NAT, UNKNOWN, Z_95, Estimate

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    Points = Mapping[tuple[str, str], float]
    """Each agent's points against every other agent that it met."""

    Matrix = list[list[float]]

MAX_STEPS = 200
"""Newton's method needs about ten steps; a step that does not improve is halved, which counts as another."""

SMALLEST_STEP = 1e-10
"""In units of log-odds: about 1e-8 Elo."""

RANK_DRAWS = 10_000
"""The number of times that ratings are drawn to find how far ranks may vary, for up to 60 agents."""

RANK_PRODUCTS = RANK_DRAWS * 60**2
"""With more agents there are fewer draws, but at least a tenth: their work grows with the square of the agents."""

RANK_TAIL = 0.025
"""The share of the draws on either side of a range of ranks."""


NO_GAMES = "no rated games"


@dataclass(frozen=True, slots=True)
class Rating:
    """An agent's Elo on the scale of its run, and the range of its rank; `note` says why it has none, if so."""

    elo: Estimate
    ranks: tuple[int, int] | None = None
    note: str = ""


def rate(
    agents: Sequence[str],
    points: Points,
    anchor: str | None = None,
    *,
    prior: bool = True,
    unranked: Collection[str] = (),
) -> dict[str, Rating]:
    """Return the most likely ratings.

    The anchor is rated 0, exactly; without one, the mean of the rated agents is 0. The unranked agents are rated, but
    take nobody's rank.

    With `prior`, every agent that met another one has also drawn a game against an imagined agent of middle strength
    (Whelan and Wodon, Prediction and evaluation in college hockey using the Bradley-Terry-Zermelo model, 2020), so that
    every such agent has a rating. Without, each of them must have taken points from every other, directly or through
    third agents (Ford, Solution of a ranking problem from binary comparisons, 1957).
    """
    if anchor is not None and anchor not in agents:
        raise errors.BadValueError(f"the anchor is {anchor!r}; the agents are {', '.join(map(repr, agents))}")
    met = {name for pair, value in points.items() if value for name in pair}
    group = sorted(agent for agent in agents if agent in met)  # the draws do not depend on the agents' order
    ratings = {agent: Rating(UNKNOWN, note=NO_GAMES) for agent in agents}
    if anchor is not None and anchor not in group:
        raise errors.BadValueError(f"the anchor {anchor!r} cannot be rated: {ratings[anchor].note}")
    if not group:
        return ratings
    taken = [[points.get((a, b), 0.0) for b in group] for a in group]
    if prior:
        taken = [[0.0] + [0.5] * len(group), *([0.5, *row] for row in taken)]
    strengths = _most_likely_strengths(taken)
    factor = _inverse_factor(_information(taken, strengths))
    first = 1 if prior else 0  # the place of the first agent, behind the imagined one
    zero = [float(agent == anchor) for agent in group] if anchor else [1 / len(group)] * len(group)
    middle = sum(map(mul, zero, strengths[first:]))
    ranked = [place for place, agent in enumerate(group) if agent not in unranked]
    ranks = _rank_ranges(strengths, factor, first, ranked)
    for index, agent in enumerate(group):
        elo = ELO_PER_NAT * (strengths[first + index] - middle)
        weights = [float(other == index) - weight for other, weight in enumerate(zero)]
        margin = Z_95 * ELO_PER_NAT * _deviation(weights[1 - first :], factor)
        estimate = Estimate(0.0) if agent == anchor else Estimate(elo, elo - margin, elo + margin)
        ratings[agent] = Rating(estimate, ranks.get(index))
    return ratings


def _most_likely_strengths(taken: Matrix) -> list[float]:
    """Return the maximum of the concave log-likelihood by Newton's method; the first strength stays 0.

    `taken` has the points of each row's agent against each column's.
    """
    strengths = [0.0] * len(taken)
    likelihood = _log_likelihood(taken, strengths)
    scale = 1.0
    step: list[float] = []
    for _ in range(MAX_STEPS):
        if not step:
            factor = _inverse_factor(_information(taken, strengths))
            gradient = _gradient(taken, strengths)[1:]
            step = [0.0, *_times(_columns(factor), _times(factor, gradient)[::-1])]
            scale = 1.0
        if max(map(abs, step)) * scale < SMALLEST_STEP:
            break
        attempt = [strength + scale * part for strength, part in zip(strengths, step, strict=True)]
        gained = _log_likelihood(taken, attempt)
        if gained >= likelihood:
            strengths, likelihood, step = attempt, gained, []
        else:
            scale /= 2
    return strengths


def _log_likelihood(taken: Matrix, strengths: Sequence[float]) -> float:
    total = 0.0
    for strength, row in zip(strengths, taken, strict=True):
        for other, value in zip(strengths, row, strict=True):
            if value:
                gap = other - strength
                # log(1 + exp(gap)), written so that a large gap does not overflow
                total -= value * (max(gap, 0.0) + math.log1p(math.exp(-abs(gap))))
    return total


def _expected(strength: float, other: float) -> float:
    """Return the probability of a point, for gaps of any size."""
    return 0.5 * (1 + math.tanh((strength - other) / 2))


def _gradient(taken: Matrix, strengths: Sequence[float]) -> list[float]:
    """Return points taken less points expected."""
    slopes = [0.0] * len(taken)
    for a, row in enumerate(taken):
        for b in range(a):
            if met := row[b] + taken[b][a]:
                surplus = row[b] - met * _expected(strengths[a], strengths[b])
                slopes[a] += surplus
                slopes[b] -= surplus
    return slopes


def _information(taken: Matrix, strengths: Sequence[float]) -> Matrix:
    """Return Fisher's information about the strengths, without the first, which is held at 0."""
    matrix = [[0.0] * len(taken) for _ in taken]
    for a, row in enumerate(taken):
        for b in range(a):
            if met := row[b] + taken[b][a]:
                expected = _expected(strengths[a], strengths[b])
                weight = met * expected * (1 - expected)
                matrix[a][b] = matrix[b][a] = -weight
                matrix[a][a] += weight
                matrix[b][b] += weight
    return [row[1:] for row in matrix[1:]]


def _inverse_factor(information: Matrix) -> Matrix:
    """Return a lower triangle F with F' F = the inverse of the information, the strengths' covariances.

    F is the inverse of Cholesky's factor; the rows are as long as the triangle's.
    """
    root: Matrix = []
    factor: Matrix = []
    for index, row in enumerate(information):
        line: list[float] = []
        for other in range(index):
            line.append((row[other] - sum(map(mul, line, root[other]))) / root[other][other])
        pivot = math.sqrt(row[index] - sum(map(mul, line, line)))
        solved = [0.0] * index
        for weight, above in zip(line, factor, strict=True):
            for place, cell in enumerate(above):
                solved[place] -= weight * cell
        root.append([*line, pivot])
        factor.append([*(cell / pivot for cell in solved), 1 / pivot])
    return factor


def _columns(factor: Matrix) -> Matrix:
    """Return the columns of the triangle, each from below and without its zeros."""
    last = len(factor) - 1
    return [[factor[row][column] for row in range(last, column - 1, -1)] for column in range(last + 1)]


def _times(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    """Return the product; rows may be shorter than the vector."""
    return [sum(map(mul, row, vector)) for row in matrix]


def _deviation(weights: Sequence[float], factor: Matrix) -> float:
    """Return the standard deviation of a weighted sum of the strengths."""
    return math.hypot(*_times(factor, weights))


def _rank_ranges(
    strengths: Sequence[float], factor: Matrix, first: int, ranked: Sequence[int]
) -> dict[int, tuple[int, int]]:
    """Return the ranks of these agents in 95 % of the draws from the joint normal distribution of the strengths.

    Each draw is used twice, with either sign, which halves the work.
    """
    size = len(strengths) - first
    columns = _columns(factor)
    draws = max(RANK_DRAWS // 10, min(RANK_DRAWS, RANK_PRODUCTS // size**2))
    held = [0.0] * (1 - first)
    own = strengths[first:]
    counts = {place: [0] * len(ranked) for place in ranked}
    gauss = Random(0).gauss
    for _ in range(draws // 2):
        numbers = [gauss(0.0, 1.0) for _ in columns]
        shifts = [*held, *_times(columns, numbers)]
        for drawn in (
            [strength - shift for strength, shift in zip(own, shifts, strict=True)],
            [strength + shift for strength, shift in zip(own, shifts, strict=True)],
        ):
            for rank, place in enumerate(sorted(ranked, key=drawn.__getitem__, reverse=True)):
                counts[place][rank] += 1
    return {place: _find_range(ranks, RANK_TAIL * 2 * (draws // 2)) for place, ranks in counts.items()}


def _find_range(counts: Sequence[int], tail: float) -> tuple[int, int]:
    """Return the ranks, from 1, at which more than `tail` counts have been seen from either end."""
    ends = []
    for order in (counts, counts[::-1]):
        seen = place = 0
        while (seen := seen + order[place]) <= tail:
            place += 1
        ends.append(place)
    return 1 + ends[0], len(counts) - ends[1]
