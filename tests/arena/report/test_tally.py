"""Games add up to the right figures, from the right side."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from connect4_agent.arena.report.model import MistakeCount, Report
from connect4_agent.arena.report.ratings import UNKNOWN, SprtBounds
from connect4_agent.arena.report.tally import SLOWEST_MOVES, Tally
from connect4_agent.arena.run.record import Ending, Fault, GameRecord, Overrun, Replay
from tests.sample_runs import judged_record, record_of, tournament

FIRST_WINS = "0101010"
SECOND_WINS = "01012161"
DRAW = "146660203633536103043506522512202545444111"


def report_of(records: Iterable[GameRecord], anchor: str | None = None, bounds: SprtBounds | None = None) -> Report:
    tally = Tally()
    for record in records:
        tally.add(record)
    return tally.report("run", anchor, bounds)


def paired(*outcomes: str) -> list[GameRecord]:
    """Games 1, 2, 3, ... of a against b, two for each pair with seats swapped; an outcome is w, d or l for a."""
    moves = {("w", 1): FIRST_WINS, ("l", 1): SECOND_WINS, ("w", 2): SECOND_WINS, ("l", 2): FIRST_WINS}
    return [
        record_of(
            moves.get((outcome, 1 + game % 2), DRAW),
            game=game + 1,
            repeat=game // 2,
            agents=("a", "b") if game % 2 == 0 else ("b", "a"),
        )
        for game, outcome in enumerate(outcomes)
    ]


def test_the_sample_games_are_what_they_are_taken_for() -> None:
    assert record_of(FIRST_WINS).winner == 1
    assert record_of(SECOND_WINS).winner == 2
    assert record_of(DRAW).ending is Ending.DRAW


def test_results_and_pairs_are_counted_from_the_first_agents_side() -> None:
    report = report_of(paired("w", "w", "w", "d", "w", "l", "d", "l", "l", "l", "w"))
    (pairing,) = report.pairings
    assert (pairing.a, pairing.b) == ("a", "b")
    assert (pairing.wins, pairing.draws, pairing.losses, pairing.points) == (5, 2, 4, 6.0)
    assert pairing.pairs == (1, 1, 1, 1, 1)
    assert pairing.unpaired_games == 1
    assert any("1 rated games have no rated partner" in note for note in report.notes)


def test_the_side_is_that_of_player_1_of_the_first_game_whatever_the_names() -> None:
    swapped = [
        record.model_copy(update={"key": record.key.model_copy(update={"agents": record.agents[::-1]})})
        for record in paired("w", "d")
    ]
    (pairing,) = report_of(swapped).pairings
    assert (pairing.a, pairing.b, pairing.wins, pairing.draws, pairing.losses) == ("b", "a", 1, 1, 0)
    assert pairing.pairs == (0, 0, 0, 1, 0)


def test_the_order_of_the_journal_does_not_matter() -> None:
    records = list(tournament(rounds=3))
    shuffled = list(records)
    Random(5).shuffle(shuffled)
    straight, mixed = report_of(records), report_of(shuffled)
    assert [(p.a, p.b, p.wins, p.pairs) for p in straight.pairings] == [
        (p.a, p.b, p.wins, p.pairs) for p in mixed.pairings
    ]
    assert [agent.rating for agent in straight.agents] == [agent.rating for agent in mixed.agents]
    assert straight.faults == mixed.faults
    assert straight.slowest == mixed.slowest


def test_every_agents_results_agree_with_its_pairings() -> None:
    report = report_of(tournament(rounds=3))
    assert sum(agent.games for agent in report.agents) == 2 * report.rated_games
    assert sum(agent.points for agent in report.agents) == report.rated_games
    assert sum(pairing.games for pairing in report.pairings) == report.rated_games
    assert all(2 * sum(p.pairs) + p.unpaired_games == p.games for p in report.pairings)


def test_identical_games_are_counted_once_among_the_distinct_ones() -> None:
    report = report_of(
        [
            record_of(FIRST_WINS, game=5),
            record_of(FIRST_WINS, game=1, repeat=1),
            record_of(FIRST_WINS, game=2, repeat=2, agents=("b", "a")),
            record_of(FIRST_WINS, game=3, repeat=3, begins=2),
            record_of(FIRST_WINS, game=4, repeat=4, width=8),
        ]
    )
    assert (report.games, report.distinct_games) == (5, 4)
    assert report.pairings[0].distinct_games == 4
    assert any("1 of 5 rated games repeat an earlier one" in note for note in report.notes)


def test_void_games_are_shown_apart_and_not_rated() -> None:
    report = report_of(
        [
            *paired("w", "l"),
            record_of("", game=2, repeat=1, ending=Ending.VOID),
        ]
    )
    assert (report.games, report.rated_games, report.void_games) == (3, 2, 1)
    a = next(agent for agent in report.agents if agent.name == "a")
    assert (a.games, a.endings["void"].drawn) == (2, 1)
    assert report.pairings[0].pairs == (0, 0, 1, 0, 0)
    assert report.pairings[0].unpaired_games == 0


def test_a_fault_is_a_rated_loss_and_its_first_game_is_named() -> None:
    faulty = [
        record_of(
            "33",
            game=game,
            repeat=game,
            ending=Ending.CRASHED,
            winner=2,
            fault=Fault(player=1, detail=f"gone in {game}", exit_status=-9),
        )
        for game in (4, 2)
    ]
    report = report_of(faulty)
    assert report.rated_games == 2
    (fault,) = report.faults
    assert (fault.agent, fault.ending, fault.game, fault.count, fault.detail) == ("a", "crashed", 2, 2, "gone in 2")
    assert [(agent.name, agent.faults, agent.losses) for agent in report.agents] == [("b", 0, 0), ("a", 2, 2)]


def test_adjudicated_games_are_rated_and_may_be_drawn() -> None:
    report = report_of([record_of("33", ending=Ending.ADJUDICATED, winner=None)])
    assert report.rated_games == 1
    assert report.agents[0].endings["adjudicated"].drawn == 1


def test_mistakes_are_counted_for_who_made_them_and_openings_for_nobody() -> None:
    whole, opened = judged_record(game=3), judged_record(game=1, opening=(0, 5, 0), agents=("b", "a"))
    report = report_of([whole, opened, record_of("33", game=2, repeat=1)])
    a, b = (next(agent for agent in report.agents if agent.name == name) for name in "ab")
    assert report.judged_games == 2
    assert a.judged is not None
    assert b.judged is not None
    assert (a.judged.moves, b.judged.moves) == (4 + 2, 3 + 2)
    assert {name: each.count for name, each in a.judged.mistakes.items()} == {
        "win to draw": 1, "win to loss": 1, "draw to loss": 1, "slower win": 0, "sooner loss": 1,
    }  # fmt: skip
    assert a.judged.errors == MistakeCount(3, 50.0)
    assert b.judged.errors == MistakeCount(2, 40.0)
    assert b.judged.mistakes["slower win"] == MistakeCount(1, 20.0)
    assert "1 games are not judged yet; use --judge" in report.notes


def test_without_judged_games_nothing_is_said_of_them() -> None:
    report = report_of([record_of(FIRST_WINS)])
    assert (report.judged_games, [agent.judged for agent in report.agents]) == (0, [None, None])
    assert not any("judged" in note for note in report.notes)


def test_slowest_moves_name_the_mover_and_moves_that_never_came() -> None:
    record = record_of(
        "3344",
        begins=2,
        opening=(3, 3),
        times_ms=(5.0, 7.0),
        ending=Ending.TIMED_OUT,
        winner=1,
        fault=Fault(player=2, detail="late"),
        overruns=(Overrun(ply=4, player=2, elapsed_ms=1001.0, limit_ms=1000.0),),
    )
    report = report_of([record])
    assert [(move.agent, move.ply, move.elapsed_ms, move.answered) for move in report.slowest] == [
        ("b", 4, 1001.0, False),
        ("a", 3, 7.0, True),
        ("b", 2, 5.0, True),
    ]
    late = next(agent for agent in report.agents if agent.name == "b")
    assert (late.overruns, late.moves, late.mean_ms, late.slowest_ms) == (1, 1, 5.0, 1001.0)


def test_only_the_slowest_moves_are_kept() -> None:
    records = [record_of(FIRST_WINS, game=game, repeat=game, times_ms=(float(game),) * 7) for game in range(1, 41)]
    slowest = report_of(records).slowest
    assert len(slowest) == SLOWEST_MOVES
    assert slowest[0].elapsed_ms == 40.0


def test_an_agent_against_itself_is_not_rated() -> None:
    report = report_of([record_of(FIRST_WINS, agents=("a", "a"))])
    assert (report.rated_games, report.pairings) == (0, [])
    assert report.agents[0].rating == UNKNOWN
    assert any("against itself" in note for note in report.notes)


def test_agents_stand_from_the_strongest_to_the_weakest_with_those_beyond_the_scale_outside() -> None:
    records = []
    for game, (winner, loser) in enumerate(
        [("a", "b"), ("a", "b"), ("b", "a"), ("top", "a"), ("b", "low"), ("top", "low")], 1
    ):
        records.append(record_of(FIRST_WINS, game=game, repeat=game, agents=(winner, loser)))
    report = report_of(records)
    assert [agent.name for agent in report.agents] == ["top", "a", "b", "low"]
    assert [agent.rating.value is None for agent in report.agents] == [True, False, False, True]


def test_a_sequential_test_is_made_on_games_and_on_pairs() -> None:
    (pairing,) = report_of(paired(*"wwwlwdwwww"), bounds=SprtBounds(0, 50)).pairings
    assert pairing.sprt is not None
    assert pairing.pair_sprt is not None
    assert pairing.sprt.llr != pytest.approx(pairing.pair_sprt.llr)


def test_a_game_that_is_to_be_continued_counts_as_lost_until_it_is() -> None:
    lost: dict[str, Any] = {"ending": Ending.TIMED_OUT, "winner": 2, "fault": Fault(player=1, detail="late")}
    tally = Tally()
    tally.add(record_of("33", replay=Replay.DUE, **lost))
    due = tally.report("run")
    assert (due.due_games, due.pairings[0].losses, due.agents[1].name) == (1, 1, "a")
    assert "1 games were lost on time and are to be continued: until then they count as lost" in due.notes
    tally.add(record_of(FIRST_WINS, replay=Replay.CONTINUED))
    continued = tally.report("run")
    assert (continued.due_games, continued.games, continued.pairings[0].wins, continued.faults) == (0, 1, 1, [])
