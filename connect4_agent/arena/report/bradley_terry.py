"""Bradley-Terry ratings, with intervals, of agents that met in any pairings.

Agent a takes a point from b with probability 1 / (1 + exp(strength b - strength a)); a draw counts as half
a point for each (Bradley and Terry, Rank analysis of incomplete block designs, Biometrika 39, 1952).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.arena.report.ratings import ELO_PER_NAT, UNKNOWN, Z_95, Estimate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Points = Mapping[tuple[str, str], float]
    """Each agent's points against every other agent that it met."""

MAX_STEPS = 200
"""Newton's method needs about ten steps; a step that does not improve is halved, which counts as another."""

SMALLEST_STEP = 1e-10
"""In units of log-odds: about 1e-8 Elo."""


@dataclass(frozen=True, slots=True)
class Rating:
    """An agent's Elo on the scale of its run; `note` says why it has none, if so."""

    elo: Estimate
    note: str = ""


def rate(agents: Sequence[str], points: Points, anchor: str | None = None) -> dict[str, Rating]:
    """The ratings that make the results most likely.

    The anchor is rated 0, exactly; without one, the mean of the rated agents is 0. A finite maximum exists among
    agents each of which took points from every other, directly or through third agents (Ford, Solution of a
    ranking problem from binary comparisons, 1957). The largest such group, or the anchor's, is rated;
    an agent that only won or only lost against that group, or never met it, is not.
    """
    if anchor is not None and anchor not in agents:
        raise errors.BadValueError(f"the anchor is {anchor!r}; the agents are {', '.join(map(repr, agents))}")
    below = {agent: _agents_below(agent, agents, points) for agent in agents}
    group = _rated_group(agents, below, anchor)
    ratings = {agent: Rating(UNKNOWN, _why_unrated(agent, group, below, points)) for agent in agents}
    if not group:
        return ratings
    strengths = _most_likely_strengths(group, points)
    spread = _inverse(_information(group, points, strengths))
    zero = [float(agent == anchor) for agent in group] if anchor else [1 / len(group)] * len(group)
    middle = sum(weight * strength for weight, strength in zip(zero, strengths, strict=True))
    for index, agent in enumerate(group):
        elo = ELO_PER_NAT * (strengths[index] - middle)
        variance = _variance([float(other == index) - weight for other, weight in enumerate(zero)], spread)
        margin = Z_95 * ELO_PER_NAT * math.sqrt(max(variance, 0.0))
        ratings[agent] = Rating(Estimate(0.0) if agent == anchor else Estimate(elo, elo - margin, elo + margin))
    return ratings


def _agents_below(agent: str, agents: Sequence[str], points: Points) -> set[str]:
    """The agents that this one took points from, those that they took points from, and so on."""
    below: set[str] = set()
    pending = [agent]
    while pending:
        winner = pending.pop()
        for loser in agents:
            if loser not in below and points.get((winner, loser), 0) > 0:
                below.add(loser)
                pending.append(loser)
    return below


def _rated_group(agents: Sequence[str], below: Mapping[str, set[str]], anchor: str | None) -> list[str]:
    """The agents between which differences are finite; empty if there are not two of them."""
    largest: list[str] = []
    for agent in agents if anchor is None else [anchor]:
        group = [other for other in agents if other in below[agent] and agent in below[other]]
        if len(group) > max(len(largest), 1):
            largest = group
    return largest


def _why_unrated(agent: str, group: Sequence[str], below: Mapping[str, set[str]], points: Points) -> str:
    took = sum(value for (winner, _), value in points.items() if winner == agent)
    gave = sum(value for (_, loser), value in points.items() if loser == agent)
    if not took and not gave:
        return "has no rated games"
    if not gave:
        return "won every point"
    if not took:
        return "won no points"
    if any(other in below[agent] for other in group):
        return "lost no points to the rated agents"
    if any(agent in below[other] for other in group):
        return "won no points from the rated agents"
    return "has no two-sided results with the rated agents"


def _most_likely_strengths(group: Sequence[str], points: Points) -> list[float]:
    """Newton's method on the concave log-likelihood; the first agent's strength stays 0."""
    strengths = [0.0] * len(group)
    likelihood = _log_likelihood(group, points, strengths)
    scale = 1.0
    step: list[float] = []
    for _ in range(MAX_STEPS):
        if not step:
            gradient = _gradient(group, points, strengths)
            spread = _inverse(_information(group, points, strengths))
            step = [sum(cell * slope for cell, slope in zip(row, gradient, strict=True)) for row in spread]
            scale = 1.0
        if max(abs(scale * part) for part in step) < SMALLEST_STEP:
            break
        attempt = [strength + scale * part for strength, part in zip(strengths, step, strict=True)]
        gained = _log_likelihood(group, points, attempt)
        if gained >= likelihood:
            strengths, likelihood, step = attempt, gained, []
        else:
            scale /= 2
    return strengths


def _log_likelihood(group: Sequence[str], points: Points, strengths: Sequence[float]) -> float:
    total = 0.0
    for a, winner in enumerate(group):
        for b, loser in enumerate(group):
            value = points.get((winner, loser), 0)
            if value and a != b:
                gap = strengths[b] - strengths[a]
                # log(1 + exp(gap)), written so that a large gap does not overflow
                total -= value * (max(gap, 0.0) + math.log1p(math.exp(-abs(gap))))
    return total


def _expected(strength: float, other: float) -> float:
    """The probability of a point, for gaps of any size."""
    return 0.5 * (1 + math.tanh((strength - other) / 2))


def _gradient(group: Sequence[str], points: Points, strengths: Sequence[float]) -> list[float]:
    """Points taken less points expected."""
    slopes = [0.0] * len(group)
    for a, winner in enumerate(group):
        for b, loser in enumerate(group):
            if a != b:
                met = points.get((winner, loser), 0) + points.get((loser, winner), 0)
                slopes[a] += points.get((winner, loser), 0) - met * _expected(strengths[a], strengths[b])
    return slopes


def _information(group: Sequence[str], points: Points, strengths: Sequence[float]) -> list[list[float]]:
    """Fisher's information about the strengths."""
    matrix = [[0.0] * len(group) for _ in group]
    for a, winner in enumerate(group):
        for b, loser in enumerate(group):
            if a != b:
                met = points.get((winner, loser), 0) + points.get((loser, winner), 0)
                expected = _expected(strengths[a], strengths[b])
                matrix[a][b] -= met * expected * (1 - expected)
                matrix[a][a] += met * expected * (1 - expected)
    return matrix


def _inverse(information: Sequence[Sequence[float]]) -> list[list[float]]:
    """The strengths' covariances with the first strength held at 0: its row and column are zeros.

    Gauss-Jordan elimination; the matrix without the first agent is positive definite, so no pivot is 0.
    """
    size = len(information) - 1
    rows = [[*information[index + 1][1:], *(float(index == other) for other in range(size))] for index in range(size)]
    for index in range(size):
        pivot = rows[index][index]
        rows[index] = [cell / pivot for cell in rows[index]]
        for other in range(size):
            factor = rows[other][index]
            if other != index and factor:
                rows[other] = [cell - factor * own for cell, own in zip(rows[other], rows[index], strict=True)]
    return [[0.0] * (size + 1), *([0.0, *row[size:]] for row in rows)]


def _variance(weights: Sequence[float], covariances: Sequence[Sequence[float]]) -> float:
    """The variance of a weighted sum."""
    return sum(
        weight * sum(other * cell for other, cell in zip(weights, row, strict=True))
        for weight, row in zip(weights, covariances, strict=True)
    )
