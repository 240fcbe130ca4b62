"""The pairing loop of the strength benchmark: openings, sides and counts."""

from __future__ import annotations

import math

from benchmarks.strength import MatchResult, evaluator_matches, level_matches, play_match, random_openings, row_of
from connect4_agent.engine.players import parse_player
from connect4_agent.position import Position


def test_openings_have_two_to_four_plies_differ_and_leave_nobody_a_win_at_once() -> None:
    openings = random_openings(100, seed=1)
    assert len(set(openings)) == 100
    assert {len(opening) for opening in openings} == {2, 3, 4}
    for opening in openings:
        position = Position()
        for column in opening:
            position = position.play(column)
        assert not position.winning_columns()
        assert not position.passed().winning_columns()
    assert openings == random_openings(100, seed=1)


def test_a_match_plays_every_opening_from_both_sides() -> None:
    result = play_match("first-open", "first-open", 20)
    assert (result.games, len(result.pair_points)) == (20, 10)
    # Equal players without chance: every pair is the same game twice, once won and once lost, or drawn twice.
    assert set(result.pair_points) == {1.0}
    assert result.distinct == 10
    assert result.elo == (0.0, 0.0, 0.0)


def test_a_match_of_seeded_players_is_repeatable() -> None:
    first, second = (play_match("greedy", "random", 10) for _ in range(2))
    assert (first.wins, first.draws, first.losses, first.lost_openings) == (
        second.wins,
        second.draws,
        second.losses,
        second.lost_openings,
    )


def test_the_elo_difference_is_that_of_the_points() -> None:
    result = MatchResult("a", "b", 15, 0, 5, 20, (2.0,) * 5 + (1.0,) * 5, (), 1.0)
    middle, low, high = result.elo
    assert math.isclose(middle, 400 * math.log10(3))
    assert low < middle < high


def test_a_match_without_a_loss_has_no_elo_difference() -> None:
    result = MatchResult("a", "b", 20, 0, 0, 20, (2.0,) * 10, (), 1.0)
    assert "| 100.0% | n/a |" in row_of(result)


def test_every_scheduled_player_exists_and_every_match_has_pairs() -> None:
    for name, opponent, games in [*level_matches(quick=False), *level_matches(quick=True), *evaluator_matches(20)]:
        parse_player(name)
        parse_player(opponent)
        assert games % 2 == 0
