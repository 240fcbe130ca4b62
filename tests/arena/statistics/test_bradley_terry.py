"""Bradley-Terry ratings agree with a published fit, and stay finite or missing; ranks vary as the ratings do."""

from __future__ import annotations

import math
from itertools import pairwise, permutations

import pytest
import scipy  # whose parts load when they are first used: they take most of a second
from hypothesis import given
from hypothesis import strategies as st

from connect4_agent import errors
from connect4_agent.arena.statistics import bradley_terry, ratings
from connect4_agent.arena.statistics.ratings import ELO_PER_NAT, Z_95, Estimate
from tests.effort import examples

# Citations between journals (Stigler 1994), the worked example of Turner and Firth, Bradley-Terry Models in R,
# Journal of Statistical Software 48(9), 2012: the cited journal wins.
JOURNALS = ("Biometrika", "Comm Statist", "JASA", "JRSS-B")
CITED = ((714, 730, 498, 221), (33, 425, 68, 17), (320, 813, 1072, 142), (284, 276, 325, 188))
CITATIONS = {(JOURNALS[a], JOURNALS[b]): float(CITED[a][b]) for a, b in permutations(range(4), 2)}


def numbers(estimate: Estimate) -> tuple[float, float, float]:
    assert estimate.value is not None
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.value, estimate.low, estimate.high


def test_a_published_fit_is_reproduced_with_its_standard_errors() -> None:
    rated = bradley_terry.rate(JOURNALS, CITATIONS, anchor="Biometrika", prior=False)
    assert rated["Biometrika"].elo == Estimate(0.0)
    published = {"JRSS-B": (0.26895, 0.07083), "JASA": (-0.47957, 0.06059), "Comm Statist": (-2.94907, 0.10255)}
    for journal, (ability, standard_error) in published.items():
        elo, low, high = numbers(rated[journal].elo)
        assert elo / ELO_PER_NAT == pytest.approx(ability, abs=5e-6)
        assert (high - low) / 2 / Z_95 / ELO_PER_NAT == pytest.approx(standard_error, abs=5e-6)


# Wins of the row's team over the column's, American League 1987 (Agresti, Categorical Data Analysis, 2002, p. 438).
TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
WINS = (
    (0, 7, 9, 7, 7, 9, 11),
    (6, 0, 7, 5, 11, 9, 9),
    (4, 6, 0, 7, 7, 8, 12),
    (6, 8, 6, 0, 6, 7, 10),
    (6, 2, 6, 7, 0, 7, 12),
    (4, 4, 5, 6, 6, 0, 6),
    (2, 4, 1, 3, 1, 7, 0),
)


def test_the_baseball_table_of_agresti_is_reproduced() -> None:
    points = {(TEAMS[a], TEAMS[b]): float(WINS[a][b]) for a, b in permutations(range(7), 2)}
    rated = bradley_terry.rate(TEAMS, points, anchor="Baltimore", prior=False)
    fitted = [numbers(rated[team].elo) for team in TEAMS[:-1]]
    assert [round(elo / ELO_PER_NAT, 2) for elo, _, _ in fitted] == [1.58, 1.44, 1.29, 1.25, 1.11, 0.68]
    assert {round((high - low) / 2 / Z_95 / ELO_PER_NAT, 1) for _, low, high in fitted} == {0.3}


def test_without_an_anchor_the_mean_is_zero_and_differences_stay() -> None:
    free = bradley_terry.rate(JOURNALS, CITATIONS, prior=False)
    anchored = bradley_terry.rate(JOURNALS, CITATIONS, anchor="JASA", prior=False)
    assert sum(numbers(rating.elo)[0] for rating in free.values()) == pytest.approx(0, abs=1e-6)
    gap = numbers(free["JRSS-B"].elo)[0] - numbers(free["JASA"].elo)[0]
    assert numbers(anchored["JRSS-B"].elo)[0] == pytest.approx(gap, abs=1e-6)


