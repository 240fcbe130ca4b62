"""The strength benchmark: matches of the arena, and what their rows say."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from connect4_agent.arena.report import ratings
from connect4_agent.engine.kernel.evaluators import DEFAULT_EVALUATOR, EVALUATORS
from connect4_agent.engine.players.registry import parse_player
from tools.benchmarks import strength
from tools.benchmarks.strength import (
    Match,
    evaluator_matches,
    ladder_matches,
    level_matches,
    lost_openings,
    play,
    play_match,
)


def match_of(one: str, two: str, games: int) -> Match:
    return Match("match", one, two, (one, two), games)


def without_seconds(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != "seconds"}


def test_openings_have_two_to_four_plies_and_each_is_played_from_both_sides() -> None:
    _, records = play_match(match_of("random", "first-open", 60))
    assert {len(record.opening) for record in records} <= {2, 3, 4}
    assert len({record.opening for record in records}) == 30
    for one, two in zip(records[::2], records[1::2], strict=True):
        assert one.opening == two.opening
        assert one.agents[one.first - 1] != two.agents[two.first - 1]


def test_equal_players_without_chance_are_equally_strong() -> None:
    row, records = play_match(match_of("first-open", "first-open", 20))
    assert (row["opponent"], row["wins"] - row["losses"], row["elo"]) == ("first-open #2", 0, 0)
    assert len(records) == 20


def test_a_match_is_repeatable_and_another_seed_gives_another_one() -> None:
    match = match_of("greedy", "random", 10)
    (first, games), (second, same_games) = play_match(match), play_match(match)
    assert without_seconds(first) == without_seconds(second)
    assert [game.columns for game in games] == [game.columns for game in same_games]
    assert [game.columns for game in play_match(match, seed=1)[1]] != [game.columns for game in games]


def test_a_row_counts_the_games_from_the_players_side_with_the_ratings_of_pairs() -> None:
    row, records = play_match(match_of("greedy", "random", 20))
    winners = [None if record.winner is None else record.agents[record.winner - 1] for record in records]
    assert (row["wins"], row["draws"], row["losses"]) == tuple(map(winners.count, ("greedy", None, "random")))
    points = [0.5 if winner is None else float(winner == "greedy") for winner in winners]
    counts = [0] * 5
    for one, two in zip(points[::2], points[1::2], strict=True):
        counts[round(2 * (one + two))] += 1
    estimate = ratings.elo_difference(counts)
    assert (row["elo"], row["elo_low"], row["elo_high"]) == (estimate.value, estimate.low, estimate.high)
    assert row["points_share"] == sum(points) / 20


def test_a_match_without_a_loss_has_no_elo_difference() -> None:
    row, _ = play_match(match_of("easy", "first-open", 6))
    assert (row["wins"], row["elo"], row["elo_low"], row["elo_high"]) == (6, None, None, None)


def test_a_lost_opening_is_named_with_the_side_that_lost_from_it() -> None:
    _, records = play_match(match_of("first-open", "easy", 4))
    assert all(record.winner == record.agents.index("easy") + 1 for record in records)
    openings = ["".join(str(column + 1) for column in record.opening) for record in records]
    # Player 1 begins in the first round, player 2 in the second; the first agent is player 1 in even games.
    sides = (1, 2, 2, 1)
    expected = ", ".join(f"{opening} as {side}" for opening, side in zip(openings, sides, strict=True))
    assert lost_openings(records, "first-open") == expected
    assert lost_openings(records, "easy") == ""


def test_a_fault_ends_the_benchmark_and_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise IndexError("no such table")

    monkeypatch.setattr("connect4_agent.engine.players.simple.FirstOpenPlayer.choose", broken)
    with pytest.raises(RuntimeError, match="no such table"):
        play_match(match_of("easy", "first-open", 2))


def test_the_openings_that_the_strongest_level_lost_from_follow_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "DEFAULT_LEVEL", "first-open")
    rows = play([match_of("first-open", "easy", 2), match_of("easy", "first-open", 2)])
    assert [row["what"] for row in rows] == ["match", "match", "first-open lost to easy"]
    assert rows[-1]["from"].endswith(" as 2")


def test_every_level_of_the_ladder_meets_the_one_below_in_400_games() -> None:
    met = {(match.openings, *match.specs): match.games for match in ladder_matches()}
    for openings in (strength.OPENINGS, strength.FRESH_OPENINGS):
        for level in range(2, 11):
            assert met[openings, f"level:{level}", f"level:{level - 1}"] == 400


def test_the_beginner_scores_the_same_every_time() -> None:
    rows = strength.play_beginner(20)
    assert [row["opponent"] for row in rows] == [f"level:{level}" for level in range(1, 6)]
    assert rows == strength.play_beginner(20)


@pytest.mark.parametrize("scale", [1, 10])
def test_every_scheduled_player_exists_and_every_match_has_pairs(scale: int) -> None:
    for match in level_matches(scale) + ladder_matches(scale) + evaluator_matches(scale):
        for spec in match.specs:
            parse_player(spec)
        assert match.games > 0
        assert match.games % 2 == 0


def test_every_two_evaluators_meet_at_equal_depth_and_the_default_one_all_others_at_equal_time() -> None:
    met: dict[str, list[frozenset[str]]] = {}
    for match in evaluator_matches():
        met.setdefault(match.what, []).append(frozenset((match.player, match.opponent)))
    all_pairs = {frozenset(pair) for pair in combinations(EVALUATORS, 2)}
    assert set(met) == {"depth=4", "depth=8", "time-limit=0.01"}
    assert set(met["depth=4"]) == set(met["depth=8"]) == all_pairs
    assert set(met["time-limit=0.01"]) == {pair for pair in all_pairs if DEFAULT_EVALUATOR in pair}
    assert all(len(pairs) == len(set(pairs)) for pairs in met.values())


def test_players_are_measured_on_the_evaluation_set_and_named_as_they_can_be_asked_again() -> None:
    (row,) = strength.evaluate(["first-open"])
    assert row["player"] == "first-open"
    assert row["what"] == "evaluation set 1"
    assert 0 < row["optimal_share"] < row["keeps_share"] < 1
    assert {"hard", "perfect", "level:10", "negamax:evaluator=windows,depth=8"} <= set(strength.position_players())