def test_two_agents_are_as_far_apart_as_their_score_says() -> None:
    rated = bradley_terry.rate(("a", "b"), {("a", "b"): 30.0, ("b", "a"): 10.0}, prior=False)
    gap = numbers(rated["a"].elo)[0] - numbers(rated["b"].elo)[0]
    assert gap == pytest.approx(ratings.elo_of_score(0.75))


def test_the_maximum_is_the_one_that_a_numerical_search_finds() -> None:
    agents = ("a", "b", "c", "d")
    points = {("a", "b"): 7.5, ("b", "a"): 2.5, ("b", "c"): 6.0, ("c", "b"): 4.0, ("c", "a"): 0.5, ("a", "c"): 9.5}
    points |= {("d", "a"): 1.0, ("a", "d"): 5.0, ("d", "c"): 3.0, ("c", "d"): 3.0}

    def loss(strengths: list[float]) -> float:
        place = dict(zip(agents, strengths, strict=True))
        return sum(value * math.log1p(math.exp(place[b] - place[a])) for (a, b), value in points.items())

    best = scipy.optimize.minimize(loss, [0.0] * 4, method="BFGS", options={"gtol": 1e-9}).x
    rated = bradley_terry.rate(agents, points, prior=False)
    for agent, strength in zip(agents, best, strict=True):
        assert numbers(rated[agent].elo)[0] == pytest.approx(ELO_PER_NAT * (strength - sum(best) / 4), abs=1e-2)


def test_nobody_is_rated_without_agents() -> None:
    assert bradley_terry.rate((), {}, prior=False) == {}


def test_an_unknown_anchor_is_refused_by_name() -> None:
    with pytest.raises(errors.BadValueError, match=r"'nobody'; the agents are 'a', 'b'"):
        bradley_terry.rate(("a", "b"), {}, anchor="nobody", prior=False)


halves = st.integers(1, 400).map(lambda count: count / 2)  # without the prior, all must have taken points from all


@examples(60)
@given(st.lists(halves, min_size=12, max_size=12))
def test_ratings_balance_points_taken_and_expected(table: list[float]) -> None:
    agents = ("a", "b", "c", "d")
    points = dict(zip(permutations(agents, 2), table, strict=True))
    rated = bradley_terry.rate(agents, points, prior=False)
    place = {agent: rating.elo.value for agent, rating in rated.items() if rating.elo.value is not None}
    for agent, elo in place.items():
        assert math.isfinite(elo)
        others = [other for other in place if other != agent]
        taken = sum(points[agent, other] for other in others)
        expected = sum(
            (points[agent, other] + points[other, agent]) * ratings.score_of_elo(elo - place[other]) for other in others
        )
        assert taken == pytest.approx(expected, abs=1e-4)


SWEEP = {("a", "b"): 6.0, ("b", "c"): 6.0, ("a", "c"): 6.0}
"""a beats b beats c, always."""


def test_with_the_prior_a_clean_sweep_has_finite_ratings_that_a_numerical_search_finds_too() -> None:
    def loss(strengths: list[float]) -> float:
        place = dict(zip("abc", strengths, strict=True))
        games = sum(value * math.log1p(math.exp(place[b] - place[a])) for (a, b), value in SWEEP.items())
        return games + sum(math.log1p(math.exp(s)) / 2 + math.log1p(math.exp(-s)) / 2 for s in strengths)

    best = scipy.optimize.minimize(loss, [0.0] * 3, method="BFGS", options={"gtol": 1e-9}).x
    rated = bradley_terry.rate(("a", "b", "c"), SWEEP)
    for agent, strength in zip("abc", best, strict=True):
        assert numbers(rated[agent].elo)[0] == pytest.approx(ELO_PER_NAT * (strength - sum(best) / 3), abs=1e-2)
    assert numbers(rated["a"].elo)[0] > numbers(rated["b"].elo)[0] > numbers(rated["c"].elo)[0]


def test_the_prior_hardly_moves_agents_that_played_much() -> None:
    with_prior = bradley_terry.rate(JOURNALS, CITATIONS)
    without = bradley_terry.rate(JOURNALS, CITATIONS, prior=False)
    for journal in JOURNALS:
        for one, two in zip(numbers(with_prior[journal].elo), numbers(without[journal].elo), strict=True):
            assert one == pytest.approx(two, abs=1)


def test_with_the_prior_only_an_agent_without_games_has_no_rating() -> None:
    rated = bradley_terry.rate(("x", "y", "a", "b", "idle"), {("a", "b"): 1.0, ("x", "y"): 3.0, ("y", "x"): 2.0})
    assert [agent for agent, rating in rated.items() if rating.elo.value is None] == ["idle"]
    assert (rated["idle"].ranks, rated["idle"].note) == (None, bradley_terry.NO_GAMES)
    with pytest.raises(errors.BadValueError, match="'idle' cannot be rated: no rated games"):
        bradley_terry.rate(("a", "b", "idle"), {("a", "b"): 1.0}, anchor="idle")


def ranks_of(agents: tuple[str, ...], points: dict[tuple[str, str], float], *, prior: bool = True) -> dict[str, object]:
    return {agent: rating.ranks for agent, rating in bradley_terry.rate(agents, points, prior=prior).items()}


def test_ranks_are_sure_after_many_games_and_open_after_few() -> None:
    many = {("a", "b"): 900.0, ("b", "a"): 100.0, ("b", "c"): 900.0, ("c", "b"): 100.0}
    assert ranks_of(("c", "a", "b"), many) == {"a": (1, 1), "b": (2, 2), "c": (3, 3)}
    assert ranks_of(("c", "a", "b"), many, prior=False) == {"a": (1, 1), "b": (2, 2), "c": (3, 3)}
    few = {("a", "b"): 2.0, ("b", "a"): 1.0, ("b", "c"): 1.0, ("c", "b"): 1.0}
    assert ranks_of(("c", "a", "b"), few) == {"a": (1, 3), "b": (1, 3), "c": (1, 3)}


def test_unranked_agents_are_rated_and_take_nobodys_rank() -> None:
    points = {("a", "b"): 190.0, ("b", "a"): 10.0, ("b", "c"): 190.0, ("c", "b"): 10.0}
    rated = bradley_terry.rate(("a", "b", "c"), points, unranked=("b",))
    assert {name: rating.ranks for name, rating in rated.items()} == {"a": (1, 1), "b": None, "c": (2, 2)}
    assert rated["b"].elo == bradley_terry.rate(("a", "b", "c"), points)["b"].elo


def test_ranks_are_those_of_draws_with_the_published_covariances() -> None:
    """Two agents whose difference is twice its standard error swap ranks in 2.3 % of all draws: not in 95 %."""
    for won, ranks in ((60.2, (1, 1)), (59.0, (1, 2))):  # 2.04 and 1.80 standard errors
        points = {("a", "b"): won, ("b", "a"): 100 - won}
        assert bradley_terry.rate(("a", "b"), points, prior=False)["a"].ranks == ranks


def test_with_many_agents_there_are_fewer_draws_and_all_ranks_are_there() -> None:
    agents = tuple(f"agent {number}" for number in range(70))
    points = dict.fromkeys(pairwise(agents), 2.0)
    ranks = [rating.ranks for rating in bradley_terry.rate(agents, points).values()]
    assert all(pair is not None and 1 <= pair[0] <= pair[1] <= 70 for pair in ranks)
    assert ranks == [rating.ranks for rating in bradley_terry.rate(agents, points).values()]


@examples(60)
@given(st.lists(halves, min_size=12, max_size=12))
def test_a_rank_range_holds_the_rank_by_rating(table: list[float]) -> None:
    agents = ("a", "b", "c", "d")
    rated = bradley_terry.rate(agents, dict(zip(permutations(agents, 2), table, strict=True)))
    places = sorted((rating for rating in rated.values() if rating.ranks), key=lambda rating: -numbers(rating.elo)[0])
    for rank, rating in enumerate(places, 1):
        assert rating.ranks is not None
        ties = sum(other.elo == rating.elo for other in places)
        assert rating.ranks[0] - ties < rank < rating.ranks[1] + ties
